// SPDX-License-Identifier: MIT
//! What applies to one call, and which codec with which options.

use super::{sys, text_bytes, Registry};
use crate::abi::{self, Bytes};
use crate::error::check;
use crate::plugin::Loss;
use crate::Result;
use std::any::Any;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Range;
use std::os::raw::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bounds on one call. 0 is the default of the registry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nesting of containers, types and expressions.
    pub max_depth: u32,
    /// Bytes of one input.
    pub max_input_bytes: u64,
    /// Nodes and arrays of one value.
    pub max_nodes: u64,
    /// Elements of one array or list.
    pub max_elements: u64,
    /// Units of work, about 5 ns each.
    pub max_work: u64,
    /// Bytes of memory that a call may use.
    pub max_memory_bytes: u64,
    /// Bytes that an encoder may write.
    pub max_output_bytes: u64,
}

impl Limits {
    pub(super) fn to_raw(self) -> abi::Limits {
        abi::Limits {
            struct_size: size_of::<abi::Limits>() as u32,
            max_depth: self.max_depth,
            max_input_bytes: self.max_input_bytes,
            max_nodes: self.max_nodes,
            max_elements: self.max_elements,
            max_work: self.max_work,
            max_memory_bytes: self.max_memory_bytes,
            max_output_bytes: self.max_output_bytes,
            ..abi::Limits::default()
        }
    }
}

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Whether the call has succeeded.
    pub is_last: bool,
    /// Units of work that codecs have asked for.
    pub work: u64,
    /// Bytes that were handed to codecs. Of a source in memory all bytes are handed over at once.
    pub input: u64,
    /// Bytes of the source, if they are known.
    pub input_size: Option<u64>,
    /// Bytes written.
    pub output: u64,
}

type OnLoss<'c> = dyn FnMut(Loss, &str, &str) + Send + 'c;
type OnProgress<'c> = dyn FnMut(Progress) -> bool + Send + 'c;

/// What applies to one call: limits, losses, cancellation, and the part of a value that is wanted.
#[derive(Default)]
pub struct CallOptions<'c> {
    limits: Option<Limits>,
    losses: u32,
    tolerant: bool,
    on_loss: Option<Mutex<Box<OnLoss<'c>>>>,
    on_progress: Option<Mutex<Box<OnProgress<'c>>>>,
    /// A panic of a callback waits here until the library has returned.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    cancel: Option<&'c AtomicBool>,
    budget: Option<&'c Budget<'c>>,
    member: &'c str,
    select: &'c str,
    columns: Vec<&'c str>,
    threads: u32,
    rows: Option<Range<u64>>,
}

impl<'c> CallOptions<'c> {
    /// Returns the defaults.
    pub fn new() -> CallOptions<'c> {
        CallOptions::default()
    }

    /// Bounds the call.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Allows losses of the classes, and of notes, and calls `on_loss` with class, path and description of each. Several threads may use
    /// the options at the same time: `on_loss` hears one loss after another. It must not use the options itself.
    pub fn on_loss(mut self, classes: &[Loss], on_loss: impl FnMut(Loss, &str, &str) + Send + 'c) -> Self {
        self.losses = classes.iter().fold(0, |set, &class| set | 1 << class as u32);
        self.on_loss = Some(Mutex::new(Box::new(on_loss)));
        self
    }

    /// Calls `on_progress` every 50 ms while the call works, and at its end if it succeeds. False ends the call with `Cancelled`. Not with a
    /// budget, and not for streams and collections.
    pub fn on_progress(mut self, on_progress: impl FnMut(Progress) -> bool + Send + 'c) -> Self {
        self.on_progress = Some(Mutex::new(Box::new(on_progress)));
        self
    }

    /// Mends what breaks a rule of the format, where the codec can, and reports each place as a loss of the classes
    /// `Mended` and `Note`.
    pub fn tolerant(mut self) -> Self {
        self.tolerant = true;
        self
    }

    /// Ends the call with `Cancelled` soon after another thread sets the flag.
    pub fn cancel(mut self, flag: &'c AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Shares one budget with other calls, instead of limits and a flag of this call.
    pub fn budget(mut self, budget: &'c Budget<'c>) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Chooses one named value of a store.
    pub fn member(mut self, name: &'c str) -> Self {
        self.member = name;
        self
    }

    /// Decodes the part at this path, such as `$.vertex`, as a value of its own.
    pub fn select(mut self, path: &'c str) -> Self {
        self.select = path;
        self
    }

    /// Decodes only these parts, such as `$.vertex.x`.
    pub fn columns(mut self, paths: &[&'c str]) -> Self {
        self.columns = paths.to_vec();
        self
    }

    /// Decodes only these rows.
    pub fn rows(mut self, rows: Range<u64>) -> Self {
        self.rows = Some(rows);
        self
    }

    /// Lets this number of threads work on the call, the caller's among them, instead of those of the registry.
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Runs `call` with the options as the library wants them.
    pub(super) fn run(&self, call: impl FnOnce(*const sys::CallOptions, *mut abi::Error) -> i32) -> Result<()> {
        let limits = self.limits.map(Limits::to_raw);
        let rows = self.rows.clone().unwrap_or(0..u64::MAX);
        let columns: Vec<Bytes> = self.columns.iter().map(|path| text_bytes(path)).collect();
        let projection = abi::Projection {
            struct_size: size_of::<abi::Projection>() as u32,
            n_paths: columns.len() as u32,
            paths: columns.as_ptr(),
            first_row: rows.start,
            n_rows: if rows.end == u64::MAX { u64::MAX } else { rows.end.saturating_sub(rows.start) },
        };
        let projects = self.rows.is_some() || !self.columns.is_empty();
        let raw = sys::CallOptions {
            struct_size: size_of::<sys::CallOptions>() as u32,
            flags: if projects { sys::CALL_PARTIAL } else { 0 } | if self.tolerant { sys::CALL_TOLERANT } else { 0 },
            limits: limits.as_ref().map_or(ptr::null(), |limits| limits),
            cancel: self.cancel.map_or(ptr::null(), |flag| (flag as *const AtomicBool).cast()),
            projection: if projects { &projection } else { ptr::null() },
            member: text_bytes(self.member),
            allowlist: Bytes::EMPTY,
            on_loss: self.on_loss.as_ref().map(|_| hear_loss as unsafe extern "C" fn(*mut c_void, i32, Bytes, Bytes)),
            loss_data: self as *const CallOptions as *mut c_void,
            losses: self.losses,
            threads: self.threads,
            budget: self.budget.map_or(ptr::null(), |budget| budget.raw),
            on_progress: self
                .on_progress
                .as_ref()
                .map(|_| hear_progress as unsafe extern "C" fn(*mut c_void, *const sys::Progress) -> i32),
            progress_data: self as *const CallOptions as *mut c_void,
            select: text_bytes(self.select),
            destination: Bytes::EMPTY,
            allow_also: Bytes::EMPTY,
        };
        self.finish(check(|error| call(&raw, error)))
    }

    /// Runs a callback, whose panic must not enter the library.
    fn guarded<T>(&self, callback: impl FnOnce() -> T) -> Option<T> {
        let heard = catch_unwind(AssertUnwindSafe(callback));
        heard.map_err(|payload| *locked(&self.panic) = Some(payload)).ok()
    }

    /// Returns the result of a call with these options, after a panic of its callback.
    pub(super) fn finish(&self, result: Result<()>) -> Result<()> {
        if let Some(payload) = locked(&self.panic).take() {
            resume_unwind(payload);
        }
        result
    }
}

/// Work, memory and output that several calls on one input share.
pub struct Budget<'c> {
    raw: *mut sys::Budget,
    life: PhantomData<&'c AtomicBool>,
}

// SAFETY: host.h: all calls with budgets are thread-safe, and holders may end on any thread.
unsafe impl Send for Budget<'_> {}
unsafe impl Sync for Budget<'_> {}

impl<'c> Budget<'c> {
    /// Makes a budget. 0 is the default of the registry. A flag that another thread sets ends its calls with `Cancelled`.
    pub fn new(registry: &Registry, limits: Limits, cancel: Option<&'c AtomicBool>) -> Result<Budget<'c>> {
        let mut raw = ptr::null_mut();
        let cancel = cancel.map_or(ptr::null(), |flag| (flag as *const AtomicBool).cast());
        // SAFETY: the limits live during the call, and the flag as long as the budget.
        check(|e| unsafe {
            sys::polycodec_budget_create(registry.raw, ptr::null_mut(), &limits.to_raw(), cancel, &mut raw, e)
        })?;
        Ok(Budget { raw, life: PhantomData })
    }
}

impl Drop for Budget<'_> {
    fn drop(&mut self) {
        // SAFETY: this handle is one holder.
        unsafe { sys::polycodec_budget_release(self.raw) }
    }
}

unsafe extern "C" fn hear_loss(data: *mut c_void, class: i32, path: Bytes, what: Bytes) {
    let options = &*(data as *const CallOptions);
    let class = match class {
        0 => Loss::Note,
        1 => Loss::Type,
        3 => Loss::Retyped,
        4 => Loss::Mended,
        _ => Loss::Data,
    };
    let path = String::from_utf8_lossy(path.as_slice());
    let what = String::from_utf8_lossy(what.as_slice());
    options.guarded(|| {
        if let Some(on_loss) = &options.on_loss {
            locked(on_loss)(class, &path, &what);
        }
    });
}

unsafe extern "C" fn hear_progress(data: *mut c_void, progress: *const sys::Progress) -> i32 {
    let options = &*(data as *const CallOptions);
    let progress = Progress {
        is_last: (*progress).is_last != 0,
        work: (*progress).work,
        input: (*progress).input,
        input_size: Some((*progress).input_size).filter(|&size| size != 0),
        output: (*progress).output,
    };
    let is_wanted = options.guarded(|| options.on_progress.as_ref().map_or(true, |heard| locked(heard)(progress)));
    i32::from(is_wanted != Some(true))
}

/// The lock, also after a panic.
fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A codec by name, with options and filters.
#[derive(Clone, Debug, Default)]
pub struct Format {
    codec: String,
    options: String,
    filters: String,
    flags: u32,
}

impl Format {
    /// Names a codec, such as `ply`. `text` is typed JSON.
    pub fn new(codec: impl Into<String>) -> Format {
        Format { codec: codec.into(), ..Format::default() }
    }

    /// Sets the options, a JSON object.
    pub fn options(mut self, json: impl Into<String>) -> Format {
        self.options = json.into();
        self
    }

    /// Sets the filters after the codec, a JSON list such as `[{"id": "zlib"}]`.
    pub fn filters(mut self, json: impl Into<String>) -> Format {
        self.filters = json.into();
        self
    }

    /// Says that options and filters are not the program's own: they came with data, or from a user who may not do what the
    /// program may. An option that names a file is then denied.
    pub fn of_others(mut self) -> Format {
        self.flags = sys::FORMAT_OF_OTHERS;
        self
    }

    pub(super) fn to_raw(&self) -> sys::Format {
        sys::Format {
            struct_size: size_of::<sys::Format>() as u32,
            flags: self.flags,
            codec: text_bytes(&self.codec),
            options: text_bytes(&self.options),
            filters: text_bytes(&self.filters),
            path: Bytes::EMPTY,
            value: ptr::null(),
        }
    }
}
