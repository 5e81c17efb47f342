# SPDX-License-Identifier: MIT
"""The stub of the extension has what the extension has."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

from polycodec import _core

# stubtest takes functions of nanobind for objects, and their classes for ones with another metaclass. Aliases of types are
# in the stub alone, and Python 3.11 does not show the buffer protocol.
EXPECTED = re.compile(
    r" is not a function$|metaclass differs$|is a disjoint base at runtime|stub does not have \*args parameter"
    r"|__buffer__ is not present at runtime|stub is a staticmethod but runtime is not"
    r"|_core\.(CallOptions|Data|Json|Key|OnLoss|Path|Store|numpy) is not present at runtime"
)


def test_stub_and_extension_agree(tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "mypy.stubtest", "polycodec._core", "--concise"]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout.splitlines()
    assert len(found) > 10  # it ran
    assert [x for x in found if not EXPECTED.search(x)] == []


STUB = ast.parse((Path(_core.__file__).parent / "_core.pyi").read_text())

# Methods that Python functions do; nanobind knows only that they take anything.
FORWARDED = {
    "__array__": ("_numpy", "array"),
    "__contains__": ("_compare", "contains"),
    "count": ("_compare", "count"),
    "get": ("_compare", "get"),
    "index": ("_compare", "index"),
    "to_list": ("_compare", "to_list"),
    "to_masked": ("_numpy", "to_masked"),
    "to_pandas": ("_tables", "to_pandas"),
    "to_polars": ("_tables", "to_polars"),
    "to_xarray": ("_tables", "to_xarray"),
    "__reduce_ex__": ("_pickle", "reduce"),
    "__repr__": ("_show", "text"),
    "_repr_html_": ("_show", "html"),
    "to_arrow": ("_show", "to_arrow"),
    "to_awkward": ("_awkward", "to_awkward"),
    "view": ("_view", "view"),
}

Function = ast.FunctionDef


def in_stub() -> Iterator[tuple[str, Function]]:
    """Functions and methods of the stub by qualified name; overloads follow each other."""
    for node in STUB.body:
        if isinstance(node, Function):
            yield node.name, node
        if isinstance(node, ast.ClassDef) and not any(isinstance(x, ast.Name) and x.id == "Protocol" for x in node.bases):
            for member in node.body:
                if isinstance(member, Function):
                    yield f"{node.name}.{member.name}", member


def parsed(source: str) -> Function:
    function = ast.parse(source.replace("polycodec._core.", "") + ": ...").body[0]
    assert isinstance(function, Function)
    return function


def in_extension() -> Iterator[tuple[str, Function]]:
    """The same of the extension, as nanobind says it."""
    for owner, names in [(None, vars(_core)), *((x, vars(x)) for x in vars(_core).values() if isinstance(x, type))]:
        if owner is not None and owner.__module__ != "polycodec._core":
            continue
        for name, function in names.items():
            called = getattr(function, "fget", function)  # of a property
            for signature, _, defaults in getattr(called, "__nb_signature__", ()):
                text = re.sub(r"\\(\d+)", lambda x, given=defaults: repr(given[int(x[1])]), signature)
                text = text.replace("def (", f"def {name}(")
                if name in FORWARDED:
                    module, word = FORWARDED[name]
                    target = getattr(importlib.import_module(f"polycodec.{module}"), word)
                    plain = inspect.signature(target).replace(return_annotation=inspect.Signature.empty)
                    text = f"def {name}{plain} -> object"
                yield f"{owner.__name__}.{name}" if owner else name, parsed(text)
            if isinstance(function, types.MethodDescriptorType) and owner is not None:  # without nanobind
                yield f"{owner.__name__}.{name}", parsed(f"def {name}{inspect.signature(function)} -> object")


def head(annotation: ast.expr | None) -> str:
    """The type without what is in brackets."""
    return ast.unparse(annotation).split("[")[0] if annotation is not None else "object"


def parameters(function: Function) -> list[tuple[str, str, str, str]]:
    """Name, kind, default and type of each parameter but the object; positional ones have no name."""
    of, found = function.args, []
    positional = [(x, "positional") for x in of.posonlyargs] + [(x, "either") for x in of.args]
    defaults = [None] * (len(positional) - len(of.defaults)) + list(of.defaults)
    for (x, kind), default in zip(positional, defaults, strict=True):
        name = "" if kind == "positional" else x.arg
        found.append((name, kind, ast.unparse(default) if default else "", head(x.annotation)))
    if positional and positional[0][0].arg in ("self", "value" if function.name in FORWARDED else "self"):
        del found[0]
    for x, keyword in zip(of.kwonlyargs, of.kw_defaults, strict=True):
        found.append((x.arg, "keyword", ast.unparse(keyword) if keyword else "", head(x.annotation)))
    return [*found, (of.kwarg.arg, "rest", "", "")] if of.kwarg else found


KNOWN = {"int", "bool", "str", "float", "list", "tuple", "None", "Value", "Schema", "Registry"}


def differences(stub: Function, extension: Function) -> Iterator[str]:
    ours, theirs = parameters(stub), parameters(extension)
    if [x[:2] for x in ours] != [x[:2] for x in theirs]:
        yield f"parameters {ours} and {theirs}"
        return
    result = ("the result", "", "", head(stub.returns)), ("", "", "", head(extension.returns))
    for mine, given in zip([*ours, result[0]], [*theirs, result[1]], strict=True):
        if (mine[2] != given[2] and "..." not in (mine[2], given[2])) or bool(mine[2]) != bool(given[2]):
            yield f"default of {mine[0]}: {mine[2]} and {given[2]}"
        if given[3] in KNOWN and mine[3] != given[3]:
            yield f"type of {mine[0]}: {mine[3]} and {given[3]}"


def test_signatures_agree() -> None:
    stub: dict[str, list[Function]] = {}
    extension: dict[str, list[Function]] = {}
    for found, functions in ((stub, in_stub()), (extension, in_extension())):
        for name, function in functions:
            found.setdefault(name, []).append(function)
    assert len(extension) > 60
    slots = {f"{x}.__buffer__" for x in ("Value", "Memory", "Piece", "InputBytes")}
    slots |= {f"Value.__{x}__" for x in ("getitem", "len", "iter")} | {"Items.__iter__", "Items.__next__"}
    assert {x for x in stub if x not in extension} <= slots
    assert not {x for x in extension if x not in stub} - {"Value.__repr__"}
    problems = [
        f"{name}: {problem}"
        for name in stub.keys() & extension.keys()
        for mine, theirs in zip(stub[name], extension[name], strict=True)
        for problem in differences(mine, theirs)
    ]
    assert problems == []


def test_a_wrong_signature_is_found() -> None:
    right = parsed("def f(self, a: int, *, b: bool = False) -> str")
    assert list(differences(right, right)) == []
    for wrong in (
        "a: int, b: bool = False",
        "a: int, *, b: bool = True",
        "a: str, *, b: bool = False",
        "a: int, *, b: bool",
    ):
        assert list(differences(parsed(f"def f(self, {wrong}) -> str"), right))
    assert list(differences(parsed("def f(self, a: int, *, b: bool = False) -> int"), right))
