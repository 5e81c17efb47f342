# SPDX-License-Identifier: MIT
"""What the codec reads and writes. Runs with pytest, or as a program."""

import polycodec as pc

from @CRATE@_codec import Netstrings


def test_codec():
    assert pc.codec.check(Netstrings, fixtures=[b"5:hello,0:,", [b"a", b""], []]) == []


if __name__ == "__main__":
    test_codec()
