! SPDX-License-Identifier: MIT
!> Reads messages from standard input to its end, and writes each again, made of native types of Fortran.
program ring
  use native
  use polycodec
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  type(pc_channel) :: channel
  type(pc_value) :: value, again
  type(failure) :: f
  logical :: more
  call pc_channel_open(channel, '-', '-')
  do
    call pc_message_read(channel, value, more)
    if (.not. more) exit
    call rebuild(value, again, f)
    if (f%status /= PC_OK) then
      write (error_unit, '(2a)') 'ring: ', f%message
      error stop 1
    end if
    call pc_message_write(channel, again, header=pc_message_header(channel))
  end do
end program ring
