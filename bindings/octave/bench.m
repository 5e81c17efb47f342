% SPDX-License-Identifier: MIT
% Prints how long a column of 10^7 doubles from a file takes, beside one copy of it in memory. Usage: octave-cli bench.m
pkg load polycodec
file = [tempname() '.msgpack'];
x = rand(1e7, 1);
polycodec('save', file, struct('x', x));
column = copy = zeros(1, 15);
for i = 1:15
  tic;
  y = polycodec('column', file, 'x');
  column(i) = toc;
  clear y
  y = x;
  tic;
  y(1) = 2;  % the language copies what it shares
  copy(i) = toc;
  clear y
end
delete(file);
each = 1000 * [median(column), median(copy)];
printf('octave: column %.2f ms, copy %.2f ms, ratio %.2f\n', each, each(1) / each(2));
