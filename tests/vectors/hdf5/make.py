# Writes the HDF5 files of this directory, with h5py 3 (HDF5 2.0): python3 make.py
# Each file is written twice, in the oldest and in the newest version of the format.
import h5py
import numpy as np


def plain(file):
    file["numbers"] = np.arange(200, dtype="f8")
    file["group/table"] = np.arange(60, dtype="i4").reshape(20, 3)
    file["empty"] = np.zeros((0,), dtype="u1")


def compressed(file):
    data = np.arange(2000, dtype="i2").reshape(100, 20)
    file.create_dataset("gzip", data=data, chunks=(16, 20), compression="gzip", shuffle=True)
    file.create_dataset("sums", data=data, chunks=(32, 5), fletcher32=True)
    file.create_dataset("scaled", data=data, chunks=(50, 20), scaleoffset=0)
    file.create_dataset("grows", data=data[0], chunks=(7,), maxshape=(None,), compression="lzf")


def strings(file):
    file.create_dataset("texts", data=["a", "bb", "", "gr\u00fc\u00df"] * 10, dtype=h5py.string_dtype())
    file.create_dataset("fixed", data=np.array([b"abc", b"de"], dtype="S5"))
    ragged = file.create_dataset("ragged", (5,), dtype=h5py.vlen_dtype(np.dtype("i4")))
    for i in range(5):
        ragged[i] = np.arange(i)


def compounds(file):
    kind = np.dtype([("x", "f4"), ("name", "S8"), ("inner", [("a", "i2"), ("b", "u8", (3,))])])
    file["rows"] = np.zeros((12,), dtype=kind)
    file["kind"] = kind
    file.create_dataset("choice", data=[0, 1, 1], dtype=h5py.enum_dtype({"NO": 0, "YES": 1}, basetype="u1"))


def references(file):
    target = file.create_dataset("target", data=np.arange(10))
    file.create_dataset("objects", data=[target.ref, file.ref], dtype=h5py.ref_dtype)
    file.create_dataset("regions", data=[target.regionref[2:5]], dtype=h5py.regionref_dtype)
    file["soft"] = h5py.SoftLink("/target")
    file["gone"] = h5py.SoftLink("/nowhere")
    file["other"] = h5py.ExternalLink("other.h5", "/x")
    file["hard"] = target


def attributes(file):
    data = file.create_dataset("data", data=np.arange(5))
    for i in range(40):
        data.attrs[f"attribute {i}"] = i * 1.5
    data.attrs["text"] = "of variable length"
    data.attrs["array"] = np.arange(30, dtype="u2")
    for i in range(30):
        file.create_group(f"groups/number {i}", track_order=i % 2 == 0)


for make in (plain, compressed, strings, compounds, references, attributes):
    for version in ("earliest", "latest"):
        with h5py.File(f"{make.__name__}_{version}.h5", "w", libver=version) as file:
            make(file)
