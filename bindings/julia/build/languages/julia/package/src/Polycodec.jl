# SPDX-License-Identifier: MIT
"""
Reads and writes scientific data of all formats that polycodec has: `Polycodec.open`, `Polycodec.save`,
`Polycodec.decode`, `Polycodec.encode`, `Polycodec.convert`, and messages over any `IO` with `Polycodec.Messages`.

The module needs the C library of polycodec, which the loader finds, or `ENV["POLYCODEC_LIBRARY"]` names.
Nothing is exported, because the names are those of `Base`.
"""
module Polycodec

using Dates
using Libdl

# Most of this is calls, of which compiling costs more than running. Loops over views run in modules of their users.
isdefined(Base.Experimental, Symbol("@optlevel")) && @eval Base.Experimental.@optlevel 1

# The soname: __init__ loads the library, and calls find it by this name.
const library = "libpolycodec.so.0"

include("sys.jl")
include("raw.jl")
include("types.jl")
include("read.jl")
include("write.jl")
include("files.jl")
include("messages.jl")

function __init__()
    file = get(ENV, "POLYCODEC_LIBRARY", library)
    dlopen(file, RTLD_NOW; throw_error = false) === nothing &&
        error("Polycodec: cannot load $file: install polycodec, or set POLYCODEC_LIBRARY to the path of $library")
    known = POLYCODEC_HOST_API_MAJOR << 16 | POLYCODEC_HOST_API_MINOR
    polycodec_library_api() >= known ||
        error("Polycodec: $file is version $(library_version()), which is older than this package: install a newer polycodec")
    HEAR[] = @cfunction(hear, Cvoid, (Ptr{Cvoid}, polycodec_bytes, polycodec_bytes))
    HEAR_LOSS[] = @cfunction(hear_loss, Cvoid, (Ptr{Cvoid}, Int32, polycodec_bytes, polycodec_bytes))
end

"The version of the C library."
library_version() = VersionNumber(unsafe_string(polycodec_library_version()))

end
