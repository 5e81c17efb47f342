# SPDX-License-Identifier: MIT
# Options of calls.

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
  flags <- c(as_is = as_is, partial = !is.null(columns) || !is.null(rows), lossless = lossless,
             tolerant = tolerant, compare = compare)
  given <- list(limits = bounds, losses = sum(2^(match(losses, loss_classes) - 1)), member = member,
                flags = sum(call_flags[names(flags)[flags]]), columns = columns, select = select,
                name = name, copy = copy, keep = !overwrite, sync = sync, threads = threads)
  if (!is.null(rows)) given[c("first_row", "rows")] <- c(rows[1] - 1, rows[2] - rows[1] + 1)
  given[option_names]
}

format_of <- function(codec = NULL, options = NULL, filters = NULL) {
  list(codec, json(options), json(filters))
}

#' A list as JSON. Numbers without a fraction are written as integers.
#' @noRd
json <- function(x) {
  if (is.null(x) || is.character(x)) return(x)
  whole <- function(v) if (!anyNA(v) && all(v == trunc(v) & abs(v) < 2^53)) bit64::as.integer64(v) else v
  .Call(pc_c_text, rapply(list(x), whole, classes = "numeric", how = "replace")[[1]], TRUE)
}

source_of <- function(file) {
  if (inherits(file, "connection")) {
    if (!isOpen(file)) {
      open(file, "rb")
      on.exit(close(file))
    }
    parts <- list(raw())
    while (length(part <- readBin(file, "raw", 1048576))) parts[[length(parts) + 1]] <- part
    return(do.call(c, parts))
  }
  if (is.raw(file)) return(file)
  if (!is.character(file) || length(file) != 1 || is.na(file))
    refuse("type", "r.file", "", "a file is given as its path, a raw vector or a connection")
  path.expand(file)
}
