# SPDX-License-Identifier: MIT
# From values of Julia to values of the library.

"Memory of a value that is being made."
mutable struct Writer
    value::Ptr{Cvoid}
    arena::Ptr{polycodec_arena}
    keep::Vector{Any}  # what the value views
    path::Vector{Union{String,Int}}
end

"The value of the library for a value of Julia. It views large arrays: they must not change as long as it lives."
function value_of(@nospecialize(x))
    place = Ref{Ptr{polycodec_arena}}(C_NULL)
    pointer = made(polycodec_value_create, 0; after = (place,))
    w = Writer(pointer, place[], [], [])
    owner = Owner(pointer, 0, w.keep)
    root = allocate(w, polycodec_node, 1)
    unsafe_store!(root, placed(() -> node(w, x), w.path))
    check(polycodec_value_finish, owner, root)
    owner
end

function allocate(w::Writer, ::Type{T}, n) where {T}
    arena = unsafe_load(w.arena)
    size, align = UInt(n) * sizeof(T), UInt(Base.datatype_alignment(T))
    at = (UInt(arena.cursor) + align - 1) & ~(align - 1)
    if arena.cursor != C_NULL && at + size <= UInt(arena.limit)
        unsafe_store!(field(w.arena, :cursor), Ptr{UInt8}(at + size))
        return Ptr{T}(at)
    end
    Ptr{T}(made((place, e) -> ccall(arena.grow, Int32, (Ptr{Cvoid}, UInt64, UInt64, Ptr{Ptr{Cvoid}}, Ptr{polycodec_error}),
        w.arena, size, align, place, e)))
end
function stored(w::Writer, x::T) where {T}
    at = allocate(w, T, 1)
    unsafe_store!(at, x)
    at
end

"The address of `n` bytes at `at` in `x`, in the value: a copy of few bytes; of many the same, which the value then keeps."
function kept(w::Writer, @nospecialize(x), at::Ptr, n)
    if n <= 4096
        to = allocate(w, Int128, (n + 15) ÷ 16)
        GC.@preserve x ccall(:memcpy, Ptr{Cvoid}, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t), to, at, n)
        return Ptr{Cvoid}(to)
    end
    push!(w.keep, x)
    # The value of Julia keeps the memory, so that nothing is left to release: free() of NULL.
    adopt = unsafe_load(field(w.arena, :adopt))
    check(e -> ccall(adopt, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{polycodec_bytes}, UInt64, Ptr{polycodec_error}),
        w.arena, C_NULL, cglobal(:free), Ref(polycodec_bytes(at, n)), 1, e))
    Ptr{Cvoid}(at)
end

bits(x::Signed) = reinterpret(UInt64, Int64(x))
bits(x::Unsigned) = UInt64(x)
bits(x::Base.IEEEFloat) = UInt64(reinterpret(Unsigned, x))
bits(x::Ptr) = UInt64(UInt(x))
raw_node(kind, x; dtype = 0, size = 0) = polycodec_node(kind, dtype, size >> 32, size & 0xffffffff, bits(x))

for (dtype, T) in enumerate(NUMBERS)
    @eval dtype_of(::Type{$T}) = $dtype
end
const Small = Union{Int8,Int16,Int32,Int64}
const USmall = Union{UInt8,UInt16,UInt32,UInt64}
const Element = Union{Bool,Small,USmall,Int128,UInt128,Base.IEEEFloat,ComplexF16,ComplexF32,ComplexF64}

"Runs `make` one level deeper."
function inside(make, w::Union{Reader,Writer}, place)
    push!(w.path, place)
    length(w.path) > 600 && fail(:limit, "the value is nested too deeply for Julia, or contains itself", "julia.depth")
    result = make()
    pop!(w.path)
    result
end

# ---- Nodes ----

node(::Writer, ::Union{Nothing,Missing}) = raw_node(POLYCODEC_KIND_NULL, UInt64(0))
node(::Writer, x::Bool) = raw_node(POLYCODEC_KIND_BOOLEAN, UInt64(x))
node(::Writer, x::Small) = raw_node(POLYCODEC_KIND_SIGNED, x; dtype = dtype_of(typeof(x)))
node(::Writer, x::USmall) = raw_node(POLYCODEC_KIND_UNSIGNED, x; dtype = dtype_of(typeof(x)))
node(::Writer, x::Base.IEEEFloat) = raw_node(POLYCODEC_KIND_FLOAT, x; dtype = dtype_of(typeof(x)))
node(w::Writer, x::Union{Int128,UInt128,ComplexF16,ComplexF32,ComplexF64}) =
    raw_node(POLYCODEC_KIND_WIDE, stored(w, x); dtype = dtype_of(typeof(x)))
node(w::Writer, x::Complex{<:Integer}) = fail(:type, "complex integers are not written: use ComplexF64(x)", "julia.type")
function node(w::Writer, x::AbstractString)
    s = String(x)
    n = sizeof(s)
    raw_node(POLYCODEC_KIND_STRING, kept(w, s, pointer(s), n); dtype = isvalid(s) ? 0 : POLYCODEC_STRING_LENIENT, size = n)
end
node(w::Writer, x::Union{Symbol,AbstractChar}) = node(w, string(x))
node(w::Writer, x::Union{Vector{UInt8},Base.CodeUnits{UInt8}}) =
    raw_node(POLYCODEC_KIND_BINARY, kept(w, x, pointer(x), length(x)); size = length(x))
node(w::Writer, x::Tuple) = raw_node(POLYCODEC_KIND_TUPLE, nodes(w, x); size = length(x))
node(w::Writer, x::AbstractVector) = is_column(x) ? raw_node(POLYCODEC_KIND_ARRAY, array(w, x)) :
    raw_node(POLYCODEC_KIND_LIST, nodes(w, x); size = length(x))
node(w::Writer, x::AbstractArray) = raw_node(POLYCODEC_KIND_ARRAY, array(w, x))
node(w::Writer, x::AbstractVector{<:Pair}) = raw_node(POLYCODEC_KIND_MAP, members(w, x); size = length(x))
node(w::Writer, x::AbstractVector{<:Pair{<:AbstractString}}) = raw_node(POLYCODEC_KIND_OBJECT, members(w, x); size = length(x))
node(w::Writer, x::AbstractDict) =
    raw_node(all(key -> key isa Union{AbstractString,Symbol}, keys(x)) ? POLYCODEC_KIND_OBJECT : POLYCODEC_KIND_MAP,
        members(w, x); size = length(x))
node(w::Writer, x::NamedTuple) = is_table(x) ? raw_node(POLYCODEC_KIND_ARRAY, array(w, x)) :
    raw_node(POLYCODEC_KIND_OBJECT, members(w, pairs(x)); size = length(x))
node(w::Writer, x::Union{Annotated,AnnotatedArray}) = isempty(x.metadata) ? node(w, plain(x)) :
    raw_node(POLYCODEC_KIND_ANNOTATED, stored(w, polycodec_annotated(stored(w, node(w, plain(x))), metadata_node(w, x))))
function node(w::Writer, x::Extension)
    payload = stored(w, inside(() -> node(w, x.payload), w, "<payload>"))
    name = polycodec_bytes(kept(w, x.name, pointer(x.name), sizeof(x.name)), sizeof(x.name))
    raw_node(POLYCODEC_KIND_EXTENSION, stored(w, polycodec_extension(name, payload)))
end
node(w::Writer, x::Tagged) = raw_node(POLYCODEC_KIND_UNION,
    stored(w, polycodec_tagged(x.tag, stored(w, inside(() -> node(w, x.value), w, "<tagged>")))))
function node(w::Writer, x::Union{TimeType,Timestamp,Period})
    dtype, count, unit = time_parts(w, x)
    kind = dtype == POLYCODEC_DTYPE_DURATION64 ? POLYCODEC_KIND_DURATION : POLYCODEC_KIND_TIMESTAMP
    nanoseconds = 0
    if kind == POLYCODEC_KIND_TIMESTAMP && unit >= POLYCODEC_UNIT_SECOND
        parts = 10^(3 * (unit - POLYCODEC_UNIT_SECOND))
        count, rest = fldmod(count, parts)
        nanoseconds = rest * (1_000_000_000 ÷ parts)
    end
    raw_node(kind, stored(w, polycodec_time(count, nanoseconds, unit)))
end
node(w::Writer, x) = fail(:type, "polycodec writes no $(typeof(x)): convert it first", "julia.type")
node(w::Writer, x::BigInt) = typemin(Int128) <= x <= typemax(Int128) ? node(w, Int128(x)) :
    fail(:range, "the integer has more than 128 bits", "julia.integer")

metadata_node(w::Writer, @nospecialize(x)) = isempty(metadata(x)) ? Ptr{polycodec_node}(C_NULL) :
    stored(w, inside(() -> node(w, metadata(x)), w, "<metadata>"))

"A value that is part `place` of another."
part(w::Writer, x, place) = x isa Union{Nothing,Missing,Element} ? node(w, x) : inside(() -> node(w, x), w, place)
function nodes(w::Writer, xs)
    at = allocate(w, polycodec_node, length(xs))
    for (i, x) in enumerate(xs)
        unsafe_store!(at, part(w, x, i - 1), i)
    end
    at
end
function members(w::Writer, xs)
    at = allocate(w, polycodec_node, 2 * length(xs))
    for (i, (key, x)) in enumerate(xs)
        unsafe_store!(at, node(w, key), 2i - 1)
        unsafe_store!(at, part(w, x, string(key)), 2i)
    end
    at
end

"The dtype, count and unit of a time."
time_parts(::Writer, x::Timestamp{P}) where {P} = (POLYCODEC_DTYPE_TIMESTAMP64, Dates.value(x.since1970), unit_of(P))
time_parts(::Writer, x::Date) = (POLYCODEC_DTYPE_TIMESTAMP64, Dates.value(x) - DAYS_TO_1970, Int(POLYCODEC_UNIT_DAY))
time_parts(::Writer, x::DateTime) =
    (POLYCODEC_DTYPE_TIMESTAMP64, Dates.value(x) - Dates.UNIXEPOCH, Int(POLYCODEC_UNIT_MILLISECOND))
time_parts(w::Writer, x) = x isa Period && unit_of(typeof(x)) !== nothing ?
    (POLYCODEC_DTYPE_DURATION64, Int64(Dates.value(x)), unit_of(typeof(x))) :
    fail(:type, "polycodec writes no $(typeof(x)): convert it to DateTime or a Period", "julia.type")

# ---- Arrays ----

# Vectors of these become columns; others become lists. A Vector{UInt8} is bytes; a view of one is a column.
function is_column(x)
    T = nonmissingtype(eltype(x))
    x isa Union{Lists,Elements} || eltype(x) <: Vector{UInt8} ||
        isconcretetype(T) && T <: Union{Element,AbstractString,Date,DateTime,Timestamp,Period}
end
is_table(x::NamedTuple) = !isempty(x) && all(is_rows, x) && allequal(length_of(column) for column in x)
is_rows(x::AbstractArray) = ndims(x) > 0
is_rows(x::NamedTuple) = is_table(x)
is_rows(x::Annotated) = is_rows(x.value)
is_rows(x) = false
allequal(xs) = all(==(first(xs)), xs)

"An array of these children and fields."
function array_struct(w::Writer, layout, length, children...; fields...)
    at = allocate(w, polycodec_array, 1)
    zero!(at, sizeof(polycodec_array))
    n = Base.length(children)
    inner = allocate(w, Ptr{polycodec_array}, n)
    foreach(i -> unsafe_store!(inner, children[i], i), 1:n)
    all = (struct_size = sizeof(polycodec_array), layout = layout, length = length, n_children = n, children = Ptr{Ptr{Cvoid}}(inner))
    for (name, x) in pairs(merge(all, values(fields)))
        unsafe_store!(field(at, name), x)
    end
    at
end
column(w::Writer, x::Vector{T}) where {T} =
    polycodec_column(kept(w, x, pointer(x), sizeof(x)), sizeof(T), dtype_of(T), 0)

"Elements of a size (of which the first axis varies slowest) and strides in bytes at `data` in `x`."
strided(w::Writer, @nospecialize(x), data::Ptr, size, strides, dtype, width; unit = 0, byte_order = 0) =
    strided(w, x, Ptr{Cvoid}(data), collect(Int, size), collect(Int, strides), Int(dtype), width, unit, byte_order)
function strided(w::Writer, @nospecialize(x), data::Ptr{Cvoid}, size::Vector{Int}, strides::Vector{Int}, dtype, width, unit, byte_order)
    n = any(==(0), size) ? 0 : mapreduce((k, stride) -> (k - 1) * stride, +, size, strides; init = width)
    at = kept(w, x, data, n)
    axes = allocate(w, Int64, 2 * length(size))
    foreach(i -> (unsafe_store!(axes, size[i], i); unsafe_store!(axes, strides[i], length(size) + i)), 1:length(size))
    array_struct(w, POLYCODEC_LAYOUT_NDARRAY, isempty(size) ? 1 : size[1]; dtype = dtype, byte_order = byte_order, data = at,
        buffer = at, buffer_size = n, ndim = length(size), item_size = width, unit = unit, shape = axes,
        strides = axes + 8 * length(size))
end
function array(w::Writer, x::AbstractArray{T}) where {T<:Element}
    is_strided = x isa Union{StridedArray,PermutedDimsArray{T,N,P,I,<:StridedArray} where {N,P,I}}
    dense = is_strided && all(>=(0), strides(x)) ? x : Array(x)
    strided(w, dense, pointer(dense), size(dense), strides(dense) .* sizeof(T), dtype_of(T), sizeof(T))
end
array(w::Writer, e::Elements{T}) where {T} = all(>=(0), e.strides) ? elements(w, e) : array(w, Array(e))
elements(w::Writer, e::Elements) = strided(w, e, e.data, e.size, e.strides, e.dtype, e.width; unit = e.unit, byte_order = e.is_swapped)

function array(w::Writer, x::AbstractArray{<:Union{Missing,Date,DateTime,Timestamp,Period}})
    T = nonmissingtype(eltype(x))
    isconcretetype(T) || return document(w, x)
    dtype, unit = T <: Period ? (POLYCODEC_DTYPE_DURATION64, unit_of(T)) :
        (POLYCODEC_DTYPE_TIMESTAMP64, T === Date ? Int(POLYCODEC_UNIT_DAY) : T === DateTime ? Int(POLYCODEC_UNIT_MILLISECOND) : unit_of(fieldtype(T, 1)))
    counts = Int64[t === missing ? typemin(Int64) : time_parts(w, t)[2] for t in x]
    strided(w, counts, pointer(counts), size(counts), strides(counts) .* 8, dtype, 8; unit = unit)
end
function texts(w::Writer, x, flag)
    ends = cumsum(Int64[0; [sizeof(s) for s in x]])
    bytes = Vector{UInt8}(undef, ends[end])
    for (i, s) in enumerate(x)
        GC.@preserve s bytes unsafe_copyto!(pointer(bytes) + ends[i], pointer(s), sizeof(s))
    end
    content = strided(w, bytes, pointer(bytes), (length(bytes),), (1,), POLYCODEC_DTYPE_UINT8, 1)
    array_struct(w, POLYCODEC_LAYOUT_LIST_OFFSETS, length(x), content; flags = flag, offsets = column(w, ends))
end
array(w::Writer, x::AbstractVector{<:AbstractString}) = texts(w, String.(x), POLYCODEC_ARRAY_STRING)
array(w::Writer, x::AbstractVector{Vector{UInt8}}) = texts(w, x, POLYCODEC_ARRAY_BINARY)
array(w::Writer, x::Elements{<:Union{String,Vector{UInt8}},1}) = elements(w, x)
function array(w::Writer, x::AbstractArray{<:AbstractString})  # more than one axis: padded to one width
    width = isempty(x) ? 1 : max(1, maximum(sizeof, x))
    bytes = zeros(UInt8, width, size(x)...)
    for (i, s) in zip(CartesianIndices(x), x)
        endswith(s, '\0') && fail(:unsupported, "text of a matrix cannot end with NUL", "julia.text")
        bytes[1:sizeof(s), i] = codeunits(String(s))
    end
    strided(w, bytes, pointer(bytes), size(x), strides(bytes)[2:end], POLYCODEC_DTYPE_FIXED_UTF8, width)
end

function array(w::Writer, l::Lists)
    in_order = all(i -> l.first[i+1] == l.last[i] + 1, 1:(length(l)-1))
    content = array(w, l.content)
    in_order && !isempty(l) &&
        return array_struct(w, POLYCODEC_LAYOUT_LIST_OFFSETS, length(l), content; offsets = column(w, Int64[l.first[1] - 1; l.last]))
    array_struct(w, POLYCODEC_LAYOUT_LIST_VIEW, length(l), content; offsets = column(w, l.first .- 1), stops = column(w, copy(l.last)))
end
array(w::Writer, x::AnnotatedArray) = annotated(w, array(w, x.parent), x)
array(w::Writer, x::Annotated) = annotated(w, array(w, x.value), x)
annotated(w::Writer, at, @nospecialize(x)) = (unsafe_store!(field(at, :metadata), metadata_node(w, x)); at)

function array(w::Writer, x::NamedTuple)
    names = allocate(w, polycodec_bytes, length(x))
    columns = map(collect(pairs(x)), 1:length(x)) do (name, column), i
        unsafe_store!(names, polycodec_bytes(kept(w, name, Base.unsafe_convert(Ptr{UInt8}, name), sizeof(string(name))),
            sizeof(string(name))), i)
        inside(() -> array(w, column), w, string(name))
    end
    array_struct(w, POLYCODEC_LAYOUT_RECORD, length_of(x), columns...; names = names)
end

# What is left: columns with missing items, and columns of anything.
function array(w::Writer, x::AbstractArray)
    T = nonmissingtype(eltype(x))
    ndims(x) == 1 && Missing <: eltype(x) && isconcretetype(T) && T <: Union{Element,AbstractString} || return document(w, x)
    present = UInt8[y !== missing for y in x]
    blank = T <: AbstractString ? "" : zero(T)
    content = array(w, T[coalesce(y, blank) for y in x])
    array_struct(w, POLYCODEC_LAYOUT_OPTION_BYTES, length(x), content; flags = POLYCODEC_ARRAY_MASK_VALID, offsets = column(w, present))
end
document(w::Writer, x) = ndims(x) == 1 ? array_struct(w, POLYCODEC_LAYOUT_DOCUMENT, length(x); nodes = nodes(w, x)) :
    fail(:type, "an array of $(ndims(x)) axes of $(eltype(x)) is not written: use numbers or strings", "julia.type")
