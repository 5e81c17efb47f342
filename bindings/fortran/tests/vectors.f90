! SPDX-License-Identifier: MIT
!> Decodes the vectors to native types, and encodes these: vectors VECTORS EXPECTED CANNOT EACH
!>
!> VECTORS has cases.jsonl and the files; EXPECTED the bodies that the command writes, and messages.txt, which has each
!> message with the exit status of the command; CANNOT lists what Fortran cannot hold; EACH 1 is all of them.
program vectors
  use native
  use polycodec
  use, intrinsic :: iso_fortran_env, only: int64, error_unit
  implicit none
  character(:), allocatable :: directory, expected, line
  character(300), allocatable :: cannot(:, :)
  integer :: passed, failed, each, unit, n, good
  passed = 0
  failed = 0
  directory = argument(1)//'/'
  expected = argument(2)//'/'
  line = argument(4)
  read (line, *) each
  call read_cannot(argument(3))
  open (newunit=unit, file=directory//'cases.jsonl', action='read')
  n = 0
  do while (next_line(unit, line))
    if (mod(n, each) == 0) call one_case(line)
    n = n + 1
  end do
  close (unit)
  open (newunit=unit, file=expected//'messages.txt', action='read')
  n = 0
  do while (next_line(unit, line))
    good = index(line, ' 0')
    if (mod(n, each) == 0) call one_message(line(:index(line, ' ') - 1), good > 0)
    n = n + 1
  end do
  print '(i0)', passed
  if (failed > 0) error stop 1

contains

  function argument(i) result(text)
    integer, intent(in) :: i
    character(:), allocatable :: text
    integer :: n
    call get_command_argument(i, length=n)
    allocate (character(n) :: text)
    call get_command_argument(i, text)
  end function argument

  logical function next_line(unit, line)
    integer, intent(in) :: unit
    character(:), allocatable, intent(inout) :: line
    character(4096) :: part
    integer :: n, status
    line = ''
    do
      read (unit, '(a)', advance='no', size=n, iostat=status) part
      if (n > 0) line = line//part(:n)
      if (status /= 0) exit
    end do
    next_line = .not. is_iostat_end(status)
  end function next_line

  subroutine read_cannot(name)
    character(*), intent(in) :: name
    character(:), allocatable :: line
    integer :: unit, tab, rest
    allocate (cannot(2, 0))
    open (newunit=unit, file=name, action='read')
    do while (next_line(unit, line))
      tab = index(line, char(9))
      rest = tab + index(line(tab + 1:), char(9))
      cannot = reshape([cannot, [character(300) :: line(:tab - 1), line(tab + 1:rest - 1)]], [2, size(cannot, 2) + 1])
    end do
    close (unit)
  end subroutine read_cannot

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) passed = passed + 1
    if (.not. holds) failed = failed + 1
    if (.not. holds) write (error_unit, '(2a)') 'FAILED: ', what
  end subroutine check

  function file_octets(name) result(octets)
    character(*), intent(in) :: name
    character(:), allocatable :: octets
    integer :: unit, n
    inquire (file=name, size=n)
    allocate (character(max(n, 0)) :: octets)
    if (n < 1) return
    open (newunit=unit, file=name, access='stream', action='read')
    read (unit) octets
    close (unit)
  end function file_octets

  subroutine one_case(line)
    character(*), intent(in) :: line
    type(pc_value) :: case, value, again
    type(pc_options) :: options
    type(pc_error) :: error
    type(failure) :: f
    character(:), allocatable :: file, code, detail, path, octets
    integer(int64) :: offset
    integer :: status, i
    call pc_parse(line, case)
    call pc_get(case, 'file', file)
    call pc_get(case, 'codec', options%codec)
    call pc_open(directory//file, value, error=error, options=options)
    call pc_get(case, 'error.code', code, status)
    if (status == PC_OK) then
      call pc_get(case, 'error.detail', detail)
      call pc_get(case, 'error.path', path)
      offset = -1
      call pc_get(case, 'error.offset', offset, status)
      call check(pc_status_name(error%status) == code .and. error%detail == detail .and. error%byte == offset .and. &
          (error%path == path .or. len(path) > 200), file//': '//error%message)
      return
    end if
    call check(error%status == PC_OK, file//': '//error%message)
    if (error%status /= PC_OK) return
    call rebuild(value, again, f)
    do i = 1, size(cannot, 2)
      if (cannot(1, i) /= file) cycle
      call check(f%status /= PC_OK .and. index(f%message, trim(cannot(2, i))) > 0, file//': is listed, but works')
      return
    end do
    call check(f%status == PC_OK, file//' to native types')
    if (f%status /= PC_OK) return
    call check(pc_same(value, again), file//' has other types: '//pc_type(value)//', '//pc_type(again))
    call pc_encode(again, options%codec, octets)
    call check(octets == file_octets(expected//file) .and. len(octets) == len(file_octets(expected//file)), &
        file//' has other bytes: '//octets)
  end subroutine one_case

  subroutine one_message(file, good)
    character(*), intent(in) :: file
    logical, intent(in) :: good
    type(pc_channel) :: channel, of_library, of_fortran
    type(pc_value) :: value, again
    type(failure) :: f
    character(:), allocatable :: header, octets, others, message
    logical :: more
    integer :: status, n
    n = 0
    call pc_channel_open(channel, '', '', settings='{"packets": true}')
    call pc_channel_open(of_library, '', '')
    call pc_channel_open(of_fortran, '', '')
    call pc_channel_feed(channel, file_octets(directory//file), status, message, last=.true.)
    do while (status == PC_OK)
      call pc_message_read(channel, value, more, status, message)
      if (status /= PC_OK .or. .not. more) exit
      n = n + 1
      header = pc_message_header(channel)
      if (header == '') header = '{"__meta__": {"id": "none"}}'  ! each message without one gets one of its own
      call rebuild(value, again, f)
      call check(f%status == PC_OK .and. pc_same(value, again), file//' to native types')
      call pc_message_pack(of_library, value, octets, header=header)
      call pc_message_pack(of_fortran, again, others, header=header)
      call check(octets == others, file//' again: '//others)
    end do
    call check((status == PC_OK .and. n > 0) .eqv. good, file//': '//message)
  end subroutine one_message
end program vectors
