# SPDX-License-Identifier: MIT

@testset "messages" begin
    io = IOBuffer()
    out = Polycodec.Messages(io)
    written = [Object("x" => Float64[1, 2, 3], "n" => Int32(i), "units" => annotate(Float64(i); units = "cm")) for i in 1:3]
    for x in written
        @test write(out, x) > 50
    end
    Polycodec.finish(out)
    seekstart(io)
    messages = collect(Polycodec.Messages(io))
    @test [m.control for m in messages] == [:none, :none, :none, :end_of_stream]
    @test isequal([native(m.value) for m in messages[1:3]], written)
    @test haskey(messages[1].header, "serializer") && messages[2].header["__meta__"]["id"] isa String

    # A pipe, whose other end writes in small pieces.
    pipe = Base.BufferStream()
    bytes = take!(io)
    task = @async (for part in Iterators.partition(bytes, 7)
        write(pipe, collect(part))
        yield()
    end; close(pipe))
    @test [m.control for m in Polycodec.Messages(pipe)] == [:none, :none, :none, :end_of_stream]
    wait(task)

    # A datatype that does not fit, a cut message, an unknown option.
    e = error_of(() -> write(out, Any["other"]))
    @test e.code in (:type, :invalid, :malformed) && !isempty(e.message)
    e = error_of(() -> collect(Polycodec.Messages(IOBuffer(bytes[1:end-60]))))
    @test e.code == :truncated && e.detail == "message.incomplete"
    @test error_of(() -> Polycodec.Messages(IOBuffer(); nonsense = 1)).code == :option
    io = IOBuffer()
    write(Polycodec.Messages(io; codec = "json"), [1, 2])
    @test read(Polycodec.Messages(IOBuffer(take!(io)))).header["codec"] == "json"
    # A header that came can be sent with another message.
    for codec in ("yggdrasil", "json"), declare in (true, false)
        first, second = IOBuffer(), IOBuffer()
        write(Polycodec.Messages(first; codec = codec), [1.0, 2.0])
        message = read(Polycodec.Messages(seekstart(first)))
        write(Polycodec.Messages(second; codec = codec, declare = declare), native(message.value); header = message.header)
        again = read(Polycodec.Messages(seekstart(second)))
        @test again.value == message.value && again.header["__meta__"]["id"] == message.header["__meta__"]["id"]
        @test get(again.header, "serializer", nothing) == get(message.header, "serializer", nothing)
    end
    heard = []
    out = Polycodec.Messages(IOBuffer(); codec = "json", call = (lossy = true, on_loss = loss -> push!(heard, loss)))
    write(out, annotate(1.5; units = "m"))
    GC.gc()
    write(out, annotate(2.5; units = "m"))
    @test [loss.class for loss in heard] == [:data, :data]
end
