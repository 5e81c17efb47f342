% polycodec_tests(ROOT, PREFIX, HERE): all tests of the package. Prints how many passed, and fails with those that did not.
function polycodec_tests(root, prefix, here)
  tests = {@vectors, @messages, @other_formats, @axes_in_order, @every_type, @generated, @errors, @meshes, @tables, @losses, ...
           @options, @attributes, @pipes, @opens};
  passed = 0;
  failed = {};
  for i = 1:numel(tests)
    try
      passed = passed + tests{i}(root, prefix, here);
    catch e
      failed{end + 1} = sprintf('%s: %s (%s line %d)', func2str(tests{i}), e.message, e.stack(1).name, e.stack(1).line);
    end
  end
  if ~isempty(failed)
    printf('%s\n', failed{:});
    exit(1);
  end
  printf('octave: %d passed\n', passed);
end

function check(condition, varargin)
  if ~condition, error(varargin{:}); end
end

% The error that a call ends with.
function e = failure(varargin)
  try
    polycodec(varargin{:});
  catch caught
    e = polycodec('error');
    e.identifier = caught.identifier;
    e.text = caught.message;
    return
  end
  error('no error from %s', varargin{1});
end

function bytes = content(file)
  f = fopen(file);
  check(f >= 0, 'no file %s', file);
  bytes = fread(f, Inf, '*uint8')';
  fclose(f);
end

% Each vector of a body: decoded and encoded again, it has the bytes that C++ writes; or the error of its list.
function passed = vectors(root, ~, here)
  passed = 0;
  known = list(here);
  directory = [root '/tests/vectors/yggdrasil/'];
  cases = strsplit(strtrim(fileread([directory 'cases.jsonl'])), "\n");
  step = 3;
  if strcmp(getenv('POLYCODEC_FULL'), '1'), step = 1; end
  for i = 1:step:numel(cases)
    wanted = jsondecode(cases{i});
    bytes = content([directory wanted.file]);
    if isfield(wanted, 'error')
      e = failure('decode', bytes, 'yggdrasil');
      check(strcmp(e.code, wanted.error.code) && strcmp(e.detail, wanted.error.detail), '%s: %s', wanted.file, e.text);
      check(isequal(e.byte, wanted.error.offset), '%s: byte %d', wanted.file, e.byte);
    elseif isKey(known, wanted.file)
      e = failure('decode', bytes, 'yggdrasil');
      check(strcmp(e.detail, known(wanted.file)), '%s: %s', wanted.file, e.text);
    else
      [value, type] = polycodec('decode', bytes, 'yggdrasil');
      again = polycodec('encode', value, 'yggdrasil', 'type', type);
      if ischar(wanted.again)
        check(isequal(again, bytes), '%s: %s', wanted.file, char(again));
      else
        check(strcmp(hash('sha256', char(again)), wanted.again.sha256), '%s: %s', wanted.file, char(again));
      end
    end
    passed = passed + 1;
  end
end

function known = list(here)
  known = containers.Map();
  lines = strsplit(strtrim(fileread([here '/cannot.tsv'])), "\n");
  for i = 2:numel(lines)
    fields = strsplit(lines{i}, "\t");
    known(fields{1}) = fields{2};
  end
end

function passed = messages(root, ~, ~)
  passed = 0;
  directory = [root '/tests/vectors/yggdrasil/messages/'];
  files = dir([directory '*.msg']);
  for i = 1:numel(files)
    bytes = content([directory files(i).name]);
    channel = polycodec('channel');
    [value, message] = polycodec('unpack', channel, bytes);
    if message.control ~= 0 || isempty(message.header), continue, end
    again = polycodec('pack', channel, value, 'type', message.type, 'header', message.header);
    other = polycodec('channel');
    [second, header] = polycodec('unpack', other, again);
    check(isequaln(value, second) && strcmp(message.type, header.type), '%s: %s', files(i).name, char(again));
    first = jsondecode(message.header);
    if isfield(first, 'x__meta__') && isfield(first.x__meta__, 'id')
      check(~isempty(strfind(header.header, first.x__meta__.id)), '%s: another id', files(i).name);
    end
    body = regexp(char(bytes), 'YGG_MSG_HEAD', 'split');
    written = regexp(char(again), 'YGG_MSG_HEAD', 'split');
    if numel(body) == 3 && isempty(regexp(files(i).name, 'direct|bytes'))
      check(strcmp(body{3}, written{3}), '%s: %s', files(i).name, written{3});
    end
    polycodec('close', channel);
    polycodec('close', other);
    passed = passed + 1;
  end
  directory = [directory 'malformed/'];
  files = dir([directory '*.msg']);
  for i = 1:numel(files)
    channel = polycodec('channel');
    try
      polycodec('unpack', channel, content([directory files(i).name]));
    catch e
      check(strncmp(e.identifier, 'polycodec:', 10), '%s: %s', files(i).name, e.message);
    end
    polycodec('close', channel);
    passed = passed + 1;
  end
end

% Files of other formats become arrays, or end with an error of the library; also with a byte that is another one.
function passed = other_formats(root, ~, ~)
  rand('twister', 47);
  passed = 0;
  step = 3;
  if strcmp(getenv('POLYCODEC_FULL'), '1'), step = 1; end
  for kind = {'msgpack_ndarray/*.msgpack', 'awkward/*.awkd', 'dynd/*.dynd', 'ply/*.ply', 'obj/*.obj', 'stl/*.stl'}
    files = dir([root '/tests/vectors/' kind{1}]);
    for i = 1:step:numel(files)
      bytes = content([files(i).folder '/' files(i).name]);
      for change = 0:1
        if change == 1 && ~isempty(bytes), bytes(ceil(rand() * numel(bytes))) = floor(rand() * 256); end
        try
          [value, type] = polycodec('decode', bytes);
          polycodec('encode', value, 'text', 'type', type);
        catch e
          check(strncmp(e.identifier, 'polycodec:', 10), '%s: %s', files(i).name, e.message);
        end
      end
      passed = passed + 1;
    end
  end
  value = polycodec('open', [root '/tests/vectors/msgpack_ndarray/nd_0d_be_i4.msgpack']);
  check(isa(value, 'int32') && isscalar(value), 'an array without axes');
  passed = passed + 1;
end

function passed = axes_in_order(root, ~, ~)
  value = polycodec('decode', content([root '/tests/vectors/yggdrasil/bodies/array3d_float32.body']), 'yggdrasil');
  check(isequal(size(value), [2 3 4]), 'another shape');
  check(value(2, 3, 4) == 23 && value(1, 2, 1) == 4 && value(1, 1, 2) == 1, 'axes in another order');
  check(isa(value, 'single'), 'another class');
  mine = reshape(1:120, [2 3 4 5]);
  back = polycodec('decode', polycodec('encode', mine, 'msgpack-ndarray'), 'msgpack-ndarray');
  check(isequal(mine, back), 'another array');
  passed = 2;
end

% A value of each type of the table, in both directions.
function passed = every_type(~, ~, ~)
  cases = {'bool', 'true', true; 'int8', '-1', int8(-1); 'int64', '-9223372036854775808', intmin('int64'); ...
           'uint64', '18446744073709551615', intmax('uint64'); 'float16', '1.5', single(1.5); ...
           'float32', '0.5', single(0.5); 'float64', '0.1', 0.1; ...
           'complex[float64]', '{"$complex": [1.0, 2.0]}', 1 + 2i; ...
           'complex[float32]', '{"$complex": [1.0, 2.0]}', single(1 + 2i); ...
           'complex[float16]', '{"$complex": [1.0, 2.0]}', single(1 + 2i); ...
           '2 * complex[float16]', '[{"$complex": [1.0, 2.0]}, {"$complex": [3.0, 0.0]}]', single([1 + 2i; 3]); ...
           'string', '"é"', 'é'; 'string', '""', ''; 'bytes', '{"$bytes": "AQI="}', uint8([1 2]); ...
           'null', 'null', []; '3 * bool', '[true, false, true]', [true; false; true]; ...
           '2 * 3 * int16', '[[1, 2, 3], [4, 5, 6]]', int16([1 2 3; 4 5 6]); ...
           '(int64, string)', '[1, "a"]', {int64(1), 'a'}; '{a: int64, b: {c: null}}', '{"a": 1, "b": {"c": null}}', ...
           struct('a', int64(1), 'b', struct('c', [])); ...
           '2 * string', '["x", "yz"]', {'x'; 'yz'}; '2 * fixed_string[2]', '["x", "yz"]', {'x'; 'yz'}; ...
           '3 * ?float64', '[1.5, null, 2.5]', [1.5; NA; 2.5]; '3 * ?int32', '[1, null, 3]', {int32(1); []; int32(3)}; ...
           '2 * ?string', '["x", null]', {'x'; []}; '2 * var * float64', '[[1.0, 2.0], [3.0]]', {[1; 2]; 3}; ...
           '2 * {x: float64, n: string}', '[{"x": 1.0, "n": "a"}, {"x": 2.0, "n": "b"}]', ...
           struct('x', [1; 2], 'n', {{'a'; 'b'}}); ...
           '2 * {f: var * int32}', '[{"f": [0, 1, 2]}, {"f": [2, 1, 3]}]', struct('f', int32([0 1 2; 2 1 3])); ...
           'annotated[float64, units=''cm'']', '2.5', struct('value', 2.5, 'units', 'cm'); ...
           'extension[''yggdrasil.class'', string]', '{"$ext": ["yggdrasil.class", "m:C"]}', ...
           struct('polycodec', 'yggdrasil.class', 'data', 'm:C'); ...
           'map[int64, string]', '{"$map": [[1, "a"]]}', ...
           struct('polycodec', 'map', 'keys', {{int64(1)}}, 'values', {{'a'}}); ...
           '{''odd name'': int64}', '{"odd name": 1}', ...
           struct('polycodec', 'object', 'keys', {{'odd name'}}, 'values', {{int64(1)}})};
  for i = 1:size(cases, 1)
    [type, text, wanted] = cases{i, :};
    json = unicode2native(sprintf('{"type": "%s", "value": %s}', type, text), 'UTF-8');
    [value, found] = polycodec('decode', json, 'text');
    check(isequaln(value, wanted) && strcmp(class(value), class(wanted)), '%s: %s', type, disp(value));
    check(isequal(isna_bits(value), isna_bits(wanted)), '%s: NaN for NA', type);
    check(strcmp(found, strrep(strrep(type, '\', ''), "''", "'")), '%s: %s', type, found);
    again = polycodec('decode', polycodec('encode', value, 'text', 'type', found), 'text');
    check(isequaln(again, wanted), '%s: %s', type, disp(again));
    [~, same] = polycodec('decode', polycodec('encode', value, 'text', 'type', found), 'text');
    check(strcmp(same, found), '%s: %s', type, same);
  end
  when = '{"type": "2 * datetime[unit=''s'']", "value": [{"$datetime": "2020-01-02T03:04:05Z"}, {"$datetime": "1969-12-31T23:59:59Z"}]}';
  value = polycodec('decode', uint8(when), 'text');
  check(isequal(value.count, int64([1577934245; -1])) && strcmp(value.text{1}, '2020-01-02T03:04:05Z'), 'times');
  check(strcmp(polycodec('type', value), '2 * datetime[unit=''s'']'), 'type of times');
  when = '{"type": "datetime[unit=''us'']", "value": {"$datetime": "1969-12-31T23:59:59.5Z"}}';
  [value, type] = polycodec('decode', uint8(when), 'text');
  check(isequal(value.count, int64(-500000)) && strcmp(value.unit, 'us'), 'a time');
  again = polycodec('decode', polycodec('encode', value, 'text', 'type', type), 'text');
  check(isequal(again, value), 'a time: %s', disp(again));
  wide = failure('decode', uint8('{"type": "{a: int128}", "value": {"a": 1}}'), 'text');
  check(strcmp(wide.code, 'range') && strcmp(wide.path, '$.a'), 'int128: %s', wide.text);
  passed = size(cases, 1) + 3;
end

function found = isna_bits(value)
  found = [];
  if isfloat(value), found = isna(value); end
end

% Values of all kinds with a fixed seed, through two codecs.
function passed = generated(~, ~, ~)
  rand('twister', 46);
  passed = 0;
  for i = 1:200
    value = make(3);
    for codec = {'yggdrasil', 'msgpack-ndarray'}
      bytes = polycodec('encode', value, codec{1});
      [back, type] = polycodec('decode', bytes, codec{1});
      if strcmp(codec{1}, 'yggdrasil')
        check(isequaln(value, back), 'value %d is another one: %s', i, char(bytes));
      end
      check(isequal(polycodec('encode', back, codec{1}, 'type', type), bytes), 'value %d has other bytes: %s', i, type);
    end
    passed = passed + 1;
  end
end

function value = make(depth)
  kind = floor(rand() * 10);
  if depth == 0, kind = mod(kind, 7); end
  classes = {'double', 'single', 'int8', 'int16', 'int32', 'int64', 'uint16', 'uint32', 'uint64'};
  type = classes{ceil(rand() * 9)};
  switch kind
    case 0, value = rand() > 0.5;
    case 1, value = cast(round(rand() * 100), type);
    case 2, value = cast(round(rand(2 + floor(rand() * 5), 1) * 100), type);
    case 3, value = cast(round(rand(2, 1 + ceil(rand() * 3), 2) * 100), type);
    case 4, value = complex(rand(3, 2), rand(3, 2));
    case 5, value = char(97 + floor(rand(1, 1 + floor(rand() * 8)) * 26));
    case 6, value = uint8(floor(rand(1, 2 + floor(rand() * 8)) * 256));
    case {7, 8}
      value = struct();
      for i = 1:1 + floor(rand() * 4), value.(sprintf('m%d', i)) = make(depth - 1); end
    otherwise
      value = cell(1, 1 + floor(rand() * 4));
      for i = 1:numel(value), value{i} = make(depth - 1); end
  end
end

function passed = errors(root, ~, ~)
  e = failure('open', '/no/such/file.ply');
  check(strcmp(e.identifier, 'polycodec:io') && strcmp(e.code, 'io'), 'missing: %s', e.text);
  bytes = content([root '/tests/vectors/yggdrasil/bodies/array1d_float64.body']);
  e = failure('decode', bytes(1:40), 'yggdrasil');
  check(strcmp(e.identifier, 'polycodec:truncated') && e.byte == 40 && strcmp(e.path, '$'), 'cut: %s', e.text);
  check(~isempty(strfind(e.text, 'at byte 40')) && ~isempty(strfind(e.text, 'in $')), 'cut: %s', e.text);
  e = failure('decode', uint8('{'), 'ply');
  check(strcmp(e.code, 'malformed'), 'wrong type: %s', e.text);
  e = failure('column', [root '/tests/vectors/ply/own_crlf_ascii.ply'], 'vertex.nothing');
  check(strcmp(e.code, 'not_found') && ~isempty(strfind(e.text, 'vertex')), 'no column: %s', e.text);
  e = failure('encode', struct('a', {{1, @sin}}), 'yggdrasil');
  check(strcmp(e.code, 'type') && strcmp(e.path, '$.a[1]'), 'a function: %s', e.text);
  e = failure('encode', 300, 'yggdrasil', 'type', 'uint8');
  check(strcmp(e.code, 'range'), 'too large: %s', e.text);
  e = failure('encode', struct('t', {{'a'; 'bcd'}}), 'text', 'type', '{t: 2 * fixed_string[2]}');
  check(strcmp(e.code, 'range') && strcmp(e.path, '$.t[1]') && isempty(strfind(e.text, 'line')), 'too long: %s', e.text);
  rough = {'a'; char([200 65])};
  check(isequal(polycodec('decode', polycodec('encode', rough, 'text'), 'text'), rough), 'not UTF-8');
  e = failure('encode', rough, 'text', 'type', '2 * fixed_string[3]');
  check(strcmp(e.code, 'invalid'), 'not UTF-8: %s', e.text);
  e = failure('encode', [1; 2], 'yggdrasil', 'type', '{x: int8}');
  check(strcmp(e.code, 'type'), 'another shape: %s', e.text);
  e = failure('encode', 1, 'no-such-codec');
  check(strcmp(e.code, 'not_found'), 'no codec: %s', e.text);
  e = failure('nothing');
  check(strcmp(e.code, 'option') && ~isempty(strfind(e.text, 'decode')), 'no command: %s', e.text);
  e = failure('encode', 1, 'yggdrasil', 'colour', 1);
  check(strcmp(e.code, 'option'), 'no option: %s', e.text);
  e = failure('open');
  check(strcmp(e.code, 'option'), 'no argument: %s', e.text);
  passed = 14;
end

function passed = meshes(root, ~, ~)
  mesh = polycodec('open', [root '/tests/vectors/ply/own_crlf_ascii.ply']);
  check(isequal(mesh.vertex.x, polycodec('column', [root '/tests/vectors/ply/own_crlf_ascii.ply'], 'vertex.x')), 'x');
  check(isequal(size(mesh.face.vertex_indices), [1 3]), 'triangles are a matrix');
  mine = struct('vertex', struct('x', [0; 1; 0; 1], 'y', [0; 0; 1; 1], 'z', [0; 0; 0; 0]), ...
                'face', struct('vertex_indices', int32([0 1 2; 1 3 2])));
  for name = {'mesh.ply', 'mesh.obj', 'mesh.stl'}
    file = [tempname() name{1}];
    polycodec('save', file, mine);
    back = polycodec('open', file);
    delete(file);
    switch name{1}
      case 'mesh.ply', check(isequal(back, mine), 'another mesh');
      case 'mesh.obj', check(isequal(back.v.x, mine.vertex.x) && isequal(back.f.v, mine.face.vertex_indices), 'another mesh');
    end
  end
  passed = 5;
end

function passed = tables(root, ~, ~)
  table = struct('name', {{'a'; 'b'}}, 'mass', struct('value', [1.5; 2.5], 'units', 'kg'));
  bytes = polycodec('encode', table, 'text', 'type', 'var * any');
  [back, type] = polycodec('decode', bytes, 'text');
  check(isequal(back, table), 'another table');
  check(strcmp(type, '2 * {name: string, mass: annotated[float64, units=''kg'']}'), type);
  [jagged, type] = polycodec('open', [root '/tests/vectors/awkward/jagged.awkd']);
  check(iscell(jagged) && ~isempty(jagged), 'jagged');
  file = [tempname() '.awkd'];
  polycodec('save', file, jagged, 'type', type);
  check(isequal(polycodec('open', file), jagged), 'another array');
  delete(file);
  [masked, type] = polycodec('open', [root '/tests/vectors/awkward/masked_jagged.awkd']);
  check(isequal(masked, {int64([1; 2]); []; int64(3)}), 'a missing list: %s', disp(masked));
  check(strcmp(type, '3 * ?var * int64') && strcmp(polycodec('type', masked, 'type', type), type), 'lists of another type: %s', type);
  passed = 4;
end

function passed = losses(~, ~, ~)
  global heard
  heard = {};
  mine = struct('vertex', struct('x', [0; 1; 0], 'y', [0; 0; 1], 'z', [0; 0; 0], 'quality', [1; 2; 3]), ...
                'face', struct('vertex_indices', int32([0 1 2])));
  file = [tempname() '.obj'];
  e = failure('save', file, mine);
  check(strcmp(e.code, 'unsupported') && ~isempty(strfind(e.text, 'quality')), 'a loss: %s', e.text);
  polycodec('save', file, mine, 'losses', 'all', 'on_loss', @hear);
  check(any(strcmp(heard, 'data $.vertex.quality')), 'no loss was reported');
  delete(file);
  passed = 2;
end

function hear(kind, path, ~)
  global heard
  heard{end + 1} = [kind ' ' path];
end

function passed = options(root, ~, ~)
  file = [root '/tests/vectors/ply/own_crlf_ascii.ply'];
  part = polycodec('open', file, 'columns', {'vertex.x'}, 'rows', [2 3]);
  check(isequal(fieldnames(part), {'vertex'}) && isequal(part.vertex.x, [1; 0]), 'columns and rows');
  e = failure('decode', uint8(repmat('[', 1, 100)), 'json', 'limits', struct('max_depth', 10));
  check(strcmp(e.code, 'limit'), 'limit: %s', e.text);
  out = [tempname() '.ply'];
  result = polycodec('convert', file, out, 'to_options', struct('format', 'ascii'), 'compare', true);
  check(strcmp(result.codec, 'ply') && any(strcmp(result.kept, {'same', 'same_items'})), result.kept);
  check(~isempty(strfind(fileread(out), 'format ascii')), 'an option of the codec');
  e = failure('save', out, polycodec('open', file), 'keep', true);
  check(strcmp(e.code, 'io'), 'keep: %s', e.text);
  delete(out);
  check(isequal(polycodec('decode', uint8('{"a": 1,}'), 'json', 'tolerant', true), struct('a', int64(1))), 'tolerant');
  passed = 6;
end

% Attributes come back where the type says them, and units also by themselves.
function passed = attributes(~, ~, ~)
  [value, type] = polycodec('decode', uint8('{"type": "annotated[2 * float32, units=''m'', title=''x'', count=3]", "value": [1.0, 2.0]}'), 'text');
  check(isequal(value, struct('value', single([1; 2]), 'units', 'm')), 'units');
  value.units = 'km';
  [~, again] = polycodec('decode', polycodec('encode', value, 'text', 'type', type), 'text');
  check(strcmp(again, 'annotated[2 * float32, units=''km'', title=''x'', count=3]'), again);
  object = struct('value', 1, 'units', 'cm');
  check(strcmp(polycodec('type', object), 'annotated[float64, units=''cm'']'), 'a quantity');
  passed = 3;
end

function passed = pipes(~, ~, ~)
  file = tempname();
  out = polycodec('channel', 'out', file);
  polycodec('send', out, struct('x', [1; 2], 'n', 'a'));
  polycodec('send', out, struct('x', [3; 4], 'n', 'b'));
  polycodec('send', out);
  polycodec('close', out);
  in = polycodec('channel', 'in', file);
  first = polycodec('receive', in);
  [second, message] = polycodec('receive', in);
  check(isequal(first.x, [1; 2]) && isequal(second.x, [3; 4]) && message.control == 0, 'messages');
  [~, last] = polycodec('receive', in);
  check(last.control == 1, 'the end of the stream');
  [~, none] = polycodec('receive', in);
  check(isempty(none), 'the end of the file');
  polycodec('close', in);
  e = failure('receive', in);
  check(strcmp(e.code, 'option'), 'closed: %s', e.text);
  fed = polycodec('channel');
  bytes = content(file);
  polycodec('feed', fed, bytes(1:20));
  [~, none] = polycodec('next', fed);
  check(isempty(none), 'half a message');
  polycodec('feed', fed, bytes(21:end));
  check(isequal(polycodec('next', fed), first), 'a message in pieces');
  polycodec('close', fed);
  delete(file);
  named = polycodec('channel', 'options', struct('codec', 'json'));
  [value, message] = polycodec('unpack', named, polycodec('pack', named, struct('a', 1)));
  again = polycodec('unpack', named, polycodec('pack', named, value, 'header', message.header));
  check(~isempty(strfind(message.header, '"codec"')) && isequal(again, value), 'a header that names its codec');
  polycodec('close', named);
  passed = 7;
end

function passed = opens(root, ~, ~)
  file = [root '/tests/vectors/ply/own_crlf_ascii.ply'];
  for i = 1:1000, polycodec('open', file); end
  before = resident();
  for i = 1:10000, polycodec('open', file); end
  grown = resident() - before;
  check(grown < 4e6, '10,000 opens took %d bytes', grown);
  passed = 1;
end

function bytes = resident()
  pages = sscanf(fileread('/proc/self/statm'), '%d');
  bytes = pages(2) * 4096;
end
