# SPDX-License-Identifier: MIT
# Files, bytes, columns.

pc_open <- function(file, codec = NULL, options = NULL, ..., path = NULL, filters = NULL, on_loss = NULL) {
  telling(.Call(pc_c_open, source_of(file), format_of(codec, options, filters), call_options(...), FALSE, path), on_loss)
}

pc_decode <- function(bytes, codec = NULL, options = NULL, ...) {
  if (!is.raw(bytes)) refuse("type", "r.bytes", "", "bytes are a raw vector")
  pc_open(bytes, codec, options, ...)
}

pc_view <- function(file, codec = NULL, options = NULL, ..., filters = NULL, on_loss = NULL) {
  telling(.Call(pc_c_open, source_of(file), format_of(codec, options, filters), call_options(...), TRUE, NULL), on_loss)
}

pc_value <- function(view, path = NULL, on_loss = NULL) {
  telling(.Call(pc_c_value, view, path), on_loss)
}

pc_column <- function(x, path, ...) {
  if (is.raw(x) || is.character(x) || inherits(x, "connection")) pc_open(x, ..., select = path)
  else pc_value(x, path)
}

`[[.pc_view` <- function(x, i, ...) pc_value(x, i)
`$.pc_view` <- function(x, name) pc_value(x, paste0("[", dQuote(name, FALSE), "]"))
as.list.pc_view <- function(x, ...) as.list(pc_value(x))
print.pc_view <- function(x, ...) {
  cat("<polycodec value> ", substr(pc_type(x), 1, 200), "\n", sep = "")
  invisible(x)
}

pc_encode <- function(x, codec = "yggdrasil", options = NULL, ..., filters = NULL, on_loss = NULL) {
  telling(.Call(pc_c_encode, x, format_of(codec, options, filters), call_options(...)), on_loss)
}

pc_save <- function(x, file, codec = NULL, options = NULL, ..., filters = NULL, on_loss = NULL) {
  written(.Call(pc_c_save, x, path.expand(file), format_of(codec, options, filters), call_options(...)), on_loss)
}

pc_convert <- function(from, to, codec = NULL, options = NULL, ..., from_codec = NULL,
                       from_options = NULL, filters = NULL, on_loss = NULL) {
  written(.Call(pc_c_convert, source_of(from), format_of(from_codec, from_options), path.expand(to),
                format_of(codec, options, filters), call_options(..., compare = TRUE)), on_loss)
}

#' What was written, and how much of it is kept.
#' @noRd
written <- function(result, on_loss) {
  facts <- telling(result, on_loss)
  invisible(list(codec = facts[1], bytes = as.double(facts[2]), kept = kept_words[as.integer(facts[3]) + 1],
                 reason = facts[4]))
}

pc_members <- function(file, codec = NULL, options = NULL, ...) {
  list <- .Call(pc_c_members, path.expand(file), format_of(codec, options), call_options(...))
  vapply(pc_decode(list, "json")$values, function(value) value$name, "")
}

pc_type <- function(x) .Call(pc_c_type, x)
pc_text <- function(x, plain = FALSE) .Call(pc_c_text, x, plain)

pc_as <- function(x, dtype = NULL, units = NULL) {
  if (!is.null(dtype)) attr(x, "dtype") <- dtype
  if (!is.null(units)) attr(x, "units") <- units
  x
}

pc_convert_units <- function(x, to, from = attr(x, "units")) {
  if (!is.character(from)) refuse("type", "r.units", "", "the numbers have no units: give `from`")
  numbers <- x
  attributes(numbers) <- attributes(x)[c("dim", "names")]
  structure(.Call(pc_c_units, numbers * 1, from, to), units = to) # of a copy
}

pc_faces <- function(mesh, path = NULL, first = 0L) {
  if (inherits(mesh, "pc_view")) mesh <- pc_value(mesh)
  faces <- if (is.null(mesh$face)) mesh$f else mesh$face
  known <- intersect(c("vertex_index", "vertex_indices", "v"), names(faces))
  lists <- if (!is.null(path)) pc_column(mesh, path) else if (length(known)) faces[[known[1]]]
  if (is.null(lists)) refuse("not_found", "r.faces", "", "the value has no faces: give `path`")
  if (is.list(lists)) {
    width <- unique(lengths(lists))
    if (length(width) > 1)
      refuse("type", "r.faces", "", "the faces have ", min(width), " to ", max(width),
             " vertices: only faces of one kind are a matrix")
    lists <- matrix(as.integer(unlist(lists)), ncol = max(width, 0L), byrow = TRUE)
  }
  structure(lists + as.integer(first), dtype = NULL, metadata = NULL)
}

pc_codecs <- function(what = "codecs") {
  pc_decode(.Call(pc_c_describe, match(match.arg(what, described), described) - 1), "json")
}

pc_setup <- function(config = NULL, plugin_paths = character(), threads = 0L) {
  invisible(.Call(pc_c_setup, if (is.null(config)) "{}" else json(config), plugin_paths, threads))
}
