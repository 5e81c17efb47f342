// SPDX-License-Identifier: MIT
//! Items of lists, arrays and tuples.

use super::{array, Number, Place, View};
use crate::abi::{self, layout, Array, Node};
use std::marker::PhantomData;

/// Items of a list, an array or a tuple.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    repr: Repr<'a>,
    len: u64,
}

#[derive(Clone, Copy, Debug)]
enum Repr<'a> {
    Nodes(&'a [Node]),
    /// Items from this one on.
    Array(&'a Array, u64),
    /// The dimension that is left of an NDARRAY, and where it starts.
    Part(&'a Array, u32, Place<'a>),
    Row(&'a Array, u64),
}

impl<'a> List<'a> {
    pub(crate) fn of_nodes(nodes: &'a [Node]) -> List<'a> {
        List { repr: Repr::Nodes(nodes), len: nodes.len() as u64 }
    }

    pub(crate) fn of_array(array: &'a Array, from: u64, len: u64) -> List<'a> {
        List { repr: Repr::Array(array, from), len }
    }

    pub(super) fn of_part(array: &'a Array, dim: u32, at: Place<'a>) -> List<'a> {
        // SAFETY: `shape` of a checked array has ndim items.
        let len = unsafe { *array.shape.add(dim as usize) } as u64;
        List { repr: Repr::Part(array, dim, at), len }
    }

    pub(super) fn of_row(array: &'a Array, i: u64) -> List<'a> {
        List { repr: Repr::Row(array, i), len: u64::from(array.n_children) }
    }

    /// The array that the list is the whole of.
    #[cfg(all(test, feature = "host"))]
    pub(super) fn whole_array(&self) -> Option<&'a Array> {
        match self.repr {
            Repr::Array(array, 0) if array.length == self.len => Some(array),
            _ => None,
        }
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Returns true if it has no items.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns item `i`, or `None` past the end.
    pub fn get(&self, i: usize) -> Option<View<'a>> {
        let n = i as u64;
        if n >= self.len {
            return None;
        }
        Some(match self.repr {
            Repr::Nodes(nodes) => View::of_node(&nodes[i]),
            Repr::Array(array, from) => array::item(array, from + n),
            Repr::Part(array, dim, at) => {
                let at = array::step(array, at, dim, n);
                if dim + 1 == array.ndim {
                    array::element(array, at)
                } else {
                    View::new(super::Data::List(List::of_part(array, dim + 1, at)))
                }
            }
            Repr::Row(array, row) => {
                let column = array::child(array, i as u32);
                array::item(column, row).with_metadata(column.metadata)
            }
        })
    }

    /// Returns the items, one after another.
    pub fn iter(&self) -> ListIter<'a> {
        ListIter { list: *self, next: 0 }
    }

    /// Returns the column `name` of an array of records.
    ///
    /// `None` for records that are optional or in chunks: `Value::find` makes their columns.
    pub fn column(&self, name: &str) -> Option<View<'a>> {
        match self.repr {
            Repr::Array(array, from) if array.layout == layout::RECORD && !array.names.is_null() => {
                let column = super::object::position(array, name).map(|i| array::child(array, i))?;
                if from == 0 && self.len == column.length {
                    return Some(View::of_array(column));
                }
                let items = View::new(super::Data::List(List::of_array(column, from, self.len)));
                Some(items.with_metadata(column.metadata))
            }
            _ => None,
        }
    }

    /// Returns names and columns of an array of records, also of one without rows. See [`List::column`].
    pub fn columns(&self) -> Option<impl ExactSizeIterator<Item = (&'a str, View<'a>)> + 'a> {
        let list = *self;
        match self.repr {
            Repr::Array(array, _) if array.layout == layout::RECORD && !array.names.is_null() => {
                let names = (0..array.n_children).map(move |i| super::object::name_of(array, i));
                Some(names.map(move |name| (name, list.column(name).unwrap_or(View::new(super::Data::Null)))))
            }
            _ => None,
        }
    }

    /// Where the first element lies, the dimension that it starts, and the array of elements.
    fn elements(&self) -> Option<(&'a Array, u32, Place<'a>)> {
        match self.repr {
            Repr::Array(array, from) if array.layout == layout::NDARRAY && array.ndim > 0 => {
                Some((array, 0, array::place(array, from)))
            }
            Repr::Part(array, dim, at) => Some((array, dim, at)),
            _ => None,
        }
    }

    /// Whether elements can be read as `T` where they lie, which multiples of the size make aligned.
    fn holds<T: Number>(array: &Array, at: Place<'_>) -> bool {
        array.dtype == T::DTYPE
            && array.byte_order == u8::from(cfg!(target_endian = "big"))
            && at.0 as usize % std::mem::align_of::<T>() == 0
    }

    /// Returns all items as a slice of memory, without a copy.
    ///
    /// `None` if the items are not numbers of type `T`, one after another, aligned and in the byte order of the
    /// machine. Use [`List::iter`] then.
    pub fn as_slice<T: Number>(&self) -> Option<&'a [T]> {
        let (array, dim, at) = self.elements()?;
        // SAFETY: `strides` has ndim items.
        let stride = unsafe { *array.strides.add(dim as usize) };
        let dense = self.len <= 1 || stride == std::mem::size_of::<T>() as i64;
        if array.dtype != T::DTYPE || dim + 1 != array.ndim {
            return None;
        }
        if self.len == 0 {
            return Some(&[]);
        }
        if !dense || !Self::holds::<T>(array, at) {
            return None;
        }
        // SAFETY: the elements of a checked array lie in its buffer, and it was just checked how.
        Some(unsafe { abi::slice(at.0.cast(), self.len) })
    }

    /// Returns the items one after another, without a copy: numbers of type `T` with any stride and alignment, and in
    /// any byte order.
    pub fn numbers<T: Number>(&self) -> Option<Numbers<'a, T>> {
        let (array, dim, at) = self.elements()?;
        if array.dtype != T::DTYPE || dim + 1 != array.ndim {
            return None;
        }
        // SAFETY: `strides` has ndim items.
        let stride = unsafe { *array.strides.add(dim as usize) };
        Some(Numbers { at, stride, left: self.len(), order: array.byte_order, number: PhantomData })
    }

    /// Returns an array of any number of dimensions as a view of `ndarray`, without a copy.
    ///
    /// `None` under the conditions of [`List::as_slice`], but strides may have gaps between the numbers.
    #[cfg(feature = "ndarray")]
    pub fn as_ndarray<T: Number>(&self) -> Option<ndarray::ArrayViewD<'a, T>> {
        use ndarray::ShapeBuilder;
        let (array, dim, at) = self.elements()?;
        let dims = (array.ndim - dim) as usize;
        // SAFETY: `shape` and `strides` have ndim items.
        let (shape, strides) = unsafe {
            (
                std::slice::from_raw_parts(array.shape.add(dim as usize), dims),
                std::slice::from_raw_parts(array.strides.add(dim as usize), dims),
            )
        };
        let mut shape: Vec<usize> = shape.iter().map(|&n| n as usize).collect();
        shape[0] = self.len();
        let size = std::mem::size_of::<T>() as i64;
        if shape.contains(&0) && array.dtype == T::DTYPE {
            return ndarray::ArrayViewD::from_shape(shape, &[]).ok();
        }
        let fits = |(&stride, &n): (&i64, &usize)| n == 1 || (stride >= 0 && stride % size == 0);
        if !strides.iter().zip(&shape).all(fits) || !Self::holds::<T>(array, at) {
            return None;
        }
        let steps = strides.iter().zip(&shape).map(|(&s, &n)| if n == 1 { 0 } else { (s / size) as usize });
        let steps: Vec<usize> = steps.collect();
        // SAFETY: as in as_slice; strides are not negative, and the last element lies in the buffer.
        Some(unsafe { ndarray::ArrayViewD::from_shape_ptr(shape.strides(steps), at.0.cast()) })
    }
}

impl<'a> IntoIterator for List<'a> {
    type Item = View<'a>;
    type IntoIter = ListIter<'a>;

    fn into_iter(self) -> ListIter<'a> {
        self.iter()
    }
}

/// The items of a [`List`].
#[derive(Clone, Debug)]
pub struct ListIter<'a> {
    list: List<'a>,
    next: usize,
}

impl<'a> Iterator for ListIter<'a> {
    type Item = View<'a>;

    fn next(&mut self) -> Option<View<'a>> {
        let item = self.list.get(self.next)?;
        self.next += 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for ListIter<'_> {}

/// The numbers of a [`List`]. See [`List::numbers`].
#[derive(Clone, Debug)]
pub struct Numbers<'a, T> {
    at: Place<'a>,
    stride: i64,
    left: usize,
    order: u8,
    number: PhantomData<T>,
}

impl<T: Number> Iterator for Numbers<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: every element of a checked array lies in its buffer.
        let number = unsafe { self.at.0.cast::<T>().read_unaligned() };
        self.at.0 = self.at.0.wrapping_offset(self.stride as isize);
        let native = self.order == u8::from(cfg!(target_endian = "big"));
        Some(if native { number } else { number.swap_bytes() })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T: Number> ExactSizeIterator for Numbers<'_, T> {}
