// SPDX-License-Identifier: MIT
// Sums a column of a file, however its numbers are stored, and converts the file: sum_column FILE COLUMN OUT.
package main

// #cgo pkg-config: polycodec
// #include <polycodec/host.h>
import "C"

import (
	"fmt"
	"log"
	"os"
	"unsafe"
)

var failure = C.polycodec_error{struct_size: C.sizeof_polycodec_error}

func text(s string) C.polycodec_bytes { // of the command line: never freed
	return C.polycodec_bytes{unsafe.Pointer(C.CString(s)), C.uint64_t(len(s))}
}

func must(status C.int32_t) {
	if status != C.POLYCODEC_OK {
		log.Fatalln(C.GoString(&failure.message[0]), C.GoString(&failure.path[0]))
	}
}

func main() {
	in := C.polycodec_source_options{struct_size: C.sizeof_polycodec_source_options, from: C.POLYCODEC_SOURCE_PATH, path: text(os.Args[1])}
	var registry *C.polycodec_registry
	var source *C.polycodec_source
	var value *C.polycodec_value
	var n C.uint64_t
	must(C.polycodec_registry_open(nil, &registry, &failure))
	must(C.polycodec_source_open(&in, &source, &failure))
	must(C.polycodec_decode(registry, source, nil, nil, &value, nil, &failure))
	must(C.polycodec_value_numbers(value, text(os.Args[2]), C.POLYCODEC_DTYPE_FLOAT64, nil, 0, nil, &n, &failure))
	sum, numbers := 0.0, make([]float64, n)
	must(C.polycodec_value_numbers(value, text(os.Args[2]), C.POLYCODEC_DTYPE_FLOAT64, unsafe.Pointer(unsafe.SliceData(numbers)), n, nil, &n, &failure))
	for _, number := range numbers {
		sum += number
	}
	fmt.Printf("%d numbers, sum %g\n", n, sum)
	must(C.polycodec_convert(registry, source, nil, text(os.Args[3]), nil, nil, nil, nil, &failure))
}
