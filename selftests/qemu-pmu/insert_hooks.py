#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Put the emulated PMU into a QEMU 10.0 source tree.

usage: insert_hooks.py QEMU_SOURCE_DIR

Copies the opmu files and calls them from QEMU's own. Every anchor must occur
exactly once, else nothing is written: a QEMU that has changed at one of these
places needs a look, not a guess.
"""
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
I386 = "target/i386/"
TCG = I386 + "tcg/"
SYSTEM = TCG + "system/"

FILES = {
    "opmu.h": I386,
    "opmu_internal.h": SYSTEM,
    "opmu.c": SYSTEM,
    "opmu_intel.c": SYSTEM,
    "opmu_amd.c": SYSTEM,
}


class Hook:
    """A change at an anchor, which the new text may contain as {}."""

    def __init__(self, path, anchor, text):
        self.path = path
        self.anchor = anchor
        self.text = text

    def apply(self, source):
        found = source.count(self.anchor)
        if found != 1:
            sys.exit(f"{self.path}: found {found} times, not once:\n"
                     f"{self.anchor}")
        return source.replace(self.anchor,
                              self.text.replace("{}", self.anchor))


HOOKS = [
    # The CPU object: properties, life cycle, CPUID.
    Hook(I386 + "cpu.h",
         '#include "standard-headers/asm-x86/kvm_para.h"\n',
         '{}#include "opmu.h"\n'),
    Hook(I386 + "cpu.h",
         "    bool enable_pmu;\n",
         "{}\n"
         "    OpmuProperties opmu;\n"
         "    OpmuState *opmu_state;\n"),
    Hook(I386 + "cpu.c",
         '    DEFINE_PROP_BOOL("pmu", X86CPU, enable_pmu, false),\n',
         '{}'
         '    DEFINE_PROP_BOOL("opmu", X86CPU, opmu.enabled, false),\n'
         '    DEFINE_PROP_UINT8("opmu-gp", X86CPU, opmu.n_general, 4),\n'
         '    DEFINE_PROP_UINT8("opmu-fixed", X86CPU, opmu.n_fixed, 3),\n'
         '    DEFINE_PROP_UINT8("opmu-width", X86CPU, opmu.width, 48),\n'),
    Hook(I386 + "cpu.c",
         "    x86_cpu_adjust_feat_level(cpu, FEAT_7_0_EBX);\n",
         "{}"
         "    if (!opmu_realize(cpu, errp)) {\n"
         "        return;\n"
         "    }\n"
         "    if (cpu->opmu.enabled) {\n"
         "        x86_cpu_adjust_level(cpu, &env->cpuid_min_level, 0xA);\n"
         "    }\n"),
    Hook(I386 + "cpu.c",
         "    memset(env, 0, offsetof(CPUX86State, end_reset_fields));\n",
         "{}    opmu_reset(cpu);\n"),
    Hook(I386 + "cpu.c",
         "        /* Architectural Performance Monitoring Leaf */\n",
         "{}"
         "        if (opmu_cpuid_0a(cpu, eax, ebx, ecx, edx)) {\n"
         "            break;\n"
         "        }\n"),
    Hook(I386 + "cpu.c",
         "        *ecx = env->features[FEAT_8000_0001_ECX];\n",
         "{}        *ecx |= opmu_cpuid_80000001_ecx(cpu);\n"),

    # Counters know privilege levels, so the unit must hear of a change.
    Hook(I386 + "cpu.h",
         "#error HF_CPL_MASK is hardcoded\n#endif\n",
         "{}"
         "            if (cpl != (env->hflags & HF_CPL_MASK)) {\n"
         "                opmu_cpl_change(env);\n"
         "            }\n"),

    # RDPMC, whose helper may return now. It already ends the block.
    Hook(I386 + "helper.h",
         "DEF_HELPER_FLAGS_1(rdpmc, TCG_CALL_NO_WG, noreturn, env)\n",
         "DEF_HELPER_1(rdpmc, void, env)\n"),
    Hook(TCG + "emit.c.inc",
         "    gen_helper_rdpmc(tcg_env);\n"
         "    s->base.is_jmp = DISAS_NORETURN;\n",
         "    gen_helper_rdpmc(tcg_env);\n"),
    Hook(TCG + "misc_helper.c",
         "G_NORETURN void helper_rdpmc(",
         "void helper_rdpmc("),
    Hook(TCG + "misc_helper.c",
         "    cpu_svm_check_intercept_param(env, SVM_EXIT_RDPMC, 0, "
         "GETPC());\n",
         "{}"
         "    if (opmu_rdpmc(env, GETPC())) {\n"
         "        return;\n"
         "    }\n"),

    # RDMSR and WRMSR. The latter ends the block; so must the former, for
    # icount books all instructions of a block when it starts.
    Hook(TCG + "emit.c.inc",
         "    gen_helper_rdmsr(tcg_env);\n",
         "    translator_io_start(&s->base);\n{}"),
    Hook(SYSTEM + "misc_helper.c",
         "    cpu_svm_check_intercept_param(env, SVM_EXIT_MSR, 0, GETPC());\n",
         "{}"
         "    if (opmu_rdmsr(env, GETPC())) {\n"
         "        return;\n"
         "    }\n"),
    Hook(SYSTEM + "misc_helper.c",
         "    val = ((uint32_t)env->regs[R_EAX]) |\n"
         "        ((uint64_t)((uint32_t)env->regs[R_EDX]) << 32);\n",
         "{}"
         "    if (opmu_wrmsr(env, val, GETPC())) {\n"
         "        return;\n"
         "    }\n"),
    Hook(SYSTEM + "meson.build",
         "  'misc_helper.c',\n",
         "{}  'opmu.c',\n  'opmu_amd.c',\n  'opmu_intel.c',\n"),

    # Under -icount, instructions executed by each CPU: QEMU has the sum only.
    Hook("include/hw/core/cpu.h",
         "    int64_t icount_extra;\n",
         "{}    int64_t icount_executed;\n"),
    Hook("accel/tcg/icount-common.c",
         "    cpu->icount_budget -= executed;\n",
         "{}    cpu->icount_executed += executed;\n"),
]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1])
    sources = {}
    for hook in HOOKS:
        path = root / hook.path
        source = sources.get(path) or path.read_text()
        sources[path] = hook.apply(source)
    for path, source in sources.items():
        path.write_text(source)
    for name, folder in FILES.items():
        shutil.copy(HERE / name, root / folder)


main()
