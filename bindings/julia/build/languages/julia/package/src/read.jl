# SPDX-License-Identifier: MIT
# From values of the library to values of Julia.

const NUMBERS = (Bool, Int8, Int16, Int32, Int64, Int128, UInt8, UInt16, UInt32, UInt64, UInt128, Float16, Float32, Float64,
    Nothing, ComplexF16, ComplexF32, ComplexF64)  # by dtype; Julia has no 128-bit float

"A walk over one value. `notes`: all metadata is wanted, and not units alone."
mutable struct Reader
    owner::Owner
    budget::Ptr{Cvoid}
    notes::Bool
    arrays::Dict{Ptr{Cvoid},Any}  # made already: what is shared stays shared, and costs nothing again
    path::Vector{Union{String,Int}}
    items::Int  # not yet charged to the budget
    bytes::Int
end
const IN_WORK = Ref(0)  # marks a value that is being made

"Runs `walk` with a reader of the value, within the limits that the library has for its own walks."
function reading(walk, owner::Owner, notes)
    with(made(polycodec_budget_create, C_NULL, owner, C_NULL, C_NULL), polycodec_budget_release) do budget
        r = Reader(owner, budget, notes, Dict{Ptr{Cvoid},Any}(), [], 0, 0)
        GC.@preserve owner placed(() -> walk(r), r.path)
    end
end
"Charges the budget, before the work."
function spend(r::Reader, items, bytes)
    r.items += items
    r.bytes += bytes
    r.items < 10_000 && r.bytes < 1 << 20 && return nothing
    check(polycodec_budget_spend, r.budget, r.items, r.bytes)
    r.items = r.bytes = 0
    nothing
end

"What `make` gives for the struct at `at`, once."
function once(make, r::Reader, at::Ptr)
    key = Ptr{Cvoid}(at)
    found = get(r.arrays, key, nothing)
    found === IN_WORK && fail(:unsupported, "the value contains itself, which a Julia value of this package does not", "julia.cycle")
    found === nothing || return something(found)
    r.arrays[key] = IN_WORK
    result = make()
    r.arrays[key] = Some(result)
    result
end

load(::Type{T}, at, i = 1) where {T} = unsafe_load(Ptr{T}(at), i)
pointer_of(n::polycodec_node) = Ptr{Cvoid}(UInt(n.as))
count_of(n::polycodec_node) = Int(n.size_hi) << 32 | Int(n.size_lo)

function annotated(r::Reader, @nospecialize(x), at::Ptr)
    at == C_NULL && return x
    m = node(r, Ptr{polycodec_node}(at))
    x isa Union{Annotated,AnnotatedArray} || r.notes || haskey(m, "units") ? annotate(x, m) : x
end

# ---- Nodes ----

function scalar(n::polycodec_node)
    n.dtype == POLYCODEC_DTYPE_INT64 && return reinterpret(Int64, n.as)
    n.dtype == POLYCODEC_DTYPE_FLOAT64 && return reinterpret(Float64, n.as)
    n.dtype == POLYCODEC_DTYPE_FLOAT32 && return reinterpret(Float32, n.as % UInt32)
    n.dtype == POLYCODEC_DTYPE_FLOAT16 && return reinterpret(Float16, n.as % UInt16)
    n.kind == POLYCODEC_KIND_NULL ? nothing : n.kind == POLYCODEC_KIND_BOOLEAN ? n.as != 0 : n.as % NUMBERS[n.dtype]
end
"A node that is part `place` of another."
part(r::Reader, n::polycodec_node, place) = n.kind <= POLYCODEC_KIND_FLOAT ? scalar(n) : inside(() -> node(r, n), r, place)

node(r::Reader, at::Ptr{polycodec_node}) = node(r, unsafe_load(at))
function node(r::Reader, n::polycodec_node)
    kind, at = Int32(n.kind), pointer_of(n)
    kind <= POLYCODEC_KIND_FLOAT && return scalar(n)
    kind == POLYCODEC_KIND_WIDE && return load(number_type(n.dtype), at)
    kind == POLYCODEC_KIND_STRING && return string_at(r, at, count_of(n))
    kind == POLYCODEC_KIND_BINARY && return bytes_at(r, at, count_of(n))
    kind == POLYCODEC_KIND_LIST && return items(r, at, count_of(n))
    kind == POLYCODEC_KIND_TUPLE && return Tuple(items(r, at, count_of(n)))
    kind == POLYCODEC_KIND_OBJECT && return object(r, at, count_of(n))
    kind == POLYCODEC_KIND_MAP && return entries(r, at, count_of(n))
    kind == POLYCODEC_KIND_ARRAY && return array(r, Ptr{polycodec_array}(at))
    kind == POLYCODEC_KIND_REFERENCE && return once(() -> inside(() -> node(r, Ptr{polycodec_node}(at)), r, "<reference>"), r, at)
    if kind == POLYCODEC_KIND_ANNOTATED
        both = load(polycodec_annotated, at)
        return annotated(r, node(r, Ptr{polycodec_node}(both.node)), both.metadata)
    elseif kind == POLYCODEC_KIND_EXTENSION
        extension = load(polycodec_extension, at)
        return Extension(text(extension.name), inside(() -> node(r, Ptr{polycodec_node}(extension.payload)), r, "<payload>"))
    elseif kind == POLYCODEC_KIND_UNION
        tagged = load(polycodec_tagged, at)
        return Tagged(tagged.tag, inside(() -> node(r, Ptr{polycodec_node}(tagged.node)), r, "<tagged>"))
    elseif kind == POLYCODEC_KIND_TIMESTAMP || kind == POLYCODEC_KIND_DURATION
        return time_node(r, load(polycodec_time, at), kind)
    end
    fail(:unsupported, "this package does not know nodes of kind $kind: install a newer one", "julia.kind")
end

number_type(dtype) = dtype != POLYCODEC_DTYPE_FLOAT128 ? NUMBERS[dtype] :
    fail(:unsupported, "Julia has no 128-bit floating-point numbers", "julia.float128")
string_at(r::Reader, at, n) = (spend(r, n >> 4, n); text(polycodec_bytes(at, n)))
bytes_at(r::Reader, at, n) = (spend(r, n >> 4, n); bytes_of(polycodec_bytes(at, n)))
function items(r::Reader, at, n)
    spend(r, n, 16n)
    Any[part(r, load(polycodec_node, at, i), i - 1) for i in 1:n]
end
name_of(key::polycodec_node) = text(polycodec_bytes(pointer_of(key), count_of(key)))
function object(r::Reader, at, n)
    spend(r, n, 64n)
    result = Object()
    for i in 1:n
        name = name_of(load(polycodec_node, at, 2i - 1))
        haskey(result, name) && return entries(r, at, n, at -> name_of(unsafe_load(at)), String)
        result[name] = part(r, load(polycodec_node, at, 2i), name)
    end
    result
end
"Entries of a map, or members of an object that has a name twice, which a dictionary has not."
function entries(r::Reader, at, n, key = at -> node(r, at), ::Type{K} = Any) where {K}
    spend(r, n, 32n)
    entry(i) = key(Ptr{polycodec_node}(at) + (2i - 2) * sizeof(polycodec_node)) => node(r, load(polycodec_node, at, 2i))
    Pair{K,Any}[inside(() -> entry(i), r, i - 1) for i in 1:n]
end
function time_node(r::Reader, t::polycodec_time, kind)
    kind == POLYCODEC_KIND_DURATION && return time_of(POLYCODEC_DTYPE_DURATION64, t.count, Int(t.unit))
    count = t.count
    if POLYCODEC_UNIT_SECOND <= t.unit <= POLYCODEC_UNIT_NANOSECOND && count != typemin(Int64)  # seconds and nanoseconds
        parts = Int128(10)^(3 * (t.unit - POLYCODEC_UNIT_SECOND))
        whole, rest = divrem(Int128(t.nanoseconds) * parts, 1_000_000_000)
        count = Int128(count) * parts + whole
        rest == 0 && typemin(Int64) < count <= typemax(Int64) ||
            fail(:range, "the time does not fit into 64 bits of its unit", "julia.time")
    end
    time_of(POLYCODEC_DTYPE_TIMESTAMP64, Int64(count), Int(t.unit))
end

# ---- Arrays ----

array(r::Reader, at::Ptr{polycodec_array}) = once(r, at) do
    a = unsafe_load(at)
    spend(r, 1, 64)
    annotated(r, array(r, a, Int32(a.layout)), a.metadata)
end

function array(r::Reader, a::polycodec_array, layout)
    n = Int(a.length)
    child(i = 1) = inside(() -> array(r, load(Ptr{polycodec_array}, a.children, i)), r, "<$(i - 1)>")
    layout == POLYCODEC_LAYOUT_NDARRAY && return elements(r, a)
    if layout <= POLYCODEC_LAYOUT_LIST_FIXED
        (a.flags & (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)) != 0 && return texts(r, a, n)
        content = plain(child())
        if layout == POLYCODEC_LAYOUT_LIST_FIXED && content isa Buffer && ndims(content) == 1
            return PermutedDimsArray(reshaped(content, 1, (Int(a.list_size), n)), (2, 1))
        end
        return Lists(content, ranges(r, a, n)...)
    elseif layout == POLYCODEC_LAYOUT_RECORD
        return record(r, a, n)
    elseif layout == POLYCODEC_LAYOUT_UNION
        choices = [plain(child(i)) for i in 1:a.n_children]
        tags, index = structure(r, a.stops, n), structure(r, a.offsets, n)
        spend(r, n, 16n)
        return Any[row(choices[tags[i]+1], index[i] + 1) for i in 1:n]
    elseif POLYCODEC_LAYOUT_OPTION_BYTES <= layout <= POLYCODEC_LAYOUT_INDEXED
        at = chosen(r, a, n)
        return picked(r, plain(child()), at; T = layout == POLYCODEC_LAYOUT_INDEXED && !any(==(0), at) ? Union{} : Missing)
    elseif layout == POLYCODEC_LAYOUT_CHUNKED
        chunks = [plain(child(i)) for i in 1:a.n_children]
        spend(r, n, 16n)
        return isempty(chunks) ? Any[] : joined(chunks)
    elseif layout == POLYCODEC_LAYOUT_DOCUMENT
        return items(r, a.nodes, n)
    end
    fail(:unsupported, "this package does not know arrays of layout $layout: install a newer one", "julia.layout")
end

joined(chunks) = all(x -> x isa NamedTuple, chunks) ?
    NamedTuple{keys(chunks[1])}(Tuple(joined([chunk[name] for chunk in chunks]) for name in keys(chunks[1]))) :
    reduce(vcat, identity.(chunks))

function elements(r::Reader, a::polycodec_array)
    N = Int(a.ndim)
    size = ntuple(i -> Int(unsafe_load(a.shape, i)), N)
    width, dtype = Int(a.item_size), Int32(a.dtype)
    strides = ntuple(i -> Int(unsafe_load(a.strides, i)), N)
    is_swapped = a.byte_order != POLYCODEC_LITTLE_ENDIAN && width > 1
    if dtype <= POLYCODEC_DTYPE_COMPLEX128
        T = number_type(dtype)
        follows = reverse(Base.size_to_strides(width, reverse(size)...))  # of an array in C's order
        if !is_swapped && (prod(size) == 0 || all(i -> size[i] == 1 || strides[i] == follows[i], 1:N))
            buffer = Buffer{T,N}(r.owner, Ptr{T}(a.data), reverse(size))
            return N < 2 ? buffer : PermutedDimsArray(buffer, ntuple(i -> N + 1 - i, N))
        end
    elseif dtype <= POLYCODEC_DTYPE_DURATION64
        T = Union{Missing,time_type(dtype, a.unit)}
    else
        T = dtype == POLYCODEC_DTYPE_FIXED_BYTES ? Vector{UInt8} : String
    end
    Elements{T,N}(r.owner, Ptr{UInt8}(a.data), size, strides, a.dtype, is_swapped, width, Int(a.unit))
end

"The first `n` items of a column of structure."
structure(r::Reader, column::polycodec_column, n) = n == 0 ? Int[] :
    (spend(r, n, 8n); integers(NUMBERS[column.dtype], column.data, column.stride, n))
integers(::Type{T}, at, stride, n) where {T} = Int[unsafe_load(Ptr{T}(at + (i - 1) * stride)) for i in 1:n]

"Which item of its child each item of an option or an index is: 0 for those that are missing."
function chosen(r::Reader, a::polycodec_array, n)
    a.layout == POLYCODEC_LAYOUT_INDEXED && return max.(structure(r, a.offsets, n) .+ 1, 0)
    when = (a.flags & POLYCODEC_ARRAY_MASK_VALID) != 0
    a.layout == POLYCODEC_LAYOUT_OPTION_BYTES && return [(m != 0) == when ? i : 0 for (i, m) in enumerate(structure(r, a.offsets, n))]
    bytes = structure(r, a.offsets, cld(n, 8))
    shift = (a.flags & POLYCODEC_ARRAY_BITS_LSB) != 0 ? identity : bit -> 7 - bit
    [((bytes[(i-1)÷8+1] >> shift((i - 1) % 8)) & 1 != 0) == when ? i : 0 for i in 1:n]
end

"First and last items of the lists of an array."
function ranges(r::Reader, a::polycodec_array, n)
    n == 0 && return Int[], Int[]
    if a.layout == POLYCODEC_LAYOUT_LIST_FIXED
        spend(r, n, 16n)
        return Int[a.list_size * (i - 1) + 1 for i in 1:n], Int[a.list_size * i for i in 1:n]
    end
    a.layout == POLYCODEC_LAYOUT_LIST_VIEW && return structure(r, a.offsets, n) .+ 1, structure(r, a.stops, n)
    offsets = structure(r, a.offsets, n + 1)
    offsets[1:n] .+ 1, offsets[2:end]
end
function texts(r::Reader, a::polycodec_array, n)
    first, last = ranges(r, a, n)
    data = load(polycodec_array, load(Ptr{polycodec_array}, a.children)).data
    spend(r, n, sum(last) - sum(first) + 25n)
    is_text = (a.flags & POLYCODEC_ARRAY_STRING) != 0
    piece(i) = polycodec_bytes(data == C_NULL ? data : data + first[i] - 1, last[i] - first[i] + 1)
    is_text ? String[text(piece(i)) for i in 1:n] : Vector{UInt8}[bytes_of(piece(i)) for i in 1:n]
end
function record(r::Reader, a::polycodec_array, n)
    columns = [begin
        name = a.names == C_NULL ? string(i - 1) : text(unsafe_load(a.names, i))
        column = inside(() -> array(r, load(Ptr{polycodec_array}, a.children, i)), r, name)
        Symbol(name) => length_of(column) == n ? column : rows(plain(column), 1:n)
    end for i in 1:a.n_children]
    isempty(columns) && (spend(r, n, 64n); return Any[Object() for _ in 1:n])
    table = (; columns...)
    a.names == C_NULL || return table
    spend(r, n * length(columns), 16n * length(columns))
    Any[Tuple(row(plain(column), i) for column in table) for i in 1:n]
end
length_of(x::AbstractArray) = ndims(x) == 0 ? 1 : size(x, 1)
length_of(x::NamedTuple) = length_of(first(x))
length_of(x::Annotated) = length_of(x.value)

"Items of a column: item i is that at `at[i]`, or missing where this is 0. `T` is the type of missing ones."
function picked(r::Reader, column, at; T)
    spend(r, length(at), 16 * length(at))
    E = column isa AbstractVector ? eltype(column) : Any
    pick(Union{T,E}, column, at)
end
pick(::Type{T}, column, at) where {T} = T[i == 0 ? missing : row(column, i) for i in at]
