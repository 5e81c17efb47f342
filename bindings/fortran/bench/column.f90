! SPDX-License-Identifier: MIT
!> Times a column of N numbers from a file beside one copy of as many: bench [N]
program bench
  use polycodec
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  type(pc_value) :: value
  real(real64), allocatable :: x(:), y(:)
  character(20) :: word
  integer(int64) :: n, i, start, stop, rate
  real(real64) :: column, copy
  integer :: round
  n = 10000000
  call get_command_argument(1, word)
  if (word /= '') read (word, *) n
  allocate (x(n))
  do i = 1, n
    x(i) = i*0.5d0
  end do
  call pc_make(value, x)
  call pc_save(value, 'column.msgpack')
  call pc_open('column.msgpack', value)
  column = huge(column)
  copy = huge(copy)
  do round = 1, 7
    call system_clock(start, rate)
    call pc_column(value, '$', x)
    call system_clock(stop)
    column = min(column, real(stop - start, real64)/rate)
    if (allocated(y)) deallocate (y)
    call system_clock(start)
    allocate (y(n))
    y(:) = x
    call system_clock(stop)
    copy = min(copy, real(stop - start, real64)/rate)
  end do
  if (y(n) < x(n)) error stop 'the copy is another'
  print '(a,f8.2,a,f8.2,a,f5.2)', 'column ', column*1000, ' ms, copy ', copy*1000, ' ms, ratio ', column/copy
end program bench
