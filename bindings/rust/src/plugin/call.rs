// SPDX-License-Identifier: MIT
//! The budget of one call, its limits, and losses.

use crate::abi;
use crate::error::check;
use crate::{Error, Result, Status};
use std::marker::PhantomData;

/// Classes of loss. The host decides by class what a codec may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Loss {
    /// Comments, and how a file was written.
    Note = 0,
    /// The kind of a value, such as a time that becomes a record.
    Type = 1,
    /// Values, names, units.
    Data = 2,
    /// An equal number of another type, a container of another kind.
    Retyped = 3,
    /// Tolerant reading made a value out of a word that is not one.
    Mended = 4,
}

/// What a call may use up: work and nesting. [`Builder`](super::Builder) and [`Output`](super::Output) have one.
#[derive(Debug)]
pub struct Budget<'a> {
    pub(super) raw: *mut abi::Call,
    depth: u32,
    call: PhantomData<&'a mut ()>,
}

impl Budget<'_> {
    /// # Safety
    /// The call is that of the host, and nothing else uses it as long as the result.
    pub(super) unsafe fn of_raw<'a>(raw: *mut abi::Call) -> Budget<'a> {
        Budget { raw, depth: 0, call: PhantomData }
    }

    /// Charges units of work before they are done. A unit is one item visited, or 16 bytes copied.
    ///
    /// Building items and writing output charge by themselves. A loop without either must call this.
    pub fn charge(&mut self, units: u64) -> Result<()> {
        // SAFETY: the host's call, which only this thread uses.
        unsafe {
            if units <= (*self.raw).credit {
                (*self.raw).credit -= units;
                return Ok(());
            }
            check(|error| ((*self.raw).spend)(self.raw, units, error))
        }
    }

    /// Reports that the output will lack something: call it once for each loss, before anything is written.
    ///
    /// Fails if the host does not allow losses of this class. Return the error then.
    pub fn report_loss(&mut self, class: Loss, path: &str, what: &str) -> Result<()> {
        let (path, what) = (abi::Bytes::of(path.as_bytes()), abi::Bytes::of(what.as_bytes()));
        // SAFETY: as above; the text lives during the call.
        check(|error| unsafe { ((*self.raw).report_loss)(self.raw, class as i32, path, what, error) })
    }

    /// Enters a level of nesting, or fails at the limit. [`Budget::leave`] ends it.
    pub(super) fn enter(&mut self) -> Result<()> {
        let here = 0u8;
        // SAFETY: as above; the limits live as long as the call.
        let (limit, most) = unsafe { ((*self.raw).stack_limit, (*(*self.raw).limits).max_depth) };
        if self.depth >= most || (&here as *const u8 as usize) < limit as usize {
            let message = format!("nesting {} exceeds max_depth ({}) or the stack", self.depth + 1, most);
            return Err(Error::new(Status::Limit, message));
        }
        self.depth += 1;
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn max_elements(&self) -> u64 {
        // SAFETY: as above.
        unsafe { (*(*self.raw).limits).max_elements }
    }
}
