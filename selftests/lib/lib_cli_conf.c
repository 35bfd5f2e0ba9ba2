// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of events, whatever is in them.
 *
 * Test: where=host
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/conf.c"

#define LINES	10000

FIXTURE(conf)
{
	struct conf conf;
};

FIXTURE_SETUP(conf)
{
	memset(&self->conf, 0, sizeof(self->conf));
}

FIXTURE_TEARDOWN(conf)
{
	conf_free(&self->conf);
}

static int parse(struct conf *conf, const char *text, size_t size)
{
	FILE *file = fmemopen((void *)text, size, "r");
	int ret;

	if (!file)
		return -errno;
	ret = conf_read(file, conf);
	fclose(file);
	return ret;
}

#define PARSE(text)	parse(&self->conf, text, sizeof(text) - 1)

TEST_F(conf, lines_have_their_numbers)
{
	ASSERT_EQ(0, PARSE("# first\n\nimc/a/\n  \t\nha/b/\n"));
	ASSERT_EQ(2, self->conf.count);
	EXPECT_EQ(3, self->conf.lines[0].number);
	EXPECT_STREQ("imc/a/", self->conf.lines[0].spec);
	EXPECT_EQ(NULL, self->conf.lines[0].trouble);
	EXPECT_EQ(5, self->conf.lines[1].number);
	EXPECT_STREQ("ha/b/", self->conf.lines[1].spec);
}

TEST_F(conf, nothing)
{
	EXPECT_EQ(0, PARSE("\n"));
	EXPECT_EQ(0, self->conf.count);
	EXPECT_EQ(0, PARSE("#"));
	EXPECT_EQ(0, self->conf.count);
	EXPECT_EQ(0, PARSE("\n\n# only\n#comments"));
	EXPECT_EQ(0, self->conf.count);
	EXPECT_EQ(0, conf_load("/dev/null", &self->conf));
	EXPECT_EQ(0, self->conf.count);
}

TEST_F(conf, blanks_and_comments)
{
	ASSERT_EQ(0, PARSE(" \timc/a/ \t# why\nimc/b/#\r\nimc/c/\r\n"));
	ASSERT_EQ(3, self->conf.count);
	EXPECT_STREQ("imc/a/", self->conf.lines[0].spec);
	EXPECT_STREQ("imc/b/", self->conf.lines[1].spec);
	EXPECT_STREQ("imc/c/", self->conf.lines[2].spec);
}

TEST_F(conf, a_comment_may_hold_anything)
{
	ASSERT_EQ(0, PARSE("# \0\xff\x01 \xc3\xa4 a b\nimc/a/\n"));
	ASSERT_EQ(1, self->conf.count);
	EXPECT_EQ(2, self->conf.lines[0].number);
	EXPECT_EQ(NULL, self->conf.lines[0].trouble);
}

TEST_F(conf, no_newline_at_the_end)
{
	ASSERT_EQ(0, PARSE("imc/a/\nimc/b/"));
	ASSERT_EQ(2, self->conf.count);
	EXPECT_STREQ("imc/b/", self->conf.lines[1].spec);
	EXPECT_EQ(2, self->conf.lines[1].number);
}

TEST_F(conf, nul_in_a_line)
{
	ASSERT_EQ(0, PARSE("imc/\0a/\nimc/b/\n"));
	ASSERT_EQ(2, self->conf.count);
	EXPECT_STREQ("has a NUL character", self->conf.lines[0].trouble);
	EXPECT_STREQ("", self->conf.lines[0].spec);
	EXPECT_EQ(NULL, self->conf.lines[1].trouble);
	EXPECT_STREQ("imc/b/", self->conf.lines[1].spec);
}

TEST_F(conf, not_text)
{
	ASSERT_EQ(0, PARSE("imc/\xc3\xa4/\nimc/\x1b[1m/\n\x7f\nimc/b/\n"));
	ASSERT_EQ(4, self->conf.count);
	EXPECT_STREQ("has a character that is not plain text",
		     self->conf.lines[0].trouble);
	EXPECT_STREQ("has a character that is not plain text",
		     self->conf.lines[1].trouble);
	EXPECT_STREQ("has a character that is not plain text",
		     self->conf.lines[2].trouble);
	EXPECT_EQ(NULL, self->conf.lines[3].trouble);
}

/* In front of the file, and whole, it is no part of the text. */
TEST_F(conf, a_byte_order_mark)
{
	static const char *const others[] = {
		"\xef\xbbimc/a/\n", "\xefimc/a/\n", "\xef\xbb\n", "\xef",
		" \xef\xbb\xbfimc/a/\n", "\xef\xbb\xbf\xef\xbb\xbfimc/a/\n",
		"\xbb\xbfimc/a/\n",
	};
	size_t i;

	ASSERT_EQ(0, PARSE("\xef\xbb\xbfimc/a/\nimc/b/\n"));
	ASSERT_EQ(2, self->conf.count);
	EXPECT_EQ(NULL, self->conf.lines[0].trouble);
	EXPECT_STREQ("imc/a/", self->conf.lines[0].spec);
	EXPECT_EQ(1, self->conf.lines[0].number);
	conf_free(&self->conf);
	ASSERT_EQ(0, PARSE("\xef\xbb\xbf"));
	EXPECT_EQ(0, self->conf.count);
	for (i = 0; i < ARRAY_LENGTH(others); i++) {
		ASSERT_EQ(0, parse(&self->conf, others[i], strlen(others[i])));
		ASSERT_EQ(1, self->conf.count) TH_LOG("%zu", i);
		EXPECT_NE(NULL, self->conf.lines[0].trouble) TH_LOG("%zu", i);
		conf_free(&self->conf);
	}
}

TEST_F(conf, two_events_in_a_line)
{
	ASSERT_EQ(0, PARSE("imc/a/ imc/b/\n"));
	ASSERT_EQ(1, self->conf.count);
	EXPECT_STREQ("more than one event: write each on a line of its own",
		     self->conf.lines[0].trouble);
}

TEST_F(conf, the_longest_line)
{
	char text[UNCORE_SPEC_LEN + 1];

	memset(text, 'x', sizeof(text));
	text[UNCORE_SPEC_LEN - 1] = '\n';
	ASSERT_EQ(0, parse(&self->conf, text, UNCORE_SPEC_LEN));
	ASSERT_EQ(1, self->conf.count);
	EXPECT_EQ(NULL, self->conf.lines[0].trouble);
	EXPECT_EQ(UNCORE_SPEC_LEN - 1, strlen(self->conf.lines[0].spec));
	conf_free(&self->conf);

	text[UNCORE_SPEC_LEN - 1] = 'x';
	ASSERT_EQ(0, parse(&self->conf, text, UNCORE_SPEC_LEN));
	ASSERT_EQ(1, self->conf.count);
	EXPECT_STREQ("too long for an event", self->conf.lines[0].trouble);
}

TEST_F(conf, a_line_of_a_megabyte)
{
	size_t size = 1 << 20;
	char *text = malloc(size);

	ASSERT_NE(NULL, text);
	memset(text, 'x', size);
	memcpy(text + size - 9, "\nimc/a/\n\n", 9);
	EXPECT_EQ(0, parse(&self->conf, text, size));
	free(text);
	ASSERT_EQ(2, self->conf.count);
	EXPECT_STREQ("too long for an event", self->conf.lines[0].trouble);
	EXPECT_STREQ("imc/a/", self->conf.lines[1].spec);
	EXPECT_EQ(2, self->conf.lines[1].number);
}

TEST_F(conf, ten_thousand_lines)
{
	char want[32], *text;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);

	ASSERT_NE(NULL, file);
	for (i = 1; i <= LINES; i++)
		fprintf(file, "imc/event=%zu/\n", i);
	fclose(file);
	EXPECT_EQ(0, parse(&self->conf, text, size));
	free(text);
	ASSERT_EQ(LINES, self->conf.count);
	for (i = 1; i <= LINES; i++) {
		snprintf(want, sizeof(want), "imc/event=%zu/", i);
		ASSERT_EQ(i, self->conf.lines[i - 1].number);
		ASSERT_STREQ(want, self->conf.lines[i - 1].spec);
	}
}

TEST_F(conf, every_character)
{
	char text[4];
	int c;

	for (c = 0; c < 256; c++) {
		snprintf(text, sizeof(text), "a%c\n", c);
		text[1] = (char)c;
		ASSERT_EQ(0, parse(&self->conf, text, 3)) TH_LOG("%d", c);
		ASSERT_EQ(1, self->conf.count) TH_LOG("%d", c);
		EXPECT_EQ(self->conf.lines[0].trouble == NULL,
			  c == '\t' || c == '\n' || c == '\r' ||
			  (c >= ' ' && c <= '~')) TH_LOG("%d", c);
		conf_free(&self->conf);
	}
}

TEST_F(conf, what_never_ends)
{
	FILE *file = fopen("/dev/zero", "re");

	ASSERT_NE(NULL, file);
	EXPECT_EQ(-EFBIG, conf_read(file, &self->conf));
	fclose(file);
	EXPECT_EQ(0, self->conf.count);
	EXPECT_EQ(NULL, self->conf.lines);
}

/* A FIFO is refused at once, with a writer or without. */
TEST_F(conf, what_cannot_be_read)
{
	char folder[] = "/tmp/uncore-conf-XXXXXX", fifo[64];

	EXPECT_EQ(-EISDIR, conf_load("/", &self->conf));
	EXPECT_EQ(0, self->conf.count);
	EXPECT_EQ(-ENOENT, conf_load("/nonexistent", &self->conf));
	EXPECT_EQ(-ENOTDIR, conf_load("/dev/null/x", &self->conf));
	EXPECT_EQ(-ENOTSUP, conf_load("/dev/zero", &self->conf));
	ASSERT_NE(NULL, mkdtemp(folder));
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	ASSERT_EQ(0, mkfifo(fifo, 0600));
	EXPECT_EQ(-ENOTSUP, conf_load(fifo, &self->conf));
	EXPECT_EQ(0, unlink(fifo));
	EXPECT_EQ(0, rmdir(folder));
}

TEST_F(conf, errors_have_a_remedy)
{
	EXPECT_NE(NULL, strstr(conf_error_text(-ENOENT), "write one"));
	EXPECT_NE(NULL, strstr(conf_error_text(-EISDIR), "name a file"));
	EXPECT_NE(NULL, strstr(conf_error_text(-ENOTSUP), "not a regular"));
	EXPECT_NE(NULL, strstr(conf_error_text(-EFBIG), "16 MiB"));
	EXPECT_STREQ("Input/output error", conf_error_text(-EIO));
}

TEST_F(conf, a_program_is_no_file_of_events)
{
	size_t i;

	ASSERT_EQ(0, conf_load("/proc/self/exe", &self->conf));
	EXPECT_LT(0, self->conf.count);
	EXPECT_NE(NULL, self->conf.lines[0].trouble);
	for (i = 0; i < self->conf.count; i++)
		if (self->conf.lines[i].trouble)
			ASSERT_STREQ("", self->conf.lines[i].spec);
}

TEST_HARNESS_MAIN
