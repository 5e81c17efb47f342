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
    has_ended::Bool
end
function Messages(io::IO; registry = default_registry(), call = NamedTuple(), options...)
    text = isempty(options) ? "" : json(Object(string(name) => x for (name, x) in pairs(options)))
    options = Call(; call...)
    pointer = GC.@preserve text made((place, e) -> polycodec_channel_open(registry, view_of(text), options.raw, place, e))
    finalizer(m -> polycodec_channel_free(m.pointer), Messages{typeof(io)}(pointer, io, options, false))
end
Base.unsafe_convert(::Type{Ptr{Cvoid}}, messages::Messages) = messages.pointer

function Base.read(messages::Messages)
    while true
        place, control = Ref{Ptr{Cvoid}}(C_NULL), Ref(Int32(0))
        next(sink) = check(e -> polycodec_channel_next(messages, place, control, sink, e))
        header = calling(_ -> collected(next), messages.call)
        if place[] != C_NULL
            value = Value(Owner(place[], length(header)))
            return Message(value, isempty(header) ? Object() : parsed(header), CONTROLS[control[]+1])
        end
        messages.has_ended && return nothing
        bytes = eof(messages.io) ? UInt8[] : readavailable(messages.io)
        messages.has_ended = isempty(bytes)
        GC.@preserve bytes check(e -> polycodec_channel_feed(messages, view_of(bytes), messages.has_ended, e))
    end
end
Base.iterate(messages::Messages, _ = nothing) = (message = read(messages); message === nothing ? nothing : (message, nothing))
Base.IteratorSize(::Type{<:Messages}) = Base.SizeUnknown()
Base.eltype(::Type{<:Messages}) = Message

"Sends a value, with further members of the header, such as those of a message that came; sizes are those of the new message."
Base.write(messages::Messages, x; header = nothing) = send(messages, owner_of(x), without_size(header))
"Sends the message that ends the stream."
finish(messages::Messages; header = nothing) = send(messages, C_NULL, without_size(header))
without_size(x) = x
without_size(header::AbstractDict) =
    Object(name => name == "__meta__" ? without_size(x) : x for (name, x) in header if name != "size")

function send(messages::Messages, owner, header)
    text = json_text(header)
    message = calling(messages.call) do _
        GC.@preserve text made((place, e) -> polycodec_channel_pack(messages, owner, view_of(text), place, e))
    end
    GC.@preserve owner try  # which has memory that the message views
        pieces, n, part, total = Ref{Ptr{polycodec_bytes}}(C_NULL), Ref(UInt64(0)), 0, 0
        while (status = polycodec_message_part(message, part, pieces, n, C_NULL)) == POLYCODEC_OK
            for i in 1:n[]
                piece = unsafe_load(pieces[], i)
                total += unsafe_write(messages.io, Ptr{UInt8}(piece.data), piece.size)
            end
            part += 1
        end
        status == POLYCODEC_ERROR_RANGE || check(e -> polycodec_message_part(message, part, pieces, n, e))
        flush(messages.io)
        return total
    finally
        polycodec_message_free(message)
    end
end
