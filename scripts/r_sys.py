#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the layers of the R package that follow from declarations: r_sys.py [--update].

bindings/r/src/exports.cpp has what R calls, of CALLS and of functions of the glue, and reads the arguments.
bindings/r/R/sys.R has the names of what the headers number.
Without --update it compares, and fails where a file is not what the headers and the glue give.
"""

from __future__ import annotations

import re

import host_header
from host_header import ROOT, SDK

GLUE = ROOT / "bindings/r/src"
EXPORTS = GLUE / "exports.cpp"
NAMES = ROOT / "bindings/r/R/sys.R"

# How an argument of a type is made of an object of R, and an object of R of a result.
ARGUMENTS = {
    "SEXP": "{}",
    "bool": "Rf_asLogical({}) == TRUE",
    "double": "Rf_asReal({})",
    "std::uint32_t": "static_cast<std::uint32_t>(Rf_asReal({}))",
    "const std::string&": "word_in({})",
    "const std::vector<std::string>&": "texts_in({})",
    "const Format&": "format_in({})",
    "const Options&": "options_in({})",
    "const Given&": "Given({})",
    "Walk&": "*static_cast<Walk*>(R_ExternalPtrAddr({}))",
}
RESULTS = {"SEXP": "{}", "std::string": "text_of({})", "std::vector<std::string>": "texts_of({})"}

# What R calls that is one expression.
CALLS = [
    (
        "void pc_c_lose(std::uint32_t loss_class, const std::string& path, const std::string& what)",
        "on_loss(static_cast<LossClass>(loss_class), path, what)",
    ),
    ("std::vector<std::string> pc_c_losses()", "std::exchange(losses, {})"),
    (
        "void pc_c_setup(const std::string& config, const std::vector<std::string>& paths, std::uint32_t threads)",
        'opened = Registry::open({.layers = {{config, "pc_setup"}}, .add_paths = paths, .threads = threads})',
    ),
    (
        "SEXP pc_c_units(SEXP made, const std::string& from, const std::string& to)",  # in place
        "(convert_units(from, to, {REAL(made), size_of(made)}), made)",
    ),
    ("SEXP pc_c_describe(std::uint32_t what)", "raw_of(registry().description(static_cast<About>(what)))"),
    (
        "SEXP pc_c_open(SEXP what, const Format& from, const Options& options, bool as_view, const std::string& path)",
        "given_to_r(registry().decode(source_of(what, options.source), interruptible(options.call), from), "
        "what, as_view, path)",
    ),
    (
        "SEXP pc_c_members(const std::string& path, const Format& format, const Options& options)",
        "raw_of(Collection(registry(), path, format, options.call).list().text({.plain = true}))",
    ),
    ("SEXP pc_c_value(const Given& x, const std::string& path)", "given_to_r(x.value, x.kept, false, path)"),
    (
        "SEXP pc_c_save(const Given& x, const std::string& path, const Format& format, const Options& options)",
        "facts_of(registry().write(x.value, path, format, interruptible(options.call), options.write))",
    ),
    (
        "SEXP pc_c_convert("
        "SEXP what, const Format& from, const std::string& path, const Format& to, const Options& options)",
        "facts_of(registry().convert("
        "source_of(what, options.source), path, from, to, interruptible(options.call), options.write))",
    ),
    (
        "SEXP pc_c_encode(const Given& x, const Format& format, const Options& options)",
        "encoded(x.value, format, interruptible(options.call))",
    ),
    ("std::string pc_c_type(const Given& x)", "x.value.type()"),
    ("std::string pc_c_text(const Given& x, bool plain)", "x.value.text({.plain = plain})"),
    (
        "SEXP pc_c_channel(const std::string& text, const Options& options)",
        "handle(Channel(registry(), text, options.call), R_NilValue)",
    ),
    (
        "void pc_c_feed(SEXP channel, SEXP bytes)",  # or NULL for their end
        "bytes == R_NilValue ? owned<Channel>(channel).end_of_input() : owned<Channel>(channel).feed(bytes_in(bytes))",
    ),
    (
        "SEXP pc_c_pack(SEXP channel, const Given& x, const std::string& header, bool is_end)",
        "raw_of(owned<Channel>(channel).pack(is_end ? Value() : x.value, header).bytes())",
    ),
    (
        "SEXP pc_c_elements(Walk& walk, std::uint32_t dtype, std::uint32_t unit, double n, bool may_miss)",
        "walk.elements(dtype, unit, static_cast<std::uint64_t>(n), may_miss)",
    ),
    ("SEXP pc_c_lists(Walk& walk)", "walk.lists()"),
    ("SEXP pc_c_items(Walk& walk, bool are_records)", "walk.items(are_records)"),
]

# Of options.hpp and source_sink.hpp: the parts of the options of a call, and types of fields that R sets.
PARTS = {"call": "CallOptions", "source": "SourceOptions", "write": "WriteOptions"}
FIELDS = {
    "bool": ARGUMENTS["bool"],
    "std::uint32_t": ARGUMENTS["std::uint32_t"],
    "std::uint64_t": "static_cast<std::uint64_t>(Rf_asReal({}))",
    "std::string": "word_in({})",
    "std::vector<std::string>": "texts_in({})",
    "Limits": "limits_in({})",
}

# Words of the notation of types where they are not those of the enumerators.
WORDS = {
    "boolean": "bool",
    "complex32": "complex[float16]",
    "complex64": "complex[float32]",
    "complex128": "complex[float64]",
    "timestamp64": "datetime",
    "duration64": "timedelta",
    "fixed_utf8": "fixed_string",
}
UNITS = "year Y month M week W day D hour h minute m second s millisecond ms microsecond us nanosecond ns".split()
UNITS += "picosecond ps femtosecond fs attosecond as".split()
WORDS |= dict(zip(UNITS[::2], UNITS[1::2], strict=True))

HEAD = """// SPDX-License-Identifier: MIT
// Functions of the glue for R, and the options of a call. scripts/r_sys.py makes this file.
// clang-format off
#include "polycodec.hpp"

#include <R_ext/Rdynload.h>

namespace {

"""


def functions() -> list[tuple[str, str, list[tuple[str, str]], str]]:
    """What R calls: result, name, types and names of the parameters, and the expression."""
    found = []
    declared = list(CALLS)
    for path in sorted(GLUE.glob("*.hpp")):
        text = path.read_text()
        declared += [(head, "") for head in re.findall(r"^([\w:<>]+ pc_c_\w+\([^{]*?\)) \{", text, flags=re.MULTILINE)]
    for head, expression in declared:
        match = re.fullmatch(r"([\w:<>]+) (\w+)\((.*)\)", " ".join(head.split()))
        assert match, head
        parameters = [parameter.rpartition(" ") for parameter in host_header.split(match[3])]
        call = f"{match[2]}({', '.join(name for _, _, name in parameters)})"
        found.append((match[1], match[2], [(kind, name) for kind, _, name in parameters], expression or call))
    return found


def fields(name: str) -> dict[str, str]:
    """The fields of a struct of the C++ layer that R sets, with their types."""
    text = "".join((SDK / "host" / header).read_text() for header in ("options.hpp", "source_sink.hpp"))
    body = re.search(rf"^struct {name} \{{\n(.*?)^\}};", text, flags=re.MULTILINE | re.DOTALL)
    assert body, name
    code = " ".join(re.sub(r"//.*", "", body[1]).split())
    found = {}
    for declaration in code.split(";"):
        if match := re.match(r"\s*([\w:<>]+) (\w+ = .*)", declaration):
            for variable in match[2].split(", "):
                found[variable.partition(" ")[0]] = match[1]
    return {field: kind for field, kind in found.items() if kind in FIELDS}


def limits() -> list[str]:
    members = host_header.read("abi/services.h").structs["polycodec_limits"]
    return [name for member in members for name in re.findall(r"\b(max_\w+)$", member)]


def option_names() -> list[str]:
    return list(dict.fromkeys(field for struct in PARTS.values() for field in fields(struct)))


def exports() -> str:
    lines = ["/// What applies to a call, its source and what it writes.", "struct Options {"]
    lines += ["  CallOptions call{.on_loss = on_loss};", "  SourceOptions source;", "  WriteOptions write;", "};", ""]
    lines += ["Limits limits_in(SEXP given) {", "  Limits limits;"]
    for i, name in enumerate(limits()):
        kind = "std::uint32_t" if name == "max_depth" else "std::uint64_t"
        lines.append(f"  limits.{name} = static_cast<{kind}>(REAL_RO(given)[{i}]);")
    lines += ["  return limits;", "}", "", "Format format_in(SEXP given) {"]
    lines += [
        "  return {" + ", ".join(f"word_in(item_of(given, {i}))" for i in range(3)) + "};",
        "}",
        "",
        "/// Of a list in the order of option_names, in which NULL leaves a field as it is.",
        "Options options_in(SEXP given) {",
        "  Options options;",
    ]
    for i, name in enumerate(option_names()):
        for part, struct in PARTS.items():
            if kind := fields(struct).get(name):
                lines.append(f"  if (SEXP x = item_of(given, {i}); x != R_NilValue)")
                lines.append(f"    options.{part}.{name} = {FIELDS[kind].format('x')};")
    lines += ["  return options;", "}", ""]
    for result, name, parameters, expression in functions():
        lines.append(f"SEXP call_{name}({', '.join(f'SEXP {given}_' for _, given in parameters)}) {{")
        lines.append("  return entry([&]() -> SEXP {")
        for kind, given in parameters:
            value = ARGUMENTS[kind].format(f"{given}_")
            lines.append(f"    {kind} {given} = {value};")
        if result == "void":
            lines += [f"    {expression};", "    return R_NilValue;"]
        else:
            lines.append(f"    return {RESULTS[result].format(expression)};")
        lines += ["  });", "}"]
    lines += ["", "template <class Function>", "DL_FUNC pointer(Function* function) {"]
    lines += ["  return reinterpret_cast<DL_FUNC>(reinterpret_cast<void (*)()>(function));", "}", ""]
    lines += ["}  // namespace", "", 'extern "C" void R_init_polycodec(DllInfo* info) {']
    lines += ["  static const R_CallMethodDef functions[] = {"]
    lines += [f'      {{"{name}", pointer(call_{name}), {len(parameters)}}},' for _, name, parameters, _ in functions()]
    lines += ["      {nullptr, nullptr, 0}};", "  R_registerRoutines(info, nullptr, functions, nullptr, nullptr);"]
    lines += ["  R_useDynamicSymbols(info, FALSE);", "  R_forceSymbols(info, TRUE);", "  start(info);", "}"]
    return HEAD + "\n".join(lines) + "\n"


def quoted(name: str) -> str:
    return f'"{name}"' if re.search(r"\W", name) else name


def names() -> str:
    """Constants of R for what the headers number."""
    headers = [host_header.read(name) for name in ("abi/values.h", "abi/services.h", "host.h")]
    numbered = {name: number for header in headers for name, number in header.enumerators}
    numbered |= {name: number for header in headers for name, number, _ in header.macros}

    def group(prefix: str) -> dict[str, int]:
        found = {name[len(prefix) :].lower(): number for name, number in numbered.items() if name.startswith(prefix)}
        return {WORDS.get(name, name): number for name, number in found.items() if name not in {"none", "count"}}

    def words(found: dict[str, int]) -> str:
        return "c(" + ", ".join(f'"{name}"' for name in found) + ")"

    kinds = {name: number for name, number in group("POLYCODEC_DTYPE_").items() if not re.match(r"fixed_utf", name)}
    described = {name: n for name, n in group("POLYCODEC_DESCRIBE_").items() if name.endswith("s") and n < 9}
    flags = group("POLYCODEC_CALL_")
    lines = [
        "# SPDX-License-Identifier: MIT",
        "# The names of what the headers of polycodec number. scripts/r_sys.py makes this file.",
        "",
        "dtypes <- c(" + ", ".join(f"{quoted(name)} = {number}" for name, number in kinds.items()) + ")",
        f"unit_names <- {words(group('POLYCODEC_UNIT_'))}",
        f"loss_classes <- {words(group('POLYCODEC_LOSS_'))}",
        f"kept_words <- {words(group('POLYCODEC_KEPT_'))}",
        f"described <- {words(described)}",
        "call_flags <- c(" + ", ".join(f"{name} = {number}" for name, number in flags.items()) + ")",
        f"limit_names <- {words(dict.fromkeys(limits(), 0))}",
        f"option_names <- {words(dict.fromkeys(option_names(), 0))}",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    return host_header.main(__doc__, {EXPORTS: exports(), NAMES: names()}, len(functions()), len(PARTS))


if __name__ == "__main__":
    raise SystemExit(main())
