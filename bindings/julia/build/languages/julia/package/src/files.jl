# SPDX-License-Identifier: MIT
# Values, files and codecs.

"""
What a file or message holds, or a part of it: `value["name"]` and `value["vertex.x"]` are members and columns, `value[1]` is an
item. Numbers, text and arrays come as values of Julia, the arrays as views without a copy; what has parts comes as a `Value`.
[`native`](@ref) gives all of it. `keys`, `haskey`, `length`, iteration and `==` work as for dictionaries and lists.
"""
struct Value
    owner::Owner
end
root(v::Value) = Ptr{polycodec_node}(polycodec_value_root(v.owner))
"A value of the library of any value of Julia."
value(x) = Value(owner_of(x))
owner_of(v::Value) = v.owner
owner_of(x) = value_of(x)
function node(w::Writer, v::Value)
    check(polycodec_value_keep, w.value, v.owner)
    push!(w.keep, v.owner)
    unsafe_load(root(v))
end

"""
All of a value as values of Julia: ordered dictionaries ([`Object`](@ref)), vectors, tuples, named tuples of columns, arrays that view the
value. What has units is [`annotate`](@ref)d; with `notes = true` what has any metadata is, so that writing it gives the same bytes.
"""
native(v::Value; notes = false) = reading(r -> node(r, root(v)), v.owner, notes)
native(x; notes = false) = x
Base.getindex(v::Value) = native(v)

"The node below references and metadata."
function stripped(v::Value)
    n = unsafe_load(root(v))
    while n.kind == POLYCODEC_KIND_ANNOTATED || n.kind == POLYCODEC_KIND_REFERENCE
        n = load(polycodec_node, n.kind == POLYCODEC_KIND_REFERENCE ? pointer_of(n) : load(polycodec_annotated, pointer_of(n)).node)
    end
    n
end
function has_parts(v::Value)
    n = GC.@preserve v stripped(v)
    n.kind == POLYCODEC_KIND_ARRAY ? load(polycodec_array, pointer_of(n)).layout == POLYCODEC_LAYOUT_RECORD :
        POLYCODEC_KIND_LIST <= n.kind <= POLYCODEC_KIND_MAP
end

"The part at a path, such as `\$.vertex.x` or `list[3]`, where items are counted from 0 as in all of polycodec."
function at_path(v::Value, path)
    found = Ref(polycodec_item(C_NULL, C_NULL, 0))
    check(polycodec_value_find, v.owner, String(path), found)
    found[].node == C_NULL && found[].array == C_NULL && return missing
    part = Value(Owner(made(polycodec_value_part, v.owner, found, 0, typemax(UInt64)), 0, v.owner))
    has_parts(part) ? part : native(part)
end

"Names of members or columns, or numbers of items."
Base.keys(v::Value) = GC.@preserve v begin
    n = stripped(v)
    n.kind == POLYCODEC_KIND_OBJECT && return [name_of(load(polycodec_node, pointer_of(n), 2i - 1)) for i in 1:count_of(n)]
    n.kind == POLYCODEC_KIND_ARRAY || return 1:count_of(n)
    a = load(polycodec_array, pointer_of(n))
    a.names == C_NULL ? (1:Int(a.length)) : [text(unsafe_load(a.names, i)) for i in 1:a.n_children]
end
Base.length(v::Value) = length(keys(v))
Base.haskey(v::Value, name) = name in keys(v)
Base.getindex(v::Value, name::AbstractString) = at_path(v, haskey(v, name) ? "\$[" * json(String(name)) * "]" : name)
Base.getindex(v::Value, name::Symbol) = v[string(name)]
function Base.getindex(v::Value, i::Integer)
    names = keys(v)
    1 <= i <= length(names) || throw(BoundsError(v, i))
    names isa UnitRange ? at_path(v, "\$[$(i - 1)]") : v[names[i]]
end
Base.getindex(v::Value, i::Integer, j::Integer, more::Integer...) = native(v)[i, j, more...]
Base.get(v::Value, name, default) = haskey(v, name) ? v[name] : default
function Base.iterate(v::Value, (names, i) = (keys(v), 1))
    i > length(names) && return nothing
    (names isa UnitRange ? v[i] : names[i] => v[names[i]], (names, i + 1))
end
Base.eltype(::Type{Value}) = Any

metadata(v::Value) = reading(v.owner, true) do r
    n = unsafe_load(root(v))
    at = n.kind == POLYCODEC_KIND_ANNOTATED ? load(polycodec_annotated, pointer_of(n)).metadata :
        n.kind == POLYCODEC_KIND_ARRAY ? load(polycodec_array, pointer_of(n)).metadata : C_NULL
    at == C_NULL ? Object() : node(r, Ptr{polycodec_node}(at))
end
function Base.:(==)(a::Value, b::Value)
    differences = Ref(UInt64(0))
    check(polycodec_value_compare, a.owner, b.owner, C_NULL, differences, C_NULL)
    differences[] == 0
end
"The type of a value, such as `3 * float64`."
datashape(v::Value) = String(collected(polycodec_value_type, v.owner, C_NULL))
Base.show(io::IO, v::Value) = print(io, "Polycodec.Value(", datashape(v), ")")

"The column or array at `path`, as a view. With a type of numbers, a `Vector{T}` of exactly these numbers, however they are stored."
column(v::Value, path) = v[path]
function column(v::Value, path, ::Type{T}) where {T<:Number}
    n = Ref(UInt64(0))
    read(to, capacity) = check(polycodec_value_numbers, v.owner, String(path), dtype_of(T), to, capacity, C_NULL, n)
    read(C_NULL, 0)
    result = Vector{T}(undef, n[])
    read(result, length(result))
    result
end

const FACES = ("face.vertex_index", "face.vertex_indices", "f.v", "faces.position")
"The faces of a PLY or OBJ file: a matrix with a row for each face if all have as many corners, or else lists. Indices count from 0."
function faces(v::Value)
    for path in FACES
        first, last = split(path, '.')
        haskey(v, first) && haskey(v[first], last) || continue
        lists = plain(v[path])
        return lists isa Lists && is_even(lists) ? matrix(lists) : lists
    end
    fail(:not_found, "the value has no faces: looked for $(join(FACES, ", "))", "julia.faces")
end

# ---- Options ----

"JSON of options: text is JSON already."
json_text(x) = x isa Union{Nothing,AbstractString} ? String(something(x, "")) : json(x)
"A value as plain JSON."
function json(x)
    owner = value_of(x isa NamedTuple ? Object(string(k) => y for (k, y) in pairs(x)) : x)
    String(collected(polycodec_value_print, owner, C_NULL, make(polycodec_text_options; flags = POLYCODEC_TEXT_PLAIN)))
end
"A value of Julia of JSON."
parsed(text) = native(Value(Owner(made(polycodec_value_parse, C_NULL, String(text), ""), sizeof(text))))

raw_format(codec, options, filters) =
    make(polycodec_format; codec = String(something(codec, "")), options = json_text(options), filters = json_text(filters))

const LOSS_CLASSES = (:note, :type, :data, :retyped, :mended)
const Loss = NamedTuple{(:class, :path, :what),Tuple{Symbol,String,String}}
function hear_loss(heard::Ptr{Cvoid}, class::Int32, path::polycodec_bytes, what::polycodec_bytes)
    uncollected() do
        push!(unsafe_pointer_to_objref(heard)::Vector{Loss}, (class = LOSS_CLASSES[class+1], path = text(path), what = text(what)))
    end
    nothing
end
const HEAR_LOSS = Ref{Ptr{Cvoid}}(C_NULL)

"""
The options of a call: `lossy = true` allows losses of values and types, which are refused otherwise, `lossless = true` refuses notes,
too; `on_loss(loss)` hears each one after the call, as `(class, path, what)` (by default those that `lossy` allows are warnings);
`tolerant = true` mends what breaks a rule of the format; `limits` is such as `(max_depth = 64,)`; `member` is the name of a value in a
store; `select` is the path of the part that is wanted; `trusted = true` checks structure alone; `threads` is how many threads may work,
if nobody hears losses; `as_is`, `compare`, `allowlist` and `allow_also` are as in `polycodec/host.h`.
"""
struct Call
    raw::Raw{polycodec_call_options}
    heard::Vector{Loss}
    on_loss::Any
end
function Call(; lossy = false, lossless = false, on_loss = nothing, tolerant = false, limits = nothing, member = "", select = "",
    trusted = false, as_is = false, compare = false, allowlist = "", allow_also = "", threads = 1)
    heard, hears = Loss[], lossy || on_loss !== nothing
    flags = trusted * POLYCODEC_CALL_STRUCTURE | as_is * POLYCODEC_CALL_AS_IS | lossless * POLYCODEC_CALL_LOSSLESS |
        tolerant * POLYCODEC_CALL_TOLERANT | compare * POLYCODEC_CALL_COMPARE
    classes = lossy ? [POLYCODEC_LOSS_TYPE, POLYCODEC_LOSS_DATA, POLYCODEC_LOSS_RETYPED] : hears ? [POLYCODEC_LOSS_RETYPED] : Int32[]
    raw = make(polycodec_call_options; flags = flags, limits = raw_limits(limits), member = String(member), select = String(select),
        allowlist = json_text(allowlist), allow_also = json_text(allow_also), on_loss = hears ? HEAR_LOSS[] : nothing, loss_data = pointer_from_objref(heard),
        losses = mapreduce(class -> UInt32(1) << class, |, classes; init = UInt32(0)), threads = hears ? 1 : threads)
    Call(raw, heard, on_loss === nothing ? warn : on_loss)
end
warn(loss::Loss) = loss.class in (:type, :data) && @warn "lost $(loss.path): $(loss.what)"

"Runs `body` with the options of `call`, and then tells its losses."
function calling(body, call::Call)
    empty!(call.heard)
    result = GC.@preserve call body(call.raw)
    foreach(call.on_loss, call.heard)
    result
end

# ---- Reading ----

"Runs `use` with a source: of a file, of bytes that the caller keeps, or of what an `IO` still has."
function with_source(use, from::Int32, x; name = nothing, flags = 0, limits = nothing)
    of = from == POLYCODEC_SOURCE_PATH ? (path = x,) : (bytes = x,)
    options = make(polycodec_source_options; from = from, flags = flags, name = name, limits = raw_limits(limits), of...)
    with(use, made(polycodec_source_open, options), polycodec_source_release)
end

function decoded(source, keep; codec = nothing, options = nothing, filters = nothing, registry = default_registry(), call...)
    size = Ref(polycodec_bytes(C_NULL, 0))
    polycodec_source_bytes(source, size, C_NULL)
    pointer = calling(Call(; call...)) do raw
        made(polycodec_decode, registry, source, raw_format(codec, options, filters), raw; after = (C_NULL,))
    end
    Value(Owner(pointer, Int(size[].size), keep))
end

"""
`open(path)` reads a file of any format. The file chooses the codec unless `codec` names it; `options` (a dictionary, a named tuple or JSON)
are those of the codec, `filters` what is around it. The value views the file, which nobody may change meanwhile; `copy = true` reads it
into memory. Other options are those of [`Call`](@ref Polycodec.Call).
"""
open(path::AbstractString; copy = false, limits = nothing, arguments...) =
    with_source(POLYCODEC_SOURCE_PATH, String(path); flags = copy * POLYCODEC_SOURCE_COPY, limits = limits) do source
        decoded(source, nothing; limits = limits, arguments...)
    end
open(io::IO; arguments...) = decode(read(io); copy = false, arguments...)

"`decode(bytes)` is [`open`](@ref Polycodec.open) for bytes. With `copy = false` the value views them, and they must not change."
function decode(bytes::Union{Vector{UInt8},String}; copy = true, name = nothing, arguments...)
    kept = copy && bytes isa Vector ? Base.copy(bytes) : bytes
    with_source(source -> decoded(source, kept; arguments...), POLYCODEC_SOURCE_BYTES, kept; name = name)
end
decode(bytes::AbstractVector{UInt8}; arguments...) = decode(Vector{UInt8}(bytes); arguments..., copy = false)

# ---- Writing ----

"`encode(x, codec; options, filters, ..)` gives the bytes of a value of Julia or of a [`Value`](@ref)."
function encode(x, codec; options = nothing, filters = nothing, registry = default_registry(), call...)
    with(made(polycodec_registry_open_codec, registry, raw_format(codec, options, filters)), polycodec_opened_codec_release) do opened
        owner = owner_of(x)
        calling(raw -> collected(polycodec_opened_codec_encode, opened, owner, raw; after = (C_NULL, C_NULL)), Call(; call...))
    end
end

const KEPT = (:unknown, :same, :same_items, :same_numbers, :different)
summary_of(r) = (codec = text(r, :codec), bytes = Int(r[:bytes]), kept = KEPT[r[:kept]+1], reason = text(r, :reason), path = text(r, :path))
write_options(; keep = false, sync = false) =
    make(polycodec_write_options; flags = keep * POLYCODEC_WRITE_KEEP | sync * POLYCODEC_WRITE_SYNC)

"""
`save(path, x)` writes a value of Julia or a [`Value`](@ref) to a file, which is complete or as it was at any time. The extension chooses the
codec unless `codec` names it. `keep = true`: a file that exists is an error. `compare = true`: the file is read back first, and `kept` of
the result says how much of the value it keeps.
"""
function save(path::AbstractString, x; codec = nothing, options = nothing, filters = nothing, registry = default_registry(),
    keep = false, sync = false, call...)
    result, owner, to, write = make(polycodec_result), owner_of(x), raw_format(codec, options, filters), write_options(; keep, sync)
    calling(raw -> check(polycodec_encode_file, registry, owner, String(path), to, raw, write, result), Call(; call...))
    summary_of(result)
end

"`convert(input, output)` reads one file and writes another, of the codecs `from` and `to`, or of those that are chosen."
function convert(input::AbstractString, output::AbstractString; from = nothing, from_options = nothing, from_filters = nothing,
    to = nothing, options = nothing, filters = nothing, registry = default_registry(), keep = false, sync = false, compare = true, call...)
    result, write = make(polycodec_result), write_options(; keep, sync)
    read, written = raw_format(from, from_options, from_filters), raw_format(to, options, filters)
    with_source(POLYCODEC_SOURCE_PATH, String(input)) do source
        calling(Call(; compare, call...)) do raw
            check(polycodec_convert, registry, source, read, String(output), written, raw, write, result)
        end
    end
    (from = text(result, :from), summary_of(result)...)
end

"The names of the codecs that are installed."
codecs(; registry = default_registry()) = [codec["name"] for codec in described(registry, POLYCODEC_DESCRIBE_CODECS)]
described(registry, what) = parsed(collected(polycodec_registry_describe, registry, what, ""))

"A number or an array in other units: `convert_units(1.0, \"km\", \"ft\")`."
function convert_units(x::AbstractArray{<:Real}, from, to)
    numbers = Array{Float64}(x)
    check(polycodec_units_convert, String(from), String(to), numbers, length(numbers))
    numbers
end
convert_units(x::Real, from, to) = convert_units([x], from, to)[1]
