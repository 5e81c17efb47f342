// SPDX-License-Identifier: MIT
//! Where an encoder writes.

use super::call::Budget;
use super::Loss;
use crate::error::check;
use crate::{abi, Result};

/// The output of one call. It also is a [`std::io::Write`], for `write!`.
#[derive(Debug)]
pub struct Output<'a> {
    budget: Budget<'a>,
    sink: *mut abi::Sink,
}

impl<'a> Output<'a> {
    /// # Safety
    /// Call and sink are those of the host, and nothing else uses them as long as the result.
    pub(super) unsafe fn of_raw(call: *mut abi::Call, sink: *mut abi::Sink) -> Output<'a> {
        Output { budget: Budget::of_raw(call), sink }
    }

    /// Copies bytes to the output.
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.budget.charge(1 + bytes.len() as u64 / 16)?;
        let mut left = bytes;
        while !left.is_empty() {
            // SAFETY: the window [cursor, limit) is the writer's, and never smaller than what is copied.
            unsafe {
                let sink = self.sink;
                let window = (*sink).limit as usize - (*sink).cursor as usize;
                if window == 0 {
                    check(|error| ((*sink).grow)(sink, left.len().min(4096) as u64, error))?;
                    continue;
                }
                let part = window.min(left.len());
                std::ptr::copy_nonoverlapping(left.as_ptr(), (*sink).cursor, part);
                (*sink).cursor = (*sink).cursor.add(part);
                left = &left[part..];
            }
        }
        Ok(())
    }

    /// Appends bytes of the value without a copy.
    pub fn reference(&mut self, bytes: &'a [u8]) -> Result<()> {
        self.budget.charge(1)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let sink = self.sink;
        // SAFETY: bytes with this lifetime are those of the value or constants of the plugin.
        check(|error| unsafe { ((*sink).reference)(sink, bytes.as_ptr().cast(), bytes.len() as u64, error) })
    }

    /// Charges work that writes nothing. See [`Budget::charge`].
    pub fn charge(&mut self, units: u64) -> Result<()> {
        self.budget.charge(units)
    }

    /// Reports a loss before anything is written. See [`Budget::report_loss`].
    pub fn report_loss(&mut self, class: Loss, path: &str, what: &str) -> Result<()> {
        self.budget.report_loss(class, path, what)
    }

    /// Runs `body` one level deeper, or fails at the limit. Wrap each recursion in it.
    pub fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.budget.enter()?;
        let result = body(self);
        self.budget.leave();
        result
    }
}

impl std::io::Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.put(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
