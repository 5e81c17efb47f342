// SPDX-License-Identifier: MIT
//! The codecs that a program may use.

use super::sink::Sink;
use super::{path_bytes, sys, text_bytes, CallOptions, Codec, Format, Source, Value};
use crate::abi::Bytes;
use crate::error::check;
use crate::Result;
use std::mem::size_of;
use std::path::{Path, PathBuf};
use std::ptr;

/// The codecs, filters, stores and types of the installed plugins.
pub struct Registry {
    pub(super) raw: *mut sys::Registry,
}

// SAFETY: host.h: all calls with registries are thread-safe, and holders may end on any thread.
unsafe impl Send for Registry {}
unsafe impl Sync for Registry {}

/// How a registry is opened.
#[derive(Clone, Debug)]
pub struct RegistryOptions {
    environment: bool,
    config: Option<String>,
    plugin_paths: Vec<PathBuf>,
    add_paths: Vec<PathBuf>,
    threads: u32,
}

/// What [`Registry::describe`] lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Listing {
    /// Codecs.
    Codecs = 0,
    /// Filters.
    Filters = 1,
    /// Store formats.
    Stores = 2,
    /// Named types.
    Types = 3,
    /// Manifests in the catalog.
    Plugins = 4,
    /// Every candidate, and why it was rejected.
    Records = 5,
    /// The directories that were searched.
    Directories = 6,
    /// Functions that data may name.
    Functions = 7,
    /// Every setting, and who said so.
    Settings = 8,
    /// What is wrong with plugins, which are all loaded: one object.
    Diagnosis = 9,
}

/// The codec that fits a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name of the codec.
    pub codec: String,
    /// The certainty, 0 to 100.
    pub score: u32,
    /// What was seen, in words.
    pub reason: String,
}

impl RegistryOptions {
    /// Returns the defaults: the environment and the configuration that it names apply.
    pub fn new() -> RegistryOptions {
        RegistryOptions { environment: true, config: None, plugin_paths: Vec::new(), add_paths: Vec::new(), threads: 0 }
    }

    /// Ignores the environment.
    pub fn without_environment(mut self) -> Self {
        self.environment = false;
        self
    }

    /// Uses the text of a configuration file, see docs/configuration.md.
    pub fn config(mut self, json: impl Into<String>) -> Self {
        self.config = Some(json.into());
        self
    }

    /// Searches this directory and others given here instead of the default one. The path is absolute.
    pub fn plugin_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.plugin_paths.push(path.into());
        self
    }

    /// Searches this directory before the others. The path is absolute.
    pub fn add_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.add_paths.push(path.into());
        self
    }

    /// Lets this number of threads work on large data, the caller's among them. `u32::MAX` is one for each processor.
    pub fn threads(mut self, threads: u32) -> Self {
        self.threads = threads;
        self
    }

    /// Searches the directories and reads the manifests. Loads no plugin.
    pub fn open(&self) -> Result<Registry> {
        let bytes = |paths: &[PathBuf]| paths.iter().map(|path| path_bytes(path)).collect::<Vec<Bytes>>();
        let (plugin_paths, add_paths) = (bytes(&self.plugin_paths), bytes(&self.add_paths));
        let mut flags = if self.environment { 0 } else { sys::REGISTRY_NO_ENVIRONMENT };
        if self.environment && self.config.is_none() {
            flags |= sys::REGISTRY_DEFAULT_CONFIG;
        }
        let layer = self.config.as_deref().map_or(Bytes::EMPTY, text_bytes);
        let layer_name = text_bytes("the configuration of the program");
        let options = sys::RegistryOptions {
            struct_size: size_of::<sys::RegistryOptions>() as u32,
            flags,
            layers: &layer,
            layer_names: &layer_name,
            n_layers: u32::from(self.config.is_some()),
            threads: self.threads,
            plugin_paths: plugin_paths.as_ptr(),
            add_paths: add_paths.as_ptr(),
            n_plugin_paths: plugin_paths.len() as u32,
            n_add_paths: add_paths.len() as u32,
            base: ptr::null(),
            objects: ptr::null(),
            limits: ptr::null(),
            allowlist: Bytes::EMPTY,
            isolation: Bytes::EMPTY,
            executor: ptr::null(),
            log: None,
            log_data: ptr::null_mut(),
            allow_also: Bytes::EMPTY,
        };
        let mut raw = ptr::null_mut();
        // SAFETY: the options live during the call.
        check(|error| unsafe { sys::polycodec_registry_open(&options, &mut raw, error) })?;
        Ok(Registry { raw })
    }
}

impl Default for RegistryOptions {
    fn default() -> Self {
        RegistryOptions::new()
    }
}

impl Registry {
    /// Opens a registry with the defaults.
    pub fn open() -> Result<Registry> {
        RegistryOptions::new().open()
    }

    /// Returns JSON: a list of objects, but for [`Listing::Diagnosis`].
    pub fn describe(&self, listing: Listing) -> Result<String> {
        self.description(listing as i32, Bytes::EMPTY)
    }

    /// Returns an offer of the codecs that the registry decodes, as JSON. `peer` names the program, or is empty.
    pub fn offer(&self, peer: &str) -> Result<String> {
        self.description(sys::DESCRIBE_OFFER, text_bytes(peer))
    }

    fn description(&self, what: i32, name: Bytes) -> Result<String> {
        // SAFETY: the handle is good as long as `self`.
        Sink::text(|sink, error| unsafe { sys::polycodec_registry_describe(self.raw, what, name, sink, error) })
    }

    /// Chooses the codec of an offer for a value, and returns name, options and reason as JSON.
    pub fn agree(&self, offer: &str, value: &Value<'_>) -> Result<String> {
        // SAFETY: the handles are good during the call.
        Sink::text(|sink, error| unsafe {
            sys::polycodec_registry_agree(self.raw, text_bytes(offer), value.raw, sink, error)
        })
    }

    /// Chooses the codec for a source by header, content and file name.
    pub fn choose(&self, source: &Source<'_>) -> Result<Choice> {
        // SAFETY: a struct of numbers and pointers, for which zeros are good.
        let mut found: sys::Match = unsafe { std::mem::zeroed() };
        found.struct_size = size_of::<sys::Match>() as u32;
        // SAFETY: the name lives as long as the registry, and is copied.
        unsafe {
            check(|error| sys::polycodec_registry_choose(self.raw, source.raw, &mut found, ptr::null_mut(), error))?;
            let reason: Vec<u8> = found.reason.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
            Ok(Choice {
                codec: String::from_utf8_lossy(found.codec.as_slice()).into_owned(),
                score: found.score,
                reason: String::from_utf8_lossy(&reason).into_owned(),
            })
        }
    }

    /// Opens a codec by name, with its defaults.
    pub fn codec(&self, name: &str) -> Result<Codec> {
        self.open_codec(&Format::new(name))
    }

    /// Opens a codec with options and filters.
    pub fn open_codec(&self, format: &Format) -> Result<Codec> {
        let mut raw = ptr::null_mut();
        // SAFETY: the format lives during the call.
        check(|e| unsafe { sys::polycodec_registry_open_codec(self.raw, &format.to_raw(), &mut raw, e) })?;
        Ok(Codec { raw })
    }

    /// Chooses a codec and decodes.
    pub fn decode<'a>(&self, source: &Source<'a>) -> Result<Value<'a>> {
        self.decode_with(source, None, &CallOptions::new())
    }

    /// Decodes with the codec of `format`, or chooses one.
    pub fn decode_with<'a>(
        &self,
        source: &Source<'a>,
        format: Option<&Format>,
        options: &CallOptions<'_>,
    ) -> Result<Value<'a>> {
        let mut raw = ptr::null_mut();
        let format = format.map(Format::to_raw);
        let format = format.as_ref().map_or(ptr::null(), |format| format);
        // SAFETY: the handles are good during the call; the value keeps the source.
        options.run(|call, error| unsafe {
            sys::polycodec_decode(self.raw, source.raw, format, call, &mut raw, ptr::null_mut(), error)
        })?;
        Ok(Value::of_raw(raw))
    }

    /// Calls a function by its name, such as `stats.median`, as data does that names it. `args` is a list, `kwargs` an object.
    pub fn call<'a>(
        &self,
        name: &str,
        args: &Value<'a>,
        kwargs: Option<&Value<'a>>,
        options: &CallOptions<'_>,
    ) -> Result<Value<'a>> {
        let mut raw = ptr::null_mut();
        let kwargs = kwargs.map_or(ptr::null_mut(), |kwargs| kwargs.raw);
        // SAFETY: the handles are good during the call; the value keeps the arguments.
        options.run(|call, error| unsafe {
            sys::polycodec_registry_call(self.raw, text_bytes(name), args.raw, kwargs, call, &mut raw, error)
        })?;
        Ok(Value::of_raw(raw))
    }

    /// Encodes a value to a file. Without a format the extension of `path` chooses.
    pub fn encode_file(
        &self,
        value: &Value<'_>,
        path: impl AsRef<Path>,
        format: Option<&Format>,
        options: &CallOptions<'_>,
    ) -> Result<()> {
        let format = format.map(Format::to_raw);
        let format = format.as_ref().map_or(ptr::null(), |format| format);
        let path = path_bytes(path.as_ref());
        // SAFETY: the handles are good during the call.
        options.run(|call, error| unsafe {
            sys::polycodec_encode_file(self.raw, value.raw, path, format, call, ptr::null(), ptr::null_mut(), error)
        })
    }

    /// Decodes a source and encodes it to a file. Without a format content and extension choose.
    pub fn convert(
        &self,
        source: &Source<'_>,
        from: Option<&Format>,
        path: impl AsRef<Path>,
        to: Option<&Format>,
        options: &CallOptions<'_>,
    ) -> Result<()> {
        let (from, to) = (from.map(Format::to_raw), to.map(Format::to_raw));
        let from = from.as_ref().map_or(ptr::null(), |format| format);
        let to = to.as_ref().map_or(ptr::null(), |format| format);
        let path = path_bytes(path.as_ref());
        // SAFETY: the handles are good during the call.
        options.run(|call, error| unsafe {
            sys::polycodec_convert(self.raw, source.raw, from, path, to, call, ptr::null(), ptr::null_mut(), error)
        })
    }
}

impl Clone for Registry {
    fn clone(&self) -> Registry {
        // SAFETY: this handle is a holder.
        Registry { raw: unsafe { sys::polycodec_registry_retain(self.raw) } }
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        // SAFETY: this handle is one holder.
        unsafe { sys::polycodec_registry_release(self.raw) }
    }
}
