# SPDX-License-Identifier: MIT
# Messages over connections.

separator <- charToRaw("YGG_MSG_HEAD")

pc_channel <- function(con, ..., limits = NULL) {
  if (!inherits(con, "connection")) refuse("type", "r.connection", "", "a channel needs a connection")
  channel <- list2env(list(con = con, options = list(...), limits = limits, senders = list()))
  channel$receiver <- .Call(pc_c_channel, if (...length()) json(list(...)), call_options(limits))
  structure(channel, class = "pc_channel")
}

as_channel <- function(con) if (inherits(con, "pc_channel")) con else pc_channel(con)

#' Reads a header, and not a byte more: as many bytes as a separator still needs.
#' @noRd
read_header <- function(con) {
  parts <- list()
  tail <- raw()
  found <- 0
  matched <- 0
  while (found < 2 && length(more <- readBin(con, "raw", 12 - matched %% 12))) {
    parts[[length(parts) + 1]] <- more
    tail <- utils::tail(c(tail, more), 12)
    matched <- Find(function(k) k == 0 || identical(utils::tail(tail, k), separator[seq_len(k)]), 12:0)
    if (matched == 12) found <- found + 1
    if (found == 0) break
  }
  do.call(c, parts)
}

pc_message_read <- function(con, as_view = FALSE) {
  channel <- as_channel(con)
  feed <- function(bytes) .Call(pc_c_feed, channel$receiver, bytes)
  head <- read_header(channel$con)
  if (!length(head)) return(NULL)
  feed(head)
  header <- tryCatch(pc_decode(head[seq(13, length.out = max(0, length(head) - 24))], "json"),
                     pc_error = function(e) NULL)
  size <- if (is.null(header[["__meta__"]])) header$size else header[["__meta__"]]$size
  left <- if (is.null(size)) NA else as.double(size)
  while (isTRUE(left > 0) && length(body <- readBin(channel$con, "raw", min(left, 16777216)))) {
    feed(body)
    left <- left - length(body)
  }
  if (is.na(left) || left > 0) feed(NULL)
  following <- telling(.Call(pc_c_next, channel$receiver, as_view))
  structure(class = "pc_message", list(value = following[[1]], header = pc_decode(following[[2]], "json"),
                                       control = as.integer(following[[3]])))
}

#' The end of the channel that writes messages with such headers. A header that was read is kept as it is.
#' @noRd
sender_for <- function(channel, header, is_kept) {
  options <- channel$options
  if (is_kept || !is.null(header$serializer)) options$declare <- FALSE
  if (is_kept) {
    with_meta <- !is.null(header[["__meta__"]])
    options <- modifyList(options, Filter(Negate(is.null), list(
      codec = header$codec, options = header$options, filters = header$filters,
      meta_only = with_meta && is.null(header$type),
      dialect = if (!with_meta) if (is.null(header$datatype)) "document" else "legacy-1.8")))
  }
  text <- if (length(options)) json(options)
  key <- paste0("options ", text)
  if (is.null(channel$senders[[key]]))
    channel$senders[[key]] <- .Call(pc_c_channel, text, call_options(channel$limits))
  channel$senders[[key]]
}

pc_message_write <- function(con, value, header = NULL) {
  channel <- as_channel(con)
  is_end <- missing(value)
  if (is_end) value <- NULL
  is_kept <- inherits(value, "pc_message")
  if (is_kept) {
    header <- value$header
    if (value$control != 0 || identical(header$serializer$seritype, "direct")) header$raw <- TRUE
    value <- value$value
  }
  sender <- sender_for(channel, header, is_kept)
  if (is_kept) # without what describes the body, and is made anew
    header <- if (is.null(header[["__meta__"]])) header[intersect(names(header), "id")]
              else header[setdiff(names(header), c("size", "codec", "codec_version", "options", "filters"))]
  header[["__meta__"]][c("size", "in_data")] <- NULL
  bytes <- telling(.Call(pc_c_pack, sender, value, if (length(header)) json(header), is_end))
  writeBin(bytes, channel$con)
  flush(channel$con)
  invisible(length(bytes))
}
