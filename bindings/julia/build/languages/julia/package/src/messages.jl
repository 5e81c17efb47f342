# SPDX-License-Identifier: MIT
# Messages over any IO.

"A message that came: its `value`, its `header`, and `control`: `:none`, or which control message it is."
struct Message
    value::Value
    header::Object
    control::Symbol
end
const CONTROLS = (:none, :end_of_stream, :begin_client, :end_client, :client_sign_on, :server_sign_on)

"""
One end of a conversation over a pipe, a socket or a file: `read(messages)` gives the next [`Message`](@ref), or `nothing` at the end,
`write(messages, x)` sends a value, `finish(messages)` the message that ends the stream; iteration gives all that come. The first message in
each direction declares the datatype of those after it. Options are those of channels (docs/messages.md), `call` those of a call.
"""
mutable struct Messages{S<:IO}
    pointer::Ptr{Cvoid}
    io::S
    call::Call  # as long as the channel, which tells losses to it
    own::Vector{String}  # members of a header that the channel writes
    has_ended::Bool
end
function Messages(io::IO; registry = default_registry(), call = NamedTuple(), options...)
    called = Call(; call...)
    pointer = made(polycodec_channel_open, registry, json(values(options)), called.raw)
    own = ["size", "codec", "codec_version", "options", "filters"]
    get(options, :declare, true) && append!(own, ["type", "serializer"])
    finalizer(m -> polycodec_channel_free(m.pointer), Messages{typeof(io)}(pointer, io, called, own, false))
end
Base.unsafe_convert(::Type{Ptr{Cvoid}}, messages::Messages) = messages.pointer

function Base.read(messages::Messages)
    while true
        place, control = Ref{Ptr{Cvoid}}(C_NULL), Ref(Int32(0))
        header = calling(_ -> collected(polycodec_channel_next, messages, place, control), messages.call)
        if place[] != C_NULL
            value = Value(Owner(place[], length(header)))
            return Message(value, isempty(header) ? Object() : parsed(header), CONTROLS[control[]+1])
        end
        messages.has_ended && return nothing
        bytes = eof(messages.io) ? UInt8[] : readavailable(messages.io)
        messages.has_ended = isempty(bytes)
        check(polycodec_channel_feed, messages, bytes, messages.has_ended)
    end
end
Base.iterate(messages::Messages, _ = nothing) = (message = read(messages); message === nothing ? nothing : (message, nothing))
Base.IteratorSize(::Type{<:Messages}) = Base.SizeUnknown()
Base.eltype(::Type{<:Messages}) = Message

"Sends a value, with further members of the header, such as those of a message that came. What each message says of itself is left out."
Base.write(messages::Messages, x; header = nothing) = send(messages, owner_of(x), header)
"Sends the message that ends the stream."
finish(messages::Messages; header = nothing) = send(messages, C_NULL, header)

without(x, names) = x
without(header::AbstractDict, names) =
    Object(name => name == "__meta__" ? without(x, ["size", "in_data"]) : x for (name, x) in header if !(name in names))

function send(messages::Messages, owner, header)
    message = calling(_ -> made(polycodec_channel_pack, messages, owner, json_text(without(header, messages.own))), messages.call)
    GC.@preserve owner with(message, polycodec_message_free) do message  # the value has memory that it views
        pieces, n, part, total = Ref{Ptr{polycodec_bytes}}(C_NULL), Ref(UInt64(0)), 0, 0
        while (status = polycodec_message_part(message, part, pieces, n, C_NULL)) == POLYCODEC_OK
            for i in 1:n[]
                piece = unsafe_load(pieces[], i)
                total += unsafe_write(messages.io, Ptr{UInt8}(piece.data), piece.size)
            end
            part += 1
        end
        status == POLYCODEC_ERROR_RANGE || check(polycodec_message_part, message, part, pieces, n)
        flush(messages.io)
        total
    end
end
