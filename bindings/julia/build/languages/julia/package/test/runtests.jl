# SPDX-License-Identifier: MIT
using Dates, Polycodec, Random, Test
using Polycodec: Annotated, Extension, Lists, Object, Timestamp, annotate, native, value

"The error of `call`, or nothing."
function error_of(call)
    try
        call()
        nothing
    catch e
        e isa Polycodec.PolycodecError ? e : rethrow()
    end
end
"What a value of Julia is after it was one of the library."
again(x; notes = true) = native(value(x); notes = notes)

@testset "Polycodec" begin
    @test isempty(detect_ambiguities(Polycodec))
    for file in ("types", "generated", "files", "messages", "vectors")
        include("$file.jl")
    end
end
