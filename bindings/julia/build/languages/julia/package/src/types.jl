# SPDX-License-Identifier: MIT
# Julia types of what Julia itself has none for.

# ---- Arrays that view a value ----

"""
Numbers that lie one after another in memory of a value, read-only and without a copy. `Array(b)` copies them. They need not be aligned:
`unsafe_load` asks for no alignment, and processors that Julia runs on read such numbers as fast.
"""
struct Buffer{T,N} <: DenseArray{T,N}
    owner::Any
    data::Ptr{T}
    size::NTuple{N,Int}
end
Base.size(b::Buffer) = b.size
Base.IndexStyle(::Type{<:Buffer}) = IndexLinear()
Base.@propagate_inbounds function Base.getindex(b::Buffer, i::Int)
    @boundscheck checkbounds(b, i)
    owner = b.owner
    GC.@preserve owner unsafe_load(b.data, i)
end
Base.strides(b::Buffer) = Base.size_to_strides(1, b.size...)
Base.unsafe_convert(::Type{Ptr{T}}, b::Buffer{T}) where {T} = b.data
Base.elsize(::Type{<:Buffer{T}}) where {T} = sizeof(T)
function Base.copyto!(to::Array{T}, b::Buffer{T}) where {T}
    length(to) >= length(b) || throw(BoundsError(to, length(b)))
    GC.@preserve to b unsafe_copyto!(pointer(to), b.data, length(b))
    to
end
Base.Array(b::Buffer{T,N}) where {T,N} = copyto!(Array{T,N}(undef, b.size), b)
Base.copy(b::Buffer) = Array(b)

"Elements of a value that lie apart, are text or times, or have the other byte order. Read-only, no copy."
struct Elements{T,N} <: AbstractArray{T,N}
    owner::Any
    data::Ptr{UInt8}
    size::NTuple{N,Int}
    strides::NTuple{N,Int}  # in bytes
    dtype::UInt8
    is_swapped::Bool
    width::Int              # bytes of an element
    unit::Int
end
Base.size(e::Elements) = e.size
Base.@propagate_inbounds function Base.getindex(e::Elements{T,N}, at::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(e, at...)
    owner = e.owner
    GC.@preserve owner element(T, e, e.data + sum((at .- 1) .* e.strides))
end
Base.getindex(e::Elements{T,0}) where {T} = (owner = e.owner; GC.@preserve owner element(T, e, e.data))

swapped(x::Union{Integer,Base.IEEEFloat}) = bswap(x)
swapped(x::Complex) = Complex(bswap(real(x)), bswap(imag(x)))
function element(::Type{T}, e::Elements, at::Ptr{UInt8}) where {T<:Number}
    x = unsafe_load(Ptr{T}(at))
    e.is_swapped ? swapped(x) : x
end
element(::Type{Vector{UInt8}}, e::Elements, at::Ptr{UInt8}) = [unsafe_load(at, i) for i in 1:e.width]
function element(::Type{String}, e::Elements, at::Ptr{UInt8})
    unit = e.dtype == POLYCODEC_DTYPE_FIXED_UTF8 ? UInt8 : e.dtype == POLYCODEC_DTYPE_FIXED_UTF16 ? UInt16 : UInt32
    units = [unsafe_load(Ptr{unit}(at), i) for i in 1:(e.width ÷ sizeof(unit))]
    e.is_swapped && (units .= bswap.(units))
    resize!(units, something(findlast(!iszero, units), 0))
    unit === UInt32 ? String(Char.(units)) : transcode(String, units)
end
function element(::Type{Union{Missing,T}}, e::Elements, at::Ptr{UInt8}) where {T}
    count = unsafe_load(Ptr{Int64}(at))
    time_of(e.dtype, e.is_swapped ? bswap(count) : count, e.unit)
end

"Lists that lie one after another: item i is `content[first[i]:last[i]]`. [`matrix`](@ref) makes a matrix of lists of equal length."
struct Lists{T,C} <: AbstractVector{T}
    content::C
    first::Vector{Int}
    last::Vector{Int}
    Lists(content, first, last) = new{typeof(rows(content, 1:0)),typeof(content)}(content, first, last)
end
Base.size(l::Lists) = size(l.first)
Base.@propagate_inbounds Base.getindex(l::Lists, i::Int) = rows(l.content, l.first[i]:l.last[i])

# Columns are arrays, of which the first axis counts, or tables.
rows(x::AbstractVector, range) = view(x, range)
rows(x::AbstractArray, range) = selectdim(x, 1, range)
rows(x::NamedTuple, range) = map(column -> rows(column, range), x)
row(x::AbstractVector, i) = x[i]
row(x::AbstractArray, i) = selectdim(x, 1, i)
row(x::NamedTuple, i) = Object(string(name) => row(column, i) for (name, column) in pairs(x))

"The lists as rows of a matrix, without a copy where the numbers lie one after another. All must have the same length."
function matrix(l::Lists)
    is_even(l) || fail(:type, "the lists are not all of one length: use them one by one", "julia.ragged")
    k = isempty(l) ? 0 : length(l[1])
    follows = all(i -> l.first[i+1] == l.last[i] + 1, 1:(length(l)-1))
    l.content isa AbstractVector && follows && !isempty(l) || return permutedims(reduce(hcat, l; init = similar(l.content, k, 0)))
    PermutedDimsArray(reshaped(l.content, l.first[1], (k, length(l))), (2, 1))
end
matrix(m::AbstractMatrix) = m
is_even(l::Lists) = all(i -> l.last[i] - l.first[i] == l.last[1] - l.first[1], eachindex(l))
reshaped(b::Buffer{T}, first, size::NTuple{N,Int}) where {T,N} = Buffer{T,N}(b.owner, b.data + (first - 1) * sizeof(T), size)
reshaped(x::AbstractVector, first, size) = reshape(view(x, first:(first+prod(size)-1)), size)

# ---- Objects and metadata ----

"An object: a dictionary that keeps the order of its members."
struct Object <: AbstractDict{String,Any}
    names::Vector{String}
    values::Dict{String,Any}
    Object() = new(String[], Dict{String,Any}())
end
function Object(members)
    object = Object()
    for (name, x) in members
        object[name] = x
    end
    object
end
Object(first::Pair, members::Pair...) = Object((first, members...))
Base.length(o::Object) = length(o.names)
Base.get(o::Object, name, default) = get(o.values, name, default)
Base.haskey(o::Object, name) = haskey(o.values, name)
Base.setindex!(o::Object, x, name) = (haskey(o, name) || push!(o.names, name); o.values[name] = x; o)
Base.delete!(o::Object, name) = (filter!(!=(name), o.names); delete!(o.values, name); o)
Base.iterate(o::Object, i = 1) = i > length(o.names) ? nothing : (o.names[i] => o.values[o.names[i]], i + 1)

"A value with metadata, such as units. `x.value` is the value alone."
struct Annotated{T}
    value::T
    metadata::Object
end
Base.:(==)(a::Annotated, b::Annotated) = a.value == b.value && a.metadata == b.metadata
Base.isequal(a::Annotated, b::Annotated) = isequal(a.value, b.value) && isequal(a.metadata, b.metadata)
Base.hash(a::Annotated, h::UInt) = hash(a.value, hash(a.metadata, h))

"An array with metadata. It is used as the array that it holds, `parent(x)`."
struct AnnotatedArray{T,N,A<:AbstractArray{T,N}} <: AbstractArray{T,N}
    parent::A
    metadata::Object
end
Base.parent(x::AnnotatedArray) = x.parent
Base.size(x::AnnotatedArray) = size(x.parent)
Base.IndexStyle(::Type{<:AnnotatedArray{T,N,A}}) where {T,N,A} = IndexStyle(A)
Base.@propagate_inbounds Base.getindex(x::AnnotatedArray, at::Int...) = x.parent[at...]

"The value with metadata: `annotate(2.5; units = \"cm\")`, or with an [`Object`](@ref) of it."
annotate(x; metadata...) = annotate(x, Object(string(name) => y for (name, y) in pairs(metadata)))
annotate(x, metadata::Object) = Annotated(x, metadata)
annotate(x::AbstractArray, metadata::Object) = AnnotatedArray(x, metadata)
annotate(x::Union{Annotated,AnnotatedArray}, metadata::Object) = annotate(plain(x), merge(x.metadata, metadata))
Base.merge(a::Object, b::Object) = Object(Iterators.flatten((a, b)))

"The metadata of what [`native`](@ref) gave, or of a [`Value`](@ref)."
metadata(x) = Object()
metadata(x::Union{Annotated,AnnotatedArray}) = x.metadata
"The units of a value, or `nothing`."
units(x) = get(metadata(x), "units", nothing)
"The value without its metadata."
plain(x) = x
plain(x::Annotated) = x.value
plain(x::AnnotatedArray) = x.parent

# ---- Inert values ----

"""
A payload with a name that is kept as it is and never run. Classes, functions, instances and schemas of yggdrasil are
`"yggdrasil.class"`, `"yggdrasil.function"`, `"yggdrasil.instance"` and `"yggdrasil.schema"`.
"""
struct Extension
    name::String
    payload::Any
end
Base.:(==)(a::Extension, b::Extension) = a.name == b.name && a.payload == b.payload
Base.isequal(a::Extension, b::Extension) = a.name == b.name && isequal(a.payload, b.payload)
Base.hash(a::Extension, h::UInt) = hash(a.name, hash(a.payload, h))

"One alternative of a union."
struct Tagged
    tag::Int64
    value::Any
end

# ---- Times ----

"A time that is finer than those of `DateTime`, such as `Timestamp(Nanosecond(1))` after 1970. `DateTime(t)` must be exact."
struct Timestamp{P<:Union{Microsecond,Nanosecond}}
    since1970::P
end
Base.isless(a::Timestamp, b::Timestamp) = isless(a.since1970, b.since1970)
Base.:(==)(a::Timestamp, b::Timestamp) = a.since1970 == b.since1970
function Dates.DateTime(t::Timestamp)
    ms, rest = fldmod(Dates.value(t.since1970), t.since1970 isa Microsecond ? 1000 : 1000000)
    rest == 0 || throw(InexactError(:DateTime, DateTime, t))
    DateTime(Dates.UTM(ms + Dates.UNIXEPOCH))
end

const PERIODS = (Year, Month, Week, Day, Hour, Minute, Second, Millisecond, Microsecond, Nanosecond)  # by unit
const MILLISECONDS = Dict(3 => 604800000, 5 => 3600000, 6 => 60000, 7 => 1000, 8 => 1)
unit_of(::Type{P}) where {P<:Period} = findfirst(==(P), PERIODS)
const DAYS_TO_1970 = Dates.value(Date(1970))

"The type of a timestamp or a duration of this unit."
function time_type(dtype, unit)
    1 <= unit <= length(PERIODS) ||
        fail(:unsupported, "Julia has no times that are finer than nanoseconds", "julia.time_unit")
    dtype == POLYCODEC_DTYPE_DURATION64 && return PERIODS[unit]
    unit == POLYCODEC_UNIT_DAY ? Date : unit <= POLYCODEC_UNIT_MILLISECOND ? DateTime : Timestamp{PERIODS[unit]}
end
function time_of(dtype, count, unit)
    T = time_type(dtype, unit)
    count == typemin(Int64) && return missing
    T <: Period && return T(count)
    T <: Timestamp && return T(PERIODS[unit](count))
    unit <= POLYCODEC_UNIT_MONTH && abs(count) <= 200_000_000 && return DateTime(1970) + PERIODS[unit](count)
    whole = T === Date ? Int128(count) + DAYS_TO_1970 : Int128(count) * get(MILLISECONDS, unit, typemax(Int64)) + Dates.UNIXEPOCH
    abs(whole) < typemax(Int64) || fail(:range, "the time lies outside of what $T can hold", "julia.time")
    T(T === Date ? Dates.UTD(Int64(whole)) : Dates.UTM(Int64(whole)))
end
