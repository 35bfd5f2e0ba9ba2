# SPDX-License-Identifier: GPL-2.0-only
#
# Judges one test program by its TAP output (the input), how it ended (-v
# status=, "exit N", "signal N", "timeout", or why there is none) and the hits
# in the kernel log (-v hits=N). Prints a line for every result:
#
#	pass TEXT | fail TEXT | skip TEXT: REASON

function description(line) {
	sub(/^(not )?ok *[0-9]*/, "", line)
	sub(/#.*/, "", line)
	gsub(/^[ -]+|[ ]+$/, "", line)
	return line
}

function directive(line) {
	if (!match(toupper(line), /# *(SKIP|XFAIL|TODO)[^ ]* */))
		return ""
	line = substr(line, RSTART + RLENGTH)
	return line == "" ? "no reason given" : line
}

function result(kind, text) {
	print kind, text
	count[kind]++
}

# The kernel's tests say so by their exit status, too.
function all_skipped() {
	return status == "exit 4" && count["skip"] && !count["pass"]
}

{ sub(/\r$/, "") }

/^1\.\.[0-9]+/ {
	plans++
	planned = substr($1, 4) + 0
	if (planned == 0 && directive($0) == "")
		result("fail", "planned no tests and does not say why")
	else if (planned == 0)
		result("skip", "all: " directive($0))
	next
}

/^(not )?ok([ \t]|$)/ {
	results++
	number = $1 == "not" ? $3 : $2
	if (number ~ /^[0-9]+$/ && number + 0 != results && !disorder) {
		disorder = 1
		result("fail", "result " results " has the number " number)
	}
	text = description($0)
	if (text == "")
		text = "test " results
	if ($1 == "not")
		result("fail", text)
	else if (toupper($0) ~ /# *(SKIP|XFAIL)/)
		result("skip", text ": " directive($0))
	else
		result("pass", text)
	next
}

/^Bail out!/ {
	result("fail", $0)
}

END {
	if (status == "timeout")
		result("fail", "timed out")
	else if (status ~ /^signal/)
		result("fail", "died of " status)
	else if (status !~ /^exit/)
		result("fail", status == "" ? "no result" : status)
	else if (plans == 0)
		result("fail", "no plan in the output")
	else if (plans > 1)
		result("fail", "more than one plan in the output")
	else if (results != planned)
		result("fail", "planned " planned " tests, reported " results + 0)
	else if (status != "exit 0" && !count["fail"] && !all_skipped())
		result("fail", "all passed, but " status)
	if (hits > 0)
		result("fail", "the kernel complained, " hits " lines in its log")
}
