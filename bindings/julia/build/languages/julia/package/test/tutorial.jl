# SPDX-License-Identifier: MIT
# Runs the blocks of a tutorial in order, in the current directory, and prints how many results it compared.
function main(page)
    count = 0
    for block in eachmatch(r"^```julia\n(.*?)^```"ms, read(page, String))
        before = ""
        for line in split(block[1], '\n')
            parts = split(line, "# => ")
            before *= parts[1] * "\n"
            length(parts) == 2 || continue
            result = repr(Base.invokelatest(include_string, Main, before))
            result == parts[2] || error("$page: $(strip(parts[1])) gives $result")
            before, count = "", count + 1
        end
        include_string(Main, before)
    end
    println(count)
end
main(ARGS[1])
