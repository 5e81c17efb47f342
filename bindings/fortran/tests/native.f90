! SPDX-License-Identifier: MIT
!> Takes a value apart to native types of Fortran, and makes it anew of them.
module native
  use polycodec
  use, intrinsic :: iso_c_binding, only: c_bool
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128
  implicit none
  private
  public :: rebuild

  !> What a procedure of this module fails with.
  type, public :: failure
    integer :: status = PC_OK
    character(:), allocatable :: message
  end type failure

contains

  !> made: the value again.
  recursive subroutine rebuild(value, made, f)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: made
    type(failure), intent(inout) :: f
    type(pc_value) :: metadata
    if (f%status /= PC_OK) return
    select case (pc_kind(value))
    case (PC_KIND_NULL)
      call pc_make_null(made, f%status, f%message)
    case (PC_KIND_BOOLEAN:PC_KIND_BINARY, PC_KIND_TIMESTAMP, PC_KIND_DURATION)
      call scalar(value, made, f)
    case (PC_KIND_LIST:PC_KIND_MAP)
      call items(value, made, f)
    case (PC_KIND_ARRAY)
      call array(value, made, f)
    case (PC_KIND_EXTENSION)
      call extension(value, made, f)
    case default
      call pc_item(value, 1_int64, metadata, f%status, f%message)
      call rebuild(metadata, made, f)
      return
    end select
    if (f%status /= PC_OK) return
    call pc_metadata(value, metadata, f%status, f%message)
    if (pc_kind(metadata) == PC_KIND_OBJECT) call pc_annotate(made, metadata, f%status, f%message)
  end subroutine rebuild

  subroutine scalar(value, made, f)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: made
    type(failure), intent(inout) :: f
    integer :: dtype, unit
    logical :: flag
    integer(int64) :: i
    integer(int128) :: wide
    real(real32) :: single
    real(real64) :: double
    real(real128) :: quad
    complex(real32) :: c32
    complex(real64) :: c64
    character(:), allocatable :: text
    integer(int64), allocatable :: counts(:)
    dtype = pc_dtype(value, unit)
    select case (dtype)
    case (PC_DTYPE_BOOLEAN)
      call pc_get(value, '$', flag, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, flag, f%status, f%message)
    case (PC_DTYPE_INT8, PC_DTYPE_INT16, PC_DTYPE_INT32, PC_DTYPE_INT64, PC_DTYPE_UINT8, PC_DTYPE_UINT16, PC_DTYPE_UINT32)
      call pc_get(value, '$', i, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, i, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_UINT64, PC_DTYPE_INT128, PC_DTYPE_UINT128)
      call pc_get(value, '$', wide, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, wide, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_FLOAT16, PC_DTYPE_FLOAT32)
      call pc_get(value, '$', single, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, single, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_FLOAT64)
      call pc_get(value, '$', double, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, double, f%status, f%message)
    case (PC_DTYPE_FLOAT128)
      call pc_get(value, '$', quad, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, quad, f%status, f%message)
    case (PC_DTYPE_COMPLEX32, PC_DTYPE_COMPLEX64)
      call pc_get(value, '$', c32, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, c32, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_COMPLEX128)
      call pc_get(value, '$', c64, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, c64, f%status, f%message)
    case (PC_DTYPE_TIMESTAMP64, PC_DTYPE_DURATION64)
      call pc_times(value, '$', unit, counts, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, counts(1), f%status, f%message, dtype=dtype, unit=unit)
    case default
      call pc_get(value, '$', text, f%status, f%message)
      dtype = merge(PC_DTYPE_FIXED_BYTES, PC_DTYPE_NONE, pc_kind(value) == PC_KIND_BINARY)
      if (f%status == PC_OK) call pc_make(made, text, f%status, f%message, dtype=dtype)
    end select
  end subroutine scalar

  recursive subroutine items(value, made, f)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: made
    type(failure), intent(inout) :: f
    type(pc_value), allocatable :: keys(:), parts(:)
    type(pc_value) :: item
    integer(int64) :: i, n
    n = pc_size(value)
    allocate (keys(pc_keys(value)), parts(n))
    do i = 1, n
      call pc_item(value, i, item, f%status, f%message)
      call rebuild(item, parts(i), f)
      if (f%status == PC_OK .and. size(keys) > 0) call pc_key(value, i, item, f%status, f%message)
      if (size(keys) > 0) call rebuild(item, keys(i), f)
      if (f%status /= PC_OK) return
    end do
    select case (pc_kind(value))
    case (PC_KIND_OBJECT)
      call pc_make_object(made, keys, parts, f%status, f%message)
    case (PC_KIND_MAP)
      call pc_make_map(made, keys, parts, f%status, f%message)
    case default
      call pc_make_list(made, parts, f%status, f%message, tuple=pc_kind(value) == PC_KIND_TUPLE)
    end select
  end subroutine items

  recursive subroutine extension(value, made, f)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: made
    type(failure), intent(inout) :: f
    type(pc_value) :: payload, again
    character(:), allocatable :: name
    call pc_key(value, 1_int64, name)
    call pc_item(value, 1_int64, payload, f%status, f%message)
    call rebuild(payload, again, f)
    if (f%status == PC_OK) call pc_make_extension(made, name, again, f%status, f%message)
  end subroutine extension

  recursive subroutine array(value, made, f)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: made
    type(failure), intent(inout) :: f
    integer(int64), allocatable :: shape(:), lengths(:)
    character(:), allocatable :: text(:), name
    type(pc_value), allocatable :: columns(:), keys(:)
    type(pc_value) :: part
    integer(int64) :: i
    select case (pc_layout(value))
    case (PC_LAYOUT_NDARRAY)
      call pc_find_shape(value, '$', shape, f%status, f%message)
      if (size(shape) == 0) call scalar(value, made, f)
      if (size(shape) == 1) call numbers_1(value, made, f)
      if (size(shape) == 2) call numbers_2(value, made, f)
      if (size(shape) > 2) call numbers_3(value, size(shape), made, f)
    case (PC_LAYOUT_RECORD)
      allocate (columns(pc_keys(value)), keys(pc_keys(value)))
      do i = 1, pc_keys(value)
        call pc_key(value, i, name)
        call pc_make(keys(i), name)
        call pc_field(value, i, part, f%status, f%message)
        call rebuild(part, columns(i), f)
        if (f%status /= PC_OK) return
      end do
      call pc_make_table(made, keys, columns, f%status, f%message)
    case (PC_LAYOUT_LIST_OFFSETS, PC_LAYOUT_LIST_VIEW, PC_LAYOUT_LIST_FIXED)
      call pc_column(value, '$', text, f%status, f%message, lengths=lengths)
      if (f%status == PC_OK) then
        call pc_make(made, text, f%status, f%message, dtype=PC_DTYPE_NONE, lengths=lengths)
        return
      end if
      call pc_lengths(value, '$', lengths, f%status, f%message)
      if (f%status == PC_OK) call numbers_1(value, part, f)
      if (f%status == PC_OK) call pc_make_ragged(made, part, lengths, f%status, f%message)
    case default
      call numbers_1(value, made, f)
    end select
  end subroutine array

  !> Numbers or text of one axis, some of which may be missing.
  subroutine numbers_1(value, made, f)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: made
    type(failure), intent(inout) :: f
    integer(int64), allocatable :: i(:), lengths(:)
    integer(int128), allocatable :: wide(:)
    logical(c_bool), allocatable :: flags(:)
    real(real32), allocatable :: single(:)
    real(real64), allocatable :: double(:)
    real(real128), allocatable :: quad(:)
    complex(real32), allocatable :: c32(:)
    complex(real64), allocatable :: c64(:)
    character(:), allocatable :: text(:)
    logical, allocatable :: there(:)
    type(pc_value) :: element
    integer :: dtype, unit, layout
    dtype = pc_dtype(value, unit)
    layout = pc_layout(value)
    if (layout >= PC_LAYOUT_LIST_OFFSETS .and. layout <= PC_LAYOUT_LIST_FIXED) then
      dtype = PC_DTYPE_INT64  ! of empty lists
      if (pc_size(value) > 0) call pc_item(value, 1_int64, element)
      if (pc_size(value) > 0) dtype = pc_dtype(element)
    end if
    select case (dtype)
    case (PC_DTYPE_BOOLEAN)
      call pc_column(value, '$', flags, f%status, f%message, mask=there)
      if (f%status == PC_OK .and. all(there)) call pc_make(made, flags, f%status, f%message)
      if (f%status == PC_OK .and. .not. all(there)) call pc_make(made, flags, f%status, f%message, mask=there)
    case (PC_DTYPE_INT8, PC_DTYPE_INT16, PC_DTYPE_INT32, PC_DTYPE_INT64, PC_DTYPE_UINT8, PC_DTYPE_UINT16, PC_DTYPE_UINT32)
      call pc_column(value, '$', i, f%status, f%message, mask=there)
      if (f%status == PC_OK .and. all(there)) call pc_make(made, i, f%status, f%message, dtype=dtype)
      if (f%status == PC_OK .and. .not. all(there)) &
          call pc_make(made, i, f%status, f%message, dtype=dtype, mask=there)
    case (PC_DTYPE_UINT64, PC_DTYPE_INT128, PC_DTYPE_UINT128)
      call pc_column(value, '$', wide, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, wide, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_FLOAT16, PC_DTYPE_FLOAT32)
      call pc_column(value, '$', single, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, single, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_FLOAT64)
      call pc_column(value, '$', double, f%status, f%message, mask=there)
      if (f%status == PC_OK .and. all(there)) call pc_make(made, double, f%status, f%message)
      if (f%status == PC_OK .and. .not. all(there)) call pc_make(made, double, f%status, f%message, mask=there)
    case (PC_DTYPE_FLOAT128)
      call pc_column(value, '$', quad, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, quad, f%status, f%message)
    case (PC_DTYPE_COMPLEX32, PC_DTYPE_COMPLEX64)
      call pc_column(value, '$', c32, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, c32, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_COMPLEX128)
      call pc_column(value, '$', c64, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, c64, f%status, f%message)
    case (PC_DTYPE_TIMESTAMP64, PC_DTYPE_DURATION64)
      call pc_times(value, '$', unit, i, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, i, f%status, f%message, dtype=dtype, unit=unit)
    case default
      call pc_column(value, '$', text, f%status, f%message, lengths=lengths)
      if (f%status == PC_OK) call pc_make(made, text, f%status, f%message, dtype=dtype, lengths=lengths)
    end select
  end subroutine numbers_1

  subroutine numbers_2(value, made, f)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: made
    type(failure), intent(inout) :: f
    integer(int128), allocatable :: i(:, :)
    logical(c_bool), allocatable :: flags(:, :)
    real(real64), allocatable :: double(:, :)
    complex(real64), allocatable :: c64(:, :)
    character(:), allocatable :: text(:, :)
    integer(int64), allocatable :: lengths(:)
    integer :: dtype
    dtype = pc_dtype(value)
    select case (dtype)
    case (PC_DTYPE_BOOLEAN)
      call pc_column(value, '$', flags, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, flags, f%status, f%message)
    case (PC_DTYPE_INT8:PC_DTYPE_UINT128)
      call pc_column(value, '$', i, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, i, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_FLOAT16:PC_DTYPE_FLOAT64)
      call pc_column(value, '$', double, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, double, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_COMPLEX32:PC_DTYPE_COMPLEX128)
      call pc_column(value, '$', c64, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, c64, f%status, f%message, dtype=dtype)
    case default
      call pc_column(value, '$', text, f%status, f%message, lengths=lengths)
      if (f%status == PC_OK) call pc_make(made, text, f%status, f%message, dtype=dtype, lengths=lengths)
    end select
  end subroutine numbers_2

  !> Numbers of three or four axes.
  subroutine numbers_3(value, axes, made, f)
    type(pc_value), intent(in) :: value
    integer, intent(in) :: axes
    type(pc_value), intent(inout) :: made
    type(failure), intent(inout) :: f
    real(real32), allocatable :: single(:, :, :)
    real(real64), allocatable :: double(:, :, :), d4(:, :, :, :)
    integer(int128), allocatable :: i(:, :, :), i4(:, :, :, :)
    logical(c_bool), allocatable :: flags(:, :, :)
    complex(real64), allocatable :: c64(:, :, :), c4(:, :, :, :)
    integer :: dtype
    dtype = pc_dtype(value)
    select case (dtype + merge(100, 0, axes > 3))
    case (PC_DTYPE_INT8 + 100:PC_DTYPE_UINT128 + 100)
      call pc_column(value, '$', i4, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, i4, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_FLOAT16 + 100:PC_DTYPE_FLOAT64 + 100)
      call pc_column(value, '$', d4, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, d4, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_COMPLEX32 + 100:)
      call pc_column(value, '$', c4, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, c4, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_BOOLEAN)
      call pc_column(value, '$', flags, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, flags, f%status, f%message)
    case (PC_DTYPE_INT8:PC_DTYPE_UINT128)
      call pc_column(value, '$', i, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, i, f%status, f%message, dtype=dtype)
    case (PC_DTYPE_FLOAT64)
      call pc_column(value, '$', double, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, double, f%status, f%message)
    case (PC_DTYPE_FLOAT16, PC_DTYPE_FLOAT32)
      call pc_column(value, '$', single, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, single, f%status, f%message, dtype=dtype)
    case default
      call pc_column(value, '$', c64, f%status, f%message)
      if (f%status == PC_OK) call pc_make(made, c64, f%status, f%message, dtype=dtype)
    end select
  end subroutine numbers_3
end module native
