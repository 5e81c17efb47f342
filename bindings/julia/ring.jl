# SPDX-License-Identifier: MIT
# Reads messages from standard input until its end, and writes each one again, decoded to types of Julia and encoded again.
using Polycodec

function main()
    input, output = Polycodec.Messages(stdin), Polycodec.Messages(stdout; declare = false)
    for message in input
        if message.control == :end_of_stream
            Polycodec.finish(output; header = message.header)
        else
            write(output, Polycodec.native(message.value; notes = true); header = message.header)
        end
    end
end
main()
