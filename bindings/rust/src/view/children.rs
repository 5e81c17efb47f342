// SPDX-License-Identifier: MIT
//! Items of all containers alike.

use super::{Data, View};

/// The items of a [`View`]. See [`View::children`].
#[derive(Clone, Debug)]
pub struct Children<'a> {
    view: View<'a>,
    next: usize,
}

impl<'a> Children<'a> {
    pub(super) fn new(view: View<'a>) -> Children<'a> {
        Children { view, next: 0 }
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = View<'a>;

    fn next(&mut self) -> Option<View<'a>> {
        let i = self.next;
        let item = match self.view.data {
            Data::List(list) | Data::Tuple(list) => list.get(i)?,
            Data::Object(object) => {
                if i % 2 == 0 {
                    object.key(i / 2)?
                } else {
                    object.member(i / 2)?.1
                }
            }
            Data::Map(map) => map.node(i)?,
            _ => return None,
        };
        self.next += 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = match self.view.data {
            Data::List(list) | Data::Tuple(list) => list.len(),
            Data::Object(object) => object.len() * 2,
            Data::Map(map) => map.len() * 2,
            _ => 0,
        };
        (count - self.next, Some(count - self.next))
    }
}

impl ExactSizeIterator for Children<'_> {}
