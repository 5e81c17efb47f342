# SPDX-License-Identifier: MIT
"""numpy reads what polycodec hands out through DLPack, and the other way round."""
import ctypes
import json
import sys

import numpy

bridge = ctypes.CDLL(sys.argv[1])
bridge.tensor_from_text.restype = ctypes.c_void_p
bridge.tensor_from_text.argtypes = [ctypes.c_char_p]
bridge.text_from_tensor.restype = ctypes.c_size_t
bridge.text_from_tensor.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
bridge.delete_tensor.argtypes = [ctypes.c_void_p]

api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
NAME, USED = b"dltensor", b"used_dltensor"


class Exported:
    """What numpy.from_dlpack asks for."""

    def __init__(self, text):
        self.tensor = bridge.tensor_from_text(json.dumps(text).encode())
        assert self.tensor, text

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, stream=None):
        return api.PyCapsule_New(self.tensor, NAME, None)


def check(found, expected, what):
    if not found:
        sys.exit(f"{what}: expected {expected}")


for dtype in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"):
    text = {"type": f"2 * 3 * {dtype}", "value": [[1, 2, 3], [4, 5, 6]]}
    array = numpy.from_dlpack(Exported(text))
    expected = numpy.arange(1, 7, dtype=dtype).reshape(2, 3)
    check(array.dtype == expected.dtype and (array == expected).all(), expected, f"{dtype} from polycodec: {array}")

    buffer = ctypes.create_string_buffer(4096)
    source = numpy.arange(24, dtype=dtype).reshape(4, 6)[::2, ::-3]  # strides that are neither positive nor packed
    capsule = source.__dlpack__()
    size = bridge.text_from_tensor(api.PyCapsule_GetPointer(capsule, NAME), buffer, 4096)
    api.PyCapsule_SetName(capsule, USED)
    check(0 < size < 4096, "a text", f"{dtype} to polycodec")
    back = json.loads(buffer.value)
    check(back == {"type": f"2 * 2 * {dtype}", "value": source.tolist()}, source.tolist(), f"{dtype} to polycodec: {back}")

complex_array = numpy.from_dlpack(Exported(
    {"type": "2 * complex[float64]", "value": [{"$complex": [1, 2]}, {"$complex": [3, -4]}]}))
check(complex_array.tolist() == [1 + 2j, 3 - 4j], "1+2j, 3-4j", f"complex: {complex_array}")
