# SPDX-License-Identifier: MIT
library(testthat)
library(polycodec)
test_check("polycodec")
