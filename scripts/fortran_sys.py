#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the layers of the Fortran module that follow from a table: fortran_sys.py [--update].

bindings/fortran/src/polycodec_sys.f90 has the constants, structs and functions of polycodec/host.h, and
bindings/fortran/src/polycodec.f90 the procedures of bindings/fortran/src/polycodec.f90.in for each type of number.
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
# Functions of the system: a name of the module's own, and their declaration in C.
SYSTEM = [
    ("copy_bytes", "void", "memcpy", "void* to, const void* from, size_t n"),
    ("text_length", "size_t", "strlen", "const char* text"),
    ("allocate_bytes", "void*", "malloc", "size_t n"),
    ("free_bytes", "void", "free", "void* memory"),
    ("read_descriptor", "size_t", "read", "int descriptor, void* memory, size_t n"),
    ("write_descriptor", "size_t", "write", "int descriptor, const void* memory, size_t n"),
    ("read_clock", "int", "clock_gettime", "int clock, void* time"),
    ("open_stream", "void*", "fopen", "const char* path, const char* mode"),
    ("close_stream", "int", "fclose", "void* stream"),
    ("descriptor_of", "int", "fileno", "void* stream"),
]
HEAD = """! SPDX-License-Identifier: MIT
! The constants, structs and functions of polycodec/host.h, as they are: all pointers are type(c_ptr).
! scripts/fortran_sys.py makes this file.
module polycodec_constants
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t
  implicit none
  public
  private :: c_int32_t, c_int64_t

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
        headers = [host_header.read(name) for name in HEADERS]
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

    def kind(self, declared: str) -> str:
        """The Fortran type of a C type that is not a pointer."""
        words = [word for word in re.findall(r"\w+", declared) if word not in {"const", "struct"}]
        assert len(words) == 1, declared
        if words[0] in KINDS:
            return KINDS[words[0]]
        assert words[0].removeprefix("polycodec_") in self.structs, declared
        return f"type({words[0]})"

    def variable(self, declared: str, in_call: bool) -> tuple[str, str]:
        """Name and Fortran declaration of a parameter or member."""
        declared = " ".join(declared.split())
        if function := re.fullmatch(r".*?\(\*(\w+)\)\(.*\)", declared):
            return function[1], "type(c_funptr)"
        match = re.fullmatch(r"(.*?[\s*])(\w+)\s?((?:\[\w+\])?)", declared)
        assert match, declared
        kind, name, array = match.groups()
        if "*" in kind or (array and in_call):
            return name, "type(c_ptr)"
        return f"{name}({array[1:-1]})" if array else name, self.kind(kind)

    def parameters(self, declared: list[str]) -> list[tuple[str, str]]:
        return [self.variable(parameter, True) for parameter in declared]

    def fortran(self) -> str:
        lines = [f"  integer(c_int32_t), parameter :: PC_{name} = {number}" for name, number in self.constants.items()]
        lines += ["", "  integer(c_int64_t), parameter :: PC_NO_OFFSET = -1, PC_WHOLE = -1", BODY.rstrip("\n")]
        for name in self.ordered():
            lines += ["", f"  type, bind(c) :: polycodec_{name}"]
            for member in self.structs[name]:
                for field, declared in self.several(member):
                    lines.append(f"    {declared} :: {field}{self.default(declared, field)}")
            lines.append(f"  end type polycodec_{name}")
        lines += ["", "  interface"]
        for result, name, parameters in self.functions:
            lines += ["", *self.function(result, name, self.parameters(parameters))]
        for name, result, c_name, text in SYSTEM:
            lines += ["", *self.function(result, name, self.parameters(host_header.split(text)), f", name='{c_name}'")]
        lines += ["  end interface"]
        return HEAD + "\n".join(lines) + "\nend module polycodec_sys\n"

    def several(self, member: str) -> list[tuple[str, str]]:
        """The variables of one declaration, such as `uint64_t begin, end`."""
        if "(" in member:
            return [self.variable(member, False)]
        first, *others = member.split(",")
        start = re.fullmatch(r"(.*?[\s*])(\w+)", first.strip())
        return [self.variable(first, False)] + [self.variable(start[1] + other, False) for other in others if start]

    @staticmethod
    def default(declared: str, field: str) -> str:
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
    def function(result: str, name: str, parameters: list[tuple[str, str]], binding: str = "") -> list[str]:
        names = ", ".join(field for field, _ in parameters)
        types = sorted({word for _, kind in parameters for word in re.findall(r"polycodec_\w+|c_\w+", kind)})
        subroutine = result == "void"
        returned = "" if subroutine else "type(c_ptr)" if "*" in result else f"{KINDS[result]}"
        types = sorted({*types, *re.findall(r"c_\w+", returned)})
        word = "subroutine" if subroutine else "function"
        lines = wrapped(f"    {word} {name}({names}) bind(c{binding})" + ("" if subroutine else " result(returned)"))
        if types:
            lines.append(f"      import :: {', '.join(types)}")
        lines += [f"      {kind}, value :: {field}" for field, kind in parameters]
        if not subroutine:
            lines.append(f"      {returned} :: returned")
        return [*lines, f"    end {word} {name}"]


def wrapped(line: str) -> list[str]:
    lines = []
    while len(line) > 120:
        cut = line.rindex(" ", 0, 118)
        lines.append(line[:cut] + " &")
        line = "        " + line[cut + 1 :]
    return [*lines, line]


def public(match: re.Match[str]) -> str:
    """A public procedure around one that has `e` for its error: the caller gets status, message and error in its place."""
    name, recursive, inner, arguments, body = match.groups()
    names = [argument.strip() for argument in arguments.replace("&\n", " ").split(",")]
    at = names.index("e")
    declared = []
    for line in body.splitlines():
        words = re.findall(r"\w+", re.sub(r"\(.*?\)", "", line.partition(" :: ")[2]))
        if not words or words[0] not in names:
            break
        if words[0] != "e":
            declared.append(line)
        else:
            declared += [
                "    integer, intent(out), optional :: status",
                "    character(:), allocatable, intent(out), optional :: message",
                "    type(pc_error), intent(out), optional :: error",
            ]
    given = [*names[: at + 1], *(f"{other}={other}" for other in names[at + 1 :])]
    lines = [
        *wrapped(f"  subroutine {name}({', '.join([*names[:at], 'status', 'message', 'error', *names[at + 1 :]])})"),
        *declared,
        "    type(trap), target :: e",
        "    call arm(e)",
        *wrapped(f"    call {inner}({', '.join(given)})"),
        "    call settle(e, present(status) .or. present(error))",
        "    if (present(status)) status = e%said%status",
        "    if (present(message)) message = e%text",
        "    if (present(error)) error = e%said",
        f"  end subroutine {name}",
        "",
        f"  {recursive}subroutine {inner}({arguments})",
        f"{body}  end subroutine",
    ]
    return "\n".join(lines)


def for_axes(part: re.Match[str]) -> str:
    """A part of the template for arrays of 1 to 7 axes."""
    return "".join(
        part[1]
        .replace("$rank", str(rank))
        .replace("$axes", ", ".join(":" * rank))
        .replace("$shape", ", ".join(f"shape({i})" for i in range(1, rank + 1)))
        for rank in range(1, 8)
    )


def for_numbers(part: re.Match[str]) -> str:
    """A part of the template for each type of number."""
    return "".join(
        part[1].replace("$name", name).replace("$type", kind).replace("$dtype", dtype) for name, kind, dtype in NUMBERS
    )


def procedures(template: str) -> str:
    """The template with public procedures, and with its parts between `!for` and `!end` repeated."""
    text = re.sub(
        r"^  !public (\S+)\n *((?:recursive )?)subroutine (\S+?)\((.*?)\)\n(.*?)^  end subroutine",
        public,
        template,
        flags=re.DOTALL | re.MULTILINE,
    )
    for word, repeated in (("numbers", for_numbers), ("axes", for_axes)):
        text = re.sub(rf"^ *!for {word}\n(.*?)^ *!end {word}\n", repeated, text, flags=re.DOTALL | re.MULTILINE)
    head, rest = text.split("\n", 1)
    return f"{head}\n! scripts/fortran_sys.py makes this file from polycodec.f90.in.\n{rest}"


def main() -> int:
    writer = Writer()
    made = {OUTPUT: writer.fortran(), TEMPLATE.with_suffix(""): procedures(TEMPLATE.read_text())}
    return host_header.main(__doc__, made, len(writer.functions), len(writer.structs))


if __name__ == "__main__":
    raise SystemExit(main())
