% SPDX-License-Identifier: MIT
% Prints how long a column of 10^7 doubles from a file takes, beside one copy of it in memory. Usage: octave-cli bench.m
pkg load polycodec
n = 1e7;
file = [tempname() '.msgpack'];
x = rand(n, 1);
polycodec('save', file, struct('x', x));
column = copy = Inf;
for i = 1:15
  tic;
  y = polycodec('column', file, 'x');
  column = min(column, toc);
  clear y
  y = x;
  tic;
  y(1) = 2;  % the language copies what it shares
  copy = min(copy, toc);
  clear y
end
delete(file);
printf('column %.1f ms, one copy %.1f ms, ratio %.2f\n', 1000 * column, 1000 * copy, column / copy);
