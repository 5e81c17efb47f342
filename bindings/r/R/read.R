# SPDX-License-Identifier: MIT
# What arrays, metadata and extensions of the library become.

#' Those that R reads as another type; 0 is that of strings.
#' @noRd
read_as <- c(int8 = 4, int16 = 4, uint8 = 4, uint16 = 4, uint32 = 14, float16 = 14, float32 = 14,
             "complex[float16]" = 18, "complex[float32]" = 18, fixed_string = 0, string = 0)

#' The name of an element type, without its unit or size.
#' @noRd
base_of <- function(word) if (startsWith(word, "complex")) word else sub("\\[.*", "", word)

#' The word for the type that a vector has in the library without an attribute that says another.
#' @noRd
usual_word <- function(x) {
  if (inherits(x, "integer64")) "int64"
  else switch(typeof(x), logical = "bool", integer = "int32", double = "float64",
              complex = "complex[float64]", character = "string", raw = "uint8")
}

#' Of a type its axes, lists, missing items and word; or after the axes the brace of records.
#' @noRd
type_pattern <- paste0("^(?:annotated\\[)?((?:[0-9]+ \\* )*)(?:((?:var \\* )*)([?]?)",
                       "([a-z0-9_]+(?:\\[[^]]*\\])?)(?:[],].*)?$|([{]?))")

#' What an array becomes, or a number that R has no vector of its own for. `walk` is where the glue is.
#' @noRd
array_of <- function(walk, type, path) {
  match <- regexpr(type_pattern, type, perl = TRUE)
  start <- attr(match, "capture.start")
  found <- substring(type, start, start + attr(match, "capture.length") - 1)
  shape <- as.double(strsplit(found[1], " * ", fixed = TRUE)[[1]])
  base <- base_of(found[4])
  dtype <- c(read_as, dtypes)[base]
  is_vector <- !is.na(dtype) && base != "fixed_bytes"
  is_list <- !is_vector || nzchar(found[2])
  if (any(shape > .Machine$integer.max) && (is_list || length(shape) > 1))
    refuse("unsupported", "r.dim", path, "an axis in R has at most 2^31 - 1 items")
  if (endsWith(base, "128"))
    refuse("unsupported", "r.wide", path, "R has no numbers of the type ", base,
           ": convert the data to another type first")
  parts <- if (is_vector && is_list && length(shape) == 1) .Call(pc_c_lists, walk)
  if (!is_list) {
    x <- vector_of(walk, found[4], nzchar(found[3]), shape, dtype, path)
  } else if (!is.null(parts)) {
    x <- structure(cut_lists(parts[[1]], parts[[2]]), dtype = paste(found[2:4], collapse = ""))
  } else {
    x <- .Call(pc_c_items, walk, found[5] == "{")
    if (length(shape) && base %in% c("fixed_bytes", "bytes") && !any(nzchar(found[2:3])))
      attr(x, "dtype") <- found[4]
  }
  x
}

#' Elements in these axes, of which the last one runs fastest.
#' @noRd
vector_of <- function(walk, word, may_miss, shape, dtype, path) {
  is_time <- dtype %in% dtypes[c("datetime", "timedelta")]
  unit <- if (is_time) match(unit_of(word), unit_names, 0) else 0
  get <- function(dtype) .Call(pc_c_elements, walk, dtype, unit, prod(shape), may_miss)
  x <- get(dtype)
  if (is.null(attr(x, "present"))) return(x) # a view
  if (is.integer(x) && anyNA(x)) x <- get(dtypes[["float64"]])
  missing <- which(attr(x, "present") == 0)
  attr(x, "present") <- NULL
  if (is.raw(x)) x <- as.logical(x)
  has_na <- word == "float64" && anyNA(x) && any(is.na(x) & !is.nan(x)) # a NaN that R has as NA
  is_count <- word %in% c("int64", "uint64")
  if (is_time || is_count) class(x) <- "integer64"
  bad <- if (is_count) which(if (word == "int64") is.na(x) else is.na(x) | x < 0)
  if (length(bad))
    refuse("range", if (word == "int64") "r.int64_min" else "r.uint64",
           paste0(path, if (length(x) != 1) paste0("[", bad[1] - 1, "]")),
           "an integer64 of R is -2^63 + 1 to 2^63 - 1: convert the data to float64 first")
  if (length(missing)) x[missing] <- NA
  if (length(shape) > 1) {
    x <- structure(aperm(array(unclass(x), rev(shape))), class = oldClass(x))
  } else if (length(shape) && length(x) == 1) {
    dim(x) <- 1L
  }
  word <- paste0(if (may_miss) "?", word)
  if (is_time) return(times(x, word, path))
  if (has_na || word != usual_word(x)) attr(x, "dtype") <- word
  x
}

#' Lists of which each has some of the items of `whole`: `ranges` has their beginnings, and then their lengths.
#' @noRd
cut_lists <- function(whole, ranges) {
  attr(whole, "dtype") <- NULL
  dim(whole) <- NULL
  ranges <- matrix(ranges, ncol = 2)
  lapply(seq_len(nrow(ranges)), function(i) whole[seq.int(ranges[i, 1] + 1, length.out = ranges[i, 2])])
}

frame <- function(columns, rows, word) {
  columns[] <- lapply(columns, function(column) {
    if (length(dim(column)) == 1) dim(column) <- NULL
    column
  })
  structure(columns, row.names = .set_row_names(as.integer(rows)), class = "data.frame", dtype = word)
}

#' The attributes that metadata of a value become.
#' @noRd
attributes_of <- function(x, metadata) {
  has_units <- is.character(metadata$units) && !inherits(x, "difftime")
  rest <- if (has_units) metadata[names(metadata) != "units"] else metadata
  c(if (has_units) list(units = metadata$units), if (length(rest)) list(metadata = rest),
    if (is.null(x)) list(dtype = "null"))
}

#' Text that need not be UTF-8.
#' @noRd
lenient <- function(text) {
  if (!validUTF8(text)) Encoding(text) <- "bytes"
  text
}

#' Names of code are module, name and data. They are never looked up.
#' @noRd
inert <- function(payload, name) {
  named <- if (is.list(payload) && identical(names(payload)[1], "class")) payload$class else payload
  x <- list(module = NULL, name = NULL, data = payload)
  if (startsWith(name, "yggdrasil.") && is.character(named) && length(named) == 1) {
    x <- list(module = if (grepl(":", named)) sub(":[^:]*$", "", named),
              name = sub(".*:", "", named), data = if (is.list(payload)) payload[-1])
  }
  structure(x, class = c(name, "pc_extension"))
}
