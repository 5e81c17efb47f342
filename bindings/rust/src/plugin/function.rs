// SPDX-License-Identifier: MIT
//! Functions that data may call by name, and named types.

use super::{Builder, Node};
use crate::{List, Object, Result};

/// A function that data may call if the allowlist allows it.
pub trait Function: 'static {
    /// The parts of its name with dots between them, such as `stats.median`.
    const NAME: &'static str;
    /// One line of description.
    const DOC: &'static str;
    /// The least number of arguments.
    const MIN_ARGS: u32;
    /// The greatest number of arguments. `u32::MAX`: any number.
    const MAX_ARGS: u32;

    /// Calls it. The host has checked the allowlist and the number of arguments. The result may borrow from the arguments.
    fn call<'a>(args: List<'a>, kwargs: Option<Object<'a>>, out: &mut Builder<'a>) -> Result<Node<'a>>;
}

/// A type that notation, schemas and rules refer to by name.
pub trait NamedType: 'static {
    /// The name, such as `mesh`.
    const NAME: &'static str;
    /// The type in [type notation](https://github.com/polycodec/polycodec/blob/main/docs/type-notation.md). It may refer to other
    /// named types, never to itself.
    const NOTATION: &'static str;
    /// One line of description.
    const DOC: &'static str;
}
