# SPDX-License-Identifier: MIT
# What users of generated Julia modules meet: exported names, two modules side by side, short text, a check that costs
# no memory. Argument: the directory with the generated code.
directory, = ARGS
include(joinpath(directory, "sensor.jl"))
include(joinpath(directory, "names.jl"))
include(joinpath(directory, "example.jl"))
include(joinpath(directory, "keywords.jl"))
using .s_sensor
using .odd_names

macro must(condition)
    text = string(condition)
    :($(esc(condition)) || error("not so: ", $text))
end

# The modules share the runtime, so `open_root` and the others are no matter of which module.
reading = ReadingValues(; ts = 5, station = "north", quality = Quality.Good, samples = fill(0.5f0, 1_000_000), ok = true)
batch = to_bytes(BatchValues(; readings = [reading, ReadingValues()], source = "x"^10_000))
view = open_root(Batch, batch)
@must first(view.readings).station == "north"
@must name_of(first(view.readings).quality) == "Good"
@must open_root(StructView, to_bytes(StructViewValues(; text = "a", x = 3))).x == 3
@must s_sensor.open_root === odd_names.open_root
# A schema may have a struct `hash`; users keep their own.
@must hash === Base.hash && odd_names.hash !== Base.hash

# Text for people is short, whatever the buffer holds.
for x in (view, first(view.readings), view.readings, to_values(view), view.source)
    x isa String || @must length(repr(x)) < 3000
end
@must occursin("station = \"north\"", repr(view))
@must occursin("... 1000000 elements", repr(first(view.readings)))
@must occursin("... 10000 bytes", repr(view))
@must repr(open_root(StructView, to_bytes(StructViewValues(; text = "a\"", x = 3)))) == "StructView(text = \"a\\\"\", x = 3)"

# The check looks at numbers that any bits are right for as a whole, and allocates nothing for each element.
verify(Batch, batch)
@must @allocated(verify(Batch, batch)) < 10_000
many = to_bytes(BatchValues(; readings = fill(ReadingValues(; station = "s"), 100_000)))
@must @allocated(verify(Batch, many)) < 10_000
@must verify(Batch, many) == length(many)

# A wrong element is still named with its place.
broken = copy(many)
broken[8 + 16 + 3 * div(length(many) - 32, 100_000) + 1] = 0x01
refused = try
    open_root(Batch, broken)
catch e
    e
end
@must refused isa FastbinError && startswith(refused.path, "readings[3]")

# Keywords are members by their own name; several names of a value are one value.
union = open_root(odd_keywords.union, to_bytes(odd_keywords.unionValues(; class = 7, var"end" = Int16[1], operator = odd_keywords.default.yes)))
@must union.class == 7 && collect(getproperty(union, :end)) == [1] && getproperty(union, Symbol("function")) == false
@must union.operator == odd_keywords.default.true_ && name_of(union.operator) == "true"
@must example.MyEnum.Fourth == example.MyEnum.Second && name_of(example.MyEnum.Fourth) == "Second"
@must example.open_root(example.Child, example.to_bytes(example.ChildValues(; a = 1, b = 2.5))).b == 2.5
println("ok")
