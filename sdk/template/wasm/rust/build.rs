// SPDX-License-Identifier: MIT
//! The host finds the functions of the module in its table, and adds its own.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=--export-table");
    println!("cargo:rustc-cdylib-link-arg=--growable-table");
}
