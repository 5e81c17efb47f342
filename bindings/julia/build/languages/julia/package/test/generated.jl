# SPDX-License-Identifier: MIT
# 200 values from a fixed seed: through the library and back, and through two codecs and back.

const LEAVES = Any[() -> rand(RANDOM, Bool), () -> rand(RANDOM, Int64), () -> rand(RANDOM, UInt8), () -> rand(RANDOM, Int16),
    () -> reinterpret(Float64, rand(RANDOM, UInt64) >> 2), () -> rand(RANDOM, Float32), () -> rand(RANDOM, ComplexF64), () -> nothing,
    () -> randstring(RANDOM, ['a', 'é', '😀', '"', '\n'], rand(RANDOM, 0:9)), () -> rand(RANDOM, UInt8, rand(RANDOM, 0:9)),
    () -> annotate(rand(RANDOM); units = "m"), () -> Extension("yggdrasil.class", "a:B")]
const RANDOM = MersenneTwister(45)

function some_array()
    size = ntuple(_ -> rand(RANDOM, 0:4), rand(RANDOM, 1:3))
    T = rand(RANDOM, (Int32, UInt64, Float64, ComplexF64))
    x = rand(RANDOM, T, size...)
    rand(RANDOM, (identity, y -> PermutedDimsArray(y, reverse(1:ndims(y))), y -> view(y, reverse.(axes(y))...)))(x)
end
some_table() = (n = rand(RANDOM, 1:5); (a = rand(RANDOM, n), b = rand(RANDOM, Int32, n)))
some_key() = randstring(RANDOM, ['a', 'b', ' ', '.', 'ü'], rand(RANDOM, 1:4))
function some_value(depth)
    kind = depth == 0 ? 1 : rand(RANDOM, 1:6)
    kind <= 2 && return rand(RANDOM, LEAVES)()
    kind == 3 && return some_array()
    kind == 4 && return some_table()
    kind == 5 && return Any[some_value(depth - 1) for _ in 1:rand(RANDOM, 0:4)]
    Object(some_key() => some_value(depth - 1) for _ in 1:rand(RANDOM, 0:4))
end

@testset "generated values" begin
    for i in 1:200
        x = some_value(3)
        @test isequal(again(x), x)
        for codec in ("text", "yggdrasil")
            # What a codec refuses is refused for the library's value, too.
            bytes = try
                Polycodec.encode(x, codec; lossy = true, on_loss = _ -> nothing)
            catch e
                @test e.code == error_of(() -> Polycodec.encode(value(x), codec; lossy = true, on_loss = _ -> nothing)).code
                continue
            end
            y = native(Polycodec.decode(bytes; codec = codec); notes = true)
            @test Polycodec.encode(y, codec; lossy = true, on_loss = _ -> nothing) == bytes
        end
    end
end
