# SPDX-License-Identifier: MIT
# What the glue asks R: conditions, options, and what vectors and attributes become.

#' @noRd
raise <- function(fields, byte) {
  names(fields) <- c("reason", "code", "detail", "path", "codec")
  where <- c(fields$detail, if (!is.na(byte)) paste("byte", format(byte, scientific = FALSE)),
             if (nzchar(fields$path)) paste("in", fields$path))
  where <- where[nzchar(where)]
  message <- paste0(if (nzchar(fields$codec)) paste0(fields$codec, ": "), fields$reason,
                    if (length(where)) paste0(" (", paste(where, collapse = ", "), ")"))
  stop(structure(class = c(paste0("pc_", fields$code), "pc_error", "error", "condition"),
                 c(list(message = message, call = NULL), fields, byte = byte)))
}

refuse <- function(code, detail, path, ...) {
  raise(list(paste0(...), code, detail, path, ""), NA_real_)
}

# ---- losses ----

loss_classes <- c("note", "type", "data", "retyped", "mended")
of_times <- new.env() # losses of times, which R finds

#' Evaluates a call of the library, and tells the losses that it reported.
#' @noRd
telling <- function(result, on_loss = NULL) {
  .Call(pc_c_losses)
  of_times$found <- NULL
  force(result)
  found <- matrix(.Call(pc_c_losses), nrow = 3)
  found <- found[, rev(seq_len(ncol(found))), drop = FALSE]
  found[1, ] <- loss_classes[as.integer(found[1, ]) + 1]
  found <- cbind(found, of_times$found)
  for (i in seq_len(ncol(found))) {
    lost <- list(class = found[1, i], path = found[2, i], what = found[3, i])
    if (!is.null(on_loss)) {
      on_loss(lost$class, lost$path, lost$what)
      next
    }
    is_data <- lost$class %in% c("type", "data", "mended")
    condition <- structure(class = c("pc_loss", if (is_data) "warning", "condition"), c(
      list(message = paste0("lost ", lost$path, ": ", lost$what), call = NULL), lost))
    if (is_data) warning(condition) else signalCondition(condition)
  }
  result
}

# ---- options, in the order that the glue knows ----

limit_names <- c("max_depth", "max_input_bytes", "max_header_bytes", "max_nodes", "max_elements",
                 "max_work", "max_memory_bytes", "max_output_bytes", "max_stack_bytes")

known <- function(given, names, detail, what) {
  unknown <- setdiff(given, names)
  if (length(unknown))
    refuse("option", detail, "", "unknown ", what, " '", unknown[1], "': must be one of ",
           paste(names, collapse = ", "))
}

call_options <- function(limits = NULL, losses = character(), tolerant = FALSE, lossless = FALSE,
                         as_is = FALSE, compare = FALSE, member = NULL, columns = NULL,
                         rows = NULL, select = NULL, name = NULL, copy = FALSE, overwrite = TRUE,
                         sync = FALSE, threads = 0L) {
  known(names(limits), limit_names, "r.limits", "limit")
  if (isTRUE(losses)) losses <- loss_classes
  known(losses, loss_classes, "r.losses", "class of loss")
  bounds <- setNames(numeric(length(limit_names)), limit_names)
  bounds[names(limits)] <- as.numeric(unlist(limits))
  if (anyNA(bounds) || any(bounds < 0 | bounds >= 2^63))
    refuse("option", "r.limits", "", "a limit is a number from 0 to 2^63, 0 for the default")
  partial <- !is.null(columns) || !is.null(rows)
  flags <- sum(c(2, 8, 16, 32, 64)[c(as_is, partial, lossless, tolerant, compare)])
  rows <- if (is.null(rows)) c(0, -1) else c(rows[1] - 1, rows[2] - rows[1] + 1)
  list(as.integer(flags), as.integer(sum(2^(match(losses, loss_classes) - 1))),
       as.integer(threads), unname(bounds), member, select, as.character(columns), rows, name, copy,
       as.integer(!overwrite) + 2L * sync)
}

format_of <- function(codec = NULL, options = NULL, filters = NULL) {
  list(codec, json(options), json(filters))
}

#' A list as JSON. Numbers without a fraction are written as integers.
#' @noRd
json <- function(x) {
  if (is.null(x) || is.character(x)) return(x)
  whole <- function(v) {
    if (is.list(v)) {
      v[] <- lapply(v, whole)
    } else if (is.double(v) && !is.object(v) && !anyNA(v) && all(v == trunc(v) & abs(v) < 2^53)) {
      v <- bit64::as.integer64(v)
    }
    v
  }
  .Call(pc_c_text, whole(x), 1L)
}

source_of <- function(file) {
  if (inherits(file, "connection")) {
    was_open <- isOpen(file)
    if (!was_open) open(file, "rb")
    parts <- list()
    while (length(part <- readBin(file, "raw", 1048576))) parts[[length(parts) + 1]] <- part
    if (!was_open) close(file)
    file <- do.call(c, parts)
    if (is.null(file)) raw() else file
  } else if (is.raw(file)) {
    file
  } else if (is.character(file) && length(file) == 1 && !is.na(file)) {
    path.expand(file)
  } else {
    refuse("type", "r.file", "", "a file is given as its path, a raw vector or a connection")
  }
}

# ---- from values of the library ----

split_metadata <- function(x, metadata) {
  units <- metadata$units
  if (!is.character(units) || inherits(x, "difftime")) units <- NULL
  else metadata$units <- NULL
  list(units, if (length(metadata)) metadata)
}

frame <- function(list, n) {
  list <- lapply(list, function(column) {
    if (length(dim(column)) == 1) dim(column) <- NULL
    column
  })
  structure(list, row.names = .set_row_names(as.integer(n)), class = "data.frame")
}

#' Lists of which each has some of the items of `whole`: `ranges` has their beginnings and lengths.
#' @noRd
cut_lists <- function(whole, ranges) {
  attr(whole, "dtype") <- NULL
  dim(whole) <- NULL
  begin <- ranges[, 1] + 1
  count <- ranges[, 2]
  lapply(seq_along(begin), function(i) whole[seq.int(begin[i], length.out = count[i])])
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

extend <- function(x, ...) {
  named <- paste0(if (!is.null(x$module)) paste0(x$module, ":"), x$name)
  payload <- if (is.null(x$name)) x$data
             else if (is.null(x$data)) named
             else c(list(class = named), x$data)
  list(class(x)[1], payload)
}

# ---- times ----

unit_names <- c("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as")
unit_parts <- c(ms = 1e3, us = 1e6, ns = 1e9, ps = 1e12, fs = 1e15, as = 1e18)
unit_seconds <- c(h = 3600, m = 60, s = 1)
unit_of <- function(word) sub(".*unit='([a-zA-Z]+)'.*", "\\1", word)

#' Counts of a unit as Date, POSIXct or difftime.
#' @noRd
times <- function(x, said) {
  unit <- unit_of(said[1])
  is_time <- startsWith(said[1], "datetime")
  dim <- dim(x)
  attributes(x) <- NULL
  x <- structure(x, class = "integer64")
  in_days <- unit %in% c("Y", "M", "W", "D")
  if (unit %in% c("W", "D")) {
    x <- as.double(x) * if (unit == "W") 7 else 1
  } else if (in_days) {
    if (!is_time)
      refuse("unsupported", "r.duration", said[2], "R has no difference of times in months or years")
    months <- as.double(x) * if (unit == "Y") 12 else 1
    x <- vapply(months, function(n) if (is.na(n)) NA_real_ else as.double(
      as.Date(sprintf("%04d-%02d-01", 1970 + n %/% 12, n %% 12 + 1))), 0)
  } else if (unit %in% names(unit_seconds)) {
    x <- as.double(x) * unit_seconds[[unit]]
  } else {
    parts <- bit64::as.integer64(unit_parts[[unit]])
    whole <- x %/% parts
    rest <- as.double(x - whole * parts)
    finer <- rest %% (unit_parts[[unit]] / 1e6) != 0 & unit_parts[[unit]] > 1e6
    x <- as.double(whole) + rest / unit_parts[[unit]]
    if (any(finer | (rest != 0 & abs(x) > 2^33), na.rm = TRUE))
      of_times$found <- cbind(of_times$found, c("data", said[2], "parts of microseconds"))
  }
  usual <- c("datetime[unit='D']", "datetime[unit='us']", "timedelta[unit='us']")
  dtype <- if (!said[1] %in% usual) said[1]
  if (!is_time) structure(x, class = "difftime", units = if (in_days) "days" else "secs", dim = dim,
                          dtype = dtype)
  else if (in_days) structure(x, class = "Date", dim = dim, dtype = dtype)
  else structure(x, class = c("POSIXct", "POSIXt"), tzone = "UTC", dim = dim, dtype = dtype)
}

#' Counts of the unit of `word` of days or seconds, which must be whole.
#' @noRd
counts <- function(x, word, path) {
  unit <- unit_of(word)
  bad <- function(why) refuse("range", "r.time", path, "a time ", why, " '", unit,
                              "': choose another dtype, such as pc_as(x, \"datetime[unit='us']\")")
  days <- inherits(x, "Date") || identical(attr(x, "units"), "days")
  count <- as.double(unclass(x))
  count[!is.finite(count)] <- NA
  if (unit %in% c("Y", "M")) {
    date <- as.POSIXlt(as.Date(count, origin = "1970-01-01"), tz = "UTC")
    if (any(date$mday != 1 | (unit == "Y" & date$mon != 0), na.rm = TRUE)) bad("is not a count of")
    count <- (date$year - 70) * (if (unit == "Y") 1 else 12) + if (unit == "Y") 0 else date$mon
  } else if (unit %in% c("W", "D")) {
    count <- count / (if (days) 1 else 86400) / if (unit == "W") 7 else 1
  } else {
    if (days) count <- count * 86400
    whole <- floor(count)
    micro <- round((count - whole) * 1e6)
    per <- if (unit %in% names(unit_parts)) unit_parts[[unit]] else 1 / unit_seconds[[unit]]
    if (per >= 1e6) {
      factor <- bit64::as.integer64(per / 1e6)
      made <- suppressWarnings(bit64::as.integer64(whole) * bit64::as.integer64(per) +
                                 bit64::as.integer64(micro) * factor)
      if (any(is.na(made) & !is.na(count))) bad("is too far from 1970 for")
      return(structure(made, dim = dim(x), dtype = word))
    }
    count <- whole * per + micro * per / 1e6
  }
  if (any(count != round(count), na.rm = TRUE)) bad("is not a count of")
  structure(bit64::as.integer64(count), dim = dim(x), dtype = word)
}

#' Vectors of classes as vectors that the glue knows.
#' @noRd
lower <- function(x, path) {
  word <- attr(x, "dtype")
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (is.factor(x)) return(as.character(x))
  if (inherits(x, "POSIXct")) return(counts(x, c(word, "datetime[unit='us']")[1], path))
  if (inherits(x, "Date")) return(counts(x, c(word, "datetime[unit='D']")[1], path))
  if (inherits(x, "difftime")) {
    unit <- attr(x, "units")
    if (unit %in% c("mins", "hours", "weeks")) units(x) <- "secs"
    return(counts(x, c(word, "timedelta[unit='us']")[1], path))
  }
  known <- c("AsIs", "noquote", "table", "pc_faces")
  if (!all(class(x) %in% known))
    refuse("type", "r.class", path, "an object of the class ", class(x)[1],
           " is not data: convert it, or take its class away with unclass()")
  unclass(x)
}

# ---- vectors ----

dtypes <- c(bool = 1, int8 = 2, int16 = 3, int32 = 4, int64 = 5, uint8 = 7, uint16 = 8, uint32 = 9,
            uint64 = 10, float16 = 12, float32 = 13, float64 = 14, "complex[float16]" = 16,
            "complex[float32]" = 17, "complex[float64]" = 18, datetime = 19, timedelta = 20,
            fixed_bytes = 21, fixed_string = 22)
sizes <- c(bool = 1, int8 = 1, int16 = 2, int32 = 4, int64 = 8, uint8 = 1, uint16 = 2, uint32 = 4,
           uint64 = 8, float16 = 2, float32 = 4, float64 = 8, "complex[float16]" = 4,
           "complex[float32]" = 8, "complex[float64]" = 16, datetime = 8, timedelta = 8)

usual_word <- function(x) {
  if (inherits(x, "integer64")) "int64"
  else switch(typeof(x), logical = "bool", integer = "int32", double = "float64",
              complex = "complex[float64]",
              character = paste0("fixed_string[", max(1, nchar(x, "bytes"), na.rm = TRUE), "]"))
}

#' The elements of a vector (data, present, c(dtype, item_size, unit)), checked to fit their type.
#' @noRd
leaf <- function(x, path) {
  word <- attr(x, "dtype")
  if (is.null(word)) word <- usual_word(x)
  optional <- startsWith(word, "?")
  word <- sub("^[?]", "", word)
  base <- if (startsWith(word, "complex")) word else sub("\\[.*", "", word)
  if (!base %in% names(dtypes))
    refuse("option", "r.dtype", path, "unknown element type '", word, "': see docs/type-notation.md")
  is_time <- base %in% c("datetime", "timedelta")
  missing <- NULL
  if (!is_time && !is.list(x) && (optional || anyNA(x))) {
    is_number <- (is.double(x) || is.complex(x)) && !inherits(x, "integer64")
    missing <- if (is_number) is.na(x) & !is.nan(x) else is.na(x)
    if (is_number && !optional && !is.null(attr(x, "dtype"))) missing[] <- FALSE # a NaN like R's NA
    if (length(dim(x)) > 1 && any(missing)) {
      if (word != "float64")
        refuse("range", "r.na", path, "NA in an array of ", word, " has no place: make it a list, or float64")
      missing <- NULL
    }
    if (!optional && !any(missing)) missing <- NULL
  }
  size <- if (base %in% names(sizes)) sizes[[base]] else 0
  unit <- if (is_time) match(unit_of(word), unit_names) else 0
  dtype <- dtypes[[base]]
  data <- if (base %in% c("fixed_string", "fixed_bytes")) {
    fixed <- fixed_items(x, word, base, path)
    size <- fixed$size
    dtype <- fixed$dtype
    fixed$data
  } else {
    fitted(x, word, path, missing)
  }
  list(data, if (!is.null(missing)) as.raw(!missing), as.integer(c(dtype, size, unit)))
}

fitted <- function(x, word, path, missing) {
  wide <- inherits(x, "integer64")
  if (word == usual_word(x) || (word == "bool" && is.logical(x)) ||
      (wide && grepl("^(datetime|timedelta)", word))) return(x)
  check <- function(bad) {
    at <- which(bad & !is.na(bad) & !(if (is.null(missing)) FALSE else missing))[1]
    if (!is.na(at))
      refuse("range", "r.range", paste0(path, if (length(x) > 1) paste0("[", at - 1, "]")),
             format(x[at], digits = 17), " is not a number of the type ", word)
  }
  if (startsWith(word, "complex")) return(as.complex(x))
  if (word == "bool") {
    check(x != 0 & x != 1)
    return(as.logical(x))
  }
  number <- suppressWarnings(as.double(x))
  if (startsWith(word, "float")) {
    if (wide) check(abs(number) > 2^53)
    check(is.finite(number) & abs(number) >= c(float16 = 65520, float32 = 2^128 - 2^103,
                                               float64 = Inf)[[word]])
    return(number)
  }
  bits <- as.integer(sub("u?int", "", word))
  signed <- startsWith(word, "int")
  low <- if (signed) -2^(bits - 1) else 0
  high <- 2^(bits - signed)
  check(if (wide && bits == 64) number < low
        else is.nan(number) | number != trunc(number) | number < low | number >= min(high, 2^63))
  if (bits == 64) return(if (wide) x else bit64::as.integer64(x))
  number[is.na(number)] <- 0
  if (bits == 32) number else as.integer(number)
}

#' Strings or bytes of a fixed width, padded with zeros.
#' @noRd
fixed_items <- function(x, word, base, path) {
  code <- if (grepl("utf16", word)) 2 else if (grepl("utf32", word)) 4 else 1
  size <- as.integer(sub(".*\\[([0-9]+).*", "\\1", word)) * code
  encoding <- paste0("UTF-", code * 8, if (code > 1) c(little = "LE", big = "BE")[[.Platform$endian]])
  items <- if (is.list(x)) x else iconv(enc2utf8(as.vector(x)), "UTF-8", encoding, toRaw = TRUE)
  width <- lengths(items)
  bad <- which(if (is.list(x)) width != size else width > size)[1]
  if (!is.na(bad))
    refuse("range", "r.width", paste0(path, "[", bad - 1, "]"), "the item has ", width[bad],
           " bytes, and ", word, " ", size)
  data <- raw(size * length(items))
  data[sequence(width, (seq_along(width) - 1) * size + 1)] <- unlist(items)
  list(data = data, size = size, dtype = if (base == "fixed_bytes") 21 else 21 + c(1, 2, NA, 3)[code])
}

#' Lists of vectors as one vector, and where each ends.
#' @noRd
flatten <- function(x, ...) {
  word <- sub("^var \\* ", "", attr(x, "dtype"))
  ends <- bit64::as.integer64(cumsum(as.double(lengths(x))))
  whole <- if (length(x) && is.object(x[[1]])) do.call(c, unname(x))
           else unlist(x, recursive = FALSE, use.names = FALSE)
  if (word == "bytes") return(list(if (is.null(whole)) raw() else whole, ends))
  if (is.null(whole)) whole <- if (grepl("string", word)) character() else numeric()
  if (startsWith(word, "var * ") && !is.list(whole)) whole <- list()
  list(structure(whole, dtype = word), ends)
}

rows_of <- function(x, ...) .row_names_info(x, 2L)

join_metadata <- function(x, ...) {
  units <- attr(x, "units")
  c(if (!is.null(units)) list(units = units), attr(x, "metadata"))
}
