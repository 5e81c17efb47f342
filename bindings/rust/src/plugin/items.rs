// SPDX-License-Identifier: MIT
//! Lists that grow in the memory of the value.

use super::growing::Growing;
use super::{Builder, Node};
use crate::abi;
use crate::{Error, Result, Status};

/// Items of a container that is being built, in the value's memory.
#[derive(Debug)]
pub struct Items<'a> {
    pub(super) nodes: Growing<'a, abi::Node>,
}

impl<'a> Items<'a> {
    /// Returns no items.
    pub fn new() -> Items<'a> {
        Items { nodes: Growing::new() }
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
        self.nodes.len
    }

    /// Returns true if it has no items.
    pub fn is_empty(&self) -> bool {
        self.nodes.len == 0
    }

    /// Returns the items.
    pub fn as_slice(&self) -> &[Node<'a>] {
        // SAFETY: a Node is its raw node, and those here are of this value.
        unsafe { abi::slice(self.nodes.items as *const Node<'a>, self.nodes.len) }
    }

    /// Adds an item.
    pub fn push(&mut self, out: &mut Builder<'a>, item: Node<'a>) -> Result<()> {
        out.charge(1)?;
        self.nodes.push(out, item.raw)
    }

    /// The number of pairs of the items.
    pub(super) fn pairs(&self) -> Result<u64> {
        if self.len() % 2 == 0 {
            return Ok(self.len() / 2);
        }
        let message = format!("{} items do not make pairs: a value must follow each key", self.len());
        Err(Error::new(Status::Malformed, message))
    }
}

impl Default for Items<'_> {
    fn default() -> Self {
        Items::new()
    }
}
