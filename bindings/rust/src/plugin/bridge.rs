// SPDX-License-Identifier: MIT
//! The C functions that hosts call, and the constant tables that name them.

use super::{Builder, Codec, Input, Options, Output};
use crate::error::store_text;
use crate::{abi, Error, Result, Status, View};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::CStr;
use std::mem::size_of;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

/// A codec with the table that hosts see. The table comes first, so one pointer is both.
#[repr(C)]
struct Instance<T> {
    table: abi::Instance,
    codec: T,
}

thread_local! {
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the body and stores its error. A panic ends here, because it must not enter the host.
unsafe fn guard(error: *mut abi::Error, body: impl FnOnce() -> Result<()>) -> i32 {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return abi::OK,
        Ok(Err(failure)) => failure,
        Err(payload) => Error::new(Status::Plugin, panic_text(payload)).with_detail("rust.panic"),
    };
    failure.store(&mut *error)
}

fn panic_text(payload: Box<dyn Any + Send>) -> String {
    let what = payload
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    // A payload of another type may panic again when it is dropped.
    std::mem::forget(payload);
    let place = PANIC_PLACE.with(|place| place.take());
    format!("panic '{}'{}: codecs must return errors; report it to the author of the plugin", what, place)
}

unsafe extern "C" fn init(_: *const abi::Plugin, _: *const abi::Host, error: *mut abi::Error) -> i32 {
    guard(error, || {
        // The default hook prints, which a plugin must not do. The hook is that of this library's own runtime.
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
            let _ = PANIC_PLACE.try_with(|kept| kept.replace(place));
        }));
        Ok(())
    })
}

unsafe extern "C" fn open<T: Codec>(
    _: *const abi::Codec,
    call: *mut abi::Call,
    options: *const abi::Node,
    instance: *mut *const abi::Instance,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let _ = call;
        let options = options.as_ref().and_then(|node| View::of_raw(node).object());
        let codec = T::open(&Options(options))?;
        let table = abi::Instance {
            struct_size: size_of::<abi::Instance>() as u32,
            reserved: 0,
            private_data: ptr::null_mut(),
            decode: if T::CAN_DECODE { Some(decode::<T>) } else { None },
            encode: if T::CAN_ENCODE { Some(encode::<T>) } else { None },
            encoded_size: ptr::null(),
            open_reader: ptr::null(),
            open_writer: ptr::null(),
            list: ptr::null(),
            release: Some(release::<T>),
        };
        *instance = Box::into_raw(Box::new(Instance { table, codec })).cast();
        Ok(())
    })
}

unsafe extern "C" fn release<T>(instance: *const abi::Instance) {
    let instance = Box::from_raw(instance as *mut Instance<T>);
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(instance))) {
        std::mem::forget(payload);
    }
}

unsafe extern "C" fn decode<T: Codec>(
    instance: *const abi::Instance,
    call: *mut abi::Call,
    input: *const abi::Input,
    root: *mut *const abi::Node,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let codec = &(*instance.cast::<Instance<T>>()).codec;
        let mut out = Builder::of_raw(call);
        let node = codec.decode(&Input::of_raw(&*input), &mut out)?;
        *root = out.place(node)?;
        Ok(())
    })
}

unsafe extern "C" fn encode<T: Codec>(
    instance: *const abi::Instance,
    call: *mut abi::Call,
    root: *const abi::Node,
    output: *const abi::Output,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let codec = &(*instance.cast::<Instance<T>>()).codec;
        codec.encode(View::of_raw(root), &mut Output::of_raw(call, (*output).sink))
    })
}

unsafe extern "C" fn sniff<T: Codec>(
    _: *const abi::Codec,
    call: *mut abi::Call,
    input: *const abi::Input,
    guess: *mut abi::Sniff,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let input = Input::of_raw(&*input);
        super::call::Budget::of_raw(call).charge(1 + input.bytes().len() as u64)?;
        let seen = T::SNIFF.map_or_else(|| super::Sniff::new(0, ""), |sniff| sniff(&input));
        (*guess).score = seen.score.min(100);
        store_text(&mut (*guess).reason, &seen.reason);
        Ok(())
    })
}

/// A pointer in a constant table.
#[repr(transparent)]
pub struct Entry(pub &'static abi::Codec);

// SAFETY: the tables are constant.
unsafe impl Sync for abi::Codec {}
unsafe impl Sync for abi::Codecs {}
unsafe impl Sync for abi::Plugin {}

/// The text with a NUL after it; `N` is its length and 1.
pub const fn terminated<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut result = [0; N];
    let mut i = 0;
    while i < bytes.len() {
        assert!(bytes[i] != 0, "names contain no NUL");
        result[i] = bytes[i];
        i += 1;
    }
    result
}

/// The table of one codec.
pub const fn codec<T: Codec>(name: &'static [u8]) -> abi::Codec {
    abi::Codec {
        struct_size: size_of::<abi::Codec>() as u32,
        capabilities: if T::CAN_DECODE { abi::CAN_DECODE } else { 0 } | if T::CAN_ENCODE { abi::CAN_ENCODE } else { 0 },
        inputs: abi::INPUT_BYTES,
        outputs: abi::INPUT_BYTES,
        name: name.as_ptr().cast(),
        manifest: ptr::null(),
        private_data: ptr::null_mut(),
        sniff: if T::SNIFF.is_some() { Some(sniff::<T>) } else { None },
        open: Some(open::<T>),
        release: None,
    }
}

/// The table of all codecs.
pub const fn codecs(entries: &'static [Entry]) -> abi::Codecs {
    abi::Codecs {
        struct_size: size_of::<abi::Codecs>() as u32,
        count: entries.len() as u32,
        items: entries.as_ptr().cast(),
    }
}

/// The exported object.
pub const fn plugin(
    id: &'static [u8],
    version: &'static [u8],
    get_interface: unsafe extern "C" fn(*const abi::Plugin, *const c_char) -> *const c_void,
) -> abi::Plugin {
    abi::Plugin {
        struct_size: size_of::<abi::Plugin>() as u32,
        abi: abi::ABI_VERSION,
        id: id.as_ptr().cast(),
        version: version.as_ptr().cast(),
        private_data: ptr::null_mut(),
        init: Some(init),
        deinit: None,
        get_interface,
    }
}

/// Answers which interfaces the plugin has.
///
/// # Safety
/// `id` is a NUL-terminated text.
pub unsafe fn interface(id: *const c_char, codecs: &'static abi::Codecs) -> *const c_void {
    if CStr::from_ptr(id).to_bytes() == b"polycodec.codecs/2" {
        (codecs as *const abi::Codecs).cast()
    } else {
        ptr::null()
    }
}
