# SPDX-License-Identifier: MIT
# Generated Julia on generated values, both ways. Values are JSON texts, one a line, as fastbin_peer.py has them.
#   read DIRECTORY LIST    for each line "schema TAB module TAB struct TAB file": verifies the file, writes it again, which
#                          must give the same bytes, and prints its value
#   write DIRECTORY LIST COUNT SEED   for each line "schema TAB module TAB struct TAB prefix": COUNT random values, each
#                          written to prefix-N.bin and printed
using Random

json(io::IO, x::AbstractString) = begin
    print(io, '"')
    for c in x
        c in ('"', '\\') ? print(io, '\\', c) : c < ' ' ? print(io, "\\u", string(UInt16(c), base = 16, pad = 4)) : print(io, c)
    end
    print(io, '"')
end
json(io::IO, x::Bool) = print(io, x)
json(io::IO, x::Integer) = print(io, x)
# Floats are their bits: no two programs print all of them alike.
json(io::IO, x::Float32) = print(io, "\"f", string(reinterpret(UInt32, x), base = 16, pad = 8), '"')
json(io::IO, x::Float64) = print(io, "\"f", string(reinterpret(UInt64, x), base = 16, pad = 16), '"')
json(io::IO, ::Nothing) = print(io, "null")
function json(io::IO, list::AbstractVector)
    print(io, '[')
    for (i, x) in enumerate(list)
        i == 1 || print(io, ',')
        json(io, x)
    end
    print(io, ']')
end
function json(io::IO, x)
    if hasproperty(x, :index) && hasproperty(x, :value)  # VariantValue
        print(io, "{\"variant\":[", x.index, ',')
        json(io, x.value)
        print(io, "]}")
    elseif fieldnames(typeof(x)) == (:value,)  # an enum
        json(io, x.value)
    else
        print(io, '{')
        for (i, name) in enumerate(propertynames(x))
            i == 1 || print(io, ',')
            json(io, string(name))
            print(io, ':')
            json(io, getproperty(x, name))
        end
        print(io, '}')
    end
end

made(r, ::Type{Bool}) = rand(r, Bool)
made(r, ::Type{T}) where {T<:Union{Integer,AbstractFloat}} = rand(r) < 0.3 ? zero(T) : reinterpret(T, rand(r, UInt64) .>> (64 - 8 * sizeof(T)) % Unsigned_of(T))
Unsigned_of(::Type{T}) where {T} = sizeof(T) == 1 ? UInt8 : sizeof(T) == 2 ? UInt16 : sizeof(T) == 4 ? UInt32 : UInt64
made(r, ::Type{String}) = join(rand(r, ["a", "é", "日本", "\n", "\"", "\\", ""], rand(r, 0:6)))
made(r, ::Type{Vector{T}}) where {T} = T[made(r, T) for _ in 1:rand(r, [0, 1, 2, 7])]

function main(mode, directory, list, more...)
    modules = Dict{String,Module}()
    for line in eachline(list)
        schema, name, type, file = split(line, '\t')
        code = get!(() -> (include(joinpath(directory, schema * ".jl")); getfield(Main, Symbol(name))), modules, schema)
        Base.invokelatest(mode == "read" ? read_one : write_some, code, Symbol(type), String(file), more...)
    end
end

function read_one(code, type, file)
    bytes = read(file)
    runtime = code.FastbinRuntime
    values = runtime.to_values(runtime.open_root(getfield(code, type), bytes; whole_buffer = true))
    runtime.to_bytes(values) == bytes || error("$file: written differently")
    json(stdout, values)
    println()
end

function write_some(code, type, prefix, count, seed)
    runtime = code.FastbinRuntime
    r = MersenneTwister(parse(Int, seed))
    T = runtime.values_type(getfield(code, type))
    for i in 1:parse(Int, count)
        values = random_values(code, runtime, r, T)
        write("$prefix-$i.bin", runtime.to_bytes(values))
        json(stdout, values)
        println()
    end
end

# The struct of values says all but what a variant can be, which is a constant of the module.
function random_values(code, runtime, r, ::Type{T}) where {T}
    struct_name = replace(string(nameof(T)), r"Values$" => "")
    T(map(fieldnames(T)) do field
        F = fieldtype(T, field)
        F === runtime.VariantValue ? random_variant(code, runtime, r, getfield(code, Symbol("fastbin_", struct_name, "_", field))) :
            random_part(code, runtime, r, F)
    end...)
end
function random_part(code, runtime, r, ::Type{F}) where {F}
    F <: runtime.FastbinValues && return random_values(code, runtime, r, F)
    F <: runtime.FastbinEnum && return F(made(r, runtime.storage(F)))
    F <: Vector && return F([random_part(code, runtime, r, eltype(F)) for _ in 1:rand(r, [0, 1, 2, 7])])
    made(r, F)
end
function random_variant(code, runtime, r, ::Type{C}) where {C}
    alternatives = C.parameters[1].parameters
    index = rand(r, 1:length(alternatives))
    A = alternatives[index]
    runtime.VariantValue(index - 1, A <: runtime.FastbinStruct ? random_values(code, runtime, r, runtime.values_type(A)) :
        A <: runtime.Numbers ? [random_part(code, runtime, r, A.parameters[1]) for _ in 1:rand(r, 0:5)] :
        random_part(code, runtime, r, A))
end

main(ARGS...)
