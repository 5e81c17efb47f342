// SPDX-License-Identifier: MIT
//! Finds the library for hosts. Plugins link nothing.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "host")]
    link_library();
}

#[cfg(feature = "host")]
fn link_library() {
    if std::env::var_os("DOCS_RS").is_some() {
        return;
    }
    if let Err(error) = pkg_config::Config::new().atleast_version("0.1").probe("polycodec") {
        eprintln!("{}", error);
        eprintln!("polycodec.pc was not found: install polycodec and set PKG_CONFIG_PATH to its lib/pkgconfig");
        std::process::exit(1);
    }
}
