// SPDX-License-Identifier: MIT
//! One call of the host: its budget, its memory, losses, and what the host offers.

use super::{Builder, Node};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::{Error, Result, Status};
use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::ops::Range;
use std::os::raw::c_void;
use std::ptr;

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

/// Levels of the host's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum LogLevel {
    /// For authors of plugins.
    Debug = 0,
    /// What was done.
    Info = 1,
    /// What users should look at.
    Warning = 2,
    /// What failed.
    Error = 3,
}

/// One call of the host. [`Builder`] and [`Output`](super::Output) are calls, too.
#[derive(Debug)]
pub struct Call<'a> {
    pub(super) raw: *mut abi::Call,
    depth: u32,
    life: PhantomData<&'a mut ()>,
}

impl<'a> Call<'a> {
    /// # Safety
    /// The call is that of the host, its arena lives during `'a`, and nothing else uses it as long as the result.
    pub(super) unsafe fn of_raw(raw: *mut abi::Call) -> Call<'a> {
        Call { raw, depth: 0, life: PhantomData }
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
        let (path, what) = (Bytes::of(path.as_bytes()), Bytes::of(what.as_bytes()));
        // SAFETY: as above; the text lives during the call.
        check(|error| unsafe { ((*self.raw).report_loss)(self.raw, class as i32, path, what, error) })
    }

    /// Writes a line of text to the host's log.
    pub fn log(&self, level: LogLevel, text: &str) {
        // SAFETY: as above.
        unsafe { ((*self.host()).log)(self.host(), level as i32, Bytes::of(text.as_bytes())) }
    }

    /// Returns the most elements that one array or list may have.
    pub fn max_elements(&self) -> u64 {
        self.limits().max_elements
    }

    /// Returns the most bytes that a header of the format may have.
    pub fn max_header_bytes(&self) -> u64 {
        self.limits().max_header_bytes
    }

    /// Returns the paths, such as `$.vertex.x`, of all that the caller wants. A codec may leave out the rest. None: everything.
    pub fn wanted_paths(&self) -> Vec<String> {
        // SAFETY: the projection and its text live as long as the call.
        unsafe {
            let projection = (*self.raw).projection.as_ref();
            let paths = projection.map_or(&[][..], |wanted| abi::slice(wanted.paths, wanted.n_paths.into()));
            paths.iter().map(|path| String::from_utf8_lossy(path.as_slice()).into_owned()).collect()
        }
    }

    /// Returns how many rows, from the first on, are enough: of each wanted path, or of the value where there is no path. The host
    /// leaves out those before the first that is wanted.
    pub fn wanted_rows(&self) -> u64 {
        // SAFETY: as above.
        let projection = unsafe { (*self.raw).projection.as_ref() };
        projection.map_or(u64::MAX, |wanted| wanted.first_row.saturating_add(wanted.n_rows))
    }

    /// Returns how many threads may share a [`Call::parallel_for`] of many parts.
    pub fn threads(&self) -> u32 {
        // SAFETY: the host's call; an older host has a shorter struct.
        unsafe {
            let knows = (*self.raw).struct_size as usize >= size_of::<abi::Call>();
            let threads = if knows { (*self.raw).threads } else { None };
            threads.map_or(1, |threads| threads(self.raw))
        }
    }

    /// Calls `body` for parts of at most `grain` that cover `0..n`, maybe on several threads.
    ///
    /// Each part has a builder of its own, whose memory lives as long as that of this call. The error is that of the lowest part
    /// that failed.
    pub fn parallel_for<F>(&mut self, n: u64, grain: u64, body: F) -> Result<()>
    where
        F: Fn(&mut Builder<'a>, Range<u64>) -> Result<()> + Sync,
    {
        unsafe extern "C" fn part<'a, F>(
            body: *mut c_void,
            call: *mut abi::Call,
            from: u64,
            to: u64,
            error: *mut abi::Error,
        ) -> i32
        where
            F: Fn(&mut Builder<'a>, Range<u64>) -> Result<()> + Sync,
        {
            super::bridge::guard(error, || (*(body as *const F))(&mut Builder::of_raw(call), from..to))
        }
        let data = &body as *const F as *mut c_void;
        // SAFETY: the body lives during the call, and each child call is that of its part.
        check(|error| unsafe { ((*self.raw).parallel_for)(self.raw, n, grain, part::<'a, F>, data, error) })
    }

    /// Calls a function that the host knows by its name, such as `stats.median`, if the allowlist of the call allows it. `args` is a
    /// list, `kwargs` an object.
    pub fn call_function(&mut self, name: &str, args: Node<'a>, kwargs: Option<Node<'a>>) -> Result<Node<'a>> {
        let path: Vec<Bytes> = name.split('.').map(|part| Bytes::of(part.as_bytes())).collect();
        let (args, kwargs) = (self.place(args)?, self.place_if(kwargs)?);
        let (host, raw) = (self.host(), self.raw);
        self.node_of(|result, error| unsafe {
            ((*host).call_function)(host, raw, path.as_ptr(), path.len() as u64, args, kwargs, result, error)
        })
    }

    /// Decodes bytes with another codec. `options` is an object.
    pub fn decode_with(&mut self, codec: &str, options: Option<Node<'a>>, bytes: &'a [u8]) -> Result<Node<'a>> {
        let input = abi::Input {
            struct_size: size_of::<abi::Input>() as u32,
            parts: abi::INPUT_BYTES,
            bytes: Bytes::of(bytes),
            file: ptr::null(),
            store: ptr::null(),
            name: Bytes::EMPTY,
            member: Bytes::EMPTY,
            total: bytes.len() as u64,
        };
        let options = self.place_if(options)?;
        let (host, raw, codec) = (self.host(), self.raw, Bytes::of(codec.as_bytes()));
        self.node_of(|root, error| unsafe { ((*host).decode_with)(host, raw, codec, options, &input, root, error) })
    }

    /// Returns the notation of the type that is registered under a name.
    pub fn lookup_type(&mut self, name: &str) -> Result<String> {
        let mut notation = Bytes::EMPTY;
        let (host, name) = (self.host(), Bytes::of(name.as_bytes()));
        // SAFETY: the notation lives as long as the host.
        unsafe {
            check(|error| ((*host).lookup_type)(host, self.raw, name, &mut notation, error))?;
            Ok(String::from_utf8_lossy(notation.as_slice()).into_owned())
        }
    }

    /// Copies bytes to the memory of the call, which lives as long as the value or the output.
    pub fn copy(&mut self, bytes: &[u8]) -> Result<&'a [u8]> {
        let copy = self.copy_aligned(bytes, 1)?;
        // SAFETY: fresh memory of this size.
        Ok(unsafe { abi::slice(copy as *const u8, bytes.len() as u64) })
    }

    /// Enters a level of nesting, or fails at the limit. [`Call::leave`] ends it.
    pub(super) fn enter(&mut self) -> Result<()> {
        let here = 0u8;
        // SAFETY: as above; the limits live as long as the call.
        let (limit, most) = unsafe { ((*self.raw).stack_limit, self.limits().max_depth) };
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

    pub(super) fn limits(&self) -> &abi::Limits {
        // SAFETY: the limits live as long as the call.
        unsafe { &*(*self.raw).limits }
    }

    pub(super) fn host(&self) -> *const abi::Host {
        // SAFETY: the host's call.
        unsafe { (*self.raw).host }
    }

    fn node_of(&mut self, call: impl FnOnce(*mut *const abi::Node, *mut abi::Error) -> i32) -> Result<Node<'a>> {
        let mut node = ptr::null();
        check(|error| call(&mut node, error))?;
        // SAFETY: the host's results live as long as the memory of the call.
        Ok(unsafe { Node::of_raw(*node) })
    }

    pub(crate) fn place(&mut self, node: Node<'a>) -> Result<*const abi::Node> {
        self.place_one(node.raw)
    }

    pub(super) fn place_if(&mut self, node: Option<Node<'a>>) -> Result<*const abi::Node> {
        node.map_or(Ok(ptr::null()), |node| self.place(node))
    }

    pub(super) fn place_one<T>(&mut self, object: T) -> Result<*const T> {
        let memory = self.alloc::<T>(1)?;
        // SAFETY: the memory has the size and alignment of a T.
        unsafe { memory.write(object) };
        Ok(memory)
    }

    pub(super) fn copy_slice<T: Copy>(&mut self, items: &[T]) -> Result<*const T> {
        // SAFETY: the bytes of the items are only copied.
        let bytes = unsafe { std::slice::from_raw_parts(items.as_ptr().cast::<u8>(), std::mem::size_of_val(items)) };
        Ok(self.copy_aligned(bytes, align_of::<T>())? as *const T)
    }

    fn copy_aligned(&mut self, bytes: &[u8], align: usize) -> Result<*mut u8> {
        self.charge(bytes.len() as u64 / 16)?;
        let memory = self.alloc_bytes(bytes.len() as u64, align)?;
        // SAFETY: fresh memory of this size.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Ok(memory)
    }

    pub(super) fn alloc<T>(&mut self, count: u64) -> Result<*mut T> {
        self.charge(1 + count)?;
        Ok(self.alloc_bytes(count * size_of::<T>() as u64, align_of::<T>())?.cast())
    }

    fn alloc_bytes(&mut self, size: u64, align: usize) -> Result<*mut u8> {
        // SAFETY: [cursor, limit) is free memory of the arena.
        unsafe {
            let arena = (*self.raw).arena;
            let cursor = (*arena).cursor;
            let gap = cursor.align_offset(align) as u64;
            let free = ((*arena).limit as usize).wrapping_sub(cursor as usize) as u64;
            if !cursor.is_null() && gap <= free && size <= free - gap {
                (*arena).cursor = cursor.add((gap + size) as usize);
                return Ok(cursor.add(gap as usize));
            }
            let mut memory: *mut c_void = ptr::null_mut();
            check(|error| ((*arena).grow)(arena, size, align as u64, &mut memory, error))?;
            Ok(memory.cast())
        }
    }
}
