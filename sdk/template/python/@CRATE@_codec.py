# SPDX-License-Identifier: MIT
"""Netstrings, `5:hello,0:,`, as a list of byte strings: a working example, to be replaced by your format."""

import re

import polycodec as pc


@pc.codec("@PLUGIN_ID@", extensions=[".@PLUGIN_ID@"], typed=True, register=False)
class Netstrings:
    """A sequence of netstrings, such as 5:hello, as a list of byte strings."""

    @staticmethod
    def decode(data):
        items, at = [], 0
        while at < len(data):
            found = re.match(rb"(0|[1-9][0-9]{0,9}):", data[at : at + 11])
            if found is None:
                code = "truncated" if re.fullmatch(rb"(0|[1-9][0-9]{0,9})", data[at:]) else "malformed"
                raise pc.FormatError("expected a length and ':'", code, offset=at)
            start = at + found.end()
            end = start + int(found[1])
            if end >= len(data):
                raise pc.FormatError(f"the string has {end - start} bytes and a ','", "truncated", offset=len(data))
            if data[end : end + 1] != b",":
                raise pc.FormatError("expected ',' after the string", "malformed", offset=end)
            items.append(bytes(data[start:end]))
            at = end + 1
        return items

    @staticmethod
    def encode(value):
        items = value.to_python()
        if value.metadata or not isinstance(items, list) or not all(isinstance(item, bytes) for item in items):
            raise pc.UnsupportedError("only a list of byte strings without metadata can be written")
        return b"".join(b"%d:%s," % (len(item), item) for item in items)
