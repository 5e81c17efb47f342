// SPDX-License-Identifier: MIT
//! Numbers of Rust and their element types.

use crate::abi::dtype;

/// A number that can be an element of an array: integers of 8 to 128 bits, `f32` and `f64`.
pub trait Number: sealed::Sealed + Copy + Send + Sync + 'static {}

pub(crate) mod sealed {
    /// # Safety
    /// DTYPE is the element type whose memory is that of the implementing type, any bits being valid.
    pub unsafe trait Sealed: Sized {
        const DTYPE: u8;
        fn swap_bytes(self) -> Self;
    }
}

macro_rules! numbers {
    ($($number:ty = $dtype:ident),*) => {$(
        // SAFETY: two's complement and IEEE 754, as abi.h has it.
        unsafe impl sealed::Sealed for $number {
            const DTYPE: u8 = dtype::$dtype;

            fn swap_bytes(self) -> $number {
                let mut bytes = self.to_ne_bytes();
                bytes.reverse();
                <$number>::from_ne_bytes(bytes)
            }
        }
        impl Number for $number {}
    )*};
}

numbers!(
    i8 = INT8,
    i16 = INT16,
    i32 = INT32,
    i64 = INT64,
    i128 = INT128,
    u8 = UINT8,
    u16 = UINT16,
    u32 = UINT32,
    u64 = UINT64,
    u128 = UINT128,
    f32 = FLOAT32,
    f64 = FLOAT64
);

/// An unsigned number of `N` bytes in either order.
pub(crate) fn read<const N: usize>(bytes: &[u8], big_endian: bool) -> u128 {
    read_any(&bytes[..N], big_endian)
}

pub(crate) fn read_any(bytes: &[u8], big_endian: bool) -> u128 {
    let add = |n: u128, b: &u8| n << 8 | u128::from(*b);
    if big_endian {
        bytes.iter().fold(0, add)
    } else {
        bytes.iter().rev().fold(0, add)
    }
}

pub(crate) fn half_to_f32(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(half >> 10 & 31), u32::from(half & 1023));
    match exponent {
        0 => {
            let magnitude = fraction as f32 * 2f32.powi(-24);
            f32::from_bits(magnitude.to_bits() | sign)
        }
        31 => f32::from_bits(sign | 0xff << 23 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_covers_every_class() {
        assert_eq!(half_to_f32(0x3c00), 1.0);
        assert_eq!(half_to_f32(0xc500), -5.0);
        assert_eq!(half_to_f32(0x0001), 2f32.powi(-24));
        assert_eq!(half_to_f32(0x7bff), 65504.0);
        assert_eq!(half_to_f32(0xfc00), f32::NEG_INFINITY);
        assert_eq!(half_to_f32(0x8000).to_bits(), (-0f32).to_bits());
        assert!(half_to_f32(0x7e00).is_nan());
    }

    #[test]
    fn bytes_are_read_in_both_orders() {
        assert_eq!(read::<2>(&[1, 2, 9], true), 0x0102);
        assert_eq!(read::<2>(&[1, 2, 9], false), 0x0201);
    }
}
