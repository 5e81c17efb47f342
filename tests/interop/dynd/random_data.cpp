// SPDX-License-Identifier: MIT
int polycodec_unused;
