# SPDX-License-Identifier: MIT
"""Arrays of awkward 2 for the encoder."""

from __future__ import annotations

from typing import Any

import awkward
import numpy

from polycodec._from_numpy import plain_array
from polycodec._kinds import Annotated
from polycodec._layouts import BINARY, BITS_LSB, MASK_VALID, STRING, Layout, annotated, fixed, record
from polycodec._losses import Loss

# Parameters that say what a layout is.
_KINDS = ("string", "bytestring", "char", "byte")
_TEXT = {"string": STRING, "bytestring": BINARY}


def adapt(thing: Any) -> tuple[str, Any, list[Loss]]:
    """Returns the columns of an array, or the fields of a record, and the attributes that only awkward has."""
    lost = [("data", "", f"the attribute {name!r} of the array") for name in thing.attrs if not name.startswith("@")]
    if isinstance(thing, awkward.Record):
        members = {name: thing[name] for name in thing.fields}
        parameters = thing.layout.array.parameters
        return "annotated", Annotated(members, dict(parameters)), lost
    made = _layout(awkward.to_layout(thing))
    return ("layout" if isinstance(made, Layout) else "array"), made, lost


def _array(buffer: Any) -> Any:
    return numpy.asarray(buffer)


def _layout(node: Any) -> Any:
    """Returns the layout for a content of awkward, without copies. Its parameters are metadata."""
    parameters = {name: item for name, item in node.parameters.items() if item not in _KINDS}
    return annotated(_columns(node), parameters)


def _columns(node: Any) -> Any:
    text = _TEXT.get(node.parameter("__array__") or "", 0)
    if node.is_numpy:
        return plain_array(_array(node.data))
    if node.is_unknown:
        return numpy.empty(0, "float64")
    if node.is_record:
        contents = [_layout(content[: node.length]) for content in node.contents]
        if node.is_tuple:
            return Layout("record", node.length, {}, contents)
        return record(node.length, dict(zip(node.fields, contents, strict=True)))
    if node.is_union:
        columns = {"tags": _array(node.tags.data), "index": _array(node.index.data)[: node.length]}
        return Layout("union", node.length, columns, [_layout(content) for content in node.contents])
    if node.is_list:
        return _list(node, text)
    content = _layout(node.content)
    if node.is_indexed:  # with or without missing items
        return Layout("indexed", node.length, {"index": _array(node.index.data)}, [content])
    if isinstance(node, awkward.contents.UnmaskedArray):
        return content
    flags = MASK_VALID if node.valid_when else 0
    if isinstance(node, awkward.contents.ByteMaskedArray):
        mask = _array(node.mask.data)[: node.length]
        return Layout("option_bytes", node.length, {"mask": mask}, [content], flags=flags)
    flags |= BITS_LSB if node.lsb_order else 0
    return Layout("option_bits", node.length, {"mask": _array(node.mask.data)}, [content], flags=flags)


def _list(node: Any, text: int) -> Layout:
    if isinstance(node, awkward.contents.RegularArray):
        made = fixed(_layout(node.content), node.length, node.size)
        made.flags = text
        return made
    if isinstance(node, awkward.contents.ListOffsetArray):
        # Offsets of empty lists may be anywhere in awkward.
        offsets = _array(node.offsets.data)[: node.length + 1]
        if offsets[-1] > node.content.length:
            offsets = numpy.minimum(offsets, node.content.length)
        columns = {"offsets": offsets}
        return Layout("list_offsets", node.length, columns, [_layout(node.content)], flags=text)
    starts, stops = _array(node.starts.data)[: node.length], _array(node.stops.data)[: node.length]
    if (stops > node.content.length).any():  # of empty lists, which may be anywhere in awkward
        starts, stops = (numpy.where(starts == stops, 0, column) for column in (starts, stops))
    columns = {"starts": starts, "stops": stops}
    return Layout("list_view", node.length, columns, [_layout(node.content)], flags=text)
