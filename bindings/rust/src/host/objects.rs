// SPDX-License-Identifier: MIT
//! Codecs and other objects of the program itself.

use super::{sys, Registry};
use crate::abi;
use crate::error::check;
use crate::plugin::__private as private;
use crate::plugin::{Codec, Filter, Function, NamedType, Store};
use crate::Result;
use std::ffi::CString;
use std::mem::size_of;
use std::os::raw::c_char;
use std::ptr;

/// Objects of the program, with the traits of plugins. The library checks, limits and chooses them as those of plugins, and they
/// come before all others.
///
/// `manifest` is the entry of a manifest, such as
/// `{"name": "own", "summary": "..", "decode": true, "encode": true, "inputs": ["bytes"]}`.
#[derive(Default)]
#[allow(clippy::vec_box)] // the library keeps their addresses
pub struct Objects {
    codecs: Vec<Box<Owned<abi::Codec>>>,
    filters: Vec<Box<Owned<abi::Filter>>>,
    stores: Vec<Box<Owned<abi::StoreFormat>>>,
    functions: Vec<Box<Owned<abi::Function>>>,
    types: Vec<Box<Owned<abi::Type>>>,
}

/// A table with what it points to. The table comes first, so one pointer is both.
#[repr(C)]
struct Owned<T> {
    table: T,
    _text: Vec<CString>,
    _path: Vec<*const c_char>,
}

unsafe extern "C" fn release<T>(table: *const T) {
    drop(Box::from_raw(table as *mut Owned<T>));
}

/// Text up to its first NUL, which no name has.
fn text(text: &str) -> CString {
    CString::new(text.split('\0').next().unwrap_or("")).unwrap_or_default()
}

macro_rules! described {
    ($name:ident, $trait:ident, $field:ident, $kind:literal) => {
        #[doc = concat!("Adds a ", $kind, ".")]
        pub fn $name<T: $trait>(mut self, manifest: &str) -> Self {
            let text = vec![text(T::NAME), text(manifest)];
            let mut table = private::$name::<T>(b"\0");
            table.name = text[0].as_ptr();
            table.manifest = text[1].as_ptr();
            table.release = Some(release);
            self.$field.push(Box::new(Owned { table, _text: text, _path: Vec::new() }));
            self
        }
    };
}

impl Objects {
    /// Returns no objects.
    pub fn new() -> Objects {
        Objects::default()
    }

    described!(codec, Codec, codecs, "codec");
    described!(filter, Filter, filters, "filter");
    described!(store, Store, stores, "store format");

    /// Adds a function.
    pub fn function<T: Function>(mut self) -> Self {
        static NO_PATH: private::Parts<0> = private::parts(b"\0");
        let mut texts: Vec<CString> = T::NAME.split('.').map(text).collect();
        let path: Vec<*const c_char> = texts.iter().map(|part| part.as_ptr()).collect();
        texts.push(text(T::DOC));
        let mut table = private::function::<T, 0>(&NO_PATH, b"\0");
        table.n_path = path.len() as u32;
        table.path = path.as_ptr();
        table.doc = texts[path.len()].as_ptr();
        table.release = Some(release);
        self.functions.push(Box::new(Owned { table, _text: texts, _path: path }));
        self
    }

    /// Adds a named type.
    pub fn named_type<T: NamedType>(mut self) -> Self {
        let text = vec![text(T::NAME), text(T::NOTATION), text(T::DOC)];
        let mut table = private::named_type::<T>(b"\0", b"\0", b"\0");
        table.name = text[0].as_ptr();
        table.notation = text[1].as_ptr();
        table.doc = text[2].as_ptr();
        table.release = Some(release);
        self.types.push(Box::new(Owned { table, _text: text, _path: Vec::new() }));
        self
    }
}

fn pointers<T>(objects: &[Box<Owned<T>>]) -> Vec<*const T> {
    objects.iter().map(|object| (&**object as *const Owned<T>).cast()).collect()
}

fn give_away<T>(objects: Vec<Box<Owned<T>>>) {
    objects.into_iter().for_each(|object| {
        let _ = Box::into_raw(object);
    });
}

impl Registry {
    /// Returns a registry with this catalog and with objects of the program. This one stays as it is.
    pub fn with_objects(&self, objects: Objects) -> Result<Registry> {
        let (codecs, filters, stores) =
            (pointers(&objects.codecs), pointers(&objects.filters), pointers(&objects.stores));
        let (functions, types) = (pointers(&objects.functions), pointers(&objects.types));
        let given = sys::Objects {
            struct_size: size_of::<sys::Objects>() as u32,
            n_codecs: codecs.len() as u32,
            codecs: codecs.as_ptr(),
            filters: filters.as_ptr(),
            stores: stores.as_ptr(),
            functions: functions.as_ptr(),
            types: types.as_ptr(),
            n_filters: filters.len() as u32,
            n_stores: stores.len() as u32,
            n_functions: functions.len() as u32,
            n_types: types.len() as u32,
        };
        // SAFETY: a struct of numbers and pointers, for which zeros are good.
        let mut options: sys::RegistryOptions = unsafe { std::mem::zeroed() };
        options.struct_size = size_of::<sys::RegistryOptions>() as u32;
        options.base = self.raw;
        options.objects = &given;
        let mut raw = ptr::null_mut();
        // SAFETY: the options live during the call. The library has the objects from then on, and releases them.
        check(|error| unsafe { sys::polycodec_registry_open(&options, &mut raw, error) })?;
        give_away(objects.codecs);
        give_away(objects.filters);
        give_away(objects.stores);
        give_away(objects.functions);
        give_away(objects.types);
        Ok(Registry { raw })
    }
}
