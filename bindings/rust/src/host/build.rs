// SPDX-License-Identifier: MIT
//! Values that a program builds.

use super::{sys, Value};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::plugin::{Builder, Node};
use crate::{Error, Result, Status};
use std::mem::size_of;
use std::os::raw::c_void;
use std::ptr;

impl Value<'static> {
    /// Builds a value in memory of its own, with the functions that codecs have. Text and bytes are copied: a node that views a constant
    /// of the program is `Invalid`.
    ///
    /// ```
    /// # use polycodec::host::Value;
    /// # fn main() -> polycodec::Result<()> {
    /// let value = Value::build(|out| {
    ///     let x = out.copy_numbers(&[0.5, 1.5])?;
    ///     let checked = out.copy_booleans(&[true, false])?;
    ///     out.records(2, &[("x", x), ("checked", checked)])
    /// })?;
    /// assert_eq!(value.type_notation()?, "2 * {x: float64, checked: bool}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Other memory of the program is an error of the compiler:
    ///
    /// ```compile_fail
    /// # use polycodec::{host::Value, plugin::Node};
    /// let text = String::from("of the program");
    /// let value = Value::build(|_| Ok(Node::str(&text)));
    /// ```
    pub fn build(make: impl for<'a> FnOnce(&mut Builder<'a>) -> Result<Node<'a>>) -> Result<Value<'static>> {
        let (mut raw, mut arena) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: results go to both.
        check(|error| unsafe { sys::polycodec_value_create(0, &mut raw, &mut arena, error) })?;
        let value = Value::of_raw(raw);
        let limits = abi::Limits {
            struct_size: size_of::<abi::Limits>() as u32,
            max_depth: 1000,
            max_input_bytes: u64::MAX,
            max_header_bytes: u64::MAX,
            max_nodes: u64::MAX,
            max_elements: u64::MAX,
            max_work: u64::MAX,
            max_memory_bytes: u64::MAX,
            max_output_bytes: u64::MAX,
            max_stack_bytes: u64::MAX,
            deadline: u64::MAX,
        };
        let mut call = abi::Call {
            struct_size: size_of::<abi::Call>() as u32,
            depth: 0,
            credit: u64::MAX,
            arena,
            limits: &limits,
            host: &HOST.0,
            stack_limit: ptr::null(),
            projection: ptr::null(),
            private_data: ptr::null_mut(),
            spend,
            parallel_for,
            report_loss,
            threads: None,
        };
        // SAFETY: the call lives as long as the builder, and its arena as long as the value, which finish() checks.
        unsafe {
            let mut out = Builder::of_raw(&mut call);
            let node = make(&mut out)?;
            let root = out.place(node)?;
            check(|error| sys::polycodec_value_finish(raw, root, error))?;
        }
        Ok(value)
    }
}

struct Constant(abi::Host);

// SAFETY: it has no state.
unsafe impl Sync for Constant {}

/// What a call outside of the library offers: nothing.
static HOST: Constant = Constant(abi::Host {
    struct_size: size_of::<abi::Host>() as u32,
    abi: abi::ABI_VERSION,
    name: Bytes::EMPTY,
    version: Bytes::EMPTY,
    private_data: ptr::null_mut(),
    log,
    call_function,
    decode_with,
    encode_with,
    lookup_type,
});

unsafe fn unsupported(error: *mut abi::Error) -> i32 {
    let message = "a value that a program builds has no host: use the registry";
    Error::new(Status::Unsupported, message).store(&mut *error)
}

unsafe extern "C" fn log(_: *const abi::Host, _: i32, _: Bytes) {}

unsafe extern "C" fn call_function(
    _: *const abi::Host,
    _: *mut abi::Call,
    _: *const Bytes,
    _: u64,
    _: *const abi::Node,
    _: *const abi::Node,
    _: *mut *const abi::Node,
    error: *mut abi::Error,
) -> i32 {
    unsupported(error)
}

unsafe extern "C" fn decode_with(
    _: *const abi::Host,
    _: *mut abi::Call,
    _: Bytes,
    _: *const abi::Node,
    _: *const abi::Input,
    _: *mut *const abi::Node,
    error: *mut abi::Error,
) -> i32 {
    unsupported(error)
}

unsafe extern "C" fn encode_with(
    _: *const abi::Host,
    _: *mut abi::Call,
    _: Bytes,
    _: *const abi::Node,
    _: *const abi::Node,
    _: *const abi::Output,
    error: *mut abi::Error,
) -> i32 {
    unsupported(error)
}

unsafe extern "C" fn lookup_type(
    _: *const abi::Host,
    _: *mut abi::Call,
    _: Bytes,
    _: *mut Bytes,
    error: *mut abi::Error,
) -> i32 {
    unsupported(error)
}

unsafe extern "C" fn spend(_: *mut abi::Call, _: u64, _: *mut abi::Error) -> i32 {
    abi::OK
}

unsafe extern "C" fn parallel_for(
    call: *mut abi::Call,
    n: u64,
    grain: u64,
    body: abi::Body,
    data: *mut c_void,
    error: *mut abi::Error,
) -> i32 {
    let mut from = 0;
    while from < n {
        let to = from.saturating_add(grain.max(1)).min(n);
        let code = body(data, call, from, to, error);
        if code != abi::OK {
            return code;
        }
        from = to;
    }
    abi::OK
}

unsafe extern "C" fn report_loss(_: *mut abi::Call, _: i32, _: Bytes, _: Bytes, error: *mut abi::Error) -> i32 {
    unsupported(error)
}
