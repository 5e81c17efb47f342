# SPDX-License-Identifier: MIT
"""What applies to one call: errors, losses, limits, projections, interruption, threads."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polycodec as pc


def ply(rows: int) -> bytes:
    """An ascii PLY file, which takes long to decode."""
    head = f"ply\nformat ascii 1.0\nelement vertex {rows}\nproperty double x\nproperty double y\nend_header\n"
    return head.encode() + b"1.25 -3.5e-3\n" * rows


def test_errors_are_whole() -> None:
    value = {f"member {i}": 1 for i in range(100)}
    with pytest.raises(pc.NotFoundError) as caught:
        pc.parse(json.dumps({"a" * 600: value}))["$." + "a" * 600 + ".none"]
    assert caught.value.path == "$." + "a" * 600  # fields of C hold 207 bytes of a path
    assert caught.value.message.startswith("there is no 'none'")
    with pytest.raises(pc.NotFoundError) as missing:
        pc.encode(1, "n" * 1000)
    assert len(missing.value.message) > 480


def test_settings_have_origins() -> None:
    registry = pc.Registry({"limits": {"max_depth": 9}})
    found = {one["key"]: one for one in registry.list("settings")}
    assert found["limits.max_depth"] == {
        "key": "limits.max_depth", "value": 9, "origin": "the configuration of the registry:1",
    }  # fmt: skip
    assert found["policy.mode"]["origin"] == "default"
    assert any(one["allowed"] is False for one in registry.list("functions"))


def test_errors_say_where() -> None:
    with pytest.raises(pc.FormatError) as caught:
        pc.decode(b"\x93\x01\xc1\x02", "msgpack-ndarray")
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, pc.PolycodecError)
    assert (error.code, error.offset, error.path) == ("malformed", 2, "$[1]")
    assert str(error) == f"msgpack-ndarray: {error.message} ({error.detail}, at byte 2, in $[1])"
    assert error.codec == "msgpack-ndarray"
    copied = pickle.loads(pickle.dumps(error))
    assert vars(copied) == vars(error) and str(copied) == str(error)


KINDS = [
    (lambda: pc.decode(b"\x93\x01", "msgpack-ndarray"), pc.FormatError, "truncated"),
    (lambda: pc.decode(b"\x01", "no-such-codec"), pc.NotFoundError, "not_found"),
    (lambda: pc.decode(b"\x01", "msgpack-ndarray", options={"nonsense": 1}), pc.InvalidError, "option"),
    (lambda: pc.decode(b"\x01", "msgpack-ndarray", options={"nonsense": True}), pc.InvalidError, "option"),
    (lambda: pc.decode(b"\x01", "msgpack-ndarray", options={'a":1,"b': True}), pc.InvalidError, "option"),
    (lambda: pc.open("/no/such/file.ply"), pc.FileError, "io"),
    (lambda: pc.decode(ply(9), "ply", columns=["$.nothing"]), pc.NotFoundError, "not_found"),
    (lambda: pc.decode(b"\x91\x91\x91\x01", "msgpack-ndarray", limits={"max_depth": 2}), pc.LimitError, "limit"),
]


@pytest.mark.parametrize("act,kind,code", KINDS, ids=[code for *_, code in KINDS])
def test_kinds_of_errors(act: Any, kind: type[pc.PolycodecError], code: str) -> None:
    with pytest.raises(kind) as caught:
        act()
    assert caught.value.code == code


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="'colums'"):
        pc.decode(b"\x01", "msgpack-ndarray", colums=["$.a"])
    with pytest.raises(TypeError, match="max_dept"):
        pc.decode(b"\x01", "msgpack-ndarray", limits={"max_dept": 1})
    with pytest.raises(TypeError, match="codec"):
        pc.decode(b"\x01", options={"a": 1})
    with pytest.raises(ValueError, match="on_loss"):
        pc.encode(1, "msgpack-ndarray", on_loss="ignore")
    with pytest.raises(TypeError):
        pc.decode("text", "msgpack-ndarray")


def test_arguments_of_short_calls() -> None:
    registry = pc.default_registry()
    data = registry.encode(value=[1], codec="msgpack-ndarray")
    for value in (
        registry.decode(data, "msgpack-ndarray"),
        registry.decode(codec="msgpack-ndarray", data=data),
        registry.decode(memoryview(data), "".join(["msgpack", "-ndarray"]), options=None),
    ):
        assert value.to_python() == [1]
    assert registry.decode(data, "msgpack-ndarray").codec == "msgpack-ndarray"
    for wrong, word in (
        (lambda: registry.decode(), "'data' is missing"),
        (lambda: registry.encode([1]), "'codec' is missing"),
        (lambda: registry.decode(data, data=data), "given twice"),
        (lambda: registry.decode(data, "msgpack-ndarray", None), "too many"),
        (lambda: registry.decode(data, "msgpack-ndarray", nothing=1), "unknown argument 'nothing'"),
        (lambda: registry.decode(data, "msgpack-ndarray").to_python(nothing=1), "unknown argument 'nothing'"),
        (lambda: registry.decode(data, "msgpack-ndarray").to_python(1), "too many"),
        (lambda: registry.decode(data, 1), "bad argument"),
    ):
        with pytest.raises(TypeError, match=word):
            wrong()
    with pytest.raises(pc.FormatError) as caught:
        registry.decode(data[:-1] + b"\xc1", "msgpack-ndarray")
    assert caught.value.codec == "msgpack-ndarray" and caught.value.offset == 1


def test_projection() -> None:
    value = pc.decode(ply(100), "ply", columns=["vertex.y"], rows=slice(10, 15))
    assert value.is_partial and value["vertex"].names == ["y"] and len(value["vertex"]) == 5
    assert len(pc.decode(ply(100), "ply", columns="$.vertex", rows=range(90, 100))["vertex"]) == 10
    assert not pc.decode(ply(100), "ply").is_partial


SELECTED = {"a": [{"x": 1, "y": [2.5, 3.5]}, {"x": 7, "y": []}], "b c": {"d": np.arange(5)}, "e": None}


@pytest.mark.parametrize("codec", ["msgpack-ndarray", "json", "yggdrasil"])
@pytest.mark.parametrize("path", ["a", "$.a[1]", "a[0].y[1]", '["b c"].d', '$["b c"].d[3]', "e", "$"])
def test_select(codec: str, path: str, tmp_path: Path) -> None:
    file = tmp_path / "a"
    pc.save(SELECTED, file, codec, on_loss="warn")
    data = file.read_bytes()
    whole = pc.decode(data, codec)[path]
    with open(file, "rb") as opened:
        for part in (
            pc.decode(data, codec, select=path),
            pc.open(file, codec, select=path),
            pc.open(file, codec, select=path, lazy=True),
            pc.open(opened, codec, select=path),
        ):
            assert part == whole and part.type == whole.type and not part.is_partial and part.codec == codec
    pc.convert(file, tmp_path / "part.msgpack", from_codec=codec, select=path, on_loss="warn")
    assert pc.open(tmp_path / "part.msgpack") == whole


@pytest.mark.parametrize("path", ["nothing", "a[2]", "a[0].z", "e.f", "a[", ""])
def test_select_fails_as_the_path_of_the_whole(path: str) -> None:
    data = pc.encode(SELECTED, "msgpack-ndarray")
    if path == "":
        assert pc.decode(data, select=path) == pc.decode(data)
        return
    with pytest.raises(pc.PolycodecError) as caught:
        pc.decode(data, select=path)
    with pytest.raises(pc.PolycodecError) as expected:
        pc.decode(data)["$." + path]
    assert (type(caught.value), caught.value.code) == (type(expected.value), expected.value.code)


def test_select_is_for_one_value() -> None:
    data = pc.encode(SELECTED, "msgpack-ndarray")
    with pytest.raises(TypeError):
        pc.decode(data, select=["a"])  # type: ignore[arg-type]
    with pytest.raises(pc.InvalidError, match="select is for one value"):
        next(pc.read_values(data, "msgpack-ndarray", select="a"))


LOSSY = {"units": np.array(["2020-01-01"], "M8[D]")}


def test_loss_is_an_error_a_warning_or_a_call() -> None:
    with pytest.raises(pc.UnsupportedError):
        pc.encode(LOSSY, "dynd")
    with pytest.warns(pc.LossWarning, match=r"\$\.units"):
        pc.encode(LOSSY, "dynd", on_loss="warn")
    heard: list[tuple[str, str, str]] = []
    pc.encode(LOSSY, "dynd", on_loss=lambda *loss: heard.append(loss))
    assert heard and heard[0][0] in ("type", "data") and heard[0][1] == "$.units"


def test_tolerant_reading_reports_what_it_mends() -> None:
    text = b"v 1.5D+03 0 0\n"
    with pytest.raises(pc.FormatError):
        pc.decode(text, "obj")
    heard: list[tuple[str, str, str]] = []
    value = pc.decode(text, "obj", tolerant=True, on_loss=lambda *loss: heard.append(loss))
    assert value["v"]["x"].to_numpy().tolist() == [1500.0]
    assert heard[0][:2] == ("mended", "$.v[0]") and "1.5D+03" in heard[0][2]
    assert pc.decode(text, "obj", tolerant=True) == value
    assert pc.decode(text, "obj", options={"tolerant": True}) == value


def test_an_exception_of_the_callback_ends_the_call(tmp_path: Path) -> None:
    def refuse(*loss: str) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        pc.save(LOSSY, tmp_path / "a.dynd", "dynd", on_loss=refuse)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pc.LossWarning):
            pc.encode(LOSSY, "dynd", on_loss="warn")


def test_timeout() -> None:
    with pytest.raises(pc.CancelledError, match="deadline"):
        pc.decode(ply(1000), "ply", timeout=1e-9)


# The signal is sent when the call has said that it works. A decode that ends before the signal arrives proves nothing, so
# that there are several attempts.
INTERRUPTED = """
import os, signal, threading
import polycodec as pc
head = "ply\\nformat ascii 1.0\\nelement vertex 4000000\\nproperty double x\\nproperty double y\\nend_header\\n"
data = head.encode() + b"1.25 -3.5e-3\\n" * 4000000
# A shell that runs the tests in the background ignores the signal for them.
signal.signal(signal.SIGINT, signal.default_int_handler)
for threads in (1, 2):
    for attempt in range(20):
        works, reports = threading.Event(), []
        def hear(progress):
            reports.append(progress)
            if not works.is_set():
                works.set()
        def interrupt():
            works.wait()
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            pc.decode(data, "ply", threads=threads, progress=hear)
            thread.join()
        except KeyboardInterrupt:
            pass
        thread.join()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if not reports[-1].complete:
            print("interrupted")
            break
try:
    signal.raise_signal(signal.SIGINT)
    print("the handler of Python is gone")
except KeyboardInterrupt:
    pass
"""


def test_ctrl_c_ends_a_call() -> None:
    command = [sys.executable, "-c", INTERRUPTED]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == ["interrupted"] * 2


def test_progress(tmp_path: Path) -> None:
    data, path = ply(1000), tmp_path / "a.msgpack"
    heard: list[pc.Progress] = []
    value = pc.decode(data, "ply", progress=heard.append)
    assert heard[-1].complete and [x.complete for x in heard].count(True) == 1
    assert heard[-1].done == heard[-1].total == len(data) and heard[-1].work > 0
    encoded = pc.encode(value, "msgpack-ndarray", on_loss="warn", progress=heard.append)
    assert heard[-1].complete and heard[-1].total is None and heard[-1].written == len(encoded)
    pc.convert(data, path, "msgpack-ndarray", on_loss="warn", progress=heard.append)
    assert heard[-1].total == len(data) and heard[-1].written == path.stat().st_size
    heard.clear()
    pc.save(value, path, "msgpack-ndarray", on_loss="warn", progress=heard.append)
    assert heard[-1].written == path.stat().st_size
    with pytest.raises(TypeError, match="progress"):
        pc.decode(data, "ply", progress="yes")


def test_an_exception_of_progress_ends_the_call(tmp_path: Path) -> None:
    def refuse(progress: pc.Progress) -> None:
        raise KeyError("enough")

    path = tmp_path / "a.msgpack"
    for act in (
        lambda: pc.decode(ply(10), "ply", progress=refuse),
        lambda: pc.encode(1, "msgpack-ndarray", progress=refuse),
    ):
        with pytest.raises(KeyError, match="enough"):
            act()
    assert not path.exists()


def test_lazy(tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    path.write_bytes(ply(3))
    heard: list[pc.Progress] = []
    value = pc.open(path, lazy=True, progress=heard.append)
    other = pc.open(path, "ply", lazy=True, progress=heard.append)
    assert other.codec == "ply" and not heard
    assert value == other and value == pc.open(path) and value.codec == "ply"
    assert [x.complete for x in heard] == [True, True]  # each was decoded once
    threads = [threading.Thread(target=lambda: shared.type) for _ in range(4)]
    heard.clear()
    shared = pc.open(path, lazy=True, progress=heard.append)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(heard) == 1
    with pytest.raises(pc.FileError):
        pc.open(tmp_path / "missing.ply", lazy=True)
    with pytest.raises(pc.NotFoundError):
        pc.open(path, "no-such-codec", lazy=True)
    cut = tmp_path / "b.ply"
    cut.write_bytes(ply(3)[:-9])
    broken = pc.open(cut, "ply", lazy=True)
    for _ in range(2):
        with pytest.raises(pc.FormatError):
            len(broken)


def test_a_callback_must_not_use_the_value_that_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    path.write_bytes(ply(3))
    values: list[pc.Value] = []
    values.append(pc.open(path, lazy=True, progress=lambda _: values[0].type))
    with pytest.raises(pc.InvalidError, match="being decoded"):
        len(values[0])
    values.clear()  # it refers to the callback


def test_threads_give_one_result() -> None:
    data = ply(200_000)
    one = pc.decode(data, "ply", threads=1)
    assert all(pc.decode(data, "ply", threads=n) == one for n in (2, 7))


FORK = """
import os, sys, polycodec as pc
head = "ply\\nformat ascii 1.0\\nelement vertex 200000\\nproperty float x\\nend_header\\n"
data = head.encode() + b"1.5\\n" * 200000
assert len(pc.decode(data, "ply", threads=4)["vertex"]) == 200000
child = os.fork()
value = pc.decode(data, "ply", threads=4)
assert value["vertex"]["x"].to_numpy().sum() == 300000
if child == 0:
    os._exit(0)
sys.exit(os.waitpid(child, 0)[1])
"""


def test_after_fork() -> None:
    subprocess.run([sys.executable, "-c", FORK], check=True, timeout=60)


def test_a_file_that_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.msgpack"
    pc.save({"x": np.arange(10000.0)}, path, "msgpack-ndarray")
    view = pc.open(path, "msgpack-ndarray")["x"].to_numpy()
    pc.save({"x": np.zeros(10000)}, path, "msgpack-ndarray")
    assert view[9999] == 9999.0
    copied = pc.open(path, "msgpack-ndarray", copy=True)["x"].to_numpy()
    path.write_bytes(b"")
    assert copied.sum() == 0


def test_convert_and_save(tmp_path: Path) -> None:
    source = tmp_path / "a.ply"
    source.write_bytes(ply(3))
    pc.convert(source, tmp_path / "a.msgpack", "msgpack-ndarray", on_loss="warn")
    assert pc.diff(source, pc.open(tmp_path / "a.msgpack", "msgpack-ndarray"), metadata=False) is None
    pc.convert(ply(3), tmp_path / "b.msgpack", "msgpack-ndarray", from_codec="ply", rows=slice(0, 1), columns="$.vertex")
    assert len(pc.open(tmp_path / "b.msgpack", "msgpack-ndarray")["vertex"]) == 1
    with pytest.raises(pc.FileError):
        pc.save(1, source, "msgpack-ndarray", keep=True)
    assert source.read_bytes() == ply(3)


def test_open_takes_many_things(tmp_path: Path) -> None:
    path = tmp_path / "a.ply"
    path.write_bytes(ply(3))
    expected = pc.open(path)
    assert expected.codec == "ply"
    assert pc.open(str(path)) == expected
    assert pc.open(ply(3)) == expected
    with open(path, "rb") as file:
        assert pc.open(file) == expected
    with open(path) as text, pytest.raises(TypeError, match="binary"):
        pc.open(text)


def test_inspect_finds_columns() -> None:
    data = pc.encode({"a": np.arange(3.0), "b": [{"c": np.arange(4, dtype="i2")}]}, "msgpack-ndarray")
    found = pc.inspect(data, "msgpack-ndarray")
    assert [column["path"] for column in found["columns"]] == ["$.a", "$.b[0].c"]
    for column, wanted in zip(found["columns"], (np.arange(3.0), np.arange(4, dtype="i2")), strict=True):
        assert data[column["offset"] :].startswith(wanted.tobytes())
        assert column["dtype"] == wanted.dtype.str and column["shape"] == wanted.shape


def test_content_addresses() -> None:
    address = pc.value({"a": [1, 2]}).content_address
    assert len(address) == 64
    assert pc.decode(pc.encode({"a": [1, 2]}, "msgpack-ndarray"), "msgpack-ndarray").content_address == address


def test_registries() -> None:
    assert "ply" in [entry["name"] for entry in pc.codecs()]
    found = pc.doctor()
    assert found["directories"] and found["plugins"]
    strict = pc.Registry({"limits": {"max_depth": 3}})
    with pytest.raises(pc.LimitError):
        strict.decode(b"\x91\x91\x91\x91\x01", "msgpack-ndarray")
    assert "ply" in strict.choices(ply(1))[0]["codec"]
    assert "did you mean" in strict.explain("plyy")
    with pytest.raises(pc.InvalidError):
        pc.Registry({"nonsense": 1})
    with pytest.raises(pc.DeniedError):
        pc.Registry({"limits": {"max_depth": 3}}, policy={"deny_codecs": ["ply"]}).decode(ply(1), "ply")
    with pytest.raises(pc.PolycodecError, match="isolation"):
        pc.Registry(isolation="elsewhere")
    with pytest.raises(ValueError, match="listing"):
        strict.list("nonsense")


def test_functions_are_called() -> None:
    registry = pc.Registry(allowlist=["zlib", "decompress"])
    packed = zlib.compress(b"some text")
    assert registry.call("zlib.decompress", packed).to_python() == b"some text"
    assert registry.call(["zlib", "decompress"], packed).to_python() == b"some text"
    assert {"name": ["zlib", "decompress"], "plugin": "awkward", "allowed": True} in registry.list("functions")
    with pytest.raises(pc.DeniedError, match="decompress"):
        pc.Registry().call("zlib.decompress", packed)
    assert pc.Registry().call("zlib.decompress", packed, allowlist=["zlib", "*"]).to_python() == b"some text"
    with pytest.raises(pc.PolycodecError, match="missing"):
        registry.call("zlib.decompress")
    with pytest.raises(pc.PolycodecError, match="keyword"):
        registry.call("zlib.decompress", packed, keywords=[1])  # type: ignore[arg-type]


def test_blobs_of_stores_are_read(tmp_path: Path) -> None:
    path = tmp_path / "blobs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a/b", b"content")
        archive.writestr("c", b"")
    registry = pc.Registry()
    for source in (path, path.read_bytes()):
        assert registry.blobs(source) == {"a/b": 7, "c": 0}
        assert registry.read_blob(source, "a/b") == b"content"
    with pytest.raises(pc.NotFoundError):
        registry.read_blob(path, "d")
    with pytest.raises(pc.DeniedError):
        registry.read_blob(path, "../c")
    with pytest.raises(pc.UnsupportedError):
        registry.blobs(b"no store")
