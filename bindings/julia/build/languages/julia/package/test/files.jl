# SPDX-License-Identifier: MIT
# Files: reading, writing, views and their lives, options, limits, losses, errors.

const PLY = """
ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
property float quality
element face 2
property list uchar int vertex_index
end_header
0 0 0 0.5
1 0 0 0.5
0 1 0 0.5
0 0 1 0.5
3 0 1 2
3 0 2 3
"""
resident() = parse(Int, split(read("/proc/self/statm", String))[2]) * 4096

@testset "files" begin
    mktempdir() do directory
        at(name) = joinpath(directory, name)
        write(at("mesh.ply"), PLY)
        v = Polycodec.open(at("mesh.ply"))
        @test v["vertex.x"] == [0, 1, 0, 0] && v["vertex"]["z"] == v["vertex.z"] && haskey(v, "face") && !haskey(v, "edge")
        @test Polycodec.faces(v) == [0 1 2; 0 2 3] && v["face.vertex_index[1]"] == [0, 2, 3]
        @test [name for (name, _) in v] == ["vertex", "face"] && length(v) == 2 && occursin("vertex", string(v))
        @test Polycodec.open(at("mesh.ply"); select = "vertex.y")[] == [0, 0, 1, 0]
        @test Base.open(io -> Polycodec.open(io; codec = "ply") == v, at("mesh.ply"))

        # Views outlive all else.
        n = 10^6
        Polycodec.save(at("big.npy.dynd"), collect(1.0:n); codec = "dynd")
        column = Polycodec.open(at("big.npy.dynd"); codec = "dynd")[]
        m = PermutedDimsArray(again(reshape(collect(1.0:n), 1000, 1000)), (2, 1))
        for _ in 1:3
            GC.gc()
        end
        @test column isa Polycodec.Buffer && sum(column) == n * (n + 1) / 2 && m[2, 1] == 1001.0

        # Bytes that were decoded may change afterwards.
        bytes = Polycodec.encode(collect(1.0:1000.0), "dynd")
        y = Polycodec.decode(bytes; codec = "dynd")[]
        fill!(bytes, 0)
        @test y == 1:1000

        # Losses are refused, or reported.
        e = error_of(() -> Polycodec.save(at("mesh.obj"), v))
        @test (e.code, e.detail, e.path, e.codec) == (:unsupported, "obj.lossy", "\$.vertex.quality", "obj")
        heard = []
        result = Polycodec.save(at("mesh.obj"), v; lossy = true, on_loss = loss -> push!(heard, loss))
        @test result.codec == "obj" && (:data, "\$.vertex.quality") in [(loss.class, loss.path) for loss in heard]
        @test_logs (:warn, r"quality") Polycodec.save(at("mesh.obj"), v; lossy = true)
        @test Polycodec.faces(Polycodec.open(at("mesh.obj"))) == [0 1 2; 0 2 3]
        result = Polycodec.convert(at("mesh.ply"), at("mesh2.ply"); options = (format = "binary_little_endian",))
        @test result.from == "ply" && result.kept in (:same, :same_items) && Polycodec.open(at("mesh2.ply"))["vertex.x"] == [0, 1, 0, 0]
        @test error_of(() -> Polycodec.save(at("mesh2.ply"), v; keep = true)).code == :io

        # Options, limits, tolerant reading.
        @test error_of(() -> Polycodec.open(at("mesh.ply"); options = (nonsense = 1,))).code == :option
        @test error_of(() -> Polycodec.decode("[[[1]]]"; codec = "json", limits = (max_depth = 2,))).code == :limit
        @test error_of(() -> Polycodec.decode("1"; codec = "json", limits = (max_deep = 2,))).code == :option
        registry = Polycodec.Registry(limits = (max_depth = 2,))
        @test error_of(() -> Polycodec.decode("[[[1]]]"; codec = "json", registry = registry)).code == :limit
        mended = replace(PLY, "0 1 0 0.5" => "0 1D+00 0 0,5")
        @test error_of(() -> Polycodec.decode(mended; codec = "ply")).code == :malformed
        empty!(heard)
        @test Polycodec.decode(mended; codec = "ply", tolerant = true, on_loss = loss -> push!(heard, loss))["vertex.y"] == [0, 0, 1, 0]
        @test any(loss -> loss.class == :mended, heard)

        # Errors say what, where and what to do.
        @test error_of(() -> Polycodec.open(at("none.ply"))).code == :io
        write(at("cut.ply"), PLY[1:end-12])
        e = error_of(() -> Polycodec.open(at("cut.ply")))
        @test e.code == :truncated && e.byte > 200 && startswith(e.path, "\$.face") && startswith(e.detail, "ply.")
        @test occursin("at byte $(e.byte)", sprint(showerror, e)) && occursin(e.path, sprint(showerror, e))
        e = error_of(() -> v["vertex.w"])
        @test e.code == :not_found && occursin("quality", e.message)
        @test error_of(() -> Polycodec.column(v, "vertex.quality", Int32)).code == :range
        @test error_of(() -> Polycodec.decode("x"; codec = "none")).code == :not_found
        @test_throws BoundsError v["vertex.x"][5]
        @test_throws BoundsError value(Any[1])[2]
        @test "ply" in Polycodec.codecs()

        # Values cost no memory once they are gone.
        opens(n) = for _ in 1:n
            Polycodec.open(at("mesh.ply"))["vertex.x"][1] == 0 || error("wrong")
        end
        opens(2000)
        before = resident()
        opens(10_000)
        @test resident() - before < 32 << 20
    end
end

@testset "finalizers" begin
    # On all threads, while others work.
    results = zeros(Bool, 16)
    Threads.@threads for i in 1:16
        results[i] = all(j -> native(Polycodec.decode("[$j, [1, 2.5]]"; codec = "json"))[1] == j, 1:200)
        GC.gc(false)
    end
    @test all(results)
    # At the end of the process, in any order.
    script = """
    using Polycodec
    v = Polycodec.decode("{\\"a\\": [1, 2]}"; codec = "json")
    messages, registry = Polycodec.Messages(IOBuffer()), Polycodec.Registry()
    x = Polycodec.native(Polycodec.value(collect(1.0:10_000)))
    const kept = Any[v, messages, registry, x, v["a"]]
    """
    @test success(`$(Base.julia_cmd()) --startup-file=no -e $script`)
end
