# SPDX-License-Identifier: MIT
# What a column of 10^7 doubles of a file costs, as a share of one copy of it in memory. Argument: how many doubles.
using Polycodec

"The least seconds of five runs."
least(run) = minimum(1:5) do _
    GC.gc()
    @elapsed run()
end

function main(n)
    mktempdir() do directory
        file = joinpath(directory, "table.dynd")
        Polycodec.save(file, Polycodec.Object("x" => collect(1.0:n), "name" => "table"); codec = "dynd")
        x = Array(Polycodec.open(file; codec = "dynd")["x"])
        copy_seconds = least(() -> copy(x))
        view_seconds = least(() -> Polycodec.open(file; codec = "dynd")["x"])
        array_seconds = least(() -> Array(Polycodec.open(file; codec = "dynd")["x"]))
        column = Polycodec.open(file; codec = "dynd")["x"]
        sum_ratio = least(() -> sum(column)) / least(() -> sum(x))
        println("doubles $n: view ", round(view_seconds / copy_seconds; digits = 3), ", array ",
            round(array_seconds / copy_seconds; digits = 3), " of a copy; sum of the view ", round(sum_ratio; digits = 2), " of that of an Array")
    end
end
main(isempty(ARGS) ? 10^7 : parse(Int, ARGS[1]))
