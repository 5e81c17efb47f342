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
  integer, parameter :: rounds = 15
  real(real64) :: column(rounds), copy(rounds), each(2)
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
  do round = 1, rounds
    call system_clock(start, rate)
    call pc_column(value, '$', x)
    call system_clock(stop)
    column(round) = 1000*real(stop - start, real64)/rate
    if (allocated(y)) deallocate (y)
    call system_clock(start)
    allocate (y(n))
    y(:) = x
    call system_clock(stop)
    copy(round) = 1000*real(stop - start, real64)/rate
  end do
  if (y(n) < x(n)) error stop 'the copy is another'
  each = [median(column), median(copy)]
  print '(a,f0.2,a,f0.2,a,f0.2)', 'fortran: column ', each(1), ' ms, copy ', each(2), ' ms, ratio ', each(1)/each(2)

contains

  real(real64) function median(times)
    real(real64), intent(in) :: times(:)
    integer :: i
    do i = 1, size(times)
      median = times(i)
      if (count(times < median) <= size(times)/2 .and. count(times > median) <= size(times)/2) return
    end do
  end function median
end program bench
