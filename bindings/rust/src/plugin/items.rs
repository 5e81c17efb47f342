// SPDX-License-Identifier: MIT
//! Lists that grow in the memory of the value.

use super::{Builder, Node};
use crate::abi;
use crate::error::check;
use crate::{Error, Result, Status};
use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::os::raw::c_void;
use std::ptr;

/// Items of a container that is being built, in the value's memory.
#[derive(Debug)]
pub struct Items<'a> {
    pub(super) nodes: *mut abi::Node,
    pub(super) len: u64,
    room: u64,
    life: PhantomData<Node<'a>>,
}

impl<'a> Items<'a> {
    /// Returns no items.
    pub fn new() -> Items<'a> {
        Items { nodes: ptr::null_mut(), len: 0, room: 0, life: PhantomData }
    }

    /// Builds `count` items, each one level deeper. The count may come from hostile input: items that do not exist
    /// take no memory.
    pub fn build(
        out: &mut Builder<'a>,
        count: u64,
        mut item: impl FnMut(&mut Builder<'a>) -> Result<Node<'a>>,
    ) -> Result<Items<'a>> {
        let mut items = Items::new();
        for _ in 0..count {
            let node = out.nested(&mut item)?;
            items.push(out, node)?;
        }
        Ok(items)
    }

    /// Returns the number of items.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Returns true if it has no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds an item.
    pub fn push(&mut self, out: &mut Builder<'a>, item: Node<'a>) -> Result<()> {
        out.budget.charge(1)?;
        if self.len == self.room {
            self.grow(out)?;
        }
        // SAFETY: there is room for one more.
        unsafe { self.nodes.add(self.len as usize).write(item.raw) };
        self.len += 1;
        Ok(())
    }

    fn grow(&mut self, out: &mut Builder<'a>) -> Result<()> {
        let most = out.budget.max_elements();
        if self.len >= most {
            let message = format!("list of more than {} items exceeds max_elements ({})", self.len, most);
            return Err(Error::new(Status::Limit, message));
        }
        let room = (self.room * 2).max(4).min(most);
        let size = size_of::<abi::Node>() as u64;
        let mut memory: *mut c_void = self.nodes.cast();
        // SAFETY: the block is from this arena, or NULL without a size.
        check(|error| unsafe {
            let arena = (*out.budget.raw).arena;
            ((*arena).resize)(arena, &mut memory, self.room * size, room * size, align_of::<abi::Node>() as u64, error)
        })?;
        self.nodes = memory.cast();
        self.room = room;
        Ok(())
    }

    /// The number of pairs of the items.
    pub(super) fn pairs(&self) -> Result<u64> {
        if self.len % 2 == 0 {
            return Ok(self.len / 2);
        }
        Err(Error::new(
            Status::Malformed,
            format!("{} items do not make pairs: a value must follow each key", self.len),
        ))
    }
}

impl Default for Items<'_> {
    fn default() -> Self {
        Items::new()
    }
}
