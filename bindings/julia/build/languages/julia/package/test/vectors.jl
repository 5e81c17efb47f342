# SPDX-License-Identifier: MIT
# The bodies and messages of yggdrasil, decoded to types of Julia and encoded again: the bytes are those that the library writes
# for its own value. Failures of the bad ones are those that the library has for them, but for test/cannot.tsv.
using SHA

const ROOT = get(ENV, "POLYCODEC_ROOT", joinpath(@__DIR__, "..", "..", ".."))
const VECTORS = joinpath(ROOT, "tests", "vectors", "yggdrasil")
const FULL = get(ENV, "POLYCODEC_FULL", "0") == "1"
chosen(list) = [x for (i, x) in enumerate(list) if FULL || i % 3 == 0]

"What Julia cannot hold: the detail of the error, by vector."
const CANNOT = Dict(Tuple(split(line, '\t')[1:2]) for line in readlines(joinpath(@__DIR__, "cannot.tsv"))[2:end])

"Decodes and encodes with types of Julia between; returns both outputs, that of the library first."
function twice(value, write)
    x = Polycodec.native(value; notes = true)
    write(value), write(x)
end

function check_body(case)
    bytes = read(joinpath(VECTORS, case["file"]))
    if haskey(case, "error")
        e = error_of(() -> Polycodec.native(Polycodec.decode(bytes; codec = "yggdrasil")))
        expected = case["error"]
        @test (string(e.code), e.detail, e.byte, e.path) == (expected["code"], expected["detail"], expected["offset"], expected["path"])
        return
    end
    value = Polycodec.decode(bytes; codec = "yggdrasil")
    if haskey(CANNOT, case["file"])
        @test error_of(() -> Polycodec.native(value)).detail == CANNOT[case["file"]]
        return
    end
    ours, native = twice(value, x -> Polycodec.encode(x, "yggdrasil"))
    @test ours == native
    again = case["again"]
    again == "same" && @test native == bytes
    again isa AbstractDict && @test bytes2hex(sha256(native)) == again["sha256"]
end

function check_message(file)
    packets = endswith(file, "msg_no_metadata.msg")  # a body without a header
    messages = collect(Polycodec.Messages(IOBuffer(read(file)); packets = packets))
    @test length(messages) == 1
    message = messages[1]
    message.control == :none || return @test Polycodec.native(message.value) isa Vector{UInt8}
    header = packets ? Object("id" => "1") : message.header
    function write_again(x)
        io = IOBuffer()
        write(Polycodec.Messages(io; declare = false), x; header = header)
        take!(io)
    end
    ours, native = twice(message.value, write_again)
    @test ours == native
end

@testset "vectors" begin
    isdir(VECTORS) || return @info "no vectors here: set POLYCODEC_ROOT to a checkout of polycodec"
    cases = [Polycodec.parsed(line) for line in eachline(joinpath(VECTORS, "cases.jsonl"))]
    @testset "$(case["file"])" for case in chosen(cases)
        check_body(case)
    end
    names = filter(endswith(".msg"), readdir(joinpath(VECTORS, "messages")))
    @testset "$name" for name in chosen(names)
        check_message(joinpath(VECTORS, "messages", name))
    end
    @testset "$name" for name in chosen(readdir(joinpath(VECTORS, "messages", "malformed")))
        e = error_of(() -> collect(Polycodec.Messages(IOBuffer(read(joinpath(VECTORS, "messages", "malformed", name))))))
        @test e === nothing || e.code isa Symbol && !isempty(e.message)
    end
end
