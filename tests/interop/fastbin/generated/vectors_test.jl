# SPDX-License-Identifier: MIT
# Generated Julia on the vectors: reads and writes every canonical one byte for byte, refuses every bad one at its place.
# Arguments: the directory with the generated code, the directory of the vectors, and a list of cases, one a line, with tabs:
# schema, module, struct, file, then for bad ones their code, offset and path.
directory, vectors, list = ARGS
modules = Dict{String,Module}()
alike = [Set(("truncated", "bad_count")), Set(("bad_pad", "bad_variant_size")), Set(("truncated", "out_of_range"))]
good = bad = 0
for line in eachline(list)
    global good, bad
    fields = split(line, '\t')
    schema, name, type, file = fields[1:4]
    rest = fields[5:end]
    code = get!(() -> (include(joinpath(directory, schema * ".jl")); getfield(Main, Symbol(name))), modules, schema)
    bytes = read(joinpath(vectors, file))
    T = Base.invokelatest(getfield, code, Symbol(type))
    runtime = Base.invokelatest(getfield, code, :FastbinRuntime)
    if isempty(rest)
        view = Base.invokelatest(runtime.open_root, T, bytes)
        again = Base.invokelatest(x -> runtime.to_bytes(runtime.to_values(x)), view)
        again == bytes || error("$file: written differently")
        good += 1
    else
        refused = try
            Base.invokelatest(runtime.open_root, T, bytes)
            nothing
        catch e
            e
        end
        refused isa runtime.FastbinError || error("$file: not refused, but $refused")
        same = string(refused.code) == rest[1] || Set((string(refused.code), rest[1])) in alike
        same && string(refused.offset) == rest[2] && refused.path == rest[3] || error("$file: refused as $refused")
        bad += 1
    end
end
good >= 75 && bad >= 37 || error("only $good good and $bad bad vectors")
println("$good good and $bad bad vectors")
