# SPDX-License-Identifier: MIT
"""Timestamps and durations, as the standard library has them or as numpy has them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from polycodec._errors import UnsupportedError
from polycodec._kinds import Time

# By the number of the unit in the library: years, months, weeks, days, ...
UNITS = ("", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")
SECOND, NANOSECOND = UNITS.index("s"), UNITS.index("ns")
DAY, MICROSECOND = UNITS.index("D"), UNITS.index("us")
_NOT_A_TIME = -(2**63)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NAIVE_EPOCH = datetime(1970, 1, 1)
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def timestamp(count: int, nanoseconds: int, unit: int) -> Any:
    """Returns a datetime where that is exact, a date for days, and otherwise a numpy.datetime64 or a Time."""
    if count != _NOT_A_TIME:
        if SECOND <= unit <= NANOSECOND:
            return _instant(count, nanoseconds, _EPOCH)
        if unit == DAY and -719162 <= count <= 2932896:
            return date(1970, 1, 1) + timedelta(days=count)
    return _numpy("datetime64", count, unit)


def timestamp_element(count: int, unit: int, has_zone: bool) -> Any:
    """Returns the timestamp for an element of an array, which counts its own unit, and has a zone only if the array has."""
    if count == _NOT_A_TIME or not SECOND <= unit <= NANOSECOND:
        return timestamp(count, 0, unit)
    per_second = _PER_SECOND[UNITS[unit]]
    seconds, rest = divmod(count, per_second)
    return _instant(seconds, rest * (10**9 // per_second), _EPOCH if has_zone else _NAIVE_EPOCH)


def _instant(seconds: int, nanoseconds: int, epoch: datetime) -> Any:
    if nanoseconds % 1000 == 0:
        try:
            return epoch + timedelta(seconds=seconds, microseconds=nanoseconds // 1000)
        except OverflowError:
            pass
    count = seconds * 10**9 + nanoseconds
    if -(2**63) < count < 2**63:
        return _numpy("datetime64", count, NANOSECOND)
    return _numpy("datetime64", seconds, SECOND) if nanoseconds == 0 else Time(seconds, nanoseconds, NANOSECOND, False)


def duration(count: int, nanoseconds: int, unit: int) -> Any:
    """Returns a timedelta where that is exact, and otherwise a numpy.timedelta64."""
    if count != _NOT_A_TIME and SECOND <= unit <= NANOSECOND:
        nano = count * (10**9 // _PER_SECOND[UNITS[unit]])
        if nano % 1000 == 0:
            try:
                return timedelta(microseconds=nano // 1000)
            except OverflowError:
                pass
    return _numpy("timedelta64", count, unit)


def _numpy(kind: str, count: int, unit: int) -> Any:
    import numpy

    if UNITS[unit]:
        return getattr(numpy, kind)(count, UNITS[unit])
    if kind == "timedelta64":
        return numpy.timedelta64("NaT" if count == _NOT_A_TIME else count)
    return numpy.datetime64("NaT") if count == _NOT_A_TIME else Time(count, 0, unit, False)


def adapt(time: Any) -> Any:
    """Returns what the encoder does with a datetime or a timedelta, also of pandas, which counts nanoseconds."""
    if time != time:  # not a time
        return "plain", None
    if not isinstance(time, datetime):
        return "time", from_numpy(time.asm8) if hasattr(time, "asm8") else _from_timedelta(time)
    if time.tzinfo is None:
        return "array", _without_zone(time)
    losses = [("retyped", "", f"the time zone {time.tzinfo}")] if time.utcoffset() else []
    return "time", from_numpy(time.asm8) if hasattr(time, "asm8") else _from_datetime(time), losses


def _without_zone(time: datetime) -> Any:
    """Returns an array without dimensions: as for numpy, its time has no zone."""
    import numpy

    return numpy.asarray(time.asm8 if hasattr(time, "asm8") else numpy.datetime64(time, "us"))


def _from_datetime(time: datetime) -> Time:
    """Returns the instant of a datetime."""
    since = time - _EPOCH
    return Time(since.days * 86400 + since.seconds, since.microseconds * 1000, MICROSECOND, False)


def from_date(day: date) -> Time:
    """Returns the time of a date."""
    return Time((day - date(1970, 1, 1)).days, 0, DAY, False)


def _from_timedelta(delta: timedelta) -> Time:
    """Returns the time of a timedelta."""
    return Time((delta.days * 86400 + delta.seconds) * 10**6 + delta.microseconds, 0, MICROSECOND, True)


def from_numpy(time: Any) -> Time:
    """Returns the time of a numpy.datetime64 or numpy.timedelta64."""
    import numpy

    name, step = numpy.datetime_data(time.dtype)
    if name == "generic":
        raise UnsupportedError("time without a unit: give it one, such as 's'", "unsupported")
    count = int(time.astype("int64"))
    unit, is_duration = UNITS.index(name), time.dtype.kind == "m"
    if count == _NOT_A_TIME:
        return Time(count, 0, unit, is_duration)
    count *= step
    if is_duration or name not in _PER_SECOND:
        return Time(count, 0, unit, is_duration)
    seconds, rest = divmod(count, _PER_SECOND[name])
    return Time(seconds, rest * (10**9 // _PER_SECOND[name]), unit, False)
