// SPDX-License-Identifier: MIT
//! What grows in the memory of the value, without a known end.

use super::Call;
use crate::error::check;
use crate::{Error, Result, Status};
use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::os::raw::c_void;
use std::ptr;

/// Items one after another, which move as they grow.
#[derive(Debug)]
pub(super) struct Growing<'a, T> {
    pub items: *mut T,
    pub len: u64,
    room: u64,
    life: PhantomData<&'a T>,
}

impl<'a, T: Copy> Growing<'a, T> {
    pub fn new() -> Growing<'a, T> {
        Growing { items: ptr::null_mut(), len: 0, room: 0, life: PhantomData }
    }

    pub fn as_slice(&self) -> &[T] {
        // SAFETY: the first `len` items are written.
        unsafe { crate::abi::slice(self.items as *const T, self.len) }
    }

    pub fn push(&mut self, call: &mut Call<'a>, item: T) -> Result<()> {
        self.extend(call, &[item])
    }

    pub fn extend(&mut self, call: &mut Call<'a>, items: &[T]) -> Result<()> {
        let n = items.len() as u64;
        if n == 0 {
            return Ok(());
        }
        if n > self.room - self.len {
            self.grow(call, n)?;
        }
        // SAFETY: there is room for the items.
        unsafe { ptr::copy_nonoverlapping(items.as_ptr(), self.items.add(self.len as usize), items.len()) };
        self.len += n;
        Ok(())
    }

    fn grow(&mut self, call: &mut Call<'a>, more: u64) -> Result<()> {
        let (size, wanted) = (size_of::<T>() as u64, self.len + more);
        // Bytes of text are no elements: the memory of the call bounds them.
        let most = if size == 1 { u64::MAX } else { call.max_elements() };
        if wanted > most {
            let message = format!("list of more than {} items exceeds max_elements ({})", self.len, most);
            return Err(Error::new(Status::Limit, message));
        }
        let room = (self.room * 2).max(4).max(wanted).min(most);
        let mut memory: *mut c_void = self.items.cast();
        // SAFETY: the block is from this arena, or NULL without a size.
        check(|error| unsafe {
            let arena = (*call.raw).arena;
            ((*arena).resize)(arena, &mut memory, self.room * size, room * size, align_of::<T>() as u64, error)
        })?;
        self.items = memory.cast();
        self.room = room;
        Ok(())
    }
}
