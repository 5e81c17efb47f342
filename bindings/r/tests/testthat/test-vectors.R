# SPDX-License-Identifier: MIT
# The vectors of yggdrasil: to types of R and back, to the bytes that the library writes.

cases <- function() {
  lines <- readLines(vector_file("yggdrasil", "cases.jsonl"), encoding = "UTF-8")
  some(lapply(lines, function(line) pc_decode(charToRaw(enc2utf8(line)), "json")))
}

cannot <- function() {
  read.delim(Sys.getenv("POLYCODEC_CANNOT"), stringsAsFactors = FALSE)
}

digest <- function(bytes) {
  file <- tempfile()
  writeBin(bytes, file)
  sub(" .*", "", system2("sha256sum", file, stdout = TRUE))
}

test_that("bodies are decoded and encoded again", {
  all <- cases()
  declared <- cannot()
  for (case in all) {
    body <- bytes_of(vector_file("yggdrasil", case$file))
    value <- caught(pc_decode(body, "yggdrasil"))
    if (case$file %in% declared$vector) {
      expect_identical(value$detail, declared$detail[declared$vector == case$file], info = case$file)
    } else if (!is.null(case$error)) {
      expect_identical(value$code, case$error$code, info = case$file)
      expect_identical(value$detail, case$error$detail, info = case$file)
      expect_identical(value$byte, as.double(case$error$offset), info = case$file)
      expect_identical(value$path, case$error$path, info = case$file)
    } else {
      again <- caught(pc_encode(value, "yggdrasil"))
      if (identical(case$again, "same")) {
        expect_identical(again, body, info = case$file)
      } else {
        expect_identical(c(length(again), digest(again)), c(as.character(case$again$bytes),
                                                            case$again$sha256), info = case$file)
      }
    }
  }
})

test_that("messages are read and written again as the library writes them", {
  for (file in some(list.files(vector_file("yggdrasil", "messages"), "\\.msg$", full.names = TRUE))) {
    message <- bytes_of(file)
    if (basename(file) == "msg_no_metadata.msg") {
      expect_identical(pc_encode(pc_decode(message)), message)
      next
    }
    native <- reading(message, pc_message_read)
    view <- reading(message, function(con) pc_message_read(con, as_view = TRUE))
    expect_identical(written(function(con) pc_message_write(con, native)),
                     written(function(con) pc_message_write(con, view)), info = basename(file))
  }
})

test_that("malformed messages are errors", {
  for (file in some(list.files(vector_file("yggdrasil", "messages", "malformed"), full.names = TRUE))) {
    result <- reading(bytes_of(file), function(con) caught(while (!is.null(m <- pc_message_read(con))) m))
    if (inherits(result, "pc_error")) expect_true(nzchar(result$reason), info = basename(file))
  }
  expect_identical(caught(reading(charToRaw("YGG_MSG_HEAD{\"__meta__\""), pc_message_read))$code, "truncated")
})

test_that("files of other formats keep their type", {
  formats <- c("awkward", "ply", "obj", "stl", "gltf", "dynd", "msgpack_ndarray", "json")
  held <- 0
  for (format in formats) {
    lines <- readLines(vector_file(format, "cases.jsonl"), encoding = "UTF-8")
    for (line in some(lines)) {
      case <- caught(pc_decode(charToRaw(enc2utf8(line)), "json"))
      if (inherits(case, "pc_error") || !is.null(case$options) || !is.null(case$error)) next
      view <- caught(pc_view(vector_file(format, case$file), case$codec))
      if (inherits(view, "pc_error")) next
      value <- caught(suppressWarnings(pc_value(view)))
      if (inherits(value, "pc_error")) {
        expect_true(value$code %in% c("range", "unsupported"), info = case$file)
      } else if (!grepl("union\\[|^fixed_bytes|ns'", pc_type(view))) {
        expect_identical(pc_type(value), pc_type(view), info = case$file)
        expect_identical(pc_text(value), pc_text(view), info = case$file)
        held <- held + 1
      }
    }
  }
  expect_gt(held, 100)
})
