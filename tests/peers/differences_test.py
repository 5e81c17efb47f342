# SPDX-License-Identifier: MIT
"""The list of differences grows only on purpose: a new one changes this number."""

import unittest

from differences import DIFFERENCES


class Differences(unittest.TestCase):
    def test_length(self) -> None:
        self.assertEqual(len(DIFFERENCES), 9)

    def test_each_has_a_reason(self) -> None:
        self.assertEqual(len({(d.peer, d.name) for d in DIFFERENCES}), len(DIFFERENCES))
        for d in DIFFERENCES:
            self.assertGreater(len(d.reason), 20, d.name)


if __name__ == "__main__":
    unittest.main()
