% Sends each message on as arrays of Octave that became a message again.
ring = polycodec('channel', 'in', 0, 'out', 1);
while true
  [value, message] = polycodec('receive', ring);
  if isempty(message), break, end
  if message.control == 0
    polycodec('send', ring, value, 'type', message.type, 'header', message.header);
  else
    polycodec('send', ring);
  end
end
polycodec('close', ring);
