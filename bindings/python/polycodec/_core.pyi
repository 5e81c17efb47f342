# SPDX-License-Identifier: MIT
from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, TypedDict, TypeVar, final, overload

from typing_extensions import Buffer, CapsuleType, Unpack

from polycodec._messages import Message
from polycodec._progress import Progress
from polycodec._types import Type
from polycodec._view import Page

Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]
Json: TypeAlias = str | dict[str, Any] | list[Any] | None
_Result = TypeVar("_Result")
Key: TypeAlias = str | SupportsIndex | slice | tuple[Any, ...]

class CallOptions(TypedDict, total=False):
    """Arguments that all calls of codecs have.

    ``columns``: paths of the parts to decode. ``rows``: a slice or range of the rows. ``limits``: bounds such as
    ``{"max_depth": 10}``. ``allowlist``: functions that data may call. ``on_loss``: "error", "warn" or a function that
    takes the class, the path and the description of a loss. ``tolerant``: mend what breaks a rule of the format, where the
    codec can, and report each place as a loss. ``progress``: a function that takes a polycodec.Progress; what
    it raises ends the call. ``member``: the named value of a store. ``timeout``:
    seconds. ``threads``: a bound on the threads. ``trusted``: check only the structure. ``companions``: whether the
    codec may look at files beside the file. ``of_others``: options and filters are not the program's own (they come with
    data, or from its users), so an option that names a file is a DeniedError.
    """

    columns: str | Iterable[str] | None
    rows: slice | range | None
    limits: dict[str, int] | None
    allowlist: Json
    on_loss: Literal["error", "warn"] | Callable[[str, str, str], object] | None
    progress: Callable[[Progress], object] | None
    member: str | None
    timeout: float | None
    threads: int | None
    trusted: bool
    tolerant: bool
    companions: bool
    of_others: bool

library_version: str

def trim() -> None:
    """Give the memory of freed values that is kept for the next ones back to the system.

    The library does so by itself but for 8 MiB when it has had no work for a quarter of a second.
    """

@final
class Value:
    """A value, or a part of one. It does not change, and keeps the bytes that it views."""

    def __getitem__(self, key: Key, /) -> Value: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    def __float__(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __array__(self, dtype: Any = ..., copy: bool | None = ...) -> Any: ...
    def __arrow_c_array__(self, requested_schema: CapsuleType | None = None) -> tuple[CapsuleType, CapsuleType]: ...
    def __arrow_c_stream__(self, requested_schema: CapsuleType | None = None) -> CapsuleType: ...
    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]: ...
    def _repr_html_(self) -> str: ...
    @property
    def type(self) -> Type: ...
    @property
    def kind(self) -> str: ...
    @property
    def codec(self) -> str | None: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def metadata(self) -> dict[str, Any]: ...
    @property
    def is_partial(self) -> bool: ...
    @property
    def array(self) -> Array | None: ...
    @property
    def source_range(self) -> tuple[int, int] | None: ...
    @property
    def content_address(self) -> str: ...
    def to_text(self, *, plain: bool = False, pretty: bool = False, exact: bool = False) -> str: ...
    def to_python(self, *, arrays: Literal["numpy"] | None = None, limits: dict[str, int] | None = None) -> Any: ...
    def to_numpy(self, copy: bool | None = False) -> Any: ...
    def to_masked(self) -> Any: ...
    def to_awkward(self) -> Any: ...
    def to_arrow(self) -> Any: ...
    def view(self) -> Page: ...
    def to_frames(self) -> list[memoryview]: ...
    def difference(
        self,
        other: Value,
        *,
        numbers: bool = False,
        floats: bool = False,
        lists: bool = False,
        unordered: bool = False,
        metadata: bool = True,
    ) -> dict[str, str] | None: ...

@final
class Array:
    """A columnar array of a value as it is stored; polycodec/abi.h has the layouts."""

    @property
    def layout(self) -> str: ...
    @property
    def length(self) -> int: ...
    @property
    def list_size(self) -> int: ...
    @property
    def dtype(self) -> int: ...
    @property
    def unit(self) -> int: ...
    @property
    def item_size(self) -> int: ...
    @property
    def flags(self) -> int: ...
    @property
    def typestr(self) -> str: ...
    @property
    def is_string(self) -> bool: ...
    @property
    def is_binary(self) -> bool: ...
    @property
    def bits_lsb(self) -> bool: ...
    @property
    def mask_valid(self) -> bool: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def address(self) -> int: ...
    @property
    def names(self) -> list[str] | None: ...
    @property
    def children(self) -> list[Array]: ...
    @property
    def metadata(self) -> dict[str, Any]: ...
    @property
    def value(self) -> Value: ...
    def column(self, name: str) -> Any: ...
    def to_numpy(self) -> Any: ...

@final
class Memory:
    """Bytes of a value, as a buffer that arrays of numpy view."""

    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Piece:
    """A frame of a value, as a buffer."""

    def __buffer__(self, flags: int, /) -> memoryview: ...

class Store(Protocol):
    """Named blobs: their names and sizes in bytes, and each blob, which is asked for once at most, on any thread."""

    @property
    def blobs(self) -> list[tuple[str, int]]: ...
    def read(self, i: int, /) -> Buffer: ...

class Registry:
    """The codecs that a program may use."""

    @overload
    def __init__(self, base: Registry, codecs: Iterable[Any]) -> None: ...
    @overload
    def __init__(
        self,
        config: Json = None,
        *,
        plugin_paths: Iterable[str] = (),
        add_paths: Iterable[str] = (),
        environment: bool = True,
        builtins: bool = True,
        limits: dict[str, int] | None = None,
        allowlist: Json = None,
        isolation: Json = None,
        log: Callable[[int, str, str], object] | None = None,
        codecs: Iterable[Any] = (),
    ) -> None: ...
    def decode(
        self,
        data: Buffer,
        codec: str | None = None,
        *,
        name: str | None = None,
        options: Json = None,
        filters: Json = None,
        **call: Unpack[CallOptions],
    ) -> Value: ...
    def open_path(
        self,
        path: Path,
        codec: str | None = None,
        *,
        options: Json = None,
        filters: Json = None,
        copy: bool | None = None,
        lazy: bool = False,
        **call: Unpack[CallOptions],
    ) -> Value: ...
    def decode_store(
        self, store: Store, codec: str | None = None, *, options: Json = None, **call: Unpack[CallOptions]
    ) -> Value: ...
    def encode(
        self,
        value: object,
        codec: str,
        *,
        options: Json = None,
        filters: Json = None,
        **call: Unpack[CallOptions],
    ) -> bytes: ...
    def save(
        self,
        value: object,
        path: Path,
        codec: str | None = None,
        *,
        options: Json = None,
        filters: Json = None,
        keep: bool = False,
        sync: bool = False,
        root: Path | None = None,
        **call: Unpack[CallOptions],
    ) -> None: ...
    def convert(
        self,
        source: Path | Buffer,
        path: Path,
        codec: str | None = None,
        *,
        options: Json = None,
        filters: Json = None,
        from_codec: str | None = None,
        from_options: Json = None,
        from_filters: Json = None,
        keep: bool = False,
        sync: bool = False,
        root: Path | None = None,
        **call: Unpack[CallOptions],
    ) -> None: ...
    def choices(self, data: Path | Buffer, name: str | None = None) -> list[dict[str, Any]]: ...
    def describe(self, listing: int, name: str = "") -> Any: ...
    def limits(self, limits: dict[str, int] | None = None, *, input_bytes: int = ...) -> dict[str, int]:
        """Returns what bounds a call with these limits; those that grow with the input are those for ``input_bytes``."""

    def probe(self, plugin: str) -> dict[str, Any]: ...
    def explain(self, name: str) -> str: ...
    def address(self, value: Value, *, logical: bool = False) -> str: ...
    def parse(self, text: str, type: str | None = None) -> Value: ...

@final
class Schema:
    """A schema that describes values."""

    @staticmethod
    def parse(json: str | dict[str, Any], registry: Registry | None = None) -> Schema: ...
    @staticmethod
    def infer(value: object) -> Schema: ...
    def to_dict(self) -> dict[str, Any]: ...
    def problems(self, value: object) -> list[dict[str, str]]: ...
    def normalize(self, value: object) -> Value: ...

class Channel:
    """One end of a channel of messages."""

    def __init__(self, registry: Registry, options: Json = None) -> None: ...
    def pack(self, value: object, header: Json = None) -> list[bytes]: ...
    def feed(self, data: Buffer) -> None: ...
    def next(self) -> Message | None: ...
    def unpack(self, data: Buffer) -> Message | None: ...

class Stream:
    """Values one after another, from a source or from bytes that are fed."""

    def __init__(self, registry: Registry, codec: str, options: Json, source: Any, **call: Unpack[CallOptions]) -> None: ...
    def next(self) -> Value | None: ...
    def feed(self, data: Buffer) -> None: ...
    def end(self) -> None: ...
    @property
    def position(self) -> int: ...

class Writer:
    """Writes values one after another."""

    def __init__(
        self,
        registry: Registry,
        codec: str,
        options: Json,
        path: Path | None,
        keep: bool,
        sync: bool,
        **call: Unpack[CallOptions],
    ) -> None: ...
    def append(self, value: object) -> bytes: ...
    def finish(self) -> bytes: ...
    def close(self) -> None: ...

def parse(text: str, type: str | None = None) -> Value:
    """Reads typed or plain JSON, or with a type the JSON of a value of it."""

def walk(value: Value | Array, function: Callable[[], _Result]) -> _Result:
    """Call a function whose walks over the value, and what it spends, share one budget."""

def spend(units: int, bytes: int = 0) -> None:
    """Charge the walk around with work, in units of 5 ns, and with memory."""

def value(
    object: object,
    *,
    limits: dict[str, int] | None = None,
    on_loss: Literal["error", "warn"] | Callable[[str, str, str], object] | None = None,
) -> Value:
    """Makes a value of any object. Arrays that can be written to are copied. ``limits`` bound a stream of Arrow, and
    ``on_loss`` hears what a value cannot keep of the object."""

def from_arrow_array(schema: CapsuleType, array: CapsuleType) -> Value: ...
def from_dlpack(capsule: CapsuleType) -> Value: ...
def from_frames(frames: Iterable[Buffer]) -> Value:
    """Puts a value together from the frames of Value.to_frames(), which it views and checks."""

def convert_units(numbers: float | Iterable[float], from_unit: str, to_unit: str) -> Any:
    """Converts a number, or each number of an iterable."""

def canonical_unit(unit: str) -> str:
    """Returns the canonical text of a unit."""

def forget_held() -> None: ...
def offer(registry: Registry, peer: str = "") -> dict[str, Any]: ...
def agree(registry: Registry, offer: dict[str, Any], value: object) -> dict[str, Any]: ...
