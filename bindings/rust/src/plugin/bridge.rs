// SPDX-License-Identifier: MIT
//! The C functions that hosts call, and the constant tables that name them.

use super::store::Writing;
use super::{Blobs, Builder, Call, Codec, File, Filter, Function, Input, NamedType, Node, Options, Output, OutputFile};
use super::{Pieces, Sniff, Step, Store, StreamReader, StreamWriter};
use crate::error::store_text;
use crate::{abi, Error, Result, Status, View};
use std::any::Any;
use std::cell::RefCell;
use std::mem::size_of;
use std::os::raw::{c_char, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;

/// An object of the plugin with the table that hosts see. The table comes first, so one pointer is both.
#[repr(C)]
struct With<Table, T> {
    table: Table,
    object: T,
}

impl<Table, T> With<Table, T> {
    fn leak(table: Table, object: T) -> *mut Table {
        Box::into_raw(Box::new(With { table, object })).cast()
    }

    unsafe fn of<'a>(table: *const Table) -> &'a T {
        &(*table.cast::<With<Table, T>>()).object
    }
}

thread_local! {
    static PANIC_PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs the body and stores its error. A panic ends here, because it must not enter the host.
pub(super) unsafe fn guard(error: *mut abi::Error, body: impl FnOnce() -> Result<()>) -> i32 {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return abi::OK,
        Ok(Err(failure)) => failure,
        Err(payload) => {
            let failure = error_of_panic(&*payload, &PANIC_PLACE.with(|place| place.take()));
            // A payload of another type may panic again when it is dropped.
            std::mem::forget(payload);
            failure
        }
    };
    failure.store(&mut *error)
}

fn error_of_panic(payload: &(dyn Any + Send), place: &str) -> Error {
    let what = payload
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    let text = format!("panic '{}'{}: codecs must return errors; report it to the author of the plugin", what, place);
    Error::new(Status::Plugin, text).with_detail("rust.panic")
}

/// Keeps the place until guard() has the payload.
#[cfg(not(target_family = "wasm"))]
fn on_panic(_: &(dyn Any + Send), place: String) {
    let _ = PANIC_PLACE.try_with(|kept| kept.replace(place));
}

/// A module does not unwind: the host ends the call.
#[cfg(target_family = "wasm")]
fn on_panic(payload: &(dyn Any + Send), place: String) {
    #[link(wasm_import_module = "polycodec")]
    extern "C" {
        fn fail(error: *mut abi::Error) -> !;
    }
    let mut error = abi::Error::empty();
    error_of_panic(payload, &place).store(&mut error);
    // SAFETY: the host reads the error, and nothing after it runs.
    unsafe { fail(&mut error) }
}

/// Drops an object whose panic must not enter the host.
pub(super) fn drop_quietly<T>(object: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(object))) {
        std::mem::forget(payload);
    }
}

unsafe extern "C" fn release_const<Table, T>(table: *const Table) {
    drop_quietly(Box::from_raw(table as *mut With<Table, T>));
}

unsafe extern "C" fn release_mut<Table, T>(table: *mut Table) {
    release_const::<Table, T>(table);
}

unsafe extern "C" fn init(_: *const abi::Plugin, _: *const abi::Host, error: *mut abi::Error) -> i32 {
    guard(error, || {
        // The default hook prints, which a plugin must not do. The hook is that of this library's own runtime.
        std::panic::set_hook(Box::new(|info| {
            let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
            on_panic(info.payload(), place);
        }));
        Ok(())
    })
}

/// The options of an open function, which live during it.
unsafe fn options_of<'a>(options: *const abi::Node) -> Options<'a> {
    Options(options.as_ref().and_then(|node| View::of_node(node).object()))
}

unsafe fn sniff_with(
    seen: Option<fn(&Input<'_>) -> Sniff>,
    call: *mut abi::Call,
    input: *const abi::Input,
    guess: *mut abi::Sniff,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let input = Input::of_raw(&*input);
        Call::of_raw(call).charge(1 + input.bytes().len() as u64)?;
        let seen = seen.map_or_else(|| Sniff::new(0, ""), |sniff| sniff(&input));
        (*guess).score = seen.score.min(100);
        store_text(&mut (*guess).reason, &seen.reason);
        Ok(())
    })
}

const fn flag(has: bool, flag: u32) -> u32 {
    if has {
        flag
    } else {
        0
    }
}

// ---- Codecs ----

unsafe extern "C" fn open_codec<T: Codec>(
    _: *const abi::Codec,
    _: *mut abi::Call,
    options: *const abi::Node,
    instance: *mut *const abi::Instance,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let codec = T::open(&options_of(options))?;
        let table = abi::Instance {
            struct_size: size_of::<abi::Instance>() as u32,
            reserved: 0,
            private_data: ptr::null_mut(),
            decode: if T::CAN_DECODE { Some(decode::<T>) } else { None },
            encode: if T::CAN_ENCODE { Some(encode::<T>) } else { None },
            encoded_size: if T::CAN_ENCODE { Some(encoded_size::<T>) } else { None },
            open_reader: if T::CAN_READ_STREAM { Some(open_reader::<T>) } else { None },
            open_writer: if T::CAN_WRITE_STREAM { Some(open_writer::<T>) } else { None },
            list: if T::CAN_LIST { Some(list::<T>) } else { None },
            release: Some(release_const::<abi::Instance, T>),
        };
        *instance = With::leak(table, codec);
        Ok(())
    })
}

unsafe extern "C" fn decode<T: Codec>(
    instance: *const abi::Instance,
    call: *mut abi::Call,
    input: *const abi::Input,
    root: *mut *const abi::Node,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let mut out = Builder::of_raw(call);
        let node = With::<_, T>::of(instance).decode(&Input::of_raw(&*input), &mut out)?;
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
    guard(error, || With::<_, T>::of(instance).encode(View::of_raw(root), &mut Output::of_raw(call, output)))
}

unsafe extern "C" fn encoded_size<T: Codec>(
    instance: *const abi::Instance,
    call: *mut abi::Call,
    root: *const abi::Node,
    size: *mut u64,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let known = With::<_, T>::of(instance).encoded_size(View::of_raw(root), &mut Call::of_raw(call))?;
        *size = known.unwrap_or(abi::SIZE_UNKNOWN);
        Ok(())
    })
}

unsafe extern "C" fn list<T: Codec>(
    instance: *const abi::Instance,
    call: *mut abi::Call,
    store: *const abi::Store,
    contents: *mut *const abi::Node,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let mut out = Builder::of_raw(call);
        let blobs = Blobs::of_raw(store).ok_or_else(|| Error::new(Status::Plugin, "the host gave no store"))?;
        let node = With::<_, T>::of(instance).list(blobs, &mut out)?;
        *contents = out.place(node)?;
        Ok(())
    })
}

unsafe extern "C" fn sniff_codec<T: Codec>(
    _: *const abi::Codec,
    call: *mut abi::Call,
    input: *const abi::Input,
    guess: *mut abi::Sniff,
    error: *mut abi::Error,
) -> i32 {
    sniff_with(T::SNIFF, call, input, guess, error)
}

type BoxedReader = Box<dyn StreamReader>;
type BoxedWriter = Box<dyn StreamWriter>;

unsafe extern "C" fn open_reader<T: Codec>(
    instance: *const abi::Instance,
    _: *mut abi::Call,
    reader: *mut *mut abi::Reader,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let table = abi::Reader {
            struct_size: size_of::<abi::Reader>() as u32,
            reserved: 0,
            private_data: ptr::null_mut(),
            next,
            release: release_mut::<abi::Reader, BoxedReader>,
        };
        *reader = With::leak(table, With::<_, T>::of(instance).open_reader()?);
        Ok(())
    })
}

unsafe extern "C" fn next(
    reader: *mut abi::Reader,
    call: *mut abi::Call,
    step: *mut abi::Step,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let reader = &mut (*reader.cast::<With<abi::Reader, BoxedReader>>()).object;
        let (mut out, mut seen) = (Builder::of_raw(call), Step::of_raw(&*step));
        let node = reader.next(&mut seen, &mut out)?;
        (*step).root = out.place_if(node)?;
        (*step).consumed = seen.consumed;
        (*step).wanted = seen.wanted;
        Ok(())
    })
}

unsafe extern "C" fn open_writer<T: Codec>(
    instance: *const abi::Instance,
    _: *mut abi::Call,
    writer: *mut *mut abi::Writer,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let table = abi::Writer {
            struct_size: size_of::<abi::Writer>() as u32,
            reserved: 0,
            private_data: ptr::null_mut(),
            append,
            finish,
            release: release_mut::<abi::Writer, BoxedWriter>,
        };
        *writer = With::leak(table, With::<_, T>::of(instance).open_writer()?);
        Ok(())
    })
}

unsafe extern "C" fn append(
    writer: *mut abi::Writer,
    call: *mut abi::Call,
    sink: *mut abi::Sink,
    root: *const abi::Node,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let writer = &mut (*writer.cast::<With<abi::Writer, BoxedWriter>>()).object;
        writer.append(View::of_raw(root), &mut Output::of_sink(call, sink))
    })
}

unsafe extern "C" fn finish(
    writer: *mut abi::Writer,
    call: *mut abi::Call,
    sink: *mut abi::Sink,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let writer = &mut (*writer.cast::<With<abi::Writer, BoxedWriter>>()).object;
        writer.finish(&mut Output::of_sink(call, sink))
    })
}

// ---- Filters ----

unsafe extern "C" fn open_filter<T: Filter>(
    _: *const abi::Filter,
    _: *mut abi::Call,
    options: *const abi::Node,
    instance: *mut *const abi::FilterInstance,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let filter = T::open(&options_of(options))?;
        let table = abi::FilterInstance {
            struct_size: size_of::<abi::FilterInstance>() as u32,
            reserved: 0,
            private_data: ptr::null_mut(),
            encode: if T::CAN_ENCODE { Some(filter_encode::<T>) } else { None },
            decode: if T::CAN_DECODE { Some(filter_decode::<T>) } else { None },
            decoded_size: if T::CAN_DECODE { Some(decoded_size::<T>) } else { None },
            release: Some(release_const::<abi::FilterInstance, T>),
        };
        *instance = With::leak(table, filter);
        Ok(())
    })
}

unsafe extern "C" fn filter_encode<T: Filter>(
    instance: *const abi::FilterInstance,
    call: *mut abi::Call,
    pieces: *const abi::Bytes,
    n: u64,
    sink: *mut abi::Sink,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || With::<_, T>::of(instance).encode(Pieces::of_raw(pieces, n), &mut Output::of_sink(call, sink)))
}

unsafe extern "C" fn filter_decode<T: Filter>(
    instance: *const abi::FilterInstance,
    call: *mut abi::Call,
    bytes: abi::Bytes,
    expected: u64,
    sink: *mut abi::Sink,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let expected = Some(expected).filter(|&size| size != abi::SIZE_UNKNOWN);
        let mut out = Output::of_sink(call, sink);
        With::<_, T>::of(instance).decode(bytes.as_slice(), expected, &mut out)?;
        match expected {
            Some(size) if size != out.position() => {
                let message = format!("{} bytes were decoded: expected {}", out.position(), size);
                Err(Error::new(Status::Malformed, message))
            }
            _ => Ok(()),
        }
    })
}

unsafe extern "C" fn decoded_size<T: Filter>(
    instance: *const abi::FilterInstance,
    call: *mut abi::Call,
    bytes: abi::Bytes,
    size: *mut u64,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let known = With::<_, T>::of(instance).decoded_size(bytes.as_slice(), &mut Call::of_raw(call))?;
        *size = known.unwrap_or(abi::SIZE_UNKNOWN);
        Ok(())
    })
}

unsafe extern "C" fn sniff_filter<T: Filter>(
    _: *const abi::Filter,
    call: *mut abi::Call,
    input: *const abi::Input,
    guess: *mut abi::Sniff,
    error: *mut abi::Error,
) -> i32 {
    sniff_with(T::SNIFF, call, input, guess, error)
}

// ---- Stores ----

/// A store and the file that it is of.
struct Opened<T> {
    file: *const abi::File,
    store: T,
}

fn leak_store<T: Store>(file: *const abi::File, store: T) -> *const abi::Store {
    let table = abi::Store {
        struct_size: size_of::<abi::Store>() as u32,
        flags: 0,
        private_data: ptr::null_mut(),
        count: store_count::<T>,
        entry: store_entry::<T>,
        find: store_find::<T>,
        read: store_read::<T>,
        release: release_const::<abi::Store, Opened<T>>,
    };
    With::leak(table, Opened { file, store })
}

/// The host's file, which is never NULL.
unsafe fn file_of<'a>(file: *const abi::File) -> Result<&'a File> {
    File::of_raw(file).ok_or_else(|| Error::new(Status::Plugin, "the host gave no file"))
}

unsafe extern "C" fn open_store<T: Store>(
    _: *const abi::StoreFormat,
    call: *mut abi::Call,
    file: *const abi::File,
    options: *const abi::Node,
    store: *mut *const abi::Store,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        *store = leak_store(file, T::open(file_of(file)?, &options_of(options), &mut Call::of_raw(call))?);
        Ok(())
    })
}

unsafe extern "C" fn store_count<T: Store>(store: *const abi::Store) -> u64 {
    let store = &With::<_, Opened<T>>::of(store).store;
    catch_unwind(AssertUnwindSafe(|| store.count())).unwrap_or_else(|payload| {
        std::mem::forget(payload);
        0
    })
}

unsafe extern "C" fn store_entry<T: Store>(
    store: *const abi::Store,
    call: *mut abi::Call,
    i: u64,
    entry: *mut abi::StoreEntry,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        Call::of_raw(call).charge(1)?;
        let blob = With::<_, Opened<T>>::of(store).store.blob(i);
        (*entry).name = abi::Bytes::of(blob.name.as_bytes());
        (*entry).owner = abi::Bytes::of(blob.owner.as_bytes());
        (*entry).size = blob.size;
        Ok(())
    })
}

unsafe extern "C" fn store_find<T: Store>(
    store: *const abi::Store,
    call: *mut abi::Call,
    name: abi::Bytes,
    i: *mut u64,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let store = &With::<_, Opened<T>>::of(store).store;
        let found = match std::str::from_utf8(name.as_slice()) {
            Ok(name) => store.find(name, &mut Call::of_raw(call))?,
            Err(_) => None,
        };
        *i = found.ok_or_else(|| Error::new(Status::NotFound, "no such blob"))?;
        Ok(())
    })
}

unsafe extern "C" fn store_read<T: Store>(
    store: *const abi::Store,
    call: *mut abi::Call,
    i: u64,
    offset: u64,
    size: u64,
    content: *mut abi::Bytes,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let opened = With::<_, Opened<T>>::of(store);
        let bytes = opened.store.read(i, offset, size, file_of(opened.file)?, &mut Call::of_raw(call))?;
        *content = abi::Bytes::of(bytes);
        Ok(())
    })
}

unsafe extern "C" fn create_store<T: Store>(
    _: *const abi::StoreFormat,
    call: *mut abi::Call,
    file: *mut abi::OutputFile,
    options: *const abi::Node,
    writer: *mut *mut abi::StoreWriter,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let made = T::create(OutputFile::of_raw(file), &options_of(options), &mut Call::of_raw(call))?;
        *writer = Writing::begin(file, ptr::null(), Default::default(), made);
        Ok(())
    })
}

unsafe extern "C" fn edit_store<T: Store>(
    _: *const abi::StoreFormat,
    call: *mut abi::Call,
    file: *mut abi::OutputFile,
    options: *const abi::Node,
    writer: *mut *mut abi::StoreWriter,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let mut call = Call::of_raw(call);
        let (store, made) = T::edit(OutputFile::of_raw(file), &options_of(options), &mut call)?;
        let count = store.count();
        call.charge(count)?;
        let names = (0..count).map(|i| store.blob(i).name.to_string()).collect();
        *writer = Writing::begin(file, leak_store((*file).file, store), names, made);
        Ok(())
    })
}

unsafe extern "C" fn sniff_store<T: Store>(
    _: *const abi::StoreFormat,
    call: *mut abi::Call,
    input: *const abi::Input,
    guess: *mut abi::Sniff,
    error: *mut abi::Error,
) -> i32 {
    sniff_with(T::SNIFF, call, input, guess, error)
}

// ---- Functions ----

unsafe extern "C" fn call_function<T: Function>(
    _: *const abi::Function,
    call: *mut abi::Call,
    args: *const abi::Node,
    kwargs: *const abi::Node,
    result: *mut *const abi::Node,
    error: *mut abi::Error,
) -> i32 {
    guard(error, || {
        let mut out = Builder::of_raw(call);
        let args = View::of_raw(args)
            .list()
            .ok_or_else(|| Error::new(Status::Plugin, "the host gave no list of arguments"))?;
        let kwargs = kwargs.as_ref().and_then(|node| View::of_node(node).object());
        let node: Node<'_> = T::call(args, kwargs, &mut out)?;
        *result = out.place(node)?;
        Ok(())
    })
}

// ---- Constant tables ----

/// A pointer in a constant table.
#[repr(transparent)]
pub struct Entry<T: 'static>(pub &'static T);

// SAFETY: the tables are constant.
unsafe impl<T> Sync for Entry<T> {}
unsafe impl Sync for abi::Codec {}
unsafe impl Sync for abi::Filter {}
unsafe impl Sync for abi::StoreFormat {}
unsafe impl Sync for abi::Function {}
unsafe impl Sync for abi::Type {}
unsafe impl<T> Sync for abi::Table<T> {}
unsafe impl Sync for abi::Plugin {}

/// Pointers to text in a constant table.
#[repr(transparent)]
pub struct Parts<const N: usize>([*const c_char; N]);

// SAFETY: the text is constant.
unsafe impl<const N: usize> Sync for Parts<N> {}

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

/// The number of parts of a name with dots.
pub const fn part_count(name: &str) -> usize {
    let bytes = name.as_bytes();
    let (mut count, mut i) = (1, 0);
    while i < bytes.len() {
        if bytes[i] == b'.' {
            count += 1;
        }
        i += 1;
    }
    count
}

/// A name with NULs for dots, and one at its end.
pub const fn divided<const N: usize>(name: &str) -> [u8; N] {
    let mut result = terminated::<N>(name);
    let mut i = 0;
    while i < N {
        if result[i] == b'.' {
            result[i] = 0;
        }
        i += 1;
    }
    result
}

/// Where the parts of a divided name begin.
pub const fn parts<const N: usize>(divided: &'static [u8]) -> Parts<N> {
    let mut result = [divided.as_ptr().cast::<c_char>(); N];
    let (mut part, mut i) = (1, 0);
    while part < N {
        if divided[i] == 0 {
            // SAFETY: a part begins after each NUL but the last one.
            result[part] = unsafe { divided.as_ptr().add(i + 1).cast::<c_char>() };
            part += 1;
        }
        i += 1;
    }
    Parts(result)
}

/// The table of one codec.
pub const fn codec<T: Codec>(name: &'static [u8]) -> abi::Codec {
    abi::Codec {
        struct_size: size_of::<abi::Codec>() as u32,
        capabilities: flag(T::CAN_DECODE, abi::CAN_DECODE)
            | flag(T::CAN_ENCODE, abi::CAN_ENCODE)
            | flag(T::CAN_READ_STREAM, abi::CAN_READ_STREAM)
            | flag(T::CAN_WRITE_STREAM, abi::CAN_WRITE_STREAM)
            | flag(T::CAN_LIST, abi::CAN_LIST),
        inputs: T::INPUTS.0,
        outputs: T::OUTPUTS.0,
        name: name.as_ptr().cast(),
        manifest: ptr::null(),
        private_data: ptr::null_mut(),
        sniff: if T::SNIFF.is_some() { Some(sniff_codec::<T>) } else { None },
        open: Some(open_codec::<T>),
        release: None,
    }
}

/// The table of one filter.
pub const fn filter<T: Filter>(name: &'static [u8]) -> abi::Filter {
    abi::Filter {
        struct_size: size_of::<abi::Filter>() as u32,
        capabilities: flag(T::CAN_DECODE, abi::CAN_DECODE) | flag(T::CAN_ENCODE, abi::CAN_ENCODE),
        name: name.as_ptr().cast(),
        manifest: ptr::null(),
        private_data: ptr::null_mut(),
        sniff: if T::SNIFF.is_some() { Some(sniff_filter::<T>) } else { None },
        open: Some(open_filter::<T>),
        release: None,
    }
}

/// The table of one store format.
pub const fn store<T: Store>(name: &'static [u8]) -> abi::StoreFormat {
    abi::StoreFormat {
        struct_size: size_of::<abi::StoreFormat>() as u32,
        capabilities: abi::CAN_DECODE | flag(T::CAN_CREATE, abi::CAN_CREATE) | flag(T::CAN_EDIT, abi::CAN_EDIT),
        name: name.as_ptr().cast(),
        manifest: ptr::null(),
        private_data: ptr::null_mut(),
        sniff: if T::SNIFF.is_some() { Some(sniff_store::<T>) } else { None },
        open: Some(open_store::<T>),
        create: if T::CAN_CREATE { Some(create_store::<T>) } else { None },
        edit: if T::CAN_EDIT { Some(edit_store::<T>) } else { None },
        release: None,
    }
}

/// The table of one function.
pub const fn function<T: Function, const N: usize>(path: &'static Parts<N>, doc: &'static [u8]) -> abi::Function {
    abi::Function {
        struct_size: size_of::<abi::Function>() as u32,
        n_path: N as u32,
        path: path.0.as_ptr(),
        doc: doc.as_ptr().cast(),
        min_args: T::MIN_ARGS,
        max_args: T::MAX_ARGS,
        private_data: ptr::null_mut(),
        call: Some(call_function::<T>),
        release: None,
    }
}

/// The table of one type.
pub const fn named_type<T: NamedType>(name: &'static [u8], notation: &'static [u8], doc: &'static [u8]) -> abi::Type {
    abi::Type {
        struct_size: size_of::<abi::Type>() as u32,
        reserved: 0,
        name: name.as_ptr().cast(),
        notation: notation.as_ptr().cast(),
        doc: doc.as_ptr().cast(),
        private_data: ptr::null_mut(),
        release: None,
    }
}

/// The table of all objects of an interface.
pub const fn table<T>(entries: &'static [Entry<T>]) -> abi::Table<T> {
    abi::Table {
        struct_size: size_of::<abi::Table<T>>() as u32,
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

/// Returns the table if it is that of the interface.
///
/// # Safety
/// `id` is a NUL-terminated text.
pub unsafe fn interface<T>(id: *const c_char, name: &str, table: &'static abi::Table<T>) -> Option<*const c_void> {
    if std::ffi::CStr::from_ptr(id).to_bytes() == name.as_bytes() {
        Some((table as *const abi::Table<T>).cast())
    } else {
        None
    }
}
