// SPDX-License-Identifier: MIT
//! Points in time and lengths of time.

use crate::abi;

/// A timestamp or a duration.
///
/// A timestamp in units of a second to a nanosecond is `count` seconds since 1970 and `nanoseconds`. All others
/// count units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    /// The number of seconds or units. `i64::MIN` is not a time.
    pub count: i64,
    /// The part of a second, 0 to 999,999,999.
    pub nanoseconds: u32,
    /// The unit, or for timestamps the resolution.
    pub unit: TimeUnit,
}

macro_rules! time_units {
    ($($unit:ident),*) => {
        /// A unit of time.
        #[allow(missing_docs)] // the names say it
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum TimeUnit {
            $($unit),*
        }

        /// In the order of `abi.h`.
        const UNITS: &[TimeUnit] = &[$(TimeUnit::$unit),*];
    };
}

#[rustfmt::skip]
time_units!(
    None, Year, Month, Week, Day, Hour, Minute, Second, Millisecond, Microsecond, Nanosecond, Picosecond, Femtosecond,
    Attosecond
);

impl TimeUnit {
    fn of_raw(unit: u32) -> TimeUnit {
        UNITS.get(unit as usize).copied().unwrap_or(TimeUnit::None)
    }
}

impl Time {
    pub(crate) fn of_raw(time: abi::Time) -> Time {
        Time { count: time.count, nanoseconds: time.nanoseconds, unit: TimeUnit::of_raw(time.unit) }
    }

    pub(crate) fn to_raw(self) -> abi::Time {
        abi::Time { count: self.count, nanoseconds: self.nanoseconds, unit: self.unit as u32 }
    }

    /// A timestamp of an array, which counts units.
    pub(crate) fn of_count(count: i64, unit: u32) -> Time {
        let unit = TimeUnit::of_raw(unit);
        let in_a_second: i64 = match unit {
            TimeUnit::Millisecond => 1_000,
            TimeUnit::Microsecond => 1_000_000,
            TimeUnit::Nanosecond => 1_000_000_000,
            _ => 1,
        };
        if count == i64::MIN {
            return Time { count, nanoseconds: 0, unit };
        }
        let part = count.rem_euclid(in_a_second) * (1_000_000_000 / in_a_second);
        Time { count: count.div_euclid(in_a_second), nanoseconds: part as u32, unit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_arrays_become_seconds() {
        let time = Time::of_count(-1, 8);
        assert_eq!((time.count, time.nanoseconds, time.unit), (-1, 999_000_000, TimeUnit::Millisecond));
        assert_eq!(Time::of_count(7, 4), Time { count: 7, nanoseconds: 0, unit: TimeUnit::Day });
        assert_eq!(Time::of_count(i64::MIN, 10).count, i64::MIN);
    }
}
