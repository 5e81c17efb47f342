# SPDX-License-Identifier: MIT
# Each row of the table in README.md.

@testset "scalars" begin
    for x in Any[true, false, Int8(-5), Int16(300), Int32(-70000), typemin(Int64), typemax(UInt8), typemax(UInt16), typemax(UInt32),
        typemax(UInt64), typemin(Int128), typemax(UInt128), Float16(1.5), 0.1f0, 0.1, -0.0, NaN, Inf, nothing, "", "héllo 😀\0x",
        ComplexF16(1, 2), ComplexF32(1, -2), 1.0 + 2.0im, UInt8[], UInt8[0, 255], (1, "a", nothing), (), Any[], Any[1, 2.5, "x"],
        Dates.Date(2024, 2, 29), Dates.DateTime(1969, 12, 31, 23, 59, 59, 999), Timestamp(Nanosecond(-1)), Timestamp(Microsecond(7)),
        Day(3), Nanosecond(-5), Year(2)]
        @test isequal(again(x), x) && typeof(again(x)) === typeof(x)
    end
    @test again(missing) === nothing && again(:name) == "name" && again('c') == "c" && again(big(2)^100) == Int128(2)^100
    @test again("\xff") == "\xff"
    @test DateTime(Timestamp(Microsecond(2000))) == DateTime(1970, 1, 1, 0, 0, 0, 2)
    @test_throws InexactError DateTime(Timestamp(Nanosecond(1)))
end

@testset "arrays" begin
    for T in Any[Bool, Int8, UInt16, Float16, Float32, Float64, Int128, ComplexF64], size in Any[(3,), (2, 3, 4), (0,), ()]
        x = T <: Bool ? rand(Bool, size...) : T.(reshape(1:prod(size), size))
        y = again(x)
        @test y == x && eltype(y) === T && ndims(y) == length(size)
    end
    x = reshape(collect(1.0:24.0), 2, 3, 4)
    for y in Any[x, PermutedDimsArray(permutedims(x, (3, 1, 2)), (2, 3, 1)), view(x, 2:-1:1, :, 1:2:4), x[:, 1, :]', 1:5, BitVector([1, 0])]
        @test again(y) == y
    end
    @test again(view(UInt8[1, 2], :)) isa Polycodec.Buffer{UInt8}  # an array, and not bytes
    @test again(Int32[5])[] === Int32(5)
    @test_throws BoundsError again(x)[3, 1, 1]
    @test_throws Exception (again(x)[1, 1, 1] = 2.0)
    @test Array(again(x)) == x && copy(again([1.0])) isa Vector{Float64} && sum(again(x)) == 300
    @test again([1.0, 2.0]) .+ 1 == [2.0, 3.0]

    # The first index varies slowest in the file: element [1, 2, 3], counted from 0, is the same number in all languages.
    text = Polycodec.encode([100i + 10j + k for i in 0:1, j in 0:2, k in 0:3], "text")
    @test occursin("[[0, 1, 2, 3], [10, 11, 12, 13]", String(copy(text)))
    @test Polycodec.decode(text; codec = "text")[][2, 3, 4] == 123
    @test Polycodec.decode(text; codec = "text")[2, 3, 4] == 123 && Polycodec.decode(text; codec = "text")[2][3, 4] == 123
end

@testset "text and times in arrays" begin
    for x in Any[["a", "héllo", ""], [UInt8[1], UInt8[]], Union{Missing,Float64}[1.0, missing], Union{Missing,String}["x", missing],
        Union{Missing,Bool}[true, missing], [Date(2024), Date(1)], [DateTime(2024), missing], [Timestamp(Nanosecond(1))], [Hour(1), Hour(2)]]
        @test isequal(again(x), x)
    end
    @test again(["a" "bb"; "ccc" ""]) == ["a" "bb"; "ccc" ""]
    fixed = native(Polycodec.decode("""{"type": "2 * fixed_string[3, 'utf32']", "value": ["é", "😀z"]}"""; codec = "text"))
    @test fixed == ["é", "😀z"] && again(fixed) == fixed && again(fixed) isa Polycodec.Elements
    swapped = native(Polycodec.decode("""{"type": "2 * int16", "value": [1, 2]}"""; codec = "text"))
    @test swapped == [1, 2]
end

@testset "objects and tables" begin
    o = Object("b" => 1, "a" => Object("x" => Any[]))
    @test collect(keys(again(o))) == ["b", "a"] && again(o) == o
    @test again(Dict("x" => 1)) == Dict("x" => 1) && again((a = 1, b = "x")) == Object("a" => 1, "b" => "x")
    @test again(["a" => 1, "a" => 2]) == ["a" => 1, "a" => 2]  # a name twice
    @test again(Dict(1 => "x")) == Pair{Any,Any}[1=>"x"]
    delete!(setindex!(o, 3, "c"), "b")
    @test collect(o) == ["a" => Object("x" => Any[]), "c" => 3]

    table = (x = [1.0, 2.0], name = ["a", "b"], flag = Union{Missing,Bool}[missing, true], at = [Date(1), Date(2)], inner = (y = Int8[1, 2],))
    @test isequal(again(table), table)
    v = value(table)
    @test keys(v) == ["x", "name", "flag", "at", "inner"] && v["x"] == [1.0, 2.0] && v["inner.y"] == [1, 2] && v["inner"]["y"] == [1, 2]
    @test native(value(Object("t" => table))["t"]).name == ["a", "b"]
    @test Polycodec.column(v, "inner.y", Float64) == [1.0, 2.0]
    lists = Lists([1, 2, 3, 4, 5, 6], [1, 4], [3, 6])
    @test again((f = lists,)).f == [[1, 2, 3], [4, 5, 6]] && Polycodec.matrix(again((f = lists,)).f) == [1 2 3; 4 5 6]
    @test again(lists)[2] == [4, 5, 6]
    @test error_of(() -> Polycodec.matrix(Lists([1, 2, 3], [1, 2], [1, 3]))).detail == "julia.ragged"
end

@testset "metadata and inert values" begin
    x = annotate([1.0, 2.0]; units = "cm")
    @test again(x) == [1.0, 2.0] && Polycodec.units(again(x)) == "cm" && Polycodec.plain(again(x)) isa Polycodec.Buffer
    @test again(annotate(2.5; units = "cm"); notes = false) == annotate(2.5; units = "cm")
    @test again(annotate(2.5; title = "t"); notes = false) === 2.5 && Polycodec.metadata(again(annotate(2.5; title = "t"))) == Object("title" => "t")
    @test Polycodec.units(value(annotate(1; units = "kg"))) == "kg" && Polycodec.units(3) === nothing
    @test Polycodec.units(again((x = x,)).x) == "cm"
    for name in ("class", "function"), e in (Extension("yggdrasil.$name", "example:Thing"),)
        @test again(e) == e
    end
    instance = Extension("yggdrasil.instance", Object("class" => "a:B", "args" => Any[1, "x"], "kwargs" => Object("k" => 2)))
    @test again(instance) == instance
    @test native(Polycodec.decode(Polycodec.encode(instance, "yggdrasil"); codec = "yggdrasil")) == instance
    schema = Extension("yggdrasil.schema", Object("type" => "scalar", "subtype" => "float", "precision" => 8))
    @test native(Polycodec.decode(Polycodec.encode(schema, "yggdrasil"); codec = "yggdrasil")).name == "yggdrasil.schema"
    @test Polycodec.convert_units([1.0, 2.0], "km", "m") == [1000.0, 2000.0] && Polycodec.convert_units(1, "km", "m") == 1000
    @test error_of(() -> Polycodec.convert_units(1, "km", "kg")).code == :type
end

@testset "what is refused" begin
    for (x, code, detail, path) in Any[(big"0.5", :type, "julia.type", "\$"), (Any[1, Object("a b" => 1 // 2)], :type, "julia.type", "\$[1][\"a b\"]"),
        (big(2)^200, :range, "julia.integer", "\$"), (1 + 2im, :type, "julia.type", "\$"), ([1 // 2 1], :type, "julia.type", "\$"),
        (Time(1), :type, "julia.type", "\$"), ((x = [Time(1)],), :type, "julia.type", "\$.x[0]"), (["a\0" "b"], :unsupported, "julia.text", "\$")]
        e = error_of(() -> value(x))
        @test (e.code, e.detail, e.path) == (code, detail, path) && !isempty(e.message)
    end
    own = Any[]
    push!(own, own)
    @test error_of(() -> value(own)).detail == "julia.depth"
    deep = Polycodec.decode("["^2000 * "]"^2000; codec = "json", limits = (max_depth = 5000,))
    @test error_of(() -> native(deep)).detail == "julia.depth"
    @test fetch(@async error_of(() -> native(deep))).detail == "julia.depth"  # also on the small stack of a task
    for (text, detail) in (("""{"type": "{a: float128}", "value": {"a": {"\$float": "0x3fff0000000000000000000000000000"}}}""", "julia.float128"),
        ("""{"type": "{a: datetime[unit='ps']}", "value": {"a": {"\$datetime": "1970-01-01T00:00:00Z"}}}""", "julia.time_unit"),
        ("""{"type": "{a: timedelta[unit='ps']}", "value": {"a": {"\$timedelta": [3, "ps"]}}}""", "julia.time_unit"))
        e = error_of(() -> native(Polycodec.decode(text; codec = "text")))
        @test e.detail == detail && e.path == "\$.a"
    end
end
