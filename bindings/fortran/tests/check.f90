! SPDX-License-Identifier: MIT
!> Tests of the module, in a directory where they may write: check
module checks
  use polycodec
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128, error_unit
  implicit none
  integer :: passed = 0, failed = 0, heard = 0
  integer(int64) :: seed = 20240517

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) then
      passed = passed + 1
    else
      failed = failed + 1
      write (error_unit, '(2a)') 'FAILED: ', what
    end if
  end subroutine check

  subroutine write_file(name, octets)
    character(*), intent(in) :: name, octets
    integer :: unit
    open (newunit=unit, file=name, access='stream', status='replace')
    write (unit) octets
    close (unit)
  end subroutine write_file

  !> The next of the generated numbers, from 0 to n - 1.
  integer(int64) function next(n)
    integer(int64), intent(in) :: n
    seed = iand(seed*6364136223846793005_int64 + 1442695040888963407_int64, huge(seed))
    next = mod(shiftr(seed, 33), n)
  end function next

  subroutine hear(class, path, what)
    integer, intent(in) :: class
    character(*), intent(in) :: path, what
    if (class == PC_LOSS_DATA .and. path /= '' .and. what /= '') heard = heard + 1
  end subroutine hear

  !> Element [1,2,3] of an array of 2 x 3 x 4 is x(2, 3, 4).
  subroutine test_axes
    type(pc_value) :: value, again
    real(real64), allocatable :: x(:, :, :)
    real(real32), allocatable :: single(:, :, :)
    integer(int8), allocatable :: small(:, :, :)
    integer(int128), allocatable :: wide(:, :, :)
    logical(c_bool), allocatable :: flags(:, :)
    character(:), allocatable :: text(:, :), octets
    integer(int64), allocatable :: shape_of(:)
    real(real64) :: element
    integer :: i
    call pc_parse('{"type": "2 * 3 * 4 * int16", "value": [[[0,1,2,3],[4,5,6,7],[8,9,10,11]],'// &
        '[[12,13,14,15],[16,17,18,19],[20,21,22,23]]]}', value)
    call pc_get(value, '$[1][2][3]', element)
    call pc_column(value, '$', x)
    call check(all(shape(x) == [2, 3, 4]) .and. x(2, 3, 4) == element .and. element == 23, 'axes of real64')
    call check(x(1, 2, 3) == 6 .and. x(2, 1, 1) == 12, 'axes of real64, other elements')
    call pc_column(value, '$', single)
    call pc_column(value, '$', small)
    call pc_column(value, '$', wide)
    call check(all(single == x) .and. all(small == x) .and. all(wide == int(x, int128)), 'axes of other types')
    call pc_make(again, small, dtype=PC_DTYPE_INT16)
    call check(pc_same(value, again), 'an array that is made has the axes of the program')
    call pc_find_shape(again, '$', shape_of)
    call check(all(shape_of == [2, 3, 4]), 'shape')
    call pc_encode(again, 'yggdrasil', octets)
    call pc_decode(octets, value)
    call check(pc_same(value, again), 'axes through bytes')
    ! Lists of lists have axes where all have one length.
    call pc_parse('{"grid": [[[1, 2], [3, 4], [5, 6]]], "flags": [[true, false, true]]}', value)
    call pc_column(value, 'grid', x)
    call check(all(shape(x) == [1, 3, 2]) .and. x(1, 3, 1) == 5 .and. x(1, 2, 2) == 4, 'axes of lists')
    call pc_column(value, 'flags', flags)
    call check(all(shape(flags) == [1, 3]) .and. .not. flags(1, 2) .and. flags(1, 3), 'axes of booleans')
    call pc_make(value, reshape(['a  ', 'bb ', 'ccc', '   ', 'e  ', 'f  '], [3, 2]))
    call pc_column(value, '$', text)
    call check(len(text) == 3 .and. text(3, 1) == 'ccc' .and. text(1, 2) == '' .and. text(2, 2) == 'e', 'axes of text')
    call pc_make(value, x(:, 2:3, :))
    call pc_column(value, '$', x)
    call check(all(shape(x) == [1, 2, 2]) .and. x(1, 2, 1) == 5, 'a section of an array')
    call pc_make(value, reshape([(real(i, real64), i=1, 128)], [2, 2, 2, 2, 2, 2, 2]))
    call pc_get(value, '$[1][0][0][0][0][0][1]', element)
    call check(element == 66, 'seven axes')
  end subroutine test_axes

  !> Each row of the table of types.
  subroutine test_types
    type(pc_value) :: value
    logical :: flag
    integer(int16) :: i16
    integer(int64) :: i64
    integer(int128) :: i128
    real(real32) :: r32
    real(real128) :: r128
    complex(real32) :: c32
    complex(real64) :: c64
    character(:), allocatable :: text
    character(kind=ucs4, len=:), allocatable :: wide
    integer(int64), allocatable :: counts(:)
    integer :: status, unit
    call pc_make(value, .true.)
    call pc_get(value, '$', flag)
    call check(flag .and. pc_type(value) == 'bool', 'boolean')
    call pc_make(value, 200_int16, dtype=PC_DTYPE_UINT8)
    call pc_get(value, '$', i16)
    call check(i16 == 200 .and. pc_type(value) == 'uint8', 'unsigned in the next larger kind')
    call pc_make(value, 2_int128**64 - 1, dtype=PC_DTYPE_UINT64)
    call pc_get(value, '$', i128)
    call check(i128 == 2_int128**64 - 1 .and. pc_type(value) == 'uint64', 'uint64 in integer(int128)')
    call pc_get(value, '$', i64, status)
    call check(status == PC_ERROR_RANGE, 'uint64 beyond int64 is an error')
    call pc_make(value, -5)
    call check(pc_type(value) == 'int32', 'default integer')
    call pc_make(value, 1.5_real32, dtype=PC_DTYPE_FLOAT16)
    call pc_get(value, '$', r32)
    call check(r32 == 1.5 .and. pc_type(value) == 'float16', 'float16 widened, and written as asked for')
    call pc_make(value, 0.1_real64, status, dtype=PC_DTYPE_FLOAT16)
    call check(status == PC_ERROR_RANGE, 'never another number')
    call pc_make(value, 0.1_real128)
    call pc_get(value, '$', r128)
    call check(r128 == 0.1_real128, 'float128')
    call pc_make(value, (1.0, -2.0))
    call pc_get(value, '$', c32)
    call pc_get(value, '$', c64)
    call check(c32 == (1.0, -2.0) .and. c64 == (1.0, -2.0), 'complex')
    call pc_make(value, 'h'//char(195)//char(169)//'llo')
    call pc_get(value, '$', text)
    wide = pc_to_ucs4(text)
    call check(pc_type(value) == 'string' .and. len(wide) == 5 .and. pc_to_utf8(wide) == text, 'text, and as UCS-4')
    call check(ichar(wide(2:2)) == 233, 'UCS-4')
    call check(pc_to_utf8(pc_to_ucs4(char(255)//'a'//char(195))) == repeat(char(239)//char(191)//char(189), 1)//'a'// &
        char(239)//char(191)//char(189), 'what is not UTF-8')
    call pc_make(value, char(0)//char(255), dtype=PC_DTYPE_FIXED_BYTES)
    call pc_get(value, '$', text)
    call check(pc_type(value) == 'bytes' .and. text == char(0)//char(255), 'bytes')
    call pc_make_null(value)
    call check(pc_kind(value) == PC_KIND_NULL .and. pc_type(value) == 'null', 'null')
    call pc_make(value, [0_int64, -1500_int64], dtype=PC_DTYPE_TIMESTAMP64, unit=PC_UNIT_MILLISECOND)
    call pc_times(value, '$', PC_UNIT_MICROSECOND, counts)
    call check(all(counts == [0, -1500000]), 'times')
    call pc_times(value, '$', PC_UNIT_SECOND, counts, status)
    call check(status == PC_ERROR_RANGE, 'a time that is not a count of seconds')
    call pc_make(value, -1500_int64, dtype=PC_DTYPE_TIMESTAMP64, unit=PC_UNIT_MILLISECOND)
    call pc_times(value, '$', PC_UNIT_MILLISECOND, counts)
    call check(counts(1) == -1500 .and. pc_dtype(value, unit) == PC_DTYPE_TIMESTAMP64, 'one time')
    call check(unit == PC_UNIT_MILLISECOND, 'the unit of a time')
    call pc_make(value, 90_int64, dtype=PC_DTYPE_DURATION64, unit=PC_UNIT_SECOND)
    call pc_times(value, '$', PC_UNIT_SECOND, counts)
    call check(counts(1) == 90, 'a duration')
  end subroutine test_types

  subroutine test_mesh
    type(pc_value) :: mesh
    type(pc_options) :: options
    real(real64), allocatable :: x(:)
    integer(int32), allocatable :: faces(:, :), flat(:)
    integer(int64), allocatable :: lengths(:)
    character(:), allocatable :: message
    integer :: status
    character(*), parameter :: nl = new_line('a'), head = 'ply'//nl//'format ascii 1.0'//nl//'element vertex 4'//nl// &
        'property float x'//nl//'property float y'//nl//'property float z'//nl//'property uchar quality'//nl// &
        'element face 2'//nl//'property list uchar int vertex_indices'//nl//'end_header'//nl// &
        '0 0 0 1'//nl//'1 0 0 2'//nl//'1 1 0 3'//nl//'0 1 2.5 4'//nl
    call write_file('mesh.ply', head//'3 0 1 2'//nl//'3 0 2 3'//nl)
    call pc_open('mesh.ply', mesh)
    call pc_column(mesh, 'vertex.z', x)
    call check(size(x) == 4 .and. x(4) == 2.5, 'a column by its path')
    call pc_column(mesh, 'face.vertex_indices', faces)
    call check(all(shape(faces) == [2, 3]) .and. all(faces(2, :) == [0, 2, 3]), 'faces as a matrix')
    call pc_save(mesh, 'mesh.obj', status, message)
    call check(status == PC_ERROR_UNSUPPORTED .and. index(message, 'quality') > 0, 'a loss is refused: '//message)
    options%losses = [PC_LOSS_DATA]
    options%on_loss => hear
    call pc_save(mesh, 'mesh.obj', status, options=options)
    call check(status == PC_OK .and. heard > 0, 'a loss that is allowed is reported')
    call check(any([(index(options%lost(status)%path, 'quality') > 0, status=1, size(options%lost))]), 'list of losses')
    call pc_convert('mesh.ply', 'mesh.stl', options=options)
    call pc_open('mesh.obj', mesh)
    call pc_column(mesh, 'f.v', faces)
    call check(all(faces(1, :) == [0, 1, 2]), 'faces of OBJ count from 0')
    call write_file('mixed.ply', head//'3 0 1 2'//nl//'4 0 1 2 3'//nl)
    call pc_open('mixed.ply', mesh)
    call pc_column(mesh, 'face.vertex_indices', faces, status, message)
    call check(status == PC_ERROR_TYPE .and. size(faces) == 0, 'faces of different lengths are not a matrix: '//message)
    call pc_column(mesh, 'face.vertex_indices', flat)
    call pc_lengths(mesh, 'face.vertex_indices', lengths)
    call check(size(flat) == 7 .and. all(lengths == [3, 4]), 'faces of different lengths')
  end subroutine test_mesh

  subroutine test_tables
    type(pc_value) :: table, columns(4), copies(4), row, other
    real(real64), allocatable :: x(:)
    logical, allocatable :: there(:)
    character(:), allocatable :: text(:), name
    integer(int64), allocatable :: counts(:), lengths(:)
    integer :: status
    call pc_make(columns(1), [1.5d0, 0d0, 3.5d0], mask=[.true., .false., .true.], units='m/s')
    call pc_make(columns(2), [1_int64, 2_int64, 3_int64])
    call pc_make(columns(3), ['one  ', 'two  ', 'three'], dtype=PC_DTYPE_NONE)
    call pc_make(row, [1, 2, 3, 4])
    call pc_make_ragged(columns(4), row, [2_int64, 0_int64, 2_int64])
    call pc_make_table(table, ['speed', 'count', 'name ', 'lists'], columns)
    call pc_column(table, 'speed', x, mask=there)
    call check(all(there .eqv. [.true., .false., .true.]) .and. x(3) == 3.5, 'missing items')
    call pc_column(table, 'speed', x, status)
    call check(status == PC_ERROR_RANGE .and. size(x) == 0, 'a missing item without mask')
    call check(pc_units(table, 'speed') == 'm/s', 'units of a column')
    call pc_column(table, 'name', text, lengths=lengths)
    call check(text(2) == 'two' .and. lengths(2) == 3, 'text of a column')
    call pc_column(table, 'count', counts)
    call check(sum(counts) == 6, 'integers of a column')
    call check(pc_keys(table) == 4 .and. pc_size(table) == 3, 'columns and rows')
    call pc_key(table, 3_int64, name)
    call check(name == 'name', 'name of a column')
    call pc_field(table, 2_int64, other)
    call check(pc_same(other, columns(2)), 'a column as a value')
    call pc_item(table, 3_int64, row)
    call pc_get(row, 'count', counts(1))
    call check(counts(1) == 3 .and. pc_kind(row) == PC_KIND_OBJECT, 'a row')
    call pc_save(table, 'table.awkd')
    call pc_open('table.awkd', other)
    call pc_column(other, 'name', text)
    call check(text(3) == 'three' .and. pc_size(other) == 3, 'a table in an .awkd file')
    columns(2) = row
    call pc_make_table(table, ['a', 'b'], columns(1:2), status)
    call check(status == PC_ERROR_TYPE, 'a value that is not a column')
    call pc_make_table(table, columns(1:1), columns(1:1), status)
    call check(status == PC_ERROR_TYPE, 'a name that is not text')
    call pc_make(columns(2), [1])
    call pc_make_table(table, ['a', 'b'], columns(1:2), status)
    call check(status == PC_ERROR_INVALID, 'columns of different lengths')
    copies = columns
    call pc_make(columns(4), 'in the same memory')
    call check(pc_size(copies(4)) == 3 .and. pc_size(copies(2)) == 1, 'copies of an array of values live on')
  end subroutine test_tables

  subroutine test_values
    type(pc_value) :: value, items(3), other
    character(:), allocatable :: text
    integer :: status
    integer(int8), allocatable :: octets(:)
    type(pc_options) :: options
    real(real64) :: x(2)
    call pc_make(items(1), 2.5d0, units='cm')
    call pc_make(items(2), 'text')
    call pc_make_list(items(3), items(1:2))
    call pc_make_object(value, ['length', 'word  ', 'both  '], items)
    call check(pc_units(value, 'both[0]') == 'cm' .and. pc_units(value, 'word') == '', 'units')
    call pc_set_units(items(1), 'm')
    call check(pc_units(items(1)) == 'm' .and. pc_units(value, 'length') == 'cm', 'other units')
    call pc_text(value, text, plain=.true.)
    call check(text == '{"length": 2.5, "word": "text", "both": [2.5, "text"]}', 'plain JSON: '//text)
    call pc_key(value, 2_int64, text)
    call check(text == 'word' .and. pc_size(value) == 3, 'names of members')
    call pc_part(value, '["both"][1]', other)
    call check(pc_same(other, items(2)), 'a part')
    other = value
    call pc_make_null(value)
    call check(pc_size(other) == 3, 'a copy lives on')
    call pc_make_extension(value, 'yggdrasil.class', items(2))
    call pc_encode(value, 'yggdrasil', text)
    call pc_decode(text, other)
    call pc_key(other, 1_int64, text)
    call check(pc_kind(other) == PC_KIND_EXTENSION .and. text == 'yggdrasil.class', 'a class is inert')
    call pc_make(items(1), 7_int64)
    call pc_make(items(3), .false.)
    call pc_make_map(value, items(1:2), items(2:3))
    call pc_key(value, 1_int64, other)
    call check(pc_same(other, items(1)) .and. pc_kind(value) == PC_KIND_MAP, 'a map')
    call pc_save(value, 'map.msgpack')
    call pc_open('map.msgpack', other)
    call check(pc_size(other) == 2, 'a map in a file')
    octets = [91_int8, 49_int8, 93_int8]
    options%codec = 'json'
    call pc_decode(octets, value, options=options)
    call check(pc_size(value) == 1, 'bytes as integers')
    x = [1, 2]
    call pc_convert_units('m', 'cm', x)
    call check(all(x == [100, 200]), 'units are converted')
    call pc_convert_units('m', 'kg', x, status)
    call check(status == PC_ERROR_TYPE, 'units of other things')
  end subroutine test_values

  subroutine test_errors
    type(pc_value) :: value, none
    type(pc_error) :: error
    type(pc_options) :: options
    character(:), allocatable :: message, octets
    integer(int8), allocatable :: small(:)
    integer(int8), allocatable :: grid(:, :)
    real(real64) :: x
    integer :: status
    call pc_open('nowhere.ply', value, status, message, error)
    call check(status == error%status .and. status /= PC_OK .and. index(message, 'nowhere.ply') > 0, 'a missing file')
    call pc_open('mesh.ply', value)
    call pc_encode(value, 'ply', octets)
    call write_file('cut.ply', octets(:len(octets) - 12))
    call pc_open('cut.ply', value, error=error)
    call check(error%status == PC_ERROR_TRUNCATED .and. error%detail == 'ply.truncated' .and. error%byte > 0 .and. &
        index(error%path, '$.face') == 1 .and. error%codec == 'ply', 'a cut file: '//error%message)
    call check(pc_size(value) > 0, 'a value that is not opened stays as it was')
    call write_file('wrong.ply', 'This is not PLY.')
    call pc_open('wrong.ply', value, status, message)
    call check(status /= PC_OK .and. len(message) > 20, 'a wrong file: '//message)
    call pc_parse('{"a": [1, 2, 300], "b": [[1, 2], [3, 400]], "t": "text"}', value)
    call pc_column(value, 'a', small, error=error)
    call check(error%status == PC_ERROR_RANGE .and. error%path == '$.a[2]', 'a number that does not fit: '//error%path)
    call pc_column(value, 'b', grid, error=error)
    call check(error%status == PC_ERROR_RANGE .and. error%path == '$.b[1][1]', 'the same of two axes: '//error%path)
    call pc_column(value, 'a', grid, status, message)
    call check(status == PC_ERROR_TYPE, 'other axes: '//message)
    call pc_get(value, 't', x, status)
    call check(status == PC_ERROR_TYPE, 'text is not a number')
    call pc_get(value, 'a', x, status)
    call check(status == PC_ERROR_TYPE, 'an array is not a number')
    call pc_get(value, 'c', x, status, message)
    call check(status == PC_ERROR_NOT_FOUND .and. index(message, "'t'") > 0, 'an unknown name: '//message)
    call pc_item(value, 9_int64, value, status)
    call check(status == PC_ERROR_NOT_FOUND, 'an index beyond the end')
    call pc_encode(none, 'json', octets, status)
    call check(status == PC_ERROR_INVALID .and. octets == '', 'a value that nobody made')
    call pc_column(none, '$', small, status)
    call check(status == PC_ERROR_INVALID, 'a column of no value')
    call pc_encode(value, 'nosuchcodec', octets, status)
    call check(status == PC_ERROR_NOT_FOUND, 'an unknown codec')
    options%max_depth = 2
    options%codec = 'json'
    call pc_decode('[[[[1]]]]', value, status, options=options)
    call check(status == PC_ERROR_LIMIT, 'a limit')
    options = pc_options(select='b[1]', codec='json')
    call pc_decode('{"a": 1, "b": [[1], [2, 3]]}', value, options=options)
    call check(pc_size(value) == 2, 'a part alone')
    options = pc_options(codec='json', tolerant=.true.)
    call pc_decode('[1, 2,]', value, status, message, options=options)
    call check(status == PC_OK .and. size(options%lost) > 0, 'tolerant reading: '//message)
    options%tolerant = .false.
    call pc_decode('[1, 2,]', value, status, options=options)
    call check(status == PC_ERROR_MALFORMED, 'strict reading')
    options = pc_options(codec_options='{"no_such_option": 1}')
    call pc_open('mesh.ply', value, status, message, options=options)
    call check(status == PC_ERROR_OPTION .and. index(message, 'no_such_option') > 0, 'options of a codec that is chosen')
    call pc_make(value, [character(2) ::])
    call check(pc_kind(value) == PC_KIND_ARRAY .and. pc_size(value) == 0, 'an array without strings')
    call pc_make(value, 1, status, dtype=99)
    call check(status == PC_ERROR_OPTION .or. status == PC_ERROR_TYPE .or. status == PC_ERROR_INVALID, 'no such dtype')
  end subroutine test_errors

  subroutine test_messages
    type(pc_channel) :: out, in
    type(pc_value) :: value, other
    character(:), allocatable :: octets, header
    integer :: control, i
    logical :: more
    call pc_channel_open(out, '', '', settings='{"model": "check"}')
    call pc_channel_open(in, '', '')
    call pc_make(value, [1.5d0, 2.5d0], units='m')
    call pc_message_pack(out, value, octets, header='{"__meta__": {"request_id": "r1"}}')
    do i = 1, len(octets) - 1
      call pc_channel_feed(in, octets(i:i))
      call pc_message_read(in, other, more)
      if (more) exit
    end do
    call check(i == len(octets), 'no message before its end')
    call pc_channel_feed(in, octets(len(octets):))
    call pc_message_read(in, other, more, control=control)
    header = pc_message_header(in)
    call check(more .and. control == 0 .and. pc_same(value, other), 'a message in pieces')
    call check(index(header, '"request_id":"r1"') > 0 .and. index(header, '"model":"check"') > 0, 'its header: '//header)
    call pc_channel_open(out, '', 'messages.bin')
    do i = 1, 3
      call pc_make(value, [(real(control, real64), control=1, i)])
      call pc_message_write(out, value)
    end do
    call pc_message_end(out)
    call pc_channel_close(out)
    call pc_channel_open(in, 'messages.bin', '')
    do i = 1, 4
      call pc_message_read(in, other, more, control=control)
      if (i < 4) call check(more .and. pc_size(other) == i .and. control == 0, 'messages of a file')
    end do
    call check(more .and. control == 1, 'the end of the stream')
    call pc_message_read(in, other, more)
    call check(.not. more, 'the end of the file')
    call pc_channel_open(in, 'nowhere/at/all', '', i)
    call check(i == PC_ERROR_IO, 'a channel that cannot be opened')
    call pc_channel_open(in, '', '')
    call pc_channel_feed(in, 'YGG_MSG_HEAD{"__meta__":{"size":9}}YGG_MSG_HEAD1', last=.true.)
    call pc_message_read(in, other, more, i)
    call check(i == PC_ERROR_TRUNCATED .and. .not. more, 'a message that is cut')
  end subroutine test_messages

  !> A generated value.
  recursive subroutine generate(value, depth)
    type(pc_value), intent(inout) :: value
    integer, intent(in) :: depth
    type(pc_value), allocatable :: items(:)
    character(4), allocatable :: names(:)
    integer(int64) :: i, n
    n = next(4_int64)
    allocate (items(n), names(n))
    do i = 1, n
      if (depth > 0) call generate(items(i), depth - 1)
      write (names(i), '(a1,i3.3)') char(97 + next(26_int64)), i
    end do
    select case (next(merge(14_int64, 12_int64, depth > 0)))
    case (0)
      call pc_make_null(value)
    case (1)
      call pc_make(value, next(2_int64) == 1)
    case (2)
      call pc_make(value, next(1000_int64) - 500)
    case (3)
      call pc_make(value, int(next(100_int64), int8))
    case (4)
      call pc_make(value, next(200000_int64)/7d0)
    case (5)
      call pc_make(value, real(next(1000_int64))/8, dtype=PC_DTYPE_FLOAT32)
    case (6)
      call pc_make(value, repeat(char(195)//char(169), int(n))//'x'//char(9))
    case (7)
      call pc_make(value, char(0)//char(255)//repeat('b', int(n)), dtype=PC_DTYPE_FIXED_BYTES)
    case (8)
      call pc_make(value, [(next(1000_int64)/4d0, i=1, n)])
    case (9)
      call pc_make(value, reshape([(int(next(1000_int64), int16), i=1, 6*n)], [2, 3, int(n)]))
    case (10)
      call pc_make(value, [(cmplx(next(9_int64), 1, real64), i=1, n)])
    case (11)
      call pc_make(value, next(1000_int64), dtype=PC_DTYPE_UINT16, units='kg')
    case (12)
      call pc_make_list(value, items)
    case default
      call pc_make_object(value, names, items)
    end select
  end subroutine generate

  subroutine test_generated(n)
    integer, intent(in) :: n
    type(pc_value) :: value, other
    character(:), allocatable :: octets, text, again
    type(pc_options) :: options
    integer :: i, good
    good = 0
    options%codec = 'yggdrasil'
    do i = 1, n
      call generate(value, 3)
      call pc_encode(value, 'yggdrasil', octets)
      call pc_decode(octets, other, options=options)
      call pc_text(value, text)
      if (pc_same(value, other)) then
        good = good + 1
      else
        write (error_unit, '(2a)') text, octets
      end if
      call pc_parse(text, other)
      call pc_text(other, again)
      if (text == again) good = good + 1
      if (text /= again) write (error_unit, '(3a)') text, new_line('a'), again
    end do
    call check(good == 2*n, 'generated values through bytes and text')
  end subroutine test_generated

  !> Pages of memory that the program has now.
  integer function pages()
    integer :: unit, all
    open (newunit=unit, file='/proc/self/statm', action='read')
    read (unit, *) all, pages
    close (unit)
  end function pages

  subroutine test_memory
    type(pc_value) :: value, part, made
    real(real64), allocatable :: x(:)
    integer(int32), allocatable :: faces(:, :)
    character(:), allocatable :: octets
    integer :: i, before, status
    before = 0
    do i = 1, 10000
      call pc_open('mesh.ply', value)
      call pc_part(value, 'vertex', part)
      call pc_column(part, 'x', x)
      call pc_column(value, 'face.vertex_indices', faces)
      call pc_make(made, x)
      if (mod(i, 10) == 0) call pc_encode(made, 'yggdrasil', octets)
      if (mod(i, 10) == 0) call pc_open('nowhere.ply', value, status)
      if (i == 2000) before = pages()
    end do
    call check(pages() < before + 256, 'memory does not grow')
  end subroutine test_memory

end module checks

program check_all
  use checks
  implicit none
  call test_axes
  call test_types
  call test_mesh
  call test_tables
  call test_values
  call test_errors
  call test_messages
  call test_generated(200)
  call test_memory
  print '(i0)', passed
  if (failed > 0) error stop 1
end program check_all
