// SPDX-License-Identifier: MIT
//! Values and arrays of `arrow`, through the Arrow C data interface.

use super::{sys, Value};
use crate::error::check;
use crate::{Error, Result, Status};
use arrow_array::{Array, ArrayRef};
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use std::mem::size_of;
use std::ptr;

/// The structs of the interface, for the library.
fn exchange(schema: &mut FFI_ArrowSchema, array: &mut FFI_ArrowArray) -> sys::Exchange {
    let (schema, array): (*mut FFI_ArrowSchema, *mut FFI_ArrowArray) = (schema, array);
    sys::Exchange {
        struct_size: size_of::<sys::Exchange>() as u32,
        flags: 0,
        schema: schema.cast(),
        array: array.cast(),
        stream: ptr::null_mut(),
        tensor: ptr::null_mut(),
        versioned_tensor: ptr::null_mut(),
    }
}

// Only values without borrowed memory: an array may live for ever.
impl Value<'static> {
    /// Returns an array of the items of a list, of anything else an array of one item. It keeps the value and
    /// views what can be viewed.
    pub fn to_arrow(&self) -> Result<ArrayRef> {
        let mut array = FFI_ArrowArray::empty();
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: both structs have the layout of the interface; the library fills them or marks them as released.
        unsafe {
            let to = exchange(&mut schema, &mut array);
            check(|error| sys::polycodec_value_export(self.raw, ptr::null(), &to, error))?;
            let data = arrow_array::ffi::from_ffi(array, &schema);
            data.map(arrow_array::make_array).map_err(|e| Error::new(Status::Unsupported, e.to_string()))
        }
    }

    /// Takes an array, which the value keeps and views.
    pub fn from_arrow(array: &dyn Array) -> Result<Value<'static>> {
        let failed = |e: arrow_schema::ArrowError| Error::new(Status::Unsupported, e.to_string());
        let (mut array, mut schema) = arrow_array::ffi::to_ffi(&array.to_data()).map_err(failed)?;
        let mut raw = ptr::null_mut();
        let from = exchange(&mut schema, &mut array);
        // SAFETY: as above; the library moves from both structs.
        check(|error| unsafe { sys::polycodec_value_import(&from, ptr::null(), &mut raw, error) })?;
        Ok(Value::of_raw(raw))
    }
}
