# SPDX-License-Identifier: MIT
"""polycodec on clusters of dask.distributed: values on the wire, collections of many files, and conversion of them."""

from __future__ import annotations

from polycodec.dask._convert import convert
from polycodec.dask._files import find
from polycodec.dask._opening import Failure
from polycodec.dask._read import Files, read
from polycodec.dask._report import Report
from polycodec.dask._serialization import register

__all__ = ["Failure", "Files", "Report", "convert", "find", "read", "register"]
