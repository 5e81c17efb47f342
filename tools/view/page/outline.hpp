// SPDX-License-Identifier: MIT
// A value as the tree and the tables of a page, cut where it is long.
#pragma once

#include <polycodec/polycodec.hpp>

#include "common/json.hpp"

namespace polycodec::page {

using cli::Json;

/// Returns the tree of a value (validated before) as `{"nodes": [..], "tables": [..]}`.
///
/// A node is `[parent, step, kind, what, preview, size, gap, table, attributes]`. Parents come
/// before their children; the root is its own parent. `step` is the step of the path from the
/// parent. `gap` children are left out after the first ones (`gap` 0: none). `table` is the number
/// of its table, or -1. `attributes` are the metadata as text.
///
/// A table is `{"columns": [..], "rows": number, "first": number, "cells": [[..], ..]}`: its rows
/// from `first` on, and those that are left out after them are `rows - cells.length`.
///
/// The nodes, the cells and their text are bounded, whatever the value is: nodes near the root come
/// first. Charges `budget`. Throws Error(limit), Error(cancelled).
Json outline(const Value& value, const Budget& budget);

}  // namespace polycodec::page
