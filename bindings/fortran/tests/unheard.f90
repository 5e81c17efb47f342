! SPDX-License-Identifier: MIT
!> Asks for no status.
program unheard
  use polycodec
  implicit none
  type(pc_value) :: value
  call pc_open('nowhere.ply', value)
end program unheard
