#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes mutants of a reference codec, and runs the conformance tests on each.

    mutate.py make SOURCE OUTPUT LIST         writes the codec with all its mutants, and their list
    mutate.py run KIT DIRECTORY LIST=PLUGIN..  runs the tests with the fixtures of DIRECTORY, and fails if they miss too many

A mutant is one change of the code between the two marks of a reference codec: a statement or a check that is dropped, a
number that is larger by one, strides that are ignored, a call of report_loss, spend or grow that does not happen. Those
that an author had by hand (NAMED) come first, and all of them must be found. POLYCODEC_TEST_MUTANT chooses one by its
number. `survivors.tsv` has each mutant that is not found, with the reason.
"""
import collections
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

LEAST_FOUND = 0.95
SECONDS = 10  # of one case: what takes longer does not end
FROM, TO = "mutants from here", "mutants to here"
# (file, what an author had, how the statement begins, its condition, initial value or statement in the mutant)
NAMED = [
    ("image.c", "writes red as green", "sink->cursor[i] = (uint8_t)(sample", "sink->cursor[samples > 1 && i < 2 ? 1 - i : i] = (uint8_t)(sample - before[i]);"),
    ("image.c", "ignores the stride of channels", "const int64_t sample_stride", "1"),
    ("image.c", "ignores the stride of rows", "const int64_t row_stride", "a->shape[1] * samples"),
    ("image.c", "drops metadata without a report", "if (node != root", "0"),
    ("image.c", "never grows the window", "if (sink->limit - sink->cursor", "0"),
    ("image.c", "decodes without a charge", "if (polycodec_spend(call, 1 + count / 16", "0"),
    ("array.cpp", "labels every unit as nanoseconds", "std::string head =", '"KARR " + std::to_string(a.dtype) + (a.unit == 0 ? " 0 " : " 10 ")'),
    ("array.cpp", "copies elements without a charge", "call.tick(count", ""),
    ("array.cpp", "ignores max_header_bytes", "const std::uint64_t most", "bytes.size()"),
    ("columns.cpp", "accepts columns of unequal lengths", "if (columns.back().length()", "0"),
    ("columns.cpp", "drops notes beside units without a report", "call.report_loss(LossClass::data, \"$\" +", ""),
    ("columns.cpp", "drops metadata of the whole without a report", "if (value.metadata()", "0"),
    ("columns.cpp", "drops units", "const auto units =", "std::optional<std::string_view>()"),
    ("columns.cpp", "ignores the byte order", "const bool in_order", "true"),
    ("columns.cpp", "ignores the strides", "if (column.is_contiguous()", "in_order"),
    ("columns.cpp", "writes names that are not UTF-8", "if (!is_utf8(of))", "0"),
    ("columns.cpp", "computes the sum without a charge", "call_.tick(bytes.size()", ""),
    ("columns.cpp", "writes a wrong sum", "out.put_le(sum.value()", "out.put_le(sum.value() ^ 1);"),
]
KEYWORDS = ("return", "break", "continue", "case", "default", "else", "throw", "using", "switch", "for", "if", "while", "do")
CALLS = re.compile(r"\b(?:polycodec_spend|polycodec_sink_put|sink->grow|call->report_loss|report)\(")
STRIDE = re.compile(r"\b(\w+)(->|\.)strides\[([^\]]+)\]")
NUMBER = re.compile(r"(?<![\w.'\"])(\d+)(?![\w.'\"])")
CHARGES = re.compile(r"\b(?:polycodec_spend|call\.tick)\(")
TYPES = re.compile(r"^(?:const |static |struct |typedef |auto[ *]|bool |char |int |u?int\d+_t[ *]|std::|polycodec_\w+[ *]|Node[ *]|View |Reader |Head[ *]|ObjectBuilder |Sum |cursor )")


def end_of_call(text, start):
    """The position after the parenthesis or bracket that closes the one at `start`."""
    depth = 0
    opening, closing = text[start], {"(": ")", "[": "]"}[text[start]]
    for at in range(start, len(text)):
        depth += {opening: 1, closing: -1}.get(text[at], 0)
        if depth == 0:
            return at + 1
    raise ValueError(f"no end of the call in: {text}")


def statements(lines):
    """Lines, joined where a statement goes over several."""
    whole = ""
    for line in lines:
        whole = line if not whole else f"{whole} {line.strip()}"
        stripped = whole.strip()
        if not stripped or stripped.startswith(("//", "/*", "* ", "*/", "#")) or stripped.endswith((";", "{", "}", ":")):
            yield whole
            whole = ""
    if whole:
        yield whole


def blanked(text):
    """The text with its strings and characters blanked, so that nothing is found there."""
    return re.sub(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])'", lambda m: "\"" + " " * (len(m[0]) - 2) + "\"", text)


class Maker:
    """Writes the mutants of one file."""

    def __init__(self, source):
        self.name = source.name
        self.mutants = []
        self.named = [named[1:] for named in NAMED if named[0] == self.name]

    def named_of(self, code):
        """The number and the code of the mutant that has a name, if there is one of this statement."""
        for named in self.named:
            if code.startswith(named[1]):
                self.named.remove(named)
                return self.number("named", named[0]), named[2]
        return None

    def number(self, operator, code):
        self.mutants.append({"file": self.name, "operator": operator, "code": " ".join(code.split())})
        return len(self.mutants)

    def parts(self, text, code):
        """Mutants of parts of an expression."""
        plain, changes = blanked(text), []
        for match in STRIDE.finditer(plain):
            pointer = match[1] if match[2] == "->" else f"&{match[1]}"
            changes.append((match.span(), "ignores a stride", f"dense_stride({pointer}, (uint32_t)({match[3]}))"))
        for match in CALLS.finditer(plain):
            changes.append(((match.start(), end_of_call(plain, match.end() - 1)), "skips a call", "0"))
        # A charge of another size is still a charge, and an allocation that is too large does no harm.
        charged = [(m.start(), end_of_call(plain, m.end() - 1)) for m in CHARGES.finditer(plain)]
        less = "polycodec_arena_alloc(" in plain
        for match in NUMBER.finditer(plain):
            is_size = plain[match.start() - 1] == "[" and plain[match.end()] == "]" and TYPES.match(plain)
            is_charge = any(start < match.start() < end for start, end in charged)
            if not is_size and not is_charge:
                changes.append((match.span(), "shifts a number", str(int(match[1]) + (-1 if less else 1))))
        # From the last to the first, inner ones before those around them: text[from:to] is then still where it was.
        for (start, end), operator, other in sorted(changes, key=lambda c: (-c[0][0], c[0][1])):
            n = self.number(operator, f"{code} [{plain[start:end]} at {start - len(plain) + len(plain.lstrip())}]")
            grown = end  # where it ends now, with the mutants in it
            if operator != "shifts a number":
                grown = end_of_call(blanked(text), text.index("(" if operator == "skips a call" else "[", start))
            text = f"{text[:start]}(MUTANT({n}) ? {other} : {text[start:grown]}){text[grown:]}"
        return text

    def statement(self, line):
        """A line with its mutants."""
        indent = line[: len(line) - len(line.lstrip())]
        code = line.strip()
        if not code or code.startswith(("//", "/*", "* ", "*/", "#", "case ", "default", "}", "(void)", "static ", "[[")):
            return line
        if not indent or code.endswith(":") or "operator" in code:
            return line
        check = re.match(r"(if|for|while) \(", code)
        if check:
            end = end_of_call(blanked(code), check.end() - 1)
            condition, rest = code[check.end() : end - 1], code[end:]
            if check[1] != "if":
                return f"{indent}{check[1]} ({self.loop(condition, code)}){self.rest(rest)}"
            named = self.named_of(code)
            n = self.number("drops a check", f"if ({condition})")
            condition = f"!MUTANT({n}) && ({self.parts(condition, code)})"
            if named:
                condition = f"MUTANT({named[0]}) ? ({named[1]}) : ({condition})"
            return f"{indent}if ({condition}){self.rest(rest)}"
        if not code.endswith(";"):
            return line
        word = re.match(r"\w+", code)
        if word and word[0] in KEYWORDS:
            return indent + self.parts(code, code)
        if re.match(r"[\w:<> ]+\w \w+;$", code) or re.match(r"^\w[\w ]* \*?\w+\[[^\]]*\] = \{", code) or code.startswith("std::vector"):
            return line
        named = self.named_of(code)
        if TYPES.match(code):
            changed = self.parts(code, code)
            if named:
                left, _, right = changed.partition(" = ")
                changed = f"{left} = MUTANT({named[0]}) ? ({named[1]}) : ({right[:-1]});"
            return indent + changed
        n = self.number("drops a statement", code)
        changed = f"if (!MUTANT({n})) {{ {self.parts(code, code)} }}"
        return indent + (f"if (MUTANT({named[0]})) {{ {named[1]} }} else {changed}" if named else changed)

    def loop(self, head, code):
        """The head of a loop: its first and second part."""
        parts = head.split(";")
        if len(parts) != 3:
            return head
        return ";".join([self.parts(parts[0], code), self.parts(parts[1], code), parts[2]])

    def rest(self, rest):
        """What follows the head of an if or a loop in the same line."""
        body = rest.strip()
        if body.endswith(";"):
            return " " + self.statement(" " + body).strip()
        return rest


def make(source, output, listing):
    source = Path(source)
    text = source.read_text(encoding="utf-8")
    maker = Maker(source)
    head, _, rest = text.partition(FROM)
    body, _, tail = rest.partition(TO)
    lines = [maker.statement(line) for line in statements(body.split("\n"))]
    if maker.named:
        raise SystemExit(f"{source}: the mutant '{maker.named[0][0]}' has no statement")
    body = "\n".join(lines)
    Path(output).write_text('#include "mutants.h"\n' + head + FROM + body + TO + tail, encoding="utf-8")
    Path(listing).write_text(json.dumps(maker.mutants, indent=1), encoding="utf-8")


def finds(kit, plugin, fixtures, changes, number):
    """What fails first with a mutant, or None."""
    quick = ["codec/*/fixture/*", "codec/*/round-trip"]
    for which in ([f"--filter={q}" for q in quick], ["--filter=codec/*", *[f"--exclude={q}" for q in quick]]):
        command = [kit, "run", plugin, "--only-failed", f"--timeout={SECONDS}", f"--fixtures={fixtures}", f"--changes={changes}", *which]
        environment = os.environ | {"POLYCODEC_TEST_MUTANT": str(number)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment, start_new_session=True) as run:
            for line in run.stdout:
                if line.startswith("failed"):
                    os.killpg(run.pid, signal.SIGKILL)
                    return line.split()[1]
            if run.wait() != 0:
                return f"exit status {run.returncode}"
    return None


def run(kit, directory, listings):
    start = time.monotonic()
    directory = Path(directory)
    known = {}
    for line in (directory / "survivors.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            file, operator, code, reason = line.split("\t")
            known[file, operator, code] = reason
    tests = []
    for listing, plugin in listings:
        mutants = json.loads(Path(listing).read_text(encoding="utf-8"))
        tests.append((plugin, mutants[0]["file"], 0, None))
        tests += [(plugin, mutant["file"], n, mutant) for n, mutant in enumerate(mutants, 1)]

    def test(job):
        plugin, file, number, _ = job
        return finds(kit, plugin, directory / "fixtures" / Path(file).stem, "none", number)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(test, tests))
    wrong, made, found, survivors, by = [], 0, 0, [], collections.Counter()
    for (_, file, number, mutant), case in zip(tests, results):
        if number == 0:
            if case is not None:
                wrong.append(f"{file} without a mutant fails {case}")
            continue
        made += 1
        found += case is not None
        if case is not None:
            by[re.sub(r"^codec/[^/]*/(fixture)?.*?([^/]*)$", lambda m: m[1] or m[2], case)] += 1
            continue
        key = (mutant["file"], mutant["operator"], mutant["code"])
        survivors.append(key)
        if mutant["operator"] == "named":
            wrong.append(f"{file}: the tests do not find: {mutant['code']}")
        elif key not in known:
            wrong.append("not found and not in survivors.tsv: " + "\t".join(key))
    share = found / made
    if share < LEAST_FOUND:
        wrong.append(f"the tests find less than {LEAST_FOUND:.0%}")
    print(f"{found} of {made} mutants found ({share:.1%}), {len(survivors)} not, in {time.monotonic() - start:.0f} s")
    print("found by: " + ", ".join(f"{case} {n}" for case, n in by.most_common()))
    for key in survivors:
        print("not found:", *key, "-", known.get(key, "no reason"))
    for key in known:  # what an uninitialized byte holds depends on the compiler
        if key not in survivors:
            print("found, although survivors.tsv has it:", *key)
    print(*[f"error: {w}" for w in wrong], sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


def main(arguments):
    if arguments[:1] == ["make"] and len(arguments) == 4:
        return make(*arguments[1:])
    if arguments[:1] == ["run"] and len(arguments) > 3:
        return run(arguments[1], arguments[2], [a.split("=", 1) for a in arguments[3:]])
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
