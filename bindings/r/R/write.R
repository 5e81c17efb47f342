# SPDX-License-Identifier: MIT
# What objects of R are made of.

#' An object for the glue: a kind, metadata, and what that kind needs. `column`: of a table or a list of lists.
#' @noRd
form <- function(x, path, column) {
  if (is.null(attributes(x)) && is.numeric(x) && !anyNA(x)) # in short what follows
    return(list(if (length(x) == 1 && !column) "scalar" else "elements", NULL, x, NULL,
                c(dtypes[[usual_word(x)]], 0, 0, length(x))))
  units <- if (!inherits(x, "difftime")) attr(x, "units")
  metadata <- c(if (!is.null(units)) list(units = units), attr(x, "metadata"))
  as <- function(kind, ...) list(kind, if (length(metadata)) metadata, ...)
  x <- lower(x, path)
  word <- if (is.null(attr(x, "dtype"))) "" else attr(x, "dtype")
  is_flat <- !column && is.null(dim(x))
  if (is_flat && (is.null(x) || word == "null")) return(as("null"))
  if (is_flat && inherits(x, "pc_extension")) return(as("extension", class(x)[1], payload_of(x)))
  if (is.data.frame(x))
    return(as("table", unclass(x), as.double(.row_names_info(x, 2L)), word == "tuple"))
  if (is.list(x) && grepl("^(var \\* |bytes)", word))
    return(as("lists", flat(x, word), offsets_of(lengths(x)), 2 * startsWith(word, "bytes"), NULL))
  if (is.list(x) && !startsWith(word, "fixed_bytes"))
    return(if (word == "map") as("map", keys_of(x, path), if (is.null(names(x))) lapply(x, `[[`, 2) else x)
           else as(if (word == "tuple" && is.null(names(x))) word else "list", if (column) unname(x) else x))
  if (is.null(x) || !(is.atomic(x) || is.list(x)))
    refuse("type", "r.type", path, "an object of R of the type ", typeof(x),
           " is not data: give vectors, lists or data.frames")
  if (is_flat && !is.null(names(x))) return(as("list", as.list(x)))
  if (is_flat && is.raw(x)) return(as("bytes", x))
  is_one <- is_flat && length(x) == 1
  if (is.character(x) && !startsWith(word, "fixed_") && length(dim(x)) < 2) {
    if (is_one) return(if (is.na(x)) as("null") else as("text", x))
    present <- if (anyNA(x)) as.raw(!is.na(x))
    x <- enc2utf8(as.vector(x))
    x[is.na(x)] <- ""
    return(as("lists", charToRaw(paste(x, collapse = "")), offsets_of(nchar(x, "bytes")), 1, present))
  }
  made <- elements_of(x, word, path)
  if (is_one && identical(made[[2]], as.raw(0))) return(as("null"))
  as(if (is_one) "scalar" else "elements", made[[1]], made[[2]], c(made[[3]], if (is.null(dim(x))) length(x) else dim(x)))
}

offsets_of <- function(sizes) bit64::as.integer64(c(0, cumsum(as.double(sizes))))

#' Objects of classes as vectors and lists.
#' @noRd
lower <- function(x, path) {
  if (!is.object(x) || inherits(x, c("integer64", "data.frame", "pc_extension"))) return(x)
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (is.factor(x)) return(as.character(x))
  if (inherits(x, c("POSIXct", "Date", "difftime"))) return(counts(x, path))
  if (!all(class(x) %in% c("AsIs", "noquote", "table")))
    refuse("type", "r.class", path, "an object of the class ", class(x)[1],
           " is not data: convert it, or take its class away with unclass()")
  unclass(x)
}

#' The keys of a map: its names, or the first items of pairs.
#' @noRd
keys_of <- function(x, path) {
  if (!is.null(names(x))) return(as.list(names(x)))
  bad <- which(!vapply(x, is.list, NA) | lengths(x) != 2)[1]
  if (!is.na(bad))
    refuse("type", "r.map", paste0(path, "[", bad - 1, "]"),
           "an entry of a map without names is a list of its key and its value")
  lapply(x, `[[`, 1)
}

payload_of <- function(x) {
  named <- paste0(if (!is.null(x$module)) paste0(x$module, ":"), x$name)
  if (is.null(x$name)) x$data else if (is.null(x$data)) named else c(list(class = named), x$data)
}

#' The items of all lists, which are of the type `word`, one after another.
#' @noRd
flat <- function(x, word) {
  all <- if (length(x) && is.object(x[[1]])) do.call(c, unname(x))
         else unlist(x, recursive = FALSE, use.names = FALSE)
  if (startsWith(word, "bytes")) return(if (is.null(all)) raw() else all)
  word <- sub("^var \\* ", "", word)
  if (is.null(all)) all <- if (grepl("string", word)) character() else numeric()
  if (startsWith(word, "var * ") && !is.list(all)) all <- list()
  structure(all, dtype = word)
}

#' The elements of a vector: data, which of them are present, and c(dtype, size if the type has none, unit).
#' @noRd
elements_of <- function(x, word, path) {
  is_typed <- nzchar(word)
  if (!is_typed) word <- if (is.character(x)) paste0("fixed_string[", max(1, nchar(x, "bytes"), na.rm = TRUE), "]")
                         else usual_word(x)
  is_optional <- startsWith(word, "?")
  word <- sub("^[?]", "", word)
  base <- base_of(word)
  if (!base %in% names(dtypes) || endsWith(base, "128"))
    refuse("option", "r.dtype", path, "unknown element type '", word, "': see docs/type-notation.md")
  is_time <- base %in% c("datetime", "timedelta")
  is_number <- (is.double(x) || is.complex(x)) && !inherits(x, "integer64")
  is_complete <- is.list(x) || (!is_optional && (is_time || !anyNA(x) || (is_number && is_typed))) # a NaN like R's NA
  missing <- if (!is_complete) is.na(x) & !(is_number & is.nan(x))
  if (length(dim(x)) > 1 && any(missing)) {
    if (word != "float64")
      refuse("range", "r.na", path, "NA in an array of ", word, " has no place: make it a list, or float64")
    missing <- NULL
  }
  if (!is_optional && !any(missing)) missing <- NULL
  dtype <- dtypes[[base]] + if (base == "fixed_string") match(code_size(word), c(1, 2, 4)) - 1 else 0
  size <- if (startsWith(base, "fixed_")) digits_in(word) * code_size(word) else 0
  unit <- if (is_time) match(unit_of(word), unit_names, 0) else 0
  list(fitted(x, word, path, missing), if (!is.null(missing)) as.raw(!missing), c(dtype, size, unit))
}

digits_in <- function(word) as.double(sub("[^0-9]*([0-9]+).*", "\\1", word))
code_size <- function(word) if (grepl("utf16", word)) 2 else if (grepl("utf32", word)) 4 else 1

#' Numbers as they are stored in a type, which they must fit.
#' @noRd
fitted <- function(x, word, path, missing) {
  wide <- inherits(x, "integer64")
  check <- function(bad) {
    at <- which(bad & !is.na(bad) & !(if (is.null(missing)) FALSE else missing))[1]
    if (!is.na(at))
      refuse("range", "r.range", paste0(path, if (length(x) > 1) paste0("[", at - 1, "]")),
             format(x[at], digits = 17), " is not a number of the type ", word)
  }
  if (startsWith(word, "fixed_")) return(fixed_items(x, word, path))
  if (word == "bool") {
    check(x != 0 & x != 1)
    return(as.raw(!is.na(x) & x != 0))
  }
  if (startsWith(word, "complex")) x <- as.complex(x)
  if (word == usual_word(x) || (wide && grepl("^(datetime|timedelta)", word))) return(x)
  if (startsWith(word, "complex")) {
    part <- sub("complex\\[(.*)\\]", "\\1", word)
    parts <- lapply(list(Re(x), Im(x)), function(part_of) matrix(fitted(part_of, part, path, missing), digits_in(part) / 8))
    return(c(do.call(rbind, parts)))
  }
  number <- suppressWarnings(as.double(x))
  bits <- digits_in(word)
  if (startsWith(word, "float")) {
    if (wide) check(abs(number) > 2^53)
    check(is.finite(number) & abs(number) >= c(float16 = 65520, float32 = 2^128 - 2^103, float64 = Inf)[[word]])
    return(switch(word, float16 = .Call(pc_c_half, number), float32 = packed(number, 4), number))
  }
  is_signed <- startsWith(word, "int")
  low <- if (is_signed) -2^(bits - 1) else 0
  high <- min(2^(bits - is_signed), 2^63)
  check(if (wide && bits == 64) number < low
        else is.nan(number) | number != trunc(number) | number < low | number >= high)
  if (bits == 64) return(if (wide) x else bit64::as.integer64(x))
  number[is.na(number)] <- 0
  # Of an unsigned number the integer with the same bits; those of -2^31 are those of NA.
  packed(suppressWarnings(as.integer(number - 2^32 * (number >= 2^31))), bits / 8)
}

#' Numbers as bytes. writeBin() makes less than 2^31.
#' @noRd
packed <- function(x, size) {
  if (length(x) > 2^28) c(packed(utils::head(x, 2^28), size), packed(utils::tail(x, -2^28), size))
  else writeBin(x, raw(), size = size)
}

#' Strings or bytes of a fixed width, padded with zeros.
#' @noRd
fixed_items <- function(x, word, path) {
  size <- digits_in(word) * code_size(word)
  order <- if (code_size(word) > 1) c(little = "LE", big = "BE")[[.Platform$endian]]
  encoding <- paste0("UTF-", 8 * code_size(word), order)
  items <- if (is.list(x)) x else iconv(enc2utf8(as.vector(x)), "UTF-8", encoding, toRaw = TRUE)
  width <- lengths(items)
  bad <- which(if (is.list(x)) width != size else width > size)[1]
  if (!is.na(bad))
    refuse("range", "r.width", paste0(path, "[", bad - 1, "]"), "the item has ", width[bad],
           " bytes, and ", word, " ", size)
  data <- raw(size * length(items))
  data[sequence(width, (seq_along(width) - 1) * size + 1)] <- unlist(items)
  data
}
