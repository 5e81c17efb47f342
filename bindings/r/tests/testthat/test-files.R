# SPDX-License-Identifier: MIT

ply <- function() {
  file <- tempfile(fileext = ".ply")
  writeLines(c("ply", "format ascii 1.0", "element vertex 3", "property float x", "property float y",
               "property float z", "element face 1", "property list uchar int vertex_index",
               "end_header", "0 0 0", "1 0 0", "0 1 0.5", "3 0 1 2"), file)
  file
}

test_that("files are read, written and converted", {
  mesh <- pc_open(ply())
  expect_identical(as.double(mesh$vertex$x), c(0, 1, 0))
  expect_identical(attr(mesh$vertex$x, "dtype"), "float32")
  expect_identical(pc_faces(mesh), matrix(0:2, 1))
  expect_identical(pc_faces(mesh, first = 1), matrix(1:3, 1))
  expect_identical(pc_faces(pc_view(ply()), "face.vertex_index"), matrix(0:2, 1))
  out <- tempfile(fileext = ".ply")
  pc_save(mesh, out)
  expect_identical(bytes_of(out), bytes_of(ply()))
  obj <- tempfile(fileext = ".obj")
  result <- pc_convert(ply(), obj)
  expect_identical(result$codec, "obj")
  expect_identical(pc_faces(pc_open(obj)), matrix(0:2, 1))
  expect_identical(caught(pc_save(mesh, out, overwrite = FALSE))$code, "io")
})

test_that("columns are read by path", {
  expect_identical(as.double(pc_column(ply(), "vertex.z")), c(0, 0, 0.5))
  view <- pc_view(ply())
  expect_identical(view$vertex$y, pc_column(view, "vertex.y"))
  expect_identical(view[["vertex.x"]], pc_column(pc_open(ply()), "vertex.x"))
  expect_identical(names(pc_open(ply(), columns = "vertex.x")), "vertex")
  expect_identical(nrow(pc_open(ply(), columns = "vertex", rows = c(2, 3))$vertex), 2L)
  expect_match(caught(pc_column(ply(), "vertex.w"))$reason, "x")
  expect_output(print(view), "float32")
})

test_that("archives of arrays have named values", {
  file <- tempfile(fileext = ".awkd")
  lists <- pc_as(list(c(1.5, 2), numeric(), 3), "var * float64")
  pc_save(lists, file)
  expect_identical(pc_open(file), lists)
  unlink(file)
  pc_save(lists, file, member = "lists")
  expect_identical(pc_members(file), "lists")
  expect_identical(pc_open(file, member = "lists"), lists)
})

test_that("connections and raw vectors are files", {
  con <- file(ply(), "rb")
  expect_identical(pc_open(con, name = "x.ply"), pc_open(ply()))
  close(con)
  expect_identical(pc_decode(bytes_of(ply())), pc_open(ply()))
})

test_that("errors say code, byte and path", {
  expect_identical(caught(pc_open(tempfile()))$code, "io")
  bytes <- bytes_of(ply())
  cut <- caught(pc_decode(bytes[1:170], "ply"))
  expect_s3_class(cut, "pc_truncated")
  expect_identical(cut$detail, "ply.truncated")
  expect_gt(cut$byte, 100)
  expect_match(cut$path, "^\\$")
  expect_s3_class(caught(pc_decode(charToRaw("{\"a\": tru}"), "json")), "pc_malformed")
  expect_identical(caught(pc_open(1))$detail, "r.file")
  expect_identical(caught(pc_decode("text"))$detail, "r.bytes")
  expect_identical(caught(pc_open(ply(), "no-such-codec"))$code, "not_found")
  expect_identical(caught(pc_open(ply(), options = list(nonsense = 1)))$code, "option")
})

test_that("limits hold", {
  expect_identical(caught(pc_open(ply(), limits = c(max_input_bytes = 10)))$code, "limit")
  expect_identical(caught(pc_open(ply(), limits = c(max_depth = 1)))$code, "limit")
  expect_identical(caught(pc_open(ply(), limits = c(most = 1)))$detail, "r.limits")
})

test_that("losses are refused, or reported", {
  mesh <- pc_open(ply())
  mesh$vertex$quality <- 1:3
  obj <- tempfile(fileext = ".obj")
  expect_identical(caught(pc_save(mesh, obj))$detail, "obj.lossy")
  heard <- character()
  pc_save(mesh, obj, losses = "data", on_loss = function(class, path, what) heard <<- c(heard, class, path))
  expect_identical(heard, c("data", "$.vertex.quality"))
  expect_warning(pc_save(mesh, obj, losses = TRUE), class = "pc_loss")
  expect_identical(caught(pc_save(mesh, obj, losses = "all"))$detail, "r.losses")
})

test_that("tolerant reading mends", {
  file <- tempfile(fileext = ".obj")
  writeLines(c("v 1,5 0 0", "v 0 1d0 0", "v 0 0 1"), file)
  expect_s3_class(caught(pc_open(file)), "pc_error")
  heard <- character()
  mesh <- pc_open(file, tolerant = TRUE, on_loss = function(class, path, what) heard <<- c(heard, class))
  expect_length(heard, 2)
  expect_identical(as.double(mesh$v$x), c(1.5, 0, 0))
})

test_that("what is installed is listed", {
  codecs <- pc_codecs()
  expect_true("ply" %in% vapply(codecs, function(codec) codec$name, ""))
  pc_setup(list(limits = list(max_input_bytes = 5)))
  expect_identical(caught(pc_open(ply()))$code, "limit")
  pc_setup()
  expect_identical(nrow(pc_open(ply())$vertex), 3L)
})

test_that("10,000 opens do not grow", {
  skip_if_not(file.exists("/proc/self/statm"))
  resident <- function() {
    for (i in 1:3) gc()
    Sys.sleep(0.6) # the library gives memory back that it kept for the next values
    as.double(strsplit(readLines("/proc/self/statm"), " ")[[1]][2]) * 4096
  }
  file <- tempfile(fileext = ".msgpack")
  pc_save(list(x = as.double(1:5000), name = "n"), file)
  for (i in 1:3000) pc_open(file)
  before <- resident()
  for (i in 1:10000) pc_open(file)
  for (i in 1:1000) caught(pc_open(paste0(file, "x")))
  expect_lt(resident() - before, 12e6)
})
