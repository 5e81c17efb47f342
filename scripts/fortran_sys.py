#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the layers of the Fortran module that follow from a table: fortran_sys.py [--update].

bindings/fortran/src/polycodec_sys.f90 has the constants, structs and functions of polycodec/host.h, and
bindings/fortran/src/polycodec.f90 what follows from polycodec.f90.in beside it, which says what its marks mean.
Without --update it compares, and fails where a file is not what the header and the template give.
"""

from __future__ import annotations

import re

import host_header
from host_header import ROOT

HEADERS = ["abi/values.h", "abi/streams.h", "abi/services.h", "items.h", "host.h"]
OUTPUT = ROOT / "bindings/fortran/src/polycodec_sys.f90"
TEMPLATE = ROOT / "bindings/fortran/src/polycodec.f90.in"

# Structs of the plugin ABI that programs read, build or fill.
ABI = "bytes error extension annotated time tagged node column array arena limits projection item progress".split()

KINDS = {
    "char": "character(kind=c_char)",
    "double": "real(c_double)",
    "float": "real(c_float)",
    "int": "integer(c_int)",
    "size_t": "integer(c_size_t)",
    **{f"{sign}int{bits}_t": f"integer(c_int{bits}_t)" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}

# Bytes of a type, which are its alignment as well.
SIZES = {"type(c_ptr)": 8, "type(c_funptr)": 8, "character(kind=c_char)": 1, "integer(c_int)": 4, "real(c_double)": 8}
SIZES |= {f"integer(c_int{bits}_t)": bits // 8 for bits in (8, 16, 32, 64)}
# Parameters that are an address of many items, of a node in the memory of a value, or of an arena.
ADDRESSES = {"counts", "digest", "ends", "numbers", "present", "root", "self"}

# Of the template: name, type of a number in Fortran, its dtype.
NUMBERS = [
    ("l8", "logical(c_bool)", "PC_DTYPE_BOOLEAN"),
    ("i8", "integer(int8)", "PC_DTYPE_INT8"),
    ("i16", "integer(int16)", "PC_DTYPE_INT16"),
    ("i32", "integer(int32)", "PC_DTYPE_INT32"),
    ("i64", "integer(int64)", "PC_DTYPE_INT64"),
    ("i128", "integer(int128)", "PC_DTYPE_INT128"),
    ("r32", "real(real32)", "PC_DTYPE_FLOAT32"),
    ("r64", "real(real64)", "PC_DTYPE_FLOAT64"),
    ("r128", "real(real128)", "PC_DTYPE_FLOAT128"),
    ("c32", "complex(real32)", "PC_DTYPE_COMPLEX64"),
    ("c64", "complex(real64)", "PC_DTYPE_COMPLEX128"),
]
# Of the template: names that begin with a call where they are no arguments.
BEGINS = {
    "m": "polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)",
    "sink": "polycodec_sink_create(PC_SINK_CONTIGUOUS, 0_int64, sink, e%raw)",
}
# Functions of the system: a name of the module's own, and their declaration in C.
SYSTEM = [
    ("copy_bytes", "void", "memcpy", "void* to, const void* from, size_t n"),
    ("text_length", "size_t", "strlen", "const void* text"),
    ("read_descriptor", "size_t", "read", "int descriptor, void* memory, size_t n"),
    ("write_descriptor", "size_t", "write", "int descriptor, const void* memory, size_t n"),
    ("read_clock", "int", "clock_gettime", "int clock, void* time"),
    ("open_to_read", "int", "open", "const void* path, int flags"),
    ("open_to_write", "int", "creat", "const void* path, int mode"),
    ("close_descriptor", "int", "close", "int descriptor"),
]
HEAD = """! SPDX-License-Identifier: MIT
! The constants, structs and functions of polycodec/host.h. Pointers in structs are type(c_ptr).
!
! A function that can fail is a subroutine. It does nothing where `error` has a code already, so that calls can follow each
! other and the last one shows whether all was well. Pointers that may be NULL are optional. A handle that it makes takes the
! place of the old one, and ends with its variable; where it fails the old one stays.
!
! scripts/fortran_sys.py makes this file.
module polycodec_constants
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
  implicit none
  public
  private :: c_int32_t, c_int64_t

"""
HANDLE = """
  !> A handle, which is released with the variable. Copies share it, if it is counted.
  type :: polycodec_handle
    type(c_ptr) :: raw = c_null_ptr
    procedure(release_handle), pointer, nopass, private :: release => null()
    procedure(retain_handle), pointer, nopass, private :: retain => null()
  contains
    procedure, private :: share
    generic :: assignment(=) => share
    final :: let_go
  end type polycodec_handle

  abstract interface
    subroutine release_handle(handle) bind(c)
      import
      type(c_ptr), value :: handle
    end subroutine release_handle

    function retain_handle(handle) bind(c) result(returned)
      import
      type(c_ptr), value :: handle
      type(c_ptr) :: returned
    end function retain_handle
  end interface
"""
HANDLES = """
  impure elemental subroutine share(to, from)
    class(polycodec_handle), intent(inout) :: to
    type(polycodec_handle), intent(in) :: from
    type(c_ptr) :: raw
    raw = c_null_ptr
    if (c_associated(from%raw) .and. associated(from%retain)) raw = from%retain(from%raw)
    call let_go(to)
    to%raw = raw
    to%release => from%release
    to%retain => from%retain
  end subroutine share

  impure elemental subroutine let_go(handle)
    type(polycodec_handle), intent(inout) :: handle
    if (c_associated(handle%raw)) call handle%release(handle%raw)
    handle%raw = c_null_ptr
  end subroutine let_go

  !> Puts a new handle in the place of another one.
  subroutine hold(handle, raw, release, retain)
    type(polycodec_handle), intent(inout) :: handle
    type(c_ptr), intent(in) :: raw
    procedure(release_handle) :: release
    procedure(retain_handle), optional :: retain
    if (.not. c_associated(raw)) return
    call let_go(handle)
    handle%raw = raw
    handle%release => release
    handle%retain => null()
    if (present(retain)) handle%retain => retain
  end subroutine hold

  function raw_of(handle) result(raw)
    type(polycodec_handle), intent(in), optional :: handle
    type(c_ptr) :: raw
    raw = c_null_ptr
    if (present(handle)) raw = handle%raw
  end function raw_of
"""
BODY = """end module polycodec_constants

module polycodec_sys
  use, intrinsic :: iso_c_binding
  use polycodec_constants
  implicit none
  public
"""


class Writer:
    """Fortran text of the declarations. Names are without their prefix."""

    def __init__(self) -> None:
        headers = [host_header.read(name, "void*") for name in HEADERS]
        host = headers[-1]
        constants = [(name, number) for header in headers for name, number, _ in header.macros]
        constants += [constant for header in headers for constant in header.enumerators]
        self.constants = {name.removeprefix("POLYCODEC_"): number for name, number in constants}
        self.structs = {
            name.removeprefix("polycodec_"): members
            for header in headers
            for name, members in header.structs.items()
            if header is host or name.removeprefix("polycodec_") in ABI
        }
        self.functions = host.functions
        self.names = {name for _, name, _ in host.functions}
        ends = [re.fullmatch(r"(\w+)_(?:release|free)", name) for name in self.names]
        self.handles = {end[1] for end in ends if end}

    def kind(self, declared: str) -> str:
        """The Fortran type of a C type that is not a pointer."""
        words = [word for word in re.findall(r"\w+", declared) if word not in {"const", "struct"}]
        assert len(words) == 1, declared
        if words[0] in KINDS:
            return KINDS[words[0]]
        assert words[0].removeprefix("polycodec_") in self.structs, declared
        return f"type({words[0]})"

    def variable(self, declared: str) -> tuple[str, str]:
        """Name and Fortran declaration of a member."""
        declared = " ".join(declared.split())
        if function := re.fullmatch(r".*?\(\*(\w+)\)\(.*\)", declared):
            return function[1], "type(c_funptr)"
        match = re.fullmatch(r"(.*?[\s*])(\w+)\s?((?:\[\w+\])?)", declared)
        assert match, declared
        kind, name, array = match.groups()
        if "*" in kind:
            return name, "type(c_ptr)"
        return f"{name}({array[1:-1]})" if array else name, self.kind(kind)

    def parameter(self, declared: str) -> tuple[str, str, str]:
        """Name, type, and how a parameter is passed: by `value`, a handle that is `held` or `made`, or by address the intent."""
        name, kind = self.variable(declared)
        if "(" in name:
            return name.partition("(")[0], "type(c_ptr)", "value"
        pointed = declared.count("*") if kind == "type(c_ptr)" else 0
        word = re.findall(r"\w+", declared.replace("const", ""))[0]
        if word in self.handles:
            return name, f"type({word})", "made" if pointed > 1 else "held"
        if pointed > 1:
            return name, kind, "out"
        if pointed == 0 or name in ADDRESSES or word == "void":
            return name, kind, "value"
        if word in KINDS or word.removeprefix("polycodec_") in self.structs:
            return name, self.kind(word), "in" if declared.startswith("const") else "inout"
        return name, kind, "value"  # a handle

    def fortran(self) -> str:
        lines = [f"  integer(c_int32_t), parameter :: PC_{name} = {number}" for name, number in self.constants.items()]
        lines += ["", "  integer(c_int64_t), parameter :: PC_NO_OFFSET = -1, PC_WHOLE = -1", BODY.rstrip("\n")]
        for name in self.ordered():
            lines += ["", f"  type, bind(c) :: polycodec_{name}"]
            for member in self.structs[name]:
                for field, declared in self.several(member):
                    lines.append(f"    {declared} :: {field}{self.default(name, declared, field)}")
            lines.append(f"  end type polycodec_{name}")
        lines.append(HANDLE.rstrip("\n"))
        methods = [re.fullmatch(r"int32_t \(\*(\w+)\)\((.*)\)", member) for member in self.structs["arena"]]
        grow = [(method[1], self.parameters(host_header.split(method[2]))) for method in methods if method]
        lines += ["", "  abstract interface"]
        for name, parameters in grow:
            lines += ["", *self.function("int32_t", f"c_{name}", f"c_{name}", parameters)]
        lines += ["  end interface", "", "  interface"]
        functions = [(name, result, name, self.parameters(parameters)) for result, name, parameters in self.functions]
        functions += [(name, result, c, self.parameters(host_header.split(text))) for name, result, c, text in SYSTEM]
        checked = HANDLES.rstrip("\n").splitlines()
        for method, parameters in grow:
            checked += ["", *self.checked(f"polycodec_arena_{method}", parameters, method)]
        for name, result, c_name, parameters in functions:
            can_fail = bool(parameters) and parameters[-1][:2] == ("error", "type(polycodec_error)")
            lines += ["", *self.function(result, f"c_{name}" if can_fail else name, c_name, parameters)]
            checked += ["", *self.checked(name, parameters)] if can_fail else []
        lines += ["  end interface", "", "contains", *checked]
        return HEAD + "\n".join(lines) + "\nend module polycodec_sys\n"

    def parameters(self, declared: list[str]) -> list[tuple[str, str, str]]:
        return [self.parameter(" ".join(parameter.split())) for parameter in declared]

    def several(self, member: str) -> list[tuple[str, str]]:
        """The variables of one declaration, such as `uint64_t begin, end`."""
        if "(" in member:
            return [self.variable(member)]
        first, *others = member.split(",")
        start = re.fullmatch(r"(.*?[\s*])(\w+)", first.strip())
        return [self.variable(first)] + [self.variable(start[1] + other) for other in others if start]

    def size(self, name: str) -> tuple[int, int]:
        """Bytes and alignment of a struct."""
        bytes_, most = 0, 1
        for member in self.structs[name]:
            for field, declared in self.several(member):
                inner = re.fullmatch(r"type\(polycodec_(\w+)\)", declared)
                size, align = self.size(inner[1]) if inner else (SIZES[declared], SIZES[declared])
                bytes_ = -(-bytes_ // align) * align + size * int((re.findall(r"\((\d+)\)", field) or ["1"])[0])
                most = max(most, align)
        return -(-bytes_ // most) * most, most

    def default(self, struct: str, declared: str, field: str) -> str:
        if field == "struct_size":
            return f" = {self.size(struct)[0]}"
        if "(" in field:
            return " = c_null_char"
        if declared == "type(c_ptr)":
            return " = c_null_ptr"
        if declared == "type(c_funptr)":
            return " = c_null_funptr"
        return " = 0" if declared.startswith(("integer", "real")) else ""

    def ordered(self) -> list[str]:
        """Structs after those that they contain."""
        done: list[str] = []

        def visit(name: str) -> None:
            if name in done:
                return
            for other in re.findall(r"polycodec_(\w+)\s+\w+", ";".join(self.structs[name])):
                if other in self.structs:
                    visit(other)
            done.append(name)

        for name in self.structs:
            visit(name)
        return done

    @staticmethod
    def function(result: str, name: str, c_name: str, parameters: list[tuple[str, str, str]]) -> list[str]:
        """The interface of a function of C."""
        subroutine = result == "void"
        returned = "" if subroutine else "type(c_ptr)" if "*" in result else f"{KINDS[result]}"
        declared = []
        for field, kind, how in parameters:
            passed = "value" if how in {"value", "held"} else f"intent({how.replace('made', 'out')}){optional(field)}"
            declared.append(f"      {'type(c_ptr)' if how in {'held', 'made'} else kind}, {passed} :: {field}")
        names = ", ".join(field for field, _, _ in parameters)
        word = "subroutine" if subroutine else "function"
        binding = "" if name == c_name else f", name='{c_name}'"
        lines = wrapped(f"    {word} {name}({names}) bind(c{binding})" + ("" if subroutine else " result(returned)"))
        lines += ["      import", *declared]
        if not subroutine:
            lines.append(f"      {returned} :: returned")
        return [*lines, f"    end {word} {name}"]

    def checked(self, name: str, parameters: list[tuple[str, str, str]], method: str = "") -> list[str]:
        """A subroutine around a function that can fail, or around a method of the arena `self`."""
        lines = wrapped(f"  subroutine {name}({', '.join(field for field, _, _ in parameters)})")
        passed, before, after = [], [], []
        for field, kind, how in parameters:
            intent = {"value": "in", "held": "in", "made": "inout"}.get(how, how)
            declared = "type(polycodec_handle)" if how in {"held", "made"} else kind
            may_miss = optional(field) * (how not in {"value", "made"})
            lines.append(f"    {declared}, intent({intent}){may_miss} :: {field}")
            passed.append({"held": f"raw_of({field})", "made": f"raw_{field}"}.get(how, field))
            if how == "out":
                before.append(f"    if (present({field})) {field} = c_null_ptr")
            if how == "made":
                handle = kind[5:-1]
                release = next(f"{handle}_{word}" for word in ("release", "free") if f"{handle}_{word}" in self.names)
                retain = f", {handle}_retain" * (f"{handle}_retain" in self.names)
                before.append(f"    raw_{field} = c_null_ptr")
                after += wrapped(f"    call hold({field}, raw_{field}, {release}{retain})")
        lines.append("    integer(c_int32_t) :: code")
        lines += [f"    type(c_ptr) :: raw_{field}" for field, _, how in parameters if how == "made"]
        if method:
            lines += ["    type(polycodec_arena), pointer :: arena", f"    procedure(c_{method}), pointer :: found"]
            before += ["    if (error%code /= PC_OK) return", "    call c_f_pointer(self, arena)"]
            before.append(f"    call c_f_procpointer(arena%{method}, found)")
        called = "found" if method else f"c_{name}"
        call = wrapped(f"    if (error%code == PC_OK) code = {called}({', '.join(passed)})")
        return [*lines, *before, *call, *after, f"  end subroutine {name}"]


def optional(field: str) -> str:
    """What follows the intent of a parameter that is passed by its address."""
    return "" if field == "error" else ", optional"


def wrapped(line: str) -> list[str]:
    lines = []
    while len(line) > 120:
        cut = line.rindex(" ", 0, 118)
        lines.append(line[:cut] + " &")
        line = "        " + line[cut + 1 :]
    return [*lines, line]


PROCEDURE = re.compile(
    r"^  (?P<prefix>(?:(?:impure|elemental|pure|recursive|logical|integer|\w+\(\w+\)) )*)(?P<word>subroutine|function) "
    r"(?P<name>[\w$]+)\((?P<arguments>.*?)\)(?P<rest>[^\n]*)\n(?P<body>.*?)^  end (?P=word) (?P=name)\n",
    flags=re.DOTALL | re.MULTILINE,
)
STATUS = """    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
"""


def names_in(declaration: str) -> list[str]:
    """What a line declares."""
    return re.findall(r"[\w$]+", re.sub(r"\([^()]*\)|=.*|!.*", "", declaration.partition(" :: ")[2]))


def procedure(match: re.Match[str], table: dict[str, str]) -> str:
    """A procedure that declares what it has of the table, and the public one around it, if its name begins with do_."""
    prefix, word, name, listed, rest, body = match.groups()
    arguments = re.findall(r"[\w$]+", listed.replace("&\n", " "))
    lines = body.splitlines()
    declarations = [line for line in lines if re.match(r" {4}[\w$]+.* :: ", line)]
    own = {other: line for line in declarations for other in names_in(line)}
    declared = [own.get(argument) or f"    {table[argument]}" for argument in arguments]
    added = [line for line, argument in zip(declared, arguments, strict=True) if argument not in own]
    code = "\n".join(line for line in lines if line not in declarations)
    code = re.sub(r"'[^']*'|!.*|[%$]\w+|\w+=(?!=)", " ", code)
    for other in sorted(set(re.findall(r"\w+", code)) & set(table) - set(arguments) - set(own) - {name}):
        if not re.search(r"\*\)|optional|\(:\)$", table[other]):
            added.append("    " + re.sub(r", intent\(\w+\)", "", table[other]))
    made = {line.partition(" :: ")[2] for line in added if "intent" not in line}
    last = max((lines.index(line) for line in declarations), default=-1)
    lines[last + 1 : last + 1] = [f"    call {begin}" for local, begin in BEGINS.items() if local in made]
    body = "".join(f"{line}\n" for line in lines)
    inner = "".join(f"{line}\n" for line in [f"  {prefix}{word} {name}({listed}){rest}", *added])
    inner += f"{body}  end {word} {name}\n"
    if not name.startswith("do_"):
        return inner
    at = arguments.index("e")
    outer = name.replace("do_", "pc_", 1)
    offered = [*arguments[:at], "status", "message", "error", *arguments[at + 1 :]]
    given = [*arguments[: at + 1], *(f"{other}={other}" for other in arguments[at + 1 :])]
    lines = [
        *wrapped(f"  subroutine {outer}({', '.join(offered)})"),
        *dict.fromkeys(declared[:at] + [STATUS.rstrip("\n")] + declared[at + 1 :]),
        "    type(trap), target :: e",
        "    call arm(e)",
        *wrapped(f"    call {name}({', '.join(given)})"),
        *["    if (present(options)) options%lost = e%heard%list(:e%heard%n)"] * ("options" in arguments),
        "    call settle(e, present(status) .or. present(error))",
        "    if (present(status)) status = e%said%status",
        "    if (present(message)) message = e%text",
        "    if (present(error)) error = e%said",
        f"  end subroutine {outer}",
        "",
    ]
    return "\n".join(lines) + "\n" + inner


def for_axes(part: re.Match[str]) -> str:
    """A part of the template for arrays of so many axes to 7."""
    return "".join(
        part[2]
        .replace("$rank", str(rank))
        .replace("$shape", ", ".join(f"shape({i})" for i in range(1, rank + 1)))
        .replace("$all", ", ".join(":" * rank))
        .replace("$reverse", ", ".join(str(i) for i in range(rank, 0, -1)))
        for rank in range(int(part[1]), 8)
    )


def for_numbers(part: re.Match[str]) -> str:
    """A part of the template for each type of number."""
    return "".join(
        part[1].replace("$name", name).replace("$type", kind).replace("$dtype", dtype) for name, kind, dtype in NUMBERS
    )


def interfaces(text: str) -> str:
    """What begins with pc_ is public. Procedures pc_NAME__KIND are those that pc_NAME means."""
    found = re.findall(r"^  (?:[\w()]+ )*(?:subroutine|function) (pc_\w+)\(", text, flags=re.MULTILINE)
    lines = []
    for name in dict.fromkeys(each.partition("__")[0] for each in found):
        kinds = [each for each in found if each.startswith(f"{name}__")]
        lines.append(f"  public :: {name}")
        if kinds:
            lines += [f"  interface {name}", *(f"    procedure :: {kind}" for kind in kinds), f"  end interface {name}"]
    return "\n".join(lines)


def for_limits(part: re.Match[str]) -> str:
    """A part of the template for each limit of 64 bits."""
    members = host_header.read("abi/services.h").structs["polycodec_limits"]
    limits = [member.split()[1] for member in members if member.startswith("uint64_t max_")]
    return "".join(part[1].replace("$limit", limit) for limit in limits)


def procedures(template: str) -> str:
    """The module that follows from the template."""
    table: dict[str, str] = {}
    text = ""
    head, *parts = re.split(r"^ *!names\n", template, flags=re.MULTILINE)
    for part in parts:
        names, rest = re.split(r"^ *!end names\n", part, flags=re.MULTILINE)
        for line in names.splitlines():
            kind, _, declared = line.strip()[1:].strip().partition(" :: ")
            table |= {name.partition("(")[0]: f"{kind} :: {name}" for name in declared.split(", ")}
        begin = 0 if text else rest.index("\ncontains\n")
        text += rest[:begin] + PROCEDURE.sub(lambda match: procedure(match, table), rest[begin:])
    marks = {"numbers": for_numbers, "limits": for_limits, r"axes from (\d)": for_axes}
    for mark, repeated in marks.items():
        text = re.sub(rf"^ *!for {mark}\n(.*?)^ *!end {mark.split()[0]}\n", repeated, text, flags=re.DOTALL | re.MULTILINE)
    text = text.replace("\ncontains\n", f"\n{interfaces(text)}\n\ncontains\n", 1)
    return "\n".join([*head.splitlines()[:2], "! scripts/fortran_sys.py makes this file from polycodec.f90.in.", text])


def main() -> int:
    writer = Writer()
    made = {OUTPUT: writer.fortran(), TEMPLATE.with_suffix(""): procedures(TEMPLATE.read_text())}
    return host_header.main(__doc__, made, len(writer.functions), len(writer.structs))


if __name__ == "__main__":
    raise SystemExit(main())
