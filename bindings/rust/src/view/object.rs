// SPDX-License-Identifier: MIT
//! Members of objects, rows and maps.

use super::{array, View};
use crate::abi::{Array, Node};

/// Members with names: an object, or a row of an array of records.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a>(Repr<'a>);

#[derive(Clone, Copy, Debug)]
enum Repr<'a> {
    Nodes(&'a [Node]),
    Row(&'a Array, u64),
}

pub(super) fn name_of(array: &Array, i: u32) -> &str {
    // SAFETY: `names` of a checked RECORD has n_children items, or is NULL, which is not an Object.
    std::str::from_utf8(unsafe { (*array.names.add(i as usize)).as_slice() }).unwrap_or("")
}

/// The number of the column `name` of a record.
pub(super) fn position(array: &Array, name: &str) -> Option<u32> {
    (0..array.n_children).find(|&i| name_of(array, i) == name)
}

impl<'a> Object<'a> {
    pub(crate) fn of_nodes(nodes: &'a [Node]) -> Object<'a> {
        Object(Repr::Nodes(nodes))
    }

    pub(super) fn of_row(array: &'a Array, i: u64) -> Object<'a> {
        Object(Repr::Row(array, i))
    }

    /// Returns the number of members.
    pub fn len(&self) -> usize {
        match self.0 {
            Repr::Nodes(nodes) => nodes.len() / 2,
            Repr::Row(array, _) => array.n_children as usize,
        }
    }

    /// Returns true if it has no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the member called `name`.
    pub fn get(&self, name: &str) -> Option<View<'a>> {
        match self.0 {
            Repr::Nodes(_) => self.iter().find(|(key, _)| *key == name).map(|(_, value)| value),
            Repr::Row(array, _) => position(array, name).and_then(|i| self.member(i as usize)).map(|(_, v)| v),
        }
    }

    pub(super) fn member(&self, i: usize) -> Option<(&'a str, View<'a>)> {
        if i >= self.len() {
            return None;
        }
        Some(match self.0 {
            Repr::Nodes(nodes) => {
                (View::of_node(&nodes[2 * i]).as_str().unwrap_or(""), View::of_node(&nodes[2 * i + 1]))
            }
            Repr::Row(array, row) => {
                let column = array::child(array, i as u32);
                (name_of(array, i as u32), array::item(column, row).with_metadata(column.metadata))
            }
        })
    }

    /// The name of member `i`, which of an object need not be UTF-8.
    pub(super) fn key(&self, i: usize) -> Option<View<'a>> {
        match self.0 {
            Repr::Nodes(nodes) => nodes.get(2 * i).map(View::of_node),
            Repr::Row(..) => self.member(i).map(|(name, _)| View::from(name)),
        }
    }

    /// Returns names and members in order. A name that is not UTF-8 is empty here, see [`View::children`].
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&'a str, View<'a>)> + 'a {
        let object = *self;
        // A member exists for each number, so the default is never used.
        (0..object.len()).map(move |i| object.member(i).unwrap_or(("", View::new(super::Data::Null))))
    }
}

/// Pairs of keys of any kind and values. Keys may occur more than once.
#[derive(Clone, Copy, Debug)]
pub struct Map<'a>(&'a [Node]);

impl<'a> Map<'a> {
    pub(crate) fn of_nodes(nodes: &'a [Node]) -> Map<'a> {
        Map(nodes)
    }

    /// Returns the number of pairs.
    pub fn len(&self) -> usize {
        self.0.len() / 2
    }

    /// Returns true if it has no pairs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn node(&self, i: usize) -> Option<View<'a>> {
        self.0.get(i).map(View::of_node)
    }

    /// Returns keys and values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (View<'a>, View<'a>)> + 'a {
        self.0.chunks_exact(2).map(|pair| (View::of_node(&pair[0]), View::of_node(&pair[1])))
    }
}
