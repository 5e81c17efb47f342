// SPDX-License-Identifier: MIT
// Sums a column of a file without copying it, and converts the file.
package main

// #cgo pkg-config: polycodec
// #include <polycodec/host.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

func text(s string) C.polycodec_bytes { // of the command line: never freed
	return C.polycodec_bytes{unsafe.Pointer(C.CString(s)), C.uint64_t(len(s))}
}

var failure C.polycodec_error

func must(status C.int32_t) {
	if status != C.POLYCODEC_OK {
		fmt.Fprintln(os.Stderr, C.GoString(&failure.message[0]), C.GoString(&failure.path[0]))
		os.Exit(1)
	}
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: sum_column FILE COLUMN OUT")
		os.Exit(2)
	}
	failure.struct_size = C.uint32_t(unsafe.Sizeof(failure))
	var registry *C.polycodec_registry
	var source *C.polycodec_source
	var value *C.polycodec_value
	var found C.polycodec_item
	var in C.polycodec_source_options
	in.struct_size = C.uint32_t(unsafe.Sizeof(in))
	in.from = C.POLYCODEC_SOURCE_PATH
	in.path = text(os.Args[1])
	must(C.polycodec_registry_open(nil, &registry, &failure))
	must(C.polycodec_source_open(&in, &source, &failure))
	must(C.polycodec_decode(registry, source, nil, nil, &value, nil, &failure))
	must(C.polycodec_value_find(value, text(os.Args[2]), &found, &failure))
	column := found.array
	if column != nil && found.index == C.POLYCODEC_WHOLE && column.dtype == C.POLYCODEC_DTYPE_FLOAT32 && column.ndim == 1 &&
		column.byte_order == C.POLYCODEC_LITTLE_ENDIAN {
		sum := 0.0
		for i := 0; i < int(column.length); i++ {
			sum += float64(*(*float32)(unsafe.Add(column.data, i*int(*column.strides))))
		}
		fmt.Printf("%d numbers, sum %g\n", column.length, sum)
	}
	must(C.polycodec_convert(registry, source, nil, text(os.Args[3]), nil, nil, nil, nil, &failure))
	C.polycodec_value_release(value)
	C.polycodec_source_release(source)
	C.polycodec_registry_release(registry)
}
