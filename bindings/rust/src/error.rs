// SPDX-License-Identifier: MIT
//! What can go wrong, and where.

use crate::abi;
use std::fmt;
use std::os::raw::{c_char, c_void};

/// The outcome of a failed call: what the caller can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Status {
    /// The input ends before the value does.
    Truncated = 1,
    /// The value ends before the input does.
    Trailing = 2,
    /// The bytes break a rule of the format.
    Malformed = 3,
    /// Legal, but the codec does not carry it.
    Unsupported = 4,
    /// A limit would be exceeded. The message names its option.
    Limit = 5,
    /// A value or a type notation lacks the expected shape.
    Type = 6,
    /// A number does not fit.
    Range = 7,
    /// There is no such codec, filter, function, type, blob or member.
    NotFound = 8,
    /// A policy or an allowlist forbids it.
    Denied = 9,
    /// Several candidates fit equally well.
    Ambiguous = 10,
    /// An option is unknown or has a bad value.
    Option = 11,
    /// A plugin broke the contract or panicked, or could not be loaded.
    Plugin = 12,
    /// A value breaks a rule of the value model.
    Invalid = 13,
    /// The operating system rejected it.
    Io = 14,
    /// No memory is left.
    Memory = 15,
    /// The host asked to stop, or the deadline has passed.
    Cancelled = 16,
    /// A bug.
    Internal = 17,
}

impl Status {
    pub(crate) fn from_code(code: i32) -> Status {
        use Status::*;
        const ALL: [Status; 17] = [
            Truncated,
            Trailing,
            Malformed,
            Unsupported,
            Limit,
            Type,
            Range,
            NotFound,
            Denied,
            Ambiguous,
            Option,
            Plugin,
            Invalid,
            Io,
            Memory,
            Cancelled,
            Internal,
        ];
        usize::try_from(code - 1).ok().and_then(|i| ALL.get(i).copied()).unwrap_or(Internal)
    }
}

/// An error with its place in the input and in the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What the caller can do about it.
    pub code: Status,
    /// The offset of the byte to blame, if one is.
    pub offset: Option<u64>,
    /// The format's own keyword for it, such as `ndarray.size_mismatch`, or nothing.
    pub detail: String,
    /// The place in the value, such as `$.a[3]`, or nothing.
    pub path: String,
    /// The message: what is wrong, the rule, what to do.
    pub message: String,
    /// The codec that reported it, or nothing.
    pub codec: String,
}

/// The result of a call that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Makes an error without a place.
    pub fn new(code: Status, message: impl Into<String>) -> Error {
        let nothing = String::new;
        Error { code, offset: None, detail: nothing(), path: nothing(), message: message.into(), codec: nothing() }
    }

    /// Adds the offset of the byte to blame.
    pub fn at(mut self, offset: u64) -> Error {
        self.offset = Some(offset);
        self
    }

    /// Adds the place in the value, such as `$.a[3]`.
    pub fn in_path(mut self, path: impl Into<String>) -> Error {
        self.path = path.into();
        self
    }

    /// Adds the format's own keyword, such as `tagged.unknown_tag`.
    pub fn with_detail(mut self, detail: impl Into<String>) -> Error {
        self.detail = detail.into();
        self
    }

    pub(crate) fn of_raw(raw: &abi::Error) -> Error {
        Error {
            code: Status::from_code(raw.code),
            offset: Some(raw.offset).filter(|&at| at != abi::NO_OFFSET),
            detail: text_of(&raw.detail),
            path: text_of(&raw.path),
            message: text_of(&raw.message),
            codec: text_of(&raw.codec),
        }
    }

    /// Writes to the caller's struct and returns the code.
    pub(crate) fn store(&self, raw: &mut abi::Error) -> i32 {
        raw.code = self.code as i32;
        raw.offset = self.offset.unwrap_or(abi::NO_OFFSET);
        store_text(&mut raw.detail, &self.detail);
        store_text(&mut raw.path, &self.path);
        store_text(&mut raw.message, &self.message);
        let fits = self.path.len() < raw.path.len() && self.message.len() < raw.message.len();
        let has_say = raw.struct_size as usize >= std::mem::size_of::<abi::Error>();
        if let Some(say) = raw.say.filter(|_| has_say && !fits) {
            // SAFETY: the message and the path live during the call.
            unsafe { say(raw.say_data, abi::Bytes::of(self.message.as_bytes()), abi::Bytes::of(self.path.as_bytes())) };
        }
        raw.code
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.codec.is_empty() {
            write!(f, "{}: ", self.codec)?;
        }
        f.write_str(&self.message)?;
        if !self.path.is_empty() {
            write!(f, " in {}", self.path)?;
        }
        if let Some(offset) = self.offset {
            write!(f, " at byte {}", offset)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> std::io::Error {
        std::io::Error::new(std::io::ErrorKind::Other, error)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
            Some(inner) => inner.clone(),
            None => Error::new(Status::Io, error.to_string()),
        }
    }
}

impl abi::Error {
    pub(crate) fn empty() -> abi::Error {
        abi::Error {
            struct_size: std::mem::size_of::<abi::Error>() as u32,
            code: 0,
            offset: abi::NO_OFFSET,
            detail: [0; 48],
            path: [0; 208],
            message: [0; 480],
            codec: [0; 64],
            say: None,
            say_data: std::ptr::null_mut(),
        }
    }
}

/// The message and path of an error that does not fit into its struct.
type Whole = Option<(String, String)>;

extern "C" fn hear(whole: *mut c_void, message: abi::Bytes, path: abi::Bytes) {
    // SAFETY: the place of check() and the text of the caller live during the call.
    let (whole, message, path) = unsafe { (&mut *whole.cast::<Whole>(), message.as_slice(), path.as_slice()) };
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    *whole = Some((text(message), text(path)));
}

/// Runs `call` with an error struct to fill.
pub(crate) fn check(call: impl FnOnce(*mut abi::Error) -> i32) -> Result<()> {
    let mut whole: Whole = None;
    let mut raw = abi::Error::empty();
    raw.say = Some(hear);
    raw.say_data = (&mut whole as *mut Whole).cast();
    if call(&mut raw) == abi::OK {
        return Ok(());
    }
    let mut error = Error::of_raw(&raw);
    if let Some((message, path)) = whole {
        error.message = message;
        error.path = path;
    }
    Err(error)
}

fn text_of(field: &[c_char]) -> String {
    let bytes: Vec<u8> = field.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Cuts the text at a character boundary where it does not fit.
pub(crate) fn store_text(field: &mut [c_char], text: &str) {
    let mut len = text.len().min(field.len() - 1);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    for (to, from) in field.iter_mut().zip(text.as_bytes()[..len].iter().filter(|&&b| b != 0)) {
        *to = *from as c_char;
    }
    field[text.as_bytes()[..len].iter().filter(|&&b| b != 0).count()] = 0;
}
