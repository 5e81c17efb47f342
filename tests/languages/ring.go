// SPDX-License-Identifier: MIT
// Sends each message of standard input on to standard output, through <polycodec/host.h>.
package main

// #cgo pkg-config: polycodec
// #include <polycodec/host.h>
// #include <stdlib.h>
import "C"

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"unsafe"
)

var failure C.polycodec_error

func must(status C.int32_t) {
	if status != C.POLYCODEC_OK {
		fmt.Fprintln(os.Stderr, "ring in Go:", C.GoString(&failure.message[0]))
		os.Exit(1)
	}
}

// view gives bytes of C, which the caller frees.
func view(b []byte) C.polycodec_bytes {
	return C.polycodec_bytes{C.CBytes(b), C.uint64_t(len(b))}
}

func idOf(header *C.polycodec_sink) []byte {
	var text C.polycodec_bytes
	must(C.polycodec_sink_bytes(header, &text, &failure))
	var parsed struct {
		Meta struct {
			ID string `json:"id"`
		} `json:"__meta__"`
	}
	if err := json.Unmarshal(C.GoBytes(text.data, C.int(text.size)), &parsed); err != nil {
		fmt.Fprintln(os.Stderr, "ring in Go:", err)
		os.Exit(1)
	}
	own, _ := json.Marshal(map[string]string{"id": parsed.Meta.ID})
	return own
}

func send(to *C.polycodec_channel, value *C.polycodec_value, header []byte) {
	var message *C.polycodec_message
	own := view(header)
	must(C.polycodec_channel_pack(to, value, own, &message, &failure))
	C.free(unsafe.Pointer(own.data))
	var pieces *C.polycodec_bytes
	var n C.uint64_t
	for part := C.uint64_t(0); C.polycodec_message_part(message, part, &pieces, &n, nil) == C.POLYCODEC_OK; part++ {
		for _, piece := range unsafe.Slice(pieces, int(n)) {
			os.Stdout.Write(unsafe.Slice((*byte)(piece.data), int(piece.size)))
		}
	}
	C.polycodec_message_free(message)
}

func main() {
	failure.struct_size = C.uint32_t(unsafe.Sizeof(failure))
	var registry *C.polycodec_registry
	var in, out *C.polycodec_channel
	var header *C.polycodec_sink
	must(C.polycodec_registry_open(nil, &registry, &failure))
	must(C.polycodec_channel_open(registry, C.polycodec_bytes{}, nil, &in, &failure))
	must(C.polycodec_channel_open(registry, C.polycodec_bytes{}, nil, &out, &failure))
	must(C.polycodec_sink_create(C.POLYCODEC_SINK_CONTIGUOUS, 0, &header, &failure))
	buffer := make([]byte, 65536)
	for ended := false; !ended; {
		n, err := os.Stdin.Read(buffer)
		ended = err == io.EOF
		piece := view(buffer[:n])
		last := C.int32_t(0)
		if ended {
			last = 1
		}
		must(C.polycodec_channel_feed(in, piece, last, &failure))
		C.free(unsafe.Pointer(piece.data))
		for {
			var value *C.polycodec_value
			var control C.int32_t
			must(C.polycodec_sink_reset(header, &failure))
			must(C.polycodec_channel_next(in, &value, &control, header, &failure))
			if value == nil {
				break
			}
			if control == 0 {
				send(out, value, idOf(header))
			} else {
				send(out, nil, nil)
			}
			C.polycodec_value_release(value)
		}
	}
	C.polycodec_sink_free(header)
	C.polycodec_channel_free(out)
	C.polycodec_channel_free(in)
	C.polycodec_registry_release(registry)
}
