# SPDX-License-Identifier: MIT

test_that("messages go through a pipe and back", {
  values <- list(list(x = 1:3, y = "a"), list(x = 4:6, y = "b"))
  file <- tempfile()
  con <- pipe(paste("cat >", shQuote(file)), "wb")
  channel <- pc_channel(con)
  for (value in values) pc_message_write(channel, value)
  pc_message_write(channel)
  close(con)
  con <- pipe(paste("cat", shQuote(file)), "rb")
  channel <- pc_channel(con)
  first <- pc_message_read(channel)
  expect_identical(first$value$x, 1:3)
  expect_identical(first$control, 0L)
  expect_type(first$header[["__meta__"]]$id, "character")
  expect_identical(pc_message_read(channel)$value$y, "b")
  expect_identical(pc_message_read(channel)$control, 1L)
  expect_null(pc_message_read(channel))
  close(con)
})

test_that("a header is kept, and its datatype decides the types", {
  header <- list("__meta__" = list(id = "m-1", model = "r"),
                 serializer = list(seritype = "default", datatype = list(
                   type = "scalar", subtype = "float", precision = 4L, units = "cm")))
  bytes <- written(function(con) pc_message_write(con, pc_as(0.5, "float32", "cm"), header))
  message <- reading(bytes, pc_message_read)
  expect_identical(message$header[["__meta__"]]$id, "m-1")
  expect_identical(message$header[["__meta__"]]$model, "r")
  expect_identical(message$value, pc_as(0.5, "float32", "cm"))
  expect_identical(written(function(con) pc_message_write(con, message)), bytes)
})

test_that("other codecs carry bodies", {
  x <- list(a = runif(5))
  bytes <- written(function(con) pc_message_write(pc_channel(con, codec = "msgpack-ndarray"), x))
  message <- reading(bytes, pc_message_read)
  expect_identical(message$header$codec, "msgpack-ndarray")
  expect_identical(message$value, x)
  expect_identical(reading(written(function(con) pc_message_write(con, message)), pc_message_read)$value, x)
})

test_that("dialects without __meta__ are read and kept", {
  for (dialect in c("document", "legacy-1.8")) {
    bytes <- written(function(con) pc_message_write(pc_channel(con, dialect = dialect), c(1.5, 2)))
    message <- reading(bytes, pc_message_read)
    expect_identical(as.double(message$value), c(1.5, 2))
    again <- reading(written(function(con) pc_message_write(con, message)), pc_message_read)
    expect_identical(again$value, message$value)
    expect_null(again$header[["__meta__"]]$size)
  }
})

test_that("a cut message is an error", {
  bytes <- written(function(con) pc_message_write(con, list(a = 1)))
  error <- caught(reading(bytes[seq_len(length(bytes) - 2)], pc_message_read))
  expect_identical(error$code, "truncated")
  expect_identical(error$detail, "message.incomplete")
  expect_identical(caught(pc_channel(1))$detail, "r.connection")
})
