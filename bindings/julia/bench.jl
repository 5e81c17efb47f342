# SPDX-License-Identifier: MIT
# What a column of 10^7 doubles of a file costs, beside one copy of it in memory. Argument: how many doubles.
using Polycodec

function seconds(run)
    GC.gc()
    @elapsed run()
end
middle(rounds) = sort(rounds)[cld(length(rounds), 2)]

function main(n)
    mktempdir() do directory
        file = joinpath(directory, "table.dynd")
        Polycodec.save(file, Polycodec.Object("x" => collect(1.0:n), "name" => "table"); codec = "dynd")
        opened() = Polycodec.open(file; codec = "dynd")["x"]
        x, column = Array(opened()), opened()
        runs = ["view" => opened, "Array of it" => () -> Array(opened()), "its sum" => () -> sum(column)]
        beside = ["copy" => () -> copy(x), "copy" => () -> copy(x), "that of an Array" => () -> sum(x)]
        rounds = [(seconds(run), seconds(other)) for _ in 1:15, ((_, run), (_, other)) in zip(runs, beside)]
        for (i, (name, _)) in enumerate(runs)
            took, other = 1000 .* (middle(first.(rounds[:, i])), middle(last.(rounds[:, i])))
            println("julia: $name $(round(took; digits = 2)) ms, $(first(beside[i])) $(round(other; digits = 2)) ms, ratio ",
                round(took / other; digits = 2))
        end
    end
end
main(isempty(ARGS) ? 10^7 : parse(Int, ARGS[1]))
