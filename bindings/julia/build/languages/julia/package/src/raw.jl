# SPDX-License-Identifier: MIT
# Structs for calls, errors, sinks, and handles that the garbage collector releases.

# ---- Structs for calls ----

"A C struct in memory of Julia, with all that it points to."
struct Raw{T}
    data::Base.RefValue{T}
    keep::Vector{Any}
end
Base.unsafe_convert(::Type{Ptr{T}}, raw::Raw{T}) where {T} = Base.unsafe_convert(Ptr{T}, raw.data)
address(raw::Raw{T}) where {T} = Base.unsafe_convert(Ptr{T}, raw)

"The address of a field, of which nothing else is read: some structs are large."
field(at::Ptr{T}, name::Symbol) where {T} =
    (i = Base.fieldindex(T, name); Ptr{fieldtype(T, i)}(Ptr{Cvoid}(at) + fieldoffset(T, i)))
Base.getindex(raw::Raw, name::Symbol) = GC.@preserve raw unsafe_load(field(address(raw), name))
text(raw::Raw, name::Symbol) = GC.@preserve raw unsafe_string(Ptr{UInt8}(field(address(raw), name)))

"A zeroed struct with its `struct_size` and these fields. Strings and structs stay alive with it."
function make(::Type{T}; fields...) where {T}
    raw = Raw{T}(Ref{T}(), Any[])
    GC.@preserve raw begin
        at = address(raw)
        zero!(at, sizeof(T))
        hasfield(T, :struct_size) && unsafe_store!(field(at, :struct_size), sizeof(T))
        for (name, x) in pairs(fields)
            x === nothing || put!(raw, field(at, name), x)
        end
    end
    raw
end
put!(::Raw, at::Ptr, x) = unsafe_store!(at, x)
put!(raw::Raw, at::Ptr{<:Ptr}, x::Raw) = (push!(raw.keep, x); unsafe_store!(at, address(x)))
put!(raw::Raw, at::Ptr{<:Ptr}, x::Array) = (push!(raw.keep, x); unsafe_store!(at, pointer(x)))
put!(raw::Raw, at::Ptr{polycodec_bytes}, x) = (push!(raw.keep, x); unsafe_store!(at, view_of(x)))

zero!(at::Ptr, n) = ccall(:memset, Ptr{Cvoid}, (Ptr{Cvoid}, Cint, Csize_t), at, 0, n)

# Functions of the library take strings and vectors, which live as long as the call.
Base.cconvert(::Type{polycodec_bytes}, x::Union{String,Vector{UInt8}}) = x
Base.unsafe_convert(::Type{polycodec_bytes}, x::Union{String,Vector{UInt8}}) = view_of(x)
"The bytes of a string or vector, which the caller keeps alive."
view_of(x) = polycodec_bytes(pointer(x), sizeof(x))
# Of no bytes the address may be NULL.
text(bytes::polycodec_bytes) = bytes.size == 0 ? "" : unsafe_string(Ptr{UInt8}(bytes.data), bytes.size)
bytes_of(bytes::polycodec_bytes) = bytes.size == 0 ? UInt8[] : copy(unsafe_wrap(Array, Ptr{UInt8}(bytes.data), bytes.size))

# ---- Errors ----

"""
What went wrong, and where: `code` (a symbol, such as `:truncated`), `message`, `detail` (the finer name of the error, such as
`"ply.bad_number"`), `path` (the place in the value, such as `"\$.a[3]"`, counted from 0), `byte` (the offset in the input, or
`nothing`) and the `codec`.
"""
struct PolycodecError <: Exception
    code::Symbol
    message::String
    detail::String
    path::String
    byte::Union{Int,Nothing}
    codec::String
end
PolycodecError(code, message, detail, path = "") = PolycodecError(code, message, detail, path, nothing, "")

function Base.showerror(io::IO, e::PolycodecError)
    print(io, "PolycodecError(:", e.code, "): ", isempty(e.codec) ? "" : "$(e.codec): ", e.message)
    about = filter(!isempty, [e.detail, isempty(e.path) ? "" : "in $(e.path)", e.byte === nothing ? "" : "at byte $(e.byte)"])
    isempty(about) || print(io, " (", join(about, ", "), ")")
end

"Where an error puts its message and path if they are longer than its fields."
const Said = Base.RefValue{Tuple{String,String}}
function hear(said::Ptr{Cvoid}, message::polycodec_bytes, path::polycodec_bytes)
    uncollected(() -> (unsafe_pointer_to_objref(said)::Said)[] = (text(message), text(path)))
    nothing
end
"Runs `body` inside of a call of the library, which a finalizer must not interrupt with another one."
function uncollected(body)
    was = GC.enable(false)
    body()
    GC.enable(was)
end
const HEAR = Ref{Ptr{Cvoid}}(C_NULL)

"Calls a function of the library, whose last parameter is the error, and throws what it reports."
function check(call, arguments...)
    said = Said(("", ""))
    GC.@preserve said begin
        e = make(polycodec_error; offset = typemax(UInt64), say = HEAR[], say_data = pointer_from_objref(said))
        call(arguments..., e) == POLYCODEC_OK && return nothing
        message, path = said[] == ("", "") ? (text(e, :message), text(e, :path)) : said[]
        byte = e[:offset] > typemax(Int) ? nothing : Int(e[:offset])
        code = Symbol(unsafe_string(polycodec_status_name(e[:code])))
        throw(PolycodecError(code, message, text(e, :detail), path, byte, text(e, :codec)))
    end
end

fail(code, message, detail) = throw(PolycodecError(code, message, detail))
"Runs `walk`. An error of this package gets the path that it has come to."
function placed(walk, path)
    try
        walk()
    catch e
        e isa PolycodecError && isempty(e.path) && startswith(e.detail, "julia.") || rethrow()
        throw(PolycodecError(e.code, e.message, e.detail, join(["\$"; map(step, path)])))
    end
end
step(i::Int) = "[$i]"
step(name::String) = occursin(r"^<?[A-Za-z_][A-Za-z0-9_]*>?$", name) ? (name[1] == '<' ? name : ".$name") : "[$(repr(name))]"

"The handle that `call` makes at the parameter after `arguments`."
function made(call, arguments...; after = ())
    place = Ref{Ptr{Cvoid}}(C_NULL)
    check(call, arguments..., place, after...)
    place[]
end

"Runs `use` with a handle, and then releases it."
function with(use, handle, release)
    try
        use(handle)
    finally
        release(handle)
    end
end

"The bytes that `call` writes to the sink after `arguments`, in one piece."
collected(call, arguments...; after = ()) = with(made(polycodec_sink_create, 1, 0), polycodec_sink_free) do sink
    check(call, arguments..., sink, after...)
    bytes = Ref(polycodec_bytes(C_NULL, 0))
    check(polycodec_sink_bytes, sink, bytes)
    bytes_of(bytes[])
end

# ---- Handles ----

"A registry of codecs: `Registry()` has all that are installed. Most programs need only the default one."
mutable struct Registry
    pointer::Ptr{Cvoid}
    Registry(pointer::Ptr{Cvoid}) = finalizer(r -> polycodec_registry_release(r.pointer), new(pointer))
end
Base.unsafe_convert(::Type{Ptr{Cvoid}}, registry::Registry) = registry.pointer

"`config` is the text of a configuration, `plugin_paths` are directories before the others, `isolation` says where plugins run."
function Registry(; config = "", plugin_paths = String[], isolation = "", limits = nothing)
    layers = isempty(config) ? polycodec_bytes[] : [view_of(config)]
    paths = [view_of(path) for path in plugin_paths]
    options = make(polycodec_registry_options; flags = POLYCODEC_REGISTRY_DEFAULT_CONFIG,
        layers = layers, layer_names = [view_of("the program")], n_layers = length(layers), add_paths = paths, n_add_paths = length(paths),
        limits = raw_limits(limits), isolation = isolation)
    GC.@preserve config plugin_paths Registry(made(polycodec_registry_open, options))
end

const DEFAULT = Ref{Union{Registry,Nothing}}(nothing)
const DEFAULT_LOCK = ReentrantLock()
default_registry() = lock(DEFAULT_LOCK) do
    DEFAULT[] === nothing && (DEFAULT[] = Registry())
    DEFAULT[]::Registry
end

"""
A value of the library, which views of it keep alive. The garbage collector does not see its memory, so that we count it and ask for
a collection where much of it has gathered.
"""
mutable struct Owner
    pointer::Ptr{Cvoid}
    size::Int
    keep::Any  # memory of Julia that the value views
    function Owner(pointer::Ptr{Cvoid}, size, keep = nothing)
        owner = finalizer(release, new(pointer, size + 65536, keep))
        Threads.atomic_add!(LIVE, owner.size) + owner.size > MOST[] && collect_values()
        owner
    end
end
Base.unsafe_convert(::Type{Ptr{Cvoid}}, owner::Owner) = owner.pointer
# A finalizer: any thread, any order, also at exit. It only calls C, where releasing is safe on all threads.
function release(owner::Owner)
    polycodec_value_release(owner.pointer)
    owner.pointer = C_NULL
    Threads.atomic_sub!(LIVE, owner.size)
end
const LIVE = Threads.Atomic{Int}(0)
const MOST = Threads.Atomic{Int}(1 << 26)
function collect_values()
    GC.gc(false)
    LIVE[] > MOST[] ÷ 2 && GC.gc(true)
    MOST[] = max(1 << 26, 2 * LIVE[])
end

raw_limits(::Nothing) = nothing
"Limits of a call by their names, such as `(max_depth = 64,)`."
function raw_limits(limits)
    known = fieldnames(polycodec_limits)[2:end]
    for (name, _) in pairs(limits)
        Symbol(name) in known || fail(:option, "no limit `$name`: the limits are $(join(known, ", "))", "julia.limit")
    end
    make(polycodec_limits; (Symbol(name) => n for (name, n) in pairs(limits))...)
end
