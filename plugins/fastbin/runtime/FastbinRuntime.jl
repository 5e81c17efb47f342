# SPDX-License-Identifier: MIT
# What all generated fastbin modules have in common. Written by `polycodec fastbin generate`.
#
# Buffers are Vector{UInt8}; positions count bytes from 0. Everything is checked before it is viewed: `open_root` throws
# FastbinError and never reads outside the buffer. Views refer to the buffer, which must not change its length.
module FastbinRuntime

export FastbinError, FastbinStruct, FastbinValues, FastbinEnum, Numbers, Records, Choice, VariantValue
export open_root, verify, trust, size_of, write_root!, to_bytes, to_values, from_string, name_of, value_of

ENDIAN_BOM == 0x04030201 || error("fastbin buffers are little endian")

"""
What is wrong with a buffer: a code such as `:out_of_range`, the offset in bytes from the start of the root, the member
such as `readings[3].station` (elements count from 0, as in the other languages), and a message.
"""
struct FastbinError <: Exception
    code::Symbol
    offset::Int
    path::String
    message::String
end

function Base.showerror(io::IO, e::FastbinError)
    print(io, e.code, " at offset ", e.offset)
    isempty(e.path) || print(io, " (", e.path, ")")
    print(io, ": ", e.message)
end

"The views of structs."
abstract type FastbinStruct end
"The values that structs are written from."
abstract type FastbinValues end
"The enums; values without a name can be held too."
abstract type FastbinEnum end

"A vector of numbers or enums, as a type of a member."
struct Numbers{T} end
"A variant, as a type of a member; `A` is the tuple of its alternatives."
struct Choice{A<:Tuple} end

"""
A variant: the index of its alternative, counted from 0, and its value, or `nothing` if none was ever set.
"""
struct VariantValue
    index::Int
    value::Any
end
VariantValue() = VariantValue(0, nothing)

const Scalar = Union{Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64,Float32,Float64,Bool}
const WORD = 8
const SIZE_MASK = 0x00ffffffffffffff

"Exports the names of a schema from its module, and all of the runtime. Names of Base stay those of Base."
function export_names(code::Module, of_schema::Vector)
    for name in [of_schema; names(FastbinRuntime)]
        isdefined(Base, name) || Core.eval(code, Expr(:export, name))
    end
end

whole_words(n::Int) = (n + WORD - 1) & ~(WORD - 1)

# -- what generated code says about its structs and enums --

function is_fixed end
function min_size end
function struct_name end
function values_type end
function check_struct end
"The types of the members of a struct of fixed size, as a tuple."
function member_types end
function write_struct! end
function storage end
function name_of end
function from_string end
"The number that an enum stands for in buffers."
value_of(e::FastbinEnum) = e.value

"""
    size_of(values)

The bytes that `values` take.
"""
function size_of end

# -- numbers --

stored(::Type{T}) where {T<:Scalar} = T
stored(::Type{Bool}) = UInt8
stored(::Type{T}) where {T<:FastbinEnum} = stored(storage(T))
native_size(::Type{T}) where {T} = sizeof(stored(T))

function load(::Type{T}, data::Vector{UInt8}, at::Int) where {T}
    checkbounds(data, (at + 1):(at + sizeof(T)))
    GC.@preserve data unsafe_load(Ptr{T}(pointer(data, at + 1)))
end
function store!(data::Vector{UInt8}, at::Int, value::T) where {T}
    checkbounds(data, (at + 1):(at + sizeof(T)))
    GC.@preserve data unsafe_store!(Ptr{T}(pointer(data, at + 1)), value)
    nothing
end

from_stored(::Type{T}, x::T) where {T<:Scalar} = x
from_stored(::Type{Bool}, x::UInt8) = x != 0x00
from_stored(::Type{T}, x) where {T<:FastbinEnum} = T(from_stored(storage(T), x))
to_stored(::Type{T}, x) where {T<:Scalar} = convert(T, x)
to_stored(::Type{Bool}, x) = UInt8(convert(Bool, x))
to_stored(::Type{T}, x::T) where {T<:FastbinEnum} = to_stored(storage(T), x.value)

load_value(::Type{T}, data::Vector{UInt8}, at::Int) where {T} = from_stored(T, load(stored(T), data, at))

# -- checking --

"""
The state of one pass over a buffer. The first pass has `Traced` false and keeps no path, which costs more than the checks
themselves. What it refuses is gone through once more with a path.
"""
struct Checker{Traced}
    data::Vector{UInt8}
    path::Vector{Union{String,Int}}
    known_enums::Bool
end
enter(c::Checker{true}, part::Union{String,Int}) = (push!(c.path, part); nothing)
enter(::Checker{false}, ::Union{String,Int}) = nothing
leave(c::Checker{true}) = (pop!(c.path); nothing)
leave(::Checker{false}) = nothing

# Whether a value can be wrong although there is room for it.
needs_look(::Type{<:Scalar}, ::Checker) = false
needs_look(::Type{Bool}, ::Checker) = true
needs_look(::Type{T}, c::Checker) where {T<:FastbinEnum} = storage(T) === Bool || c.known_enums
needs_look(::Type{String}, ::Checker) = true
needs_look(::Type{T}, c::Checker) where {T<:FastbinStruct} =
    !is_fixed(T) || any(ntuple(i -> needs_look(fieldtype(member_types(T), i), c), fieldcount(member_types(T))))

function fail(c::Checker, code::Symbol, at::Int, message::String)
    path = ""
    for part in c.path
        if part isa Int
            path *= "[" * string(part) * "]"
        else
            path *= isempty(path) ? part : "." * part
        end
    end
    if code === :out_of_range && isempty(path)
        code = :truncated  # of the root, a size beyond the buffer means that the buffer was cut
    end
    throw(FastbinError(code, at, path, message))
end

function need_room(c::Checker, at::Int, stop::Int, n::Int)
    n <= stop - at || fail(c, :truncated, at, "needs $n bytes, $(stop - at) left")
    nothing
end
function checked_size(c::Checker, at::Int, stop::Int, size::UInt64, least::Int)
    if size < least || size % WORD != 0
        fail(c, :bad_size, at, "size $size, not a multiple of 8 of at least $least")
    end
    size <= stop - at || fail(c, :out_of_range, at, "size $size, $(stop - at) left")
    Int(size)
end
function open_struct(c::Checker, at::Int, stop::Int)
    need_room(c, at, stop, WORD)
    size = load(UInt64, c.data, at)
    size == 0 && fail(c, :not_finalized, at, "the size word of a struct is 0")
    at + checked_size(c, at, stop, size, WORD)
end
function close_struct(c::Checker, at::Int, next::Int, last::Int)
    next == last || fail(c, :size_mismatch, at, "bytes after the last member: $(last - next)")
    last
end
# The bytes of content of a padded block.
function open_block(c::Checker, at::Int, stop::Int, item::Int)
    need_room(c, at, stop, WORD)
    head = load(UInt64, c.data, at)
    pad = Int(head >> 56)
    pad <= 7 || fail(c, :reserved_bits, at, "the high byte of the size word is $pad")
    size = checked_size(c, at, stop, head & SIZE_MASK, WORD)
    pad <= size - WORD || fail(c, :bad_pad, at, "$pad bytes of padding, $(size - WORD) of content")
    content = size - WORD - pad
    content % item == 0 || fail(c, :bad_length, at, "$content bytes, not a multiple of $item")
    content
end
function check_member(::Type{T}, c::Checker, at::Int, stop::Int, name::String) where {T}
    enter(c, name)
    next = check(T, c, at, stop)
    leave(c)
    next
end
function check_value(::Type{T}, c::Checker, at::Int) where {T}
    if stored(T) === UInt8 && (T === Bool || (T <: FastbinEnum && storage(T) === Bool))
        load(UInt8, c.data, at) <= 1 || fail(c, :bad_bool, at, "a boolean is neither 0 nor 1")
    elseif T <: FastbinEnum && c.known_enums
        value = load_value(T, c.data, at)
        isempty(name_of(value)) && fail(c, :bad_enum, at, "no name for the value $(value.value)")
    end
    nothing
end
function check_values(::Type{T}, c::Checker, at::Int, content::Int) where {T}
    needs_look(T, c) || return nothing
    for i in 0:(div(content, native_size(T)) - 1)
        enter(c, i)
        check_value(T, c, at + i * native_size(T))
        leave(c)
    end
end

# check(T, c, at, stop): checks the part at `at`, which must end before `stop`; gives what is behind it.

function check(::Type{T}, c::Checker, at::Int, stop::Int) where {T<:Union{Scalar,FastbinEnum}}
    need_room(c, at, stop, WORD)
    check_value(T, c, at)
    at + WORD
end
check(::Type{String}, c::Checker, at::Int, stop::Int) = at + whole_words(WORD + open_block(c, at, stop, 1))
function check(::Type{Numbers{T}}, c::Checker, at::Int, stop::Int) where {T}
    content = open_block(c, at, stop, native_size(T))
    check_values(T, c, at + WORD, content)
    at + whole_words(WORD + content)
end
function check(::Type{T}, c::Checker, at::Int, stop::Int) where {T<:FastbinStruct}
    is_fixed(T) && need_room(c, at, stop, min_size(T))
    check_struct(T, c, at, stop)
end
function check(::Type{Choice{A}}, c::Checker, at::Int, stop::Int) where {A}
    content = open_block(c, at, stop, 1)
    content >= WORD || fail(c, :bad_variant_size, at, "$content bytes of content, at least 8")
    cell = at + WORD
    head = load(UInt64, c.data, cell)
    head >> 8 == content || fail(c, :bad_variant_size, cell, "inner size $(head >> 8), the outer one says $content")
    index = Int(head & 0xff)
    index < fieldcount(A) || fail(c, :bad_variant_index, cell, "alternative $index of $(fieldcount(A))")
    content == WORD || check_payload(fieldtype(A, index + 1), c, cell + WORD, content - WORD)
    at + whole_words(WORD + content)
end

function check_payload(::Type{T}, c::Checker, at::Int, n::Int) where {T<:Union{Scalar,FastbinEnum}}
    n == native_size(T) || fail(c, :bad_variant_size, at - WORD, "$n bytes for a $T")
    check_value(T, c, at)
end
check_payload(::Type{String}, ::Checker, ::Int, ::Int) = nothing
function check_payload(::Type{Numbers{T}}, c::Checker, at::Int, n::Int) where {T}
    n % native_size(T) == 0 || fail(c, :bad_length, at - WORD, "$n bytes, not a multiple of $(native_size(T))")
    check_values(T, c, at, n)
end
function check_payload(::Type{T}, c::Checker, at::Int, n::Int) where {T<:FastbinStruct}
    last = check(T, c, at, at + n)
    last == at + n || fail(c, :bad_variant_size, at - WORD, "$n bytes, the struct takes $(last - at)")
    nothing
end

# -- reading: view_part(T, data, at) of a checked part, behind(T, data, at) where the next one starts --

block_content(data::Vector{UInt8}, at::Int) =
    (head = load(UInt64, data, at); Int(head & SIZE_MASK) - Int(head >> 56) - WORD)
block_end(data::Vector{UInt8}, at::Int) = at + Int(load(UInt64, data, at) & SIZE_MASK)

text_at(data::Vector{UInt8}, at::Int, n::Int) = String(data[(at + 1):(at + n)])
numbers_at(::Type{T}, data::Vector{UInt8}, at::Int, n::Int) where {T<:Scalar} =
    reinterpret(T, view(data, (at + 1):(at + n)))
numbers_at(::Type{Bool}, data::Vector{UInt8}, at::Int, n::Int) = data[(at + 1):(at + n)] .!= 0x00
numbers_at(::Type{T}, data::Vector{UInt8}, at::Int, n::Int) where {T<:FastbinEnum} =
    [load_value(T, data, at + i * native_size(T)) for i in 0:(div(n, native_size(T)) - 1)]

view_part(::Type{T}, data::Vector{UInt8}, at::Int) where {T<:Union{Scalar,FastbinEnum}} = load_value(T, data, at)
view_part(::Type{String}, data::Vector{UInt8}, at::Int) = text_at(data, at + WORD, block_content(data, at))
view_part(::Type{Numbers{T}}, data::Vector{UInt8}, at::Int) where {T} =
    numbers_at(T, data, at + WORD, block_content(data, at))
view_part(::Type{T}, data::Vector{UInt8}, at::Int) where {T<:FastbinStruct} = trust(T, data, at)
function view_part(::Type{Choice{A}}, data::Vector{UInt8}, at::Int) where {A}
    head = load(UInt64, data, at + WORD)
    index = Int(head & 0xff)
    VariantValue(index, view_payload(fieldtype(A, index + 1), data, at + 2 * WORD, Int(head >> 8) - WORD))
end

view_payload(::Type{T}, data::Vector{UInt8}, at::Int, n::Int) where {T<:Union{Scalar,FastbinEnum}} =
    n == 0 ? nothing : load_value(T, data, at)
view_payload(::Type{String}, data::Vector{UInt8}, at::Int, n::Int) = text_at(data, at, n)
view_payload(::Type{Numbers{T}}, data::Vector{UInt8}, at::Int, n::Int) where {T} = numbers_at(T, data, at, n)
view_payload(::Type{T}, data::Vector{UInt8}, at::Int, n::Int) where {T<:FastbinStruct} =
    n == 0 ? nothing : trust(T, data, at)

behind(::Type{T}, ::Vector{UInt8}, at::Int) where {T<:Union{Scalar,FastbinEnum}} = at + WORD
behind(::Type{T}, data::Vector{UInt8}, at::Int) where {T<:Union{String,Numbers,Choice}} = block_end(data, at)
behind(::Type{T}, data::Vector{UInt8}, at::Int) where {T<:FastbinStruct} =
    is_fixed(T) ? at + min_size(T) : at + Int(load(UInt64, data, at))

"""
The elements of an array of structs or strings, in the buffer. Those of fixed size can be indexed; all can be iterated,
in one pass.
"""
struct Records{T}
    data::Vector{UInt8}
    at::Int
end
element_fixed(::Type{String}) = false
element_fixed(::Type{T}) where {T<:FastbinStruct} = is_fixed(T)
element_least(::Type{String}) = WORD
element_least(::Type{T}) where {T<:FastbinStruct} = min_size(T)

Base.length(r::Records) = Int(load(UInt64, r.data, r.at + WORD))
Base.isempty(r::Records) = length(r) == 0
Base.eltype(::Type{Records{T}}) where {T} = T
function Base.iterate(r::Records{T}, state::Tuple{Int,Int} = (0, r.at + 2 * WORD)) where {T}
    i, at = state
    i == length(r) && return nothing
    view_part(T, r.data, at), (i + 1, behind(T, r.data, at))
end
function Base.getindex(r::Records{T}, i::Int) where {T}
    1 <= i <= length(r) || throw(BoundsError(r, i))
    element_fixed(T) || throw(ArgumentError("elements of variable size are iterated"))
    view_part(T, r.data, r.at + 2 * WORD + (i - 1) * element_least(T))
end

function check(::Type{Records{T}}, c::Checker, at::Int, stop::Int) where {T}
    need_room(c, at, stop, WORD)
    size = checked_size(c, at, stop, load(UInt64, c.data, at), 2 * WORD)
    count = load(UInt64, c.data, at + WORD)
    if count > div(size - 2 * WORD, element_least(T))
        fail(c, :bad_count, at + WORD, "$count elements in $(size - 2 * WORD) bytes")
    end
    next = at + 2 * WORD
    if element_fixed(T) && Int(count) * element_least(T) != size - 2 * WORD
        fail(c, :bad_count, at + WORD, "$count elements in $(size - 2 * WORD) bytes")
    end
    element_fixed(T) && !needs_look(T, c) && return at + size
    for i in 0:(Int(count) - 1)
        enter(c, i)
        next = check(T, c, next, at + size)
        leave(c)
    end
    next == at + size || fail(c, :bad_count, at + WORD, "$(at + size - next) bytes after the last element")
    next
end
view_part(::Type{Records{T}}, data::Vector{UInt8}, at::Int) where {T} = Records{T}(data, at)
behind(::Type{Records{T}}, data::Vector{UInt8}, at::Int) where {T} = at + Int(load(UInt64, data, at))

# -- writing: size_part(T, value) and write_part!(T, data, at, value), which gives what is behind the part --

content_size(::Type{String}, text::AbstractString) = ncodeunits(text)
content_size(::Type{Numbers{T}}, list::AbstractVector) where {T} = length(list) * native_size(T)

function write_content!(::Type{String}, data::Vector{UInt8}, at::Int, text::AbstractString)
    copyto!(data, at + 1, codeunits(text), 1, ncodeunits(text))
end
function write_content!(::Type{Numbers{T}}, data::Vector{UInt8}, at::Int, list::AbstractVector) where {T}
    for x in list
        store!(data, at, to_stored(T, x))
        at += native_size(T)
    end
end
# The size word and zeros for the padding of a block; gives where its content goes.
function begin_block!(data::Vector{UInt8}, at::Int, n::Int)
    size = whole_words(WORD + n)
    store!(data, at + size - WORD, UInt64(0))
    store!(data, at, UInt64(size) | (UInt64(size - WORD - n) << 56))
    at + WORD
end

size_part(::Type{T}, _) where {T<:Union{Scalar,FastbinEnum}} = WORD
size_part(::Type{T}, value) where {T<:Union{String,Numbers}} = whole_words(WORD + content_size(T, value))
size_part(::Type{T}, value::FastbinValues) where {T<:FastbinStruct} = size_of(value)
function size_part(::Type{Records{T}}, list) where {T}
    size = 2 * WORD
    for x in list
        size += size_part(T, x)
    end
    size
end
size_part(::Type{Choice{A}}, value::VariantValue) where {A} = whole_words(2 * WORD + choice_size(A, value))

choice_size(::Type{A}, v::VariantValue) where {A} =
    v.value === nothing ? 0 : payload_size(fieldtype(A, v.index + 1), v.value)
payload_size(::Type{T}, _) where {T<:Union{Scalar,FastbinEnum}} = native_size(T)
payload_size(::Type{T}, value) where {T<:Union{String,Numbers}} = content_size(T, value)
payload_size(::Type{T}, value) where {T<:FastbinStruct} = size_part(T, value)

function write_part!(::Type{T}, data::Vector{UInt8}, at::Int, value) where {T<:Union{Scalar,FastbinEnum}}
    store!(data, at, UInt64(0))  # the bytes of the slot that the number does not use
    store!(data, at, to_stored(T, value))
    at + WORD
end
function write_part!(::Type{T}, data::Vector{UInt8}, at::Int, value) where {T<:Union{String,Numbers}}
    n = content_size(T, value)
    write_content!(T, data, begin_block!(data, at, n), value)
    at + whole_words(WORD + n)
end
write_part!(::Type{T}, data::Vector{UInt8}, at::Int, value::FastbinValues) where {T<:FastbinStruct} =
    write_struct!(data, at, value)
function write_part!(::Type{Records{T}}, data::Vector{UInt8}, at::Int, list) where {T}
    next = at + 2 * WORD
    for x in list
        next = write_part!(T, data, next, x)
    end
    store!(data, at, UInt64(next - at))
    store!(data, at + WORD, UInt64(length(list)))
    next
end
function write_part!(::Type{Choice{A}}, data::Vector{UInt8}, at::Int, v::VariantValue) where {A}
    0 <= v.index < fieldcount(A) || throw(ArgumentError("alternative $(v.index) of $(fieldcount(A))"))
    n = WORD + choice_size(A, v)
    cell = begin_block!(data, at, n)
    store!(data, cell, (UInt64(n) << 8) | UInt64(v.index))
    v.value === nothing || write_payload!(fieldtype(A, v.index + 1), data, cell + WORD, v.value)
    at + whole_words(WORD + n)
end
write_payload!(::Type{T}, data::Vector{UInt8}, at::Int, value) where {T<:Union{Scalar,FastbinEnum}} =
    store!(data, at, to_stored(T, value))
write_payload!(::Type{T}, data::Vector{UInt8}, at::Int, value) where {T<:Union{String,Numbers}} =
    write_content!(T, data, at, value)
write_payload!(::Type{T}, data::Vector{UInt8}, at::Int, value) where {T<:FastbinStruct} =
    write_part!(T, data, at, value)

# -- roots --

"""
    verify(T, data; known_enums = false, whole_buffer = false)

The bytes that the struct `T` at the start of `data` takes. Throws FastbinError if it is not right.
"""
function verify(::Type{T}, data::Vector{UInt8}; known_enums::Bool = false, whole_buffer::Bool = false) where {T<:FastbinStruct}
    path = Union{String,Int}[]
    size = try
        check(T, Checker{false}(data, path, known_enums), 0, length(data))
    catch e
        e isa FastbinError || rethrow()
        check(T, Checker{true}(data, path, known_enums), 0, length(data))
    end
    if whole_buffer && size != length(data)
        throw(FastbinError(:trailing, size, "", "$(length(data) - size) bytes after the root"))
    end
    size
end

"""
    open_root(T, data; known_enums = false, whole_buffer = false)

A view of the struct `T` at the start of `data`, all of which has been checked. Throws FastbinError.
"""
function open_root(::Type{T}, data::Vector{UInt8}; options...) where {T<:FastbinStruct}
    verify(T, data; options...)
    trust(T, data, 0)
end

"""
    trust(T, data, at = 0)

A view without any check, for bytes that passed one.
"""
function trust end

"""
    write_root!(data, values)

Writes `values` to the start of `data`; gives how many bytes that took.
"""
function write_root!(data::Vector{UInt8}, values::FastbinValues)
    size = size_of(values)
    if size > length(data)
        throw(FastbinError(:no_room, 0, "", "needs $size bytes, the buffer has $(length(data))"))
    end
    write_struct!(data, 0, values)
end

"""
    to_bytes(values)

`values` as a new buffer.
"""
function to_bytes(values::FastbinValues)
    data = Vector{UInt8}(undef, size_of(values))
    write_struct!(data, 0, values)
    data
end

"""
    to_values(view)

The values that the struct would be written from, independent of the buffer.
"""
to_values(x::FastbinStruct) =
    values_type(typeof(x))(map(name -> to_values(getproperty(x, name)), propertynames(x))...)
to_values(x) = x
to_values(x::AbstractVector) = collect(x)
to_values(r::Records) = [to_values(x) for x in r]
to_values(v::VariantValue) = VariantValue(v.index, v.value === nothing ? nothing : to_values(v.value))

# -- printing, for people: of long vectors and strings the start --

const PRINTED_ELEMENTS = 32
const PRINTED_CHARACTERS = 256

print_value(io::IO, x) = show(io, x)
function print_value(io::IO, text::String)
    start = first(text, PRINTED_CHARACTERS)
    show(io, start)
    ncodeunits(start) == ncodeunits(text) || print(io, "... ", ncodeunits(text), " bytes")
end
function print_value(io::IO, list::Union{AbstractVector,Records})
    print(io, "[")
    for (i, x) in enumerate(list)
        if i > PRINTED_ELEMENTS
            print(io, ", ... ", length(list), " elements")
            break
        end
        i == 1 || print(io, ", ")
        print_value(io, x)
    end
    print(io, "]")
end
function print_value(io::IO, v::VariantValue)
    print(io, "VariantValue(", v.index, ", ")
    print_value(io, v.value)
    print(io, ")")
end

Base.show(io::IO, v::VariantValue) = print_value(io, v)
Base.show(io::IO, r::Records) = print_value(io, r)
function Base.show(io::IO, x::Union{FastbinStruct,FastbinValues})
    print(io, struct_name(typeof(x)), "(")
    for (i, name) in enumerate(propertynames(x))
        i == 1 || print(io, ", ")
        print(io, name, " = ")
        print_value(io, getproperty(x, name))
    end
    print(io, ")")
end
function Base.show(io::IO, e::FastbinEnum)
    name = name_of(e)
    print(io, isempty(name) ? string(e.value) : name)
end

end  # module FastbinRuntime
