! SPDX-License-Identifier: MIT
! scripts/fortran_sys.py makes this file from polycodec.f90.in.
! Values of many formats for Fortran, over polycodec/host.h: bindings/fortran/README.md has the interface.
module polycodec_host
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128, error_unit
  use polycodec_sys
  implicit none
  private

  integer, parameter, public :: int128 = selected_int_kind(38)
  integer, parameter, public :: ucs4 = selected_char_kind('ISO_10646')

  public :: pc_configure, pc_open, pc_save, pc_decode, pc_encode, pc_convert, pc_parse, pc_text, pc_type, pc_same
  public :: pc_list_values, pc_convert_units, pc_library_version, pc_status_name, pc_to_ucs4, pc_to_utf8
  public :: pc_kind, pc_layout, pc_dtype, pc_size, pc_keys, pc_key, pc_field, pc_item, pc_part, pc_find_shape
  public :: pc_metadata, pc_units, pc_get, pc_column, pc_lengths, pc_times
  public :: pc_make, pc_make_null, pc_make_list, pc_make_object, pc_make_map, pc_make_table, pc_make_ragged
  public :: pc_make_extension, pc_annotate, pc_set_units
  public :: pc_channel_open, pc_channel_close, pc_channel_feed, pc_message_read, pc_message_header, pc_message_pack
  public :: pc_message_write, pc_message_end

  !> A value: a number, text, array, table, or what is made of them. Copies share it; it never changes.
  type, public :: pc_value
    private
    type(c_ptr) :: raw = c_null_ptr
  contains
    procedure, private :: share
    generic, public :: assignment(=) => share
    final :: drop_value
  end type pc_value

  !> What went wrong: a status such as PC_ERROR_MALFORMED, and where. byte is -1 when no byte is to blame.
  type, public :: pc_error
    integer :: status = PC_OK
    integer(int64) :: byte = -1
    character(:), allocatable :: detail, path, message, codec
  end type pc_error

  !> Something that a format could not hold, or that was mended. class: PC_LOSS_DATA and others.
  type, public :: pc_loss
    integer :: class = PC_LOSS_NOTE
    character(:), allocatable :: path, what
  end type pc_loss

  abstract interface
    !> Is called for each loss, during the call that loses it.
    subroutine pc_hear_loss(class, path, what)
      integer, intent(in) :: class
      character(*), intent(in) :: path, what
    end subroutine pc_hear_loss
  end interface
  public :: pc_hear_loss

  !> What applies to one call. Text that is not allocated, 0 and .false. are the defaults of the library.
  type, public :: pc_options
    character(:), allocatable :: codec          !< the name of the codec; else it is chosen
    character(:), allocatable :: codec_options  !< its options, a JSON object
    character(:), allocatable :: filters        !< after the codec: [{"id": NAME, OPTION: VALUE}]
    character(:), allocatable :: select         !< the path of the part to decode
    character(:), allocatable :: member         !< which value of a file that has several
    logical :: tolerant = .false.               !< mend what breaks a rule of the format
    logical :: lossless = .false.               !< refuse notes and other types of numbers, too
    logical :: compare = .false.                !< read back what is written to a file
    logical :: as_is = .false.                  !< do not make values of messages fit the datatype of the header
    integer, allocatable :: losses(:)           !< classes of loss that are allowed: PC_LOSS_DATA and others
    procedure(pc_hear_loss), pointer, nopass :: on_loss => null()
    type(pc_loss), allocatable :: lost(:)       !< what the last call lost
    integer(int64) :: max_depth = 0, max_input_bytes = 0, max_header_bytes = 0, max_nodes = 0, max_elements = 0
    integer(int64) :: max_work = 0, max_memory_bytes = 0, max_output_bytes = 0
    real(real64) :: seconds = 0                 !< the call ends with PC_ERROR_CANCELLED after this time
    integer :: threads = 0
  end type pc_options

  !> The error of a call of the library, and the whole text of it.
  type :: trap
    type(polycodec_error) :: raw
    type(pc_error) :: said
    character(:), allocatable :: text
  end type trap

  type :: losses_heard
    type(pc_loss), allocatable :: list(:)
    integer :: n = 0
    procedure(pc_hear_loss), pointer, nopass :: on_loss => null()
  end type losses_heard

  !> One end of a conversation in messages, over pipes, files or memory.
  type, public :: pc_channel
    private
    type(c_ptr) :: raw = c_null_ptr
    integer(c_int) :: input = -1, output = -1
    type(c_ptr) :: streams(2) = c_null_ptr
    logical :: ended = .false.
    type(losses_heard), pointer :: heard => null()
    character(kind=c_char), allocatable :: buffer(:)
    character(:), allocatable :: header
  contains
    final :: drop_channel
  end type pc_channel

  !> pc_options as structs of the library.
  type :: applied
    type(polycodec_call_options) :: call
    type(polycodec_limits) :: limits
    type(polycodec_format) :: format
    type(losses_heard) :: heard
  end type applied

  !> Strings that were found at a path: string i in the order of C ends at ends(i) of all.
  type :: texts
    type(pc_value) :: part
    type(c_ptr) :: sink = c_null_ptr
    type(polycodec_bytes) :: all
    integer(int64), allocatable :: shape(:), ends(:), lengths(:)
    integer(int64) :: n = 0, longest = 0
    logical :: is_fixed = .false.
  end type texts

  !> A value that is being made.
  type :: making
    type(c_ptr) :: value = c_null_ptr, arena = c_null_ptr
  end type making

  type, bind(c) :: timespec
    integer(c_long) :: seconds = 0, nanoseconds = 0
  end type timespec

  abstract interface
    function grow_arena(self, size, align, memory, error) bind(c) result(code)
      import :: c_ptr, c_int32_t, c_int64_t
      type(c_ptr), value :: self, memory, error
      integer(c_int64_t), value :: size, align
      integer(c_int32_t) :: code
    end function grow_arena
  end interface

  interface pc_decode
    procedure :: decode_text, decode_octets
  end interface pc_decode
  interface pc_make_object
    procedure :: object_names, object_keys
  end interface pc_make_object
  interface pc_make_table
    procedure :: table_names, table_keys
  end interface pc_make_table
  interface pc_key
    procedure :: key_text, key_value
  end interface pc_key

  !> The scalar at a path: call pc_get(value, path, x)
  interface pc_get
    procedure :: get_l8
    procedure :: get_i8
    procedure :: get_i16
    procedure :: get_i32
    procedure :: get_i64
    procedure :: get_i128
    procedure :: get_r32
    procedure :: get_r64
    procedure :: get_r128
    procedure :: get_c32
    procedure :: get_c64
    procedure :: get_logical, get_text
  end interface pc_get

  !> The numbers at a path as an array: call pc_column(value, path, x)
  interface pc_column
    procedure :: column_l8
    procedure :: column_i8
    procedure :: column_i16
    procedure :: column_i32
    procedure :: column_i64
    procedure :: column_i128
    procedure :: column_r32
    procedure :: column_r64
    procedure :: column_r128
    procedure :: column_c32
    procedure :: column_c64
    procedure :: column_text_1
    procedure :: column_text_2
    procedure :: column_text_3
    procedure :: column_text_4
    procedure :: column_text_5
    procedure :: column_text_6
    procedure :: column_text_7
  end interface pc_column

  !> A value of a scalar or an array: call pc_make(value, x)
  interface pc_make
    procedure :: make_l8
    procedure :: make_i8
    procedure :: make_i16
    procedure :: make_i32
    procedure :: make_i64
    procedure :: make_i128
    procedure :: make_r32
    procedure :: make_r64
    procedure :: make_r128
    procedure :: make_c32
    procedure :: make_c64
    procedure :: make_text_1
    procedure :: make_text_2
    procedure :: make_text_3
    procedure :: make_text_4
    procedure :: make_text_5
    procedure :: make_text_6
    procedure :: make_text_7
    procedure :: make_logical, make_text
  end interface pc_make

  integer(c_int64_t), parameter :: whole = PC_WHOLE, int64_min = -huge(1_int64) - 1
  integer(c_int64_t), parameter :: node_bytes = 16
  integer(int8), parameter :: host_order = int(merge(PC_LITTLE_ENDIAN, PC_BIG_ENDIAN, &
      transfer([1_int8, 0_int8], 0_int16) == 1_int16), int8)
  integer(c_int), parameter :: clock_monotonic = 1
  type(c_ptr), save :: registry = c_null_ptr

contains

  ! ---- Handles ----

  subroutine share(to, from)
    class(pc_value), intent(inout) :: to
    type(pc_value), intent(in) :: from
    type(c_ptr) :: kept
    kept = c_null_ptr
    if (c_associated(from%raw)) kept = polycodec_value_retain(from%raw)
    call polycodec_value_release(to%raw)
    to%raw = kept
  end subroutine share

  impure elemental subroutine drop_value(value)
    type(pc_value), intent(inout) :: value
    call polycodec_value_release(value%raw)
    value%raw = c_null_ptr
  end subroutine drop_value

  subroutine take(value, raw)
    type(pc_value), intent(inout) :: value
    type(c_ptr), intent(in) :: raw
    if (.not. c_associated(raw)) return
    call polycodec_value_release(value%raw)
    value%raw = raw
  end subroutine take

  impure elemental subroutine drop_channel(channel)
    type(pc_channel), intent(inout) :: channel
    call pc_channel_close(channel)
  end subroutine drop_channel

  ! ---- Text and memory ----

  !> Bytes that the library reads during a call.
  function bytes(text)
    character(*), intent(in), target :: text
    type(polycodec_bytes) :: bytes
    bytes = polycodec_bytes(c_loc(text), len(text, int64))
    if (bytes%size == 0) bytes%data = c_null_ptr
  end function bytes

  function text_of(from) result(text)
    type(polycodec_bytes), intent(in) :: from
    character(:), allocatable, target :: text
    allocate (character(from%size) :: text)
    if (from%size > 0) call copy_bytes(c_loc(text), from%data, int(from%size, c_size_t))
  end function text_of

  function until_nul(chars) result(text)
    character(kind=c_char), intent(in) :: chars(:)
    character(:), allocatable :: text
    integer :: i
    text = ''
    do i = 1, size(chars)
      if (chars(i) == c_null_char) exit
      text = text//chars(i)
    end do
  end function until_nul

  function constant_text(at) result(text)
    type(c_ptr), intent(in) :: at
    character(:), allocatable :: text
    text = text_of(polycodec_bytes(at, int(text_length(at), int64)))
  end function constant_text

  function after(at, n)
    type(c_ptr), intent(in) :: at
    integer(int64), intent(in) :: n
    type(c_ptr) :: after
    after = transfer(transfer(at, 0_c_intptr_t) + n, c_null_ptr)
  end function after

  function pointer_in(node)
    type(polycodec_node), intent(in) :: node
    type(c_ptr) :: pointer_in
    pointer_in = transfer(node%as, c_null_ptr)
  end function pointer_in

  function decimal(n) result(text)
    integer(int64), intent(in) :: n
    character(:), allocatable :: text
    character(24) :: line
    write (line, '(i0)') n
    text = trim(line)
  end function decimal

  ! ---- Errors ----

  subroutine arm(e)
    type(trap), intent(inout), target :: e
    e%raw%struct_size = int(c_sizeof(e%raw), c_int32_t)
    e%raw%say = c_funloc(hear)
    e%raw%say_data = c_loc(e%said)
  end subroutine arm

  subroutine hear(to, message, path) bind(c)
    type(c_ptr), value :: to
    type(polycodec_bytes), value :: message, path
    type(pc_error), pointer :: said
    call c_f_pointer(to, said)
    said%message = text_of(message)
    said%path = text_of(path)
  end subroutine hear

  !> An error of this module.
  subroutine refuse(e, code, detail, message)
    type(trap), intent(inout) :: e
    integer(c_int32_t), intent(in) :: code
    character(*), intent(in) :: detail, message
    integer :: i
    e%raw%code = code
    e%raw%offset = PC_NO_OFFSET
    e%said%message = message
    e%raw%path = c_null_char
    e%raw%detail = c_null_char
    do i = 1, len(detail)
      e%raw%detail(i) = detail(i:i)
    end do
  end subroutine refuse

  !> Completes an error. If the caller does not ask for it the program ends.
  subroutine settle(e, is_heard)
    type(trap), intent(inout) :: e
    logical, intent(in) :: is_heard
    e%text = ''
    e%said%status = e%raw%code
    if (e%raw%code == PC_OK) then
      e%said = pc_error(detail='', path='', message='', codec='')
      return
    end if
    e%said%byte = e%raw%offset
    e%said%detail = until_nul(e%raw%detail)
    e%said%codec = until_nul(e%raw%codec)
    if (.not. allocated(e%said%message)) e%said%message = until_nul(e%raw%message)
    if (.not. allocated(e%said%path)) e%said%path = until_nul(e%raw%path)
    e%text = pc_status_name(e%said%status)//': '//e%said%message
    if (e%said%detail /= '') e%text = e%text//' ('//e%said%detail//')'
    if (e%said%path /= '') e%text = e%text//', in '//e%said%path
    if (e%said%byte >= 0) e%text = e%text//', at byte '//decimal(e%said%byte)
    if (is_heard) return
    write (error_unit, '(2a)') 'polycodec: ', e%text
    error stop 1
  end subroutine settle

  !> The name of a status, such as malformed.
  function pc_status_name(status) result(name)
    integer, intent(in) :: status
    character(:), allocatable :: name
    name = constant_text(polycodec_status_name(int(status, c_int32_t)))
  end function pc_status_name

  function pc_library_version() result(version)
    character(:), allocatable :: version
    version = constant_text(polycodec_library_version())
  end function pc_library_version

  ! ---- Options ----

  subroutine hear_loss(to, class, path, what) bind(c)
    type(c_ptr), value :: to
    integer(c_int32_t), value :: class
    type(polycodec_bytes), value :: path, what
    type(losses_heard), pointer :: heard
    type(pc_loss), allocatable :: more(:)
    call c_f_pointer(to, heard)
    if (heard%n == size(heard%list)) then
      allocate (more(2*heard%n + 8))
      more(:heard%n) = heard%list
      call move_alloc(more, heard%list)
    end if
    heard%n = heard%n + 1
    associate (loss => heard%list(heard%n))
      loss%class = class
      loss%path = text_of(path)
      loss%what = text_of(what)
      if (associated(heard%on_loss)) call heard%on_loss(loss%class, loss%path, loss%what)
    end associate
  end subroutine hear_loss

  !> Both live as long as the call of the library.
  subroutine apply(a, options)
    type(applied), intent(inout), target :: a
    type(pc_options), intent(in), optional, target :: options
    type(timespec), target :: now
    integer :: i
    a%call%struct_size = int(c_sizeof(a%call), c_int32_t)
    a%limits%struct_size = int(c_sizeof(a%limits), c_int32_t)
    a%format%struct_size = int(c_sizeof(a%format), c_int32_t)
    allocate (a%heard%list(0))
    if (.not. present(options)) return
    if (allocated(options%codec)) a%format%codec = bytes(options%codec)
    if (allocated(options%codec_options)) a%format%options = bytes(options%codec_options)
    if (allocated(options%filters)) a%format%filters = bytes(options%filters)
    if (allocated(options%select)) a%call%select = bytes(options%select)
    if (allocated(options%member)) a%call%member = bytes(options%member)
    if (options%tolerant) a%call%flags = ior(a%call%flags, PC_CALL_TOLERANT)
    if (options%lossless) a%call%flags = ior(a%call%flags, PC_CALL_LOSSLESS)
    if (options%compare) a%call%flags = ior(a%call%flags, PC_CALL_COMPARE)
    if (options%as_is) a%call%flags = ior(a%call%flags, PC_CALL_AS_IS)
    a%call%on_loss = c_funloc(hear_loss)
    a%call%loss_data = c_loc(a%heard)
    a%heard%on_loss => options%on_loss
    if (allocated(options%losses)) then
      do i = 1, size(options%losses)
        if (options%losses(i) >= 0 .and. options%losses(i) < PC_LOSS_COUNT) &
            a%call%losses = ibset(a%call%losses, options%losses(i))
      end do
    end if
    a%call%threads = options%threads
    a%limits%max_depth = int(min(options%max_depth, int(huge(1_int32), int64)), c_int32_t)
    a%limits%max_input_bytes = options%max_input_bytes
    a%limits%max_header_bytes = options%max_header_bytes
    a%limits%max_nodes = options%max_nodes
    a%limits%max_elements = options%max_elements
    a%limits%max_work = options%max_work
    a%limits%max_memory_bytes = options%max_memory_bytes
    a%limits%max_output_bytes = options%max_output_bytes
    if (options%seconds > 0) then
      if (read_clock(clock_monotonic, c_loc(now)) == 0) a%limits%deadline = &
          1000000000_int64*now%seconds + now%nanoseconds + int(min(options%seconds, 1d9)*1d9, int64)
    end if
    a%call%limits = c_loc(a%limits)
  end subroutine apply

  subroutine tell_losses(a, options)
    type(applied), intent(inout) :: a
    type(pc_options), intent(inout), optional :: options
    if (present(options)) options%lost = a%heard%list(:a%heard%n)
  end subroutine tell_losses

  function format_of(a) result(at)
    type(applied), intent(in), target :: a
    type(c_ptr) :: at
    at = c_null_ptr
    if (a%format%codec%size > 0) at = c_loc(a%format)
  end function format_of

  !> Opens the registry of codecs anew: with a configuration as its files have it, with directories of plugins instead
  !> of the default one, and with threads for one call. Programs with threads call it before they start them.
  subroutine pc_configure(status, message, error, configuration, plugin_path, threads)
    character(*), intent(in), optional, target :: configuration, plugin_path
    integer, intent(in), optional :: threads
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_configure(e, configuration=configuration, plugin_path=plugin_path, threads=threads)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_configure

  subroutine do_configure(e, configuration, plugin_path, threads)
    character(*), intent(in), optional, target :: configuration, plugin_path
    integer, intent(in), optional :: threads
    type(trap), intent(inout), target :: e
    type(polycodec_registry_options), target :: options
    type(polycodec_bytes), target :: layer, layer_name
    type(polycodec_bytes), target :: directory
    type(c_ptr), target :: opened
    options%struct_size = int(c_sizeof(options), c_int32_t)
    options%flags = PC_REGISTRY_DEFAULT_CONFIG
    if (present(configuration)) then
      layer = bytes(configuration)
      layer_name = bytes('configuration of the program')
      options%layers = c_loc(layer)
      options%layer_names = c_loc(layer_name)
      options%n_layers = 1
    end if
    if (present(plugin_path)) then
      directory = bytes(plugin_path)
      options%plugin_paths = c_loc(directory)
      options%n_plugin_paths = 1
    end if
    if (present(threads)) options%threads = threads
    if (polycodec_registry_open(c_loc(options), c_loc(opened), c_loc(e%raw)) == PC_OK) then
      call polycodec_registry_release(registry)
      registry = opened
    end if
  end subroutine do_configure

  logical function has_registry(e)
    type(trap), intent(inout), target :: e
    if (.not. c_associated(registry)) call do_configure(e=e)
    has_registry = c_associated(registry)
  end function has_registry

  ! ---- Files, bytes and text ----

  subroutine open_path(source, file, a, e)
    type(c_ptr), intent(inout), target :: source
    character(*), intent(in), target :: file
    type(applied), intent(in), target :: a
    type(trap), intent(inout), target :: e
    type(polycodec_source_options), target :: from
    integer(c_int32_t) :: code
    from%struct_size = int(c_sizeof(from), c_int32_t)
    from%from = merge(PC_SOURCE_DESCRIPTOR, PC_SOURCE_PATH, file == '-')
    from%path = bytes(file)
    from%name = bytes(file)
    from%limits = a%call%limits
    code = polycodec_source_open(c_loc(from), c_loc(source), c_loc(e%raw))
    if (code /= PC_OK) source = c_null_ptr
  end subroutine open_path

  subroutine decode_source(source, value, a, e)
    type(c_ptr), intent(in) :: source
    type(pc_value), intent(inout) :: value
    type(applied), intent(in), target :: a
    type(trap), intent(inout), target :: e
    type(c_ptr), target :: raw
    if (.not. c_associated(source)) return
    if (polycodec_decode(registry, source, format_of(a), c_loc(a%call), c_loc(raw), c_null_ptr, &
        c_loc(e%raw)) == PC_OK) call take(value, raw)
    call polycodec_source_release(source)
  end subroutine decode_source

  !> The value in a file of any format; - is standard input.
  subroutine pc_open(file, value, status, message, error, options)
    character(*), intent(in), target :: file
    type(pc_value), intent(inout) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_open(file, value, e, options=options)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_open

  subroutine do_open(file, value, e, options)
    character(*), intent(in), target :: file
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    type(applied), target :: a
    type(c_ptr) :: source
    call apply(a, options)
    source = c_null_ptr
    if (has_registry(e)) call open_path(source, file, a, e)
    call decode_source(source, value, a, e)
    call tell_losses(a, options)
  end subroutine do_open

  !> The value in bytes of any format.
  subroutine decode_text(octets, value, status, message, error, options)
    character(*), intent(in), target :: octets
    type(pc_value), intent(inout) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_decode_text(octets, value, e, options=options)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine decode_text

  subroutine do_decode_text(octets, value, e, options)
    character(*), intent(in), target :: octets
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    call decode_memory(c_loc(octets), len(octets, int64), value, e, options)
  end subroutine do_decode_text

  subroutine decode_octets(octets, value, status, message, error, options)
    integer(int8), intent(in), contiguous, target :: octets(:)
    type(pc_value), intent(inout) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_decode_octets(octets, value, e, options=options)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine decode_octets

  subroutine do_decode_octets(octets, value, e, options)
    integer(int8), intent(in), contiguous, target :: octets(:)
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    call decode_memory(c_loc(octets), size(octets, kind=int64), value, e, options)
  end subroutine do_decode_octets

  subroutine decode_memory(at, n, value, e, options)
    type(c_ptr), intent(in) :: at
    integer(int64), intent(in) :: n
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    type(applied), target :: a
    type(polycodec_source_options), target :: from
    type(c_ptr), target :: source
    call apply(a, options)
    if (has_registry(e)) then
      ! The value views the bytes, which the program may change.
      from%struct_size = int(c_sizeof(from), c_int32_t)
      from%from = PC_SOURCE_BYTES
      from%owner = allocate_bytes(int(max(n, 1_int64), c_size_t))
      from%release = c_funloc(free_bytes)
      from%bytes = polycodec_bytes(from%owner, n)
      from%limits = a%call%limits
      if (.not. c_associated(from%owner)) then
        call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for '//decimal(n)//' bytes')
      else
        if (n > 0) call copy_bytes(from%owner, at, int(n, c_size_t))
        if (polycodec_source_open(c_loc(from), c_loc(source), c_loc(e%raw)) == PC_OK) &
            call decode_source(source, value, a, e)
      end if
    end if
    call tell_losses(a, options)
  end subroutine decode_memory

  !> Writes a value to a file; its extension chooses the format, or options%codec.
  subroutine pc_save(value, file, status, message, error, options)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: file
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_save(value, file, e, options=options)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_save

  subroutine do_save(value, file, e, options)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: file
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    type(applied), target :: a
    integer(c_int32_t) :: code
    call apply(a, options)
    if (has_registry(e)) code = polycodec_encode_file(registry, value%raw, bytes(file), format_of(a), c_loc(a%call), &
        c_null_ptr, c_null_ptr, c_loc(e%raw))
    call tell_losses(a, options)
  end subroutine do_save

  !> The bytes of a value in the format of a codec.
  subroutine pc_encode(value, codec, octets, status, message, error, options)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: codec
    character(:), allocatable, intent(out) :: octets
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_encode(value, codec, octets, e, options=options)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_encode

  subroutine do_encode(value, codec, octets, e, options)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: codec
    character(:), allocatable, intent(out) :: octets
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    type(applied), target :: a
    type(c_ptr), target :: opened, sink
    call apply(a, options)
    a%format%codec = bytes(codec)
    octets = ''
    if (has_registry(e)) then
      if (polycodec_registry_open_codec(registry, c_loc(a%format), c_loc(opened), c_loc(e%raw)) == PC_OK) then
        if (has_sink(sink, e)) then
          if (polycodec_opened_codec_encode(opened, value%raw, c_loc(a%call), sink, c_null_ptr, c_null_ptr, &
              c_loc(e%raw)) == PC_OK) octets = sink_text(sink, e)
          call polycodec_sink_free(sink)
        end if
        call polycodec_opened_codec_release(opened)
      end if
    end if
    call tell_losses(a, options)
  end subroutine do_encode

  !> Reads one file and writes its value to another. `input` is for the codec that reads.
  subroutine pc_convert(from, to, status, message, error, options, input)
    character(*), intent(in), target :: from, to
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(pc_options), intent(in), optional, target :: input
    type(trap), target :: e
    call arm(e)
    call do_convert(from, to, e, options=options, input=input)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_convert

  subroutine do_convert(from, to, e, options, input)
    character(*), intent(in), target :: from, to
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    type(pc_options), intent(in), optional, target :: input
    type(applied), target :: a, reading
    type(c_ptr) :: source
    integer(c_int32_t) :: code
    call apply(a, options)
    call apply(reading, input)
    source = c_null_ptr
    if (has_registry(e)) call open_path(source, from, a, e)
    if (c_associated(source)) then
      code = polycodec_convert(registry, source, format_of(reading), bytes(to), format_of(a), c_loc(a%call), &
          c_null_ptr, c_null_ptr, c_loc(e%raw))
      call polycodec_source_release(source)
    end if
    call tell_losses(a, options)
  end subroutine do_convert

  logical function has_sink(sink, e)
    type(c_ptr), intent(inout), target :: sink
    type(trap), intent(inout), target :: e
    has_sink = polycodec_sink_create(PC_SINK_CONTIGUOUS, 0_int64, c_loc(sink), c_loc(e%raw)) == PC_OK
  end function has_sink

  function sink_text(sink, e) result(text)
    type(c_ptr), intent(in) :: sink
    type(trap), intent(inout), target :: e
    character(:), allocatable :: text
    type(polycodec_bytes), target :: written
    text = ''
    if (polycodec_sink_bytes(sink, c_loc(written), c_loc(e%raw)) == PC_OK) text = text_of(written)
  end function sink_text

  !> A value of typed or plain JSON, or with a type of the JSON of a value of this type.
  subroutine pc_parse(text, value, status, message, error, type)
    character(*), intent(in), target :: text
    type(pc_value), intent(inout) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    character(*), intent(in), optional, target :: type
    type(trap), target :: e
    call arm(e)
    call do_parse(text, value, e, type=type)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_parse

  subroutine do_parse(text, value, e, type)
    character(*), intent(in), target :: text
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: type
    type(c_ptr), target :: raw
    type(polycodec_bytes) :: of
    if (present(type)) of = bytes(type)
    if (has_registry(e)) then
      if (polycodec_value_parse(registry, bytes(text), of, c_loc(raw), c_loc(e%raw)) == PC_OK) call take(value, raw)
    end if
  end subroutine do_parse

  !> The value as typed JSON, or with `plain` as JSON without types.
  subroutine pc_text(value, text, status, message, error, plain)
    type(pc_value), intent(in) :: value
    character(:), allocatable, intent(out) :: text
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, intent(in), optional :: plain
    type(trap), target :: e
    call arm(e)
    call do_text(value, text, e, plain=plain)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_text

  subroutine do_text(value, text, e, plain)
    type(pc_value), intent(in) :: value
    character(:), allocatable, intent(out) :: text
    type(trap), intent(inout), target :: e
    logical, intent(in), optional :: plain
    type(polycodec_text_options), target :: options
    type(c_ptr), target :: sink
    options%struct_size = int(c_sizeof(options), c_int32_t)
    if (present(plain)) options%flags = merge(PC_TEXT_PLAIN, 0, plain)
    text = ''
    if (has_sink(sink, e)) then
      if (polycodec_value_print(value%raw, c_null_ptr, c_loc(options), sink, c_loc(e%raw)) == PC_OK) &
          text = sink_text(sink, e)
      call polycodec_sink_free(sink)
    end if
  end subroutine do_text

  !> The type of the value, such as 3 * float64.
  function pc_type(value) result(text)
    type(pc_value), intent(in) :: value
    character(:), allocatable :: text
    type(trap), target :: e
    type(c_ptr), target :: sink
    call arm(e)
    text = ''
    if (.not. has_sink(sink, e)) return
    if (polycodec_value_type(value%raw, c_null_ptr, sink, c_loc(e%raw)) == PC_OK) text = sink_text(sink, e)
    call polycodec_sink_free(sink)
  end function pc_type

  !> Whether two values are equal: kinds, types, numbers and metadata, with all NaNs equal.
  logical function pc_same(a, b)
    type(pc_value), intent(in) :: a, b
    type(polycodec_compare_options), target :: options
    type(trap), target :: e
    integer(int64), target :: differences
    call arm(e)
    options%struct_size = int(c_sizeof(options), c_int32_t)
    options%flags = PC_COMPARE_FLOATS
    pc_same = .false.
    if (polycodec_value_compare(a%raw, b%raw, c_loc(options), c_loc(differences), c_null_ptr, c_loc(e%raw)) == PC_OK) &
        pc_same = differences == 0
  end function pc_same

  !> The values of a file that has several: an object with the name of each one and facts about it.
  subroutine pc_list_values(file, codec, value, status, message, error)
    character(*), intent(in), target :: file, codec
    type(pc_value), intent(inout) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_list_values(file, codec, value, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_list_values

  subroutine do_list_values(file, codec, value, e)
    character(*), intent(in), target :: file, codec
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(applied), target :: a
    type(c_ptr), target :: opened, raw
    type(c_ptr) :: source
    call apply(a)
    a%format%codec = bytes(codec)
    source = c_null_ptr
    if (has_registry(e)) call open_path(source, file, a, e)
    if (c_associated(source)) then
      if (polycodec_registry_open_codec(registry, c_loc(a%format), c_loc(opened), c_loc(e%raw)) == PC_OK) then
        if (polycodec_opened_codec_list(opened, source, c_loc(a%call), c_loc(raw), c_loc(e%raw)) == PC_OK) &
            call take(value, raw)
        call polycodec_opened_codec_release(opened)
      end if
      call polycodec_source_release(source)
    end if
  end subroutine do_list_values

  !> Converts numbers in place from one unit to another.
  subroutine pc_convert_units(from, to, x, status, message, error)
    character(*), intent(in), target :: from, to
    real(real64), intent(inout), contiguous, target :: x(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_convert_units(from, to, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_convert_units

  subroutine do_convert_units(from, to, x, e)
    character(*), intent(in), target :: from, to
    real(real64), intent(inout), contiguous, target :: x(:)
    type(trap), intent(inout), target :: e
    integer(c_int32_t) :: code
    code = polycodec_units_convert(bytes(from), bytes(to), c_loc(x), size(x, kind=int64), c_loc(e%raw))
  end subroutine do_convert_units

  !> The characters of UTF-8. What is not UTF-8 becomes U+FFFD.
  function pc_to_ucs4(text) result(wide)
    character(*), intent(in) :: text
    character(kind=ucs4, len=:), allocatable :: wide
    character(kind=ucs4, len=len(text)) :: found
    integer :: at, n, i, code, more
    at = 1
    n = 0
    do while (at <= len(text))
      code = ichar(text(at:at))
      more = merge(0, merge(1, merge(2, merge(3, -1, code < 248), code < 240), code < 224), code < 128)
      if (code >= 128 .and. code < 192) more = -1
      if (more > 0) code = iand(code, 2**(6 - more) - 1)
      do i = 1, more
        if (at + i > len(text)) exit
        if (iand(ichar(text(at + i:at + i)), 192) /= 128) exit
        code = 64*code + iand(ichar(text(at + i:at + i)), 63)
      end do
      if (more < 0 .or. i <= more) code = 65533
      at = at + merge(1, max(1, i), more < 1)
      n = n + 1
      found(n:n) = char(code, kind=ucs4)
    end do
    wide = found(:n)
  end function pc_to_ucs4

  !> UTF-8 of characters.
  function pc_to_utf8(wide) result(text)
    character(kind=ucs4, len=*), intent(in) :: wide
    character(:), allocatable :: text
    character(4*len(wide)) :: found
    integer :: i, n, code, more
    n = 0
    do i = 1, len(wide)
      code = ichar(wide(i:i))
      more = count(code >= [128, 2048, 65536])
      n = n + 1
      if (more == 0) found(n:n) = char(code)
      if (more > 0) found(n:n) = char(iand(not(2**(7 - more) - 1), 255) + shiftr(code, 6*more))
      do more = more - 1, 0, -1
        n = n + 1
        found(n:n) = char(128 + iand(shiftr(code, 6*more), 63))
      end do
    end do
    text = found(:n)
  end function pc_to_utf8

  ! ---- Looking into values ----

  !> The node of a value without metadata, and what references refer to; not associated without a value.
  function node_of(value) result(node)
    type(pc_value), intent(in) :: value
    type(polycodec_node), pointer :: node
    type(polycodec_annotated), pointer :: annotated
    integer :: i
    nullify (node)
    if (.not. c_associated(value%raw)) return
    call c_f_pointer(polycodec_value_root(value%raw), node)
    do i = 1, 64
      if (node%kind == PC_KIND_ANNOTATED) then
        call c_f_pointer(pointer_in(node), annotated)
        call c_f_pointer(annotated%node, node)
      else if (node%kind == PC_KIND_REFERENCE) then
        call c_f_pointer(pointer_in(node), node)
      else
        exit
      end if
    end do
  end function node_of

  function array_of(value) result(array)
    type(pc_value), intent(in) :: value
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    nullify (array)
    node => node_of(value)
    if (.not. associated(node)) return
    if (node%kind == PC_KIND_ARRAY) call c_f_pointer(pointer_in(node), array)
  end function array_of

  function child_of(array, i) result(child)
    type(polycodec_array), intent(in) :: array
    integer(int64), intent(in) :: i
    type(polycodec_array), pointer :: child
    type(c_ptr), pointer :: children(:)
    call c_f_pointer(array%children, children, [array%n_children])
    call c_f_pointer(children(i), child)
  end function child_of

  function node_size(node) result(n)
    type(polycodec_node), intent(in) :: node
    integer(int64) :: n
    n = ishft(iand(int(node%size_hi, int64), 65535_int64), 32) + iand(int(node%size_lo, int64), 4294967295_int64)
  end function node_size

  logical function is_text(array)
    type(polycodec_array), intent(in) :: array
    is_text = iand(int(array%flags), PC_ARRAY_STRING + PC_ARRAY_BINARY) /= 0
  end function is_text

  !> What a value is: PC_KIND_OBJECT and others. Metadata and references do not count.
  integer function pc_kind(value)
    type(pc_value), intent(in) :: value
    type(polycodec_node), pointer :: node
    node => node_of(value)
    pc_kind = PC_KIND_NULL
    if (associated(node)) pc_kind = node%kind
  end function pc_kind

  !> Of an array: PC_LAYOUT_NDARRAY and others, else -1.
  integer function pc_layout(value)
    type(pc_value), intent(in) :: value
    type(polycodec_array), pointer :: array
    array => array_of(value)
    pc_layout = -1
    if (associated(array)) pc_layout = array%layout
  end function pc_layout

  !> The type of a scalar, or of the elements of an array: PC_DTYPE_FLOAT64 and others. Of times `unit` gets their unit.
  integer function pc_dtype(value, unit)
    type(pc_value), intent(in) :: value
    integer, intent(out), optional :: unit
    type(polycodec_node), pointer :: node
    type(polycodec_array), pointer :: array
    type(polycodec_time), pointer :: time
    pc_dtype = PC_DTYPE_NONE
    if (present(unit)) unit = PC_UNIT_NONE
    node => node_of(value)
    if (.not. associated(node)) return
    pc_dtype = node%dtype
    if (node%kind == PC_KIND_BOOLEAN) pc_dtype = PC_DTYPE_BOOLEAN
    if (node%kind == PC_KIND_STRING) pc_dtype = PC_DTYPE_NONE
    if (node%kind == PC_KIND_TIMESTAMP .or. node%kind == PC_KIND_DURATION) then
      call c_f_pointer(pointer_in(node), time)
      pc_dtype = merge(PC_DTYPE_TIMESTAMP64, PC_DTYPE_DURATION64, node%kind == PC_KIND_TIMESTAMP)
      if (present(unit)) unit = time%unit
    end if
    array => array_of(value)
    if (.not. associated(array)) return
    do while (array%layout >= PC_LAYOUT_OPTION_BYTES .and. array%layout <= PC_LAYOUT_CHUNKED .and. array%n_children > 0)
      array => child_of(array, 1_int64)
    end do
    pc_dtype = array%dtype
    if (present(unit)) unit = array%unit
  end function pc_dtype

  !> How many items, members, rows, bytes: of an array along its first axis; 1 for other scalars.
  integer(int64) function pc_size(value)
    type(pc_value), intent(in) :: value
    type(polycodec_node), pointer :: node
    type(polycodec_array), pointer :: array
    pc_size = 0
    node => node_of(value)
    if (.not. associated(node)) return
    array => array_of(value)
    if (associated(array)) then
      pc_size = array%length
    else if (node%kind >= PC_KIND_STRING .and. node%kind <= PC_KIND_MAP) then
      pc_size = node_size(node)
    else if (node%kind /= PC_KIND_NULL) then
      pc_size = 1
    end if
  end function pc_size

  !> How many members of an object, entries of a map, or columns of a table.
  integer(int64) function pc_keys(value)
    type(pc_value), intent(in) :: value
    type(polycodec_node), pointer :: node
    type(polycodec_array), pointer :: array
    pc_keys = 0
    node => node_of(value)
    if (.not. associated(node)) return
    array => array_of(value)
    if (associated(array)) then
      if (array%layout == PC_LAYOUT_RECORD) pc_keys = array%n_children
    else if (node%kind == PC_KIND_OBJECT .or. node%kind == PC_KIND_MAP) then
      pc_keys = node_size(node)
    end if
  end function pc_keys

  !> The name of member or column i, counted from 1, or of an extension: its name. Empty without one.
  subroutine key_text(value, i, key)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    character(:), allocatable, intent(out) :: key
    type(polycodec_node), pointer :: node, nodes(:)
    type(polycodec_array), pointer :: array
    type(polycodec_extension), pointer :: extension
    type(polycodec_bytes), pointer :: names(:)
    integer(int64) :: n
    key = ''
    n = pc_keys(value)
    node => node_of(value)
    array => array_of(value)
    if (associated(array)) then
      if (i < 1 .or. i > n .or. .not. c_associated(array%names)) return
      call c_f_pointer(array%names, names, [array%n_children])
      key = text_of(names(i))
    else if (associated(node)) then
      if (node%kind == PC_KIND_EXTENSION) then
        call c_f_pointer(pointer_in(node), extension)
        key = text_of(extension%name)
      else if (i >= 1 .and. i <= n) then
        call c_f_pointer(pointer_in(node), nodes, [2*node_size(node)])
        if (nodes(2*i - 1)%kind == PC_KIND_STRING) &
            key = text_of(polycodec_bytes(pointer_in(nodes(2*i - 1)), node_size(nodes(2*i - 1))))
      end if
    end if
  end subroutine key_text

  !> The key of entry i of a map, which need not be text.
  subroutine key_value(value, i, key, status, message, error)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(pc_value), intent(inout) :: key
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_key_value(value, i, key, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine key_value

  subroutine do_key_value(value, i, key, e)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(pc_value), intent(inout) :: key
    type(trap), intent(inout), target :: e
    type(polycodec_item), target :: item
    type(polycodec_node), pointer :: node
    integer(int64) :: n
    n = pc_keys(value)
    if (pc_kind(value) == PC_KIND_ARRAY) n = 0
    node => node_of(value)
    if (i < 1 .or. i > n) then
      call refuse(e, PC_ERROR_NOT_FOUND, 'fortran.index', 'the value has no key '//decimal(i))
    else
      item%node = after(pointer_in(node), node_bytes*(2*i - 2))
      call part_of(value%raw, item, 0_int64, whole, key, e)
    end if
  end subroutine do_key_value

  subroutine part_of(raw, item, first, n, part, e)
    type(c_ptr), intent(in) :: raw
    type(polycodec_item), intent(in), target :: item
    integer(int64), intent(in) :: first, n
    type(pc_value), intent(inout) :: part
    type(trap), intent(inout), target :: e
    type(c_ptr), target :: made
    if (polycodec_value_part(raw, c_loc(item), first, n, c_loc(made), c_loc(e%raw)) == PC_OK) call take(part, made)
  end subroutine part_of

  !> Item i, counted from 1, of a list, of an array along its first axis, or row i of a table; of an object or map the
  !> value of member i; what an extension, a union or a reference has as item 1.
  subroutine pc_item(value, i, item, status, message, error)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(pc_value), intent(inout) :: item
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_item(value, i, item, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_item

  subroutine do_item(value, i, item, e)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(pc_value), intent(inout) :: item
    type(trap), intent(inout), target :: e
    type(polycodec_item), target :: at
    type(polycodec_node), pointer :: node
    type(polycodec_extension), pointer :: extension
    type(polycodec_tagged), pointer :: tagged
    integer(int64) :: n
    n = pc_size(value)
    node => node_of(value)
    if (i < 1 .or. i > n) then
      call refuse(e, PC_ERROR_NOT_FOUND, 'fortran.index', 'the value has '//decimal(n)// &
          ' items, counted from 1, and no item '//decimal(i))
    else
      select case (node%kind)
      case (PC_KIND_LIST, PC_KIND_TUPLE)
        at%node = after(pointer_in(node), node_bytes*(i - 1))
      case (PC_KIND_OBJECT, PC_KIND_MAP)
        at%node = after(pointer_in(node), node_bytes*(2*i - 1))
      case (PC_KIND_ARRAY)
        at%array = pointer_in(node)
        at%index = i - 1
      case (PC_KIND_EXTENSION)
        call c_f_pointer(pointer_in(node), extension)
        at%node = extension%payload
      case (PC_KIND_UNION)
        call c_f_pointer(pointer_in(node), tagged)
        at%node = tagged%node
      case default
        call refuse(e, PC_ERROR_TYPE, 'fortran.index', 'a scalar has no items')
      end select
      if (e%raw%code == PC_OK) call part_of(value%raw, at, 0_int64, whole, item, e)
    end if
  end subroutine do_item

  !> Column i of a table, counted from 1; of an object or map the value of member i.
  subroutine pc_field(value, i, field, status, message, error)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(pc_value), intent(inout) :: field
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_field(value, i, field, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_field

  subroutine do_field(value, i, field, e)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(pc_value), intent(inout) :: field
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    integer(int64) :: n
    array => array_of(value)
    if (.not. associated(array)) then
      call do_item(value, i, field, e)
      return
    end if
    n = pc_keys(value)
    if (i < 1 .or. i > n) then
      call refuse(e, PC_ERROR_NOT_FOUND, 'fortran.index', 'the table has '//decimal(n)// &
          ' columns, counted from 1, and no column '//decimal(i))
    else
      call part_of(value%raw, polycodec_item(c_null_ptr, c_loc_of(child_of(array, i)), whole), 0_int64, array%length, &
          field, e)
    end if
  end subroutine do_field

  function c_loc_of(array) result(at)
    type(polycodec_array), intent(in), target :: array
    type(c_ptr) :: at
    at = c_loc(array)
  end function c_loc_of

  !> The part of a value at a path such as vertex.x, list[3] or ["any key"], whose numbers count from 0.
  subroutine pc_part(value, path, part, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(pc_value), intent(inout) :: part
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call find(value, path, part, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_part

  subroutine find(value, path, part, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(pc_value), intent(inout) :: part
    type(trap), intent(inout), target :: e
    type(polycodec_item), target :: item
    if (polycodec_value_find(value%raw, bytes(path), c_loc(item), c_loc(e%raw)) == PC_OK) &
        call part_of(value%raw, item, 0_int64, whole, part, e)
  end subroutine find

  !> The metadata of a value, an object, or null.
  subroutine pc_metadata(value, metadata, status, message, error)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: metadata
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_metadata(value, metadata, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_metadata

  subroutine do_metadata(value, metadata, e)
    type(pc_value), intent(in) :: value
    type(pc_value), intent(inout) :: metadata
    type(trap), intent(inout), target :: e
    type(polycodec_item), target :: item
    type(polycodec_node), pointer :: node
    type(polycodec_array), pointer :: array
    type(polycodec_annotated), pointer :: annotated
    array => array_of(value)
    if (associated(array)) item%node = array%metadata
    if (c_associated(value%raw)) then
      call c_f_pointer(polycodec_value_root(value%raw), node)
      if (node%kind == PC_KIND_ANNOTATED) then
        call c_f_pointer(pointer_in(node), annotated)
        item%node = annotated%metadata
      end if
    end if
    if (c_associated(item%node)) then
      call part_of(value%raw, item, 0_int64, whole, metadata, e)
    else
      call do_make_null(metadata, e)
    end if
  end subroutine do_metadata

  !> The units of a value, or of the part at a path; empty if it has none.
  function pc_units(value, path) result(units)
    type(pc_value), intent(in) :: value
    character(*), intent(in), optional, target :: path
    character(:), allocatable :: units
    type(pc_value) :: part, metadata
    type(trap), target :: e
    call arm(e)
    part = value
    if (present(path)) call find(value, path, part, e)
    if (e%raw%code == PC_OK) call do_metadata(part, metadata, e)
    if (e%raw%code == PC_OK) call do_get_text(metadata, 'units', units, e)
    if (e%raw%code /= PC_OK) units = ''
  end function pc_units

  ! ---- Shapes ----

  !> Item i, counted from 0, of a column of structure.
  function column_item(column, i) result(item)
    type(polycodec_column), intent(in) :: column
    integer(int64), intent(in) :: i
    integer(int64) :: item
    type(c_ptr) :: at
    integer(int8), pointer :: i8
    integer(int16), pointer :: i16
    integer(int32), pointer :: i32
    integer(int64), pointer :: i64
    at = after(column%data, i*column%stride)
    select case (column%dtype)
    case (PC_DTYPE_INT64, PC_DTYPE_UINT64)
      call c_f_pointer(at, i64)
      item = i64
    case (PC_DTYPE_INT32, PC_DTYPE_UINT32)
      call c_f_pointer(at, i32)
      item = i32
      if (column%dtype == PC_DTYPE_UINT32) item = iand(item, 4294967295_int64)
    case (PC_DTYPE_INT16, PC_DTYPE_UINT16)
      call c_f_pointer(at, i16)
      item = i16
      if (column%dtype == PC_DTYPE_UINT16) item = iand(item, 65535_int64)
    case default
      call c_f_pointer(at, i8)
      item = i8
      if (column%dtype /= PC_DTYPE_INT8) item = iand(item, 255_int64)
    end select
  end function column_item

  !> The number of items of list i, counted from 0, of a layout of lists.
  function list_length(array, i) result(n)
    type(polycodec_array), intent(in) :: array
    integer(int64), intent(in) :: i
    integer(int64) :: n
    select case (array%layout)
    case (PC_LAYOUT_LIST_OFFSETS)
      n = column_item(array%offsets, i + 1) - column_item(array%offsets, i)
    case (PC_LAYOUT_LIST_VIEW)
      n = column_item(array%stops, i) - column_item(array%offsets, i)
    case default
      n = array%list_size
    end select
  end function list_length

  !> The number of items along each axis, as far as they are the same everywhere.
  recursive function array_shape(array) result(shape)
    type(polycodec_array), intent(in) :: array
    integer(int64), allocatable :: shape(:), inner(:)
    integer(int64), pointer :: dims(:)
    integer(int64) :: i, n
    allocate (inner(0))
    shape = [array%length]
    select case (array%layout)
    case (PC_LAYOUT_NDARRAY)
      call c_f_pointer(array%shape, dims, [array%ndim])
      shape = dims
    case (PC_LAYOUT_LIST_OFFSETS, PC_LAYOUT_LIST_VIEW, PC_LAYOUT_LIST_FIXED)
      if (is_text(array)) return
      n = array%list_size
      if (array%length > 0) n = list_length(array, 0_int64)
      if (array%layout /= PC_LAYOUT_LIST_FIXED) then
        do i = 1, array%length - 1
          if (list_length(array, i) /= n) return
        end do
      end if
      inner = array_shape(child_of(array, 1_int64))
      shape = [array%length, n, inner(2:)]
    case (PC_LAYOUT_OPTION_BYTES, PC_LAYOUT_OPTION_BITS, PC_LAYOUT_INDEXED)
      inner = array_shape(child_of(array, 1_int64))
      shape = [array%length, inner(2:)]
    case (PC_LAYOUT_CHUNKED)
      do i = 1, array%n_children
        inner = array_shape(child_of(array, i))
        if (i == 1) shape = [array%length, inner(2:)]
        if (size(inner) /= size(shape)) shape = [array%length]
        if (any(inner(2:size(shape)) /= shape(2:))) shape = [array%length]
      end do
    end select
  end function array_shape

  recursive function node_shape(at, depth) result(shape)
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: depth
    integer(int64), allocatable :: shape(:), inner(:), other(:)
    type(polycodec_node), pointer :: node
    type(polycodec_array), pointer :: array
    type(polycodec_annotated), pointer :: annotated
    integer(int64) :: i
    allocate (shape(0), inner(0))
    call c_f_pointer(at, node)
    if (node%kind == PC_KIND_ANNOTATED) then
      call c_f_pointer(pointer_in(node), annotated)
      call c_f_pointer(annotated%node, node)
    end if
    select case (node%kind)
    case (PC_KIND_ARRAY)
      call c_f_pointer(pointer_in(node), array)
      shape = array_shape(array)
    case (PC_KIND_LIST, PC_KIND_TUPLE)
      shape = [node_size(node)]
      if (depth == 0 .or. node_size(node) == 0) return
      inner = node_shape(pointer_in(node), depth - 1)
      do i = 1, node_size(node) - 1
        if (size(inner) == 0) exit
        other = node_shape(after(pointer_in(node), node_bytes*i), depth - 1)
        if (size(other) /= size(inner)) return
        if (any(other /= inner)) return
      end do
      shape = [shape, inner]
    end select
  end function node_shape

  !> The number of items along each axis of what is at a path; lists count as axes where all have one length.
  subroutine pc_find_shape(value, path, shape, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), allocatable, intent(out) :: shape(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_find_shape(value, path, shape, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_find_shape

  subroutine do_find_shape(value, path, shape, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), allocatable, intent(out) :: shape(:)
    type(trap), intent(inout), target :: e
    type(pc_value) :: part
    allocate (shape(0))
    call find(value, path, part, e)
    if (c_associated(part%raw)) shape = node_shape(polycodec_value_root(part%raw), 15)
  end subroutine do_find_shape

  !> The number of items of each list in a column of lists.
  subroutine pc_lengths(value, path, lengths, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), allocatable, intent(out) :: lengths(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_lengths(value, path, lengths, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_lengths

  subroutine do_lengths(value, path, lengths, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), allocatable, intent(out) :: lengths(:)
    type(trap), intent(inout), target :: e
    type(pc_value) :: part, item
    type(polycodec_array), pointer :: array
    integer(int64) :: i
    call find(value, path, part, e)
    allocate (lengths(pc_size(part)))
    array => array_of(part)
    do i = 1, size(lengths, kind=int64)
      if (e%raw%code /= PC_OK) exit
      if (associated(array)) then
        if (array%layout >= PC_LAYOUT_LIST_OFFSETS .and. array%layout <= PC_LAYOUT_LIST_FIXED) then
          lengths(i) = list_length(array, i - 1)
          cycle
        end if
      end if
      call do_item(part, i, item, e)
      lengths(i) = pc_size(item)
    end do
  end subroutine do_lengths

  ! ---- Numbers ----

  !> Shape that an array of the program with so many axes gets. part: what is at the path, where that is one thing.
  subroutine begin_column(value, path, axes, shape, part, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer, intent(in) :: axes
    integer(int64), allocatable, intent(out) :: shape(:)
    type(pc_value), intent(inout) :: part
    type(trap), intent(inout), target :: e
    type(trap), target :: ignored
    type(polycodec_array), pointer :: array
    character(:), allocatable :: has
    integer :: i
    call arm(ignored)
    allocate (shape(axes), source=0_int64)
    call find(value, path, part, ignored)
    array => array_of(part)
    if (axes > 1 .and. .not. c_associated(part%raw)) then
      call find(value, path, part, e)
      return
    end if
    if (axes == 1 .and. .not. associated(array)) return
    if (axes == 1) then
      if (array%layout /= PC_LAYOUT_NDARRAY) return
    end if
    shape = node_shape(polycodec_value_root(part%raw), 15)
    if (size(shape) == axes) return
    has = 'axes:'
    do i = 1, size(shape)
      has = has//' '//decimal(shape(i))
    end do
    call refuse(e, PC_ERROR_TYPE, 'fortran.axes', 'the array at '//path//' has '//decimal(size(shape, kind=int64))// &
        ' '//has//', and that of the program '//decimal(int(axes, int64))//': lists of different lengths have none')
    shape = spread(0_int64, 1, axes)
  end subroutine begin_column

  !> How many numbers are at the path of a column of one axis.
  subroutine count_column(value, path, dtype, shape, part, present_at, e)
    type(pc_value), intent(in) :: value, part
    character(*), intent(in), target :: path
    integer(c_int32_t), intent(in) :: dtype
    integer(int64), intent(inout) :: shape(:)
    logical, intent(in) :: present_at
    type(trap), intent(inout), target :: e
    integer(int64), target :: n
    integer(int8), target :: one(16), there
    if (e%raw%code /= PC_OK .or. size(shape) /= 1) return
    if (pc_layout(part) == PC_LAYOUT_NDARRAY) return
    n = 0
    if (polycodec_value_numbers(value%raw, bytes(path), dtype, c_loc(one), 0_int64, &
        merge(c_loc(there), c_null_ptr, present_at), c_loc(n), c_loc(e%raw)) == PC_OK) shape = n
  end subroutine count_column

  !> Fills memory of the program with numbers in the order of its arrays.
  subroutine fill_column(value, path, dtype, bytes_each, shape, part, at, mask, e)
    type(pc_value), intent(in) :: value, part
    character(*), intent(in), target :: path
    integer(c_int32_t), intent(in) :: dtype
    integer(int64), intent(in) :: bytes_each, shape(:)
    type(c_ptr), intent(in) :: at, mask
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    type(polycodec_array) :: turned
    type(pc_value) :: other
    type(making) :: m
    type(c_ptr) :: memory
    integer(int64), pointer :: strides(:)
    integer(int64), target :: n
    integer(int64) :: all
    integer :: i, axes
    axes = size(shape)
    all = product(shape)
    if (e%raw%code /= PC_OK .or. all == 0) return
    if (axes == 1) then
      if (polycodec_value_numbers(value%raw, bytes(path), dtype, at, all, mask, c_loc(n), c_loc(e%raw)) /= PC_OK) return
    else
      ! An array with the axes in reverse order has its numbers in the order of Fortran.
      call begin_value(m, e)
      array => array_of(part)
      if (associated(array)) then
        if (array%layout /= PC_LAYOUT_NDARRAY) nullify (array)
      end if
      if (associated(array)) then
        turned = array
        turned%metadata = c_null_ptr
        call c_f_pointer(array%strides, strides, [axes])
        call keep(m, part, e)
        call finish_array(m, turned, shape(axes:1:-1), strides(axes:1:-1), value=other, e=e)
      else
        call need(m, all*bytes_each, memory, e)
        n = all
        if (e%raw%code == PC_OK) then
          if (polycodec_value_numbers(value%raw, bytes(path), dtype, memory, all, c_null_ptr, c_loc(n), &
              c_loc(e%raw)) /= PC_OK .or. n /= all) call give_up(m, e)
        end if
        turned = elements(memory, all, bytes_each, dtype)
        call finish_array(m, turned, shape(axes:1:-1), [(bytes_each*product(shape(axes - i + 2:)), i=1, axes)], &
            value=other, e=e)
      end if
      if (e%raw%code /= PC_OK) return
      if (polycodec_value_numbers(other%raw, bytes('$'), dtype, at, all, c_null_ptr, c_loc(n), c_loc(e%raw)) /= PC_OK) &
          then
        ! The path of the error is that of the value with its own axes.
        i = polycodec_value_numbers(value%raw, bytes(path), dtype, at, all, c_null_ptr, c_loc(n), c_loc(e%raw))
        return
      end if
    end if
    if (n /= all) call refuse(e, PC_ERROR_TYPE, 'fortran.axes', 'there are '//decimal(n)//' numbers at '//path// &
        ' where '//decimal(all)//' are expected')
  end subroutine fill_column

  subroutine column_l8(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical(c_bool), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_l8(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_l8

  subroutine do_column_l8(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical(c_bool), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    logical(c_bool) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_BOOLEAN, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_BOOLEAN, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_l8

  subroutine get_l8(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical(c_bool), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_l8(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_l8

  subroutine do_get_l8(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical(c_bool), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_BOOLEAN, c_loc(x), e)
  end subroutine do_get_l8

  subroutine make_l8(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    logical(c_bool), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_l8(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_l8

  subroutine do_make_l8(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    logical(c_bool), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    logical(c_bool) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_BOOLEAN, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_l8

  subroutine column_i8(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int8), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_i8(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_i8

  subroutine do_column_i8(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int8), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    integer(int8) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_INT8, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_INT8, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_i8

  subroutine get_i8(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int8), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_i8(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_i8

  subroutine do_get_i8(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int8), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_INT8, c_loc(x), e)
  end subroutine do_get_i8

  subroutine make_i8(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int8), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_i8(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_i8

  subroutine do_make_i8(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int8), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer(int8) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_INT8, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_i8

  subroutine column_i16(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int16), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_i16(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_i16

  subroutine do_column_i16(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int16), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    integer(int16) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_INT16, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_INT16, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_i16

  subroutine get_i16(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int16), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_i16(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_i16

  subroutine do_get_i16(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int16), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_INT16, c_loc(x), e)
  end subroutine do_get_i16

  subroutine make_i16(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int16), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_i16(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_i16

  subroutine do_make_i16(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int16), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer(int16) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_INT16, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_i16

  subroutine column_i32(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int32), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_i32(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_i32

  subroutine do_column_i32(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int32), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    integer(int32) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_INT32, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_INT32, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_i32

  subroutine get_i32(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int32), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_i32(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_i32

  subroutine do_get_i32(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int32), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_INT32, c_loc(x), e)
  end subroutine do_get_i32

  subroutine make_i32(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int32), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_i32(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_i32

  subroutine do_make_i32(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int32), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer(int32) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_INT32, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_i32

  subroutine column_i64(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_i64(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_i64

  subroutine do_column_i64(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    integer(int64) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_INT64, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_INT64, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_i64

  subroutine get_i64(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_i64(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_i64

  subroutine do_get_i64(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_INT64, c_loc(x), e)
  end subroutine do_get_i64

  subroutine make_i64(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int64), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_i64(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_i64

  subroutine do_make_i64(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int64), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer(int64) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_INT64, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_i64

  subroutine column_i128(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int128), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_i128(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_i128

  subroutine do_column_i128(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int128), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    integer(int128) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_INT128, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_INT128, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_i128

  subroutine get_i128(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int128), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_i128(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_i128

  subroutine do_get_i128(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int128), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_INT128, c_loc(x), e)
  end subroutine do_get_i128

  subroutine make_i128(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int128), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_i128(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_i128

  subroutine do_make_i128(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int128), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer(int128) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_INT128, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_i128

  subroutine column_r32(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real32), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_r32(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_r32

  subroutine do_column_r32(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real32), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    real(real32) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_FLOAT32, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_FLOAT32, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_r32

  subroutine get_r32(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real32), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_r32(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_r32

  subroutine do_get_r32(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real32), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_FLOAT32, c_loc(x), e)
  end subroutine do_get_r32

  subroutine make_r32(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real32), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_r32(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_r32

  subroutine do_make_r32(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real32), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    real(real32) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_FLOAT32, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_r32

  subroutine column_r64(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real64), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_r64(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_r64

  subroutine do_column_r64(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real64), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    real(real64) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_FLOAT64, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_FLOAT64, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_r64

  subroutine get_r64(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real64), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_r64(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_r64

  subroutine do_get_r64(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real64), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_FLOAT64, c_loc(x), e)
  end subroutine do_get_r64

  subroutine make_r64(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real64), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_r64(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_r64

  subroutine do_make_r64(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real64), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    real(real64) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_FLOAT64, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_r64

  subroutine column_r128(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real128), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_r128(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_r128

  subroutine do_column_r128(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real128), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    real(real128) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_FLOAT128, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_FLOAT128, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_r128

  subroutine get_r128(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real128), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_r128(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_r128

  subroutine do_get_r128(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real128), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_FLOAT128, c_loc(x), e)
  end subroutine do_get_r128

  subroutine make_r128(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real128), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_r128(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_r128

  subroutine do_make_r128(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real128), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    real(real128) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_FLOAT128, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_r128

  subroutine column_c32(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real32), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_c32(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_c32

  subroutine do_column_c32(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real32), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    complex(real32) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_COMPLEX64, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_COMPLEX64, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_c32

  subroutine get_c32(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real32), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_c32(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_c32

  subroutine do_get_c32(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real32), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_COMPLEX64, c_loc(x), e)
  end subroutine do_get_c32

  subroutine make_c32(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    complex(real32), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_c32(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_c32

  subroutine do_make_c32(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    complex(real32), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    complex(real32) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_COMPLEX64, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_c32

  subroutine column_c64(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real64), allocatable, intent(inout), target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column_c64(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_c64

  subroutine do_column_c64(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real64), allocatable, intent(inout), target :: x(..)
    type(trap), intent(inout), target :: e
    logical, allocatable, intent(out), optional :: mask(:)
    type(pc_value) :: part
    integer(int64), allocatable :: shape(:)
    integer(int8), allocatable, target :: flags(:)
    type(c_ptr) :: at, there
    complex(real64) :: one
    integer :: failed
    at = c_null_ptr
    there = c_null_ptr
    call begin_column(value, path, rank(x), shape, part, e)
    call count_column(value, path, PC_DTYPE_COMPLEX128, shape, part, present(mask), e)
    if (e%raw%code /= PC_OK) shape = 0
    if (present(mask)) allocate (flags(max(product(shape), 1_int64)), source=1_int8)
    if (present(mask) .and. rank(x) == 1) there = c_loc(flags)
    select rank (x)
    rank (1)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0 .and. product(shape) > 0) at = c_loc(x)
    rank default
      failed = 0
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    call fill_column(value, path, PC_DTYPE_COMPLEX128, storage_size(one, int64)/8, shape, part, at, there, e)
    if (present(mask)) mask = flags(:product(shape)) /= 0
  end subroutine do_column_c64

  subroutine get_c64(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real64), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_c64(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_c64

  subroutine do_get_c64(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real64), intent(inout), target :: x
    type(trap), intent(inout), target :: e
    call get_scalar(value, path, PC_DTYPE_COMPLEX128, c_loc(x), e)
  end subroutine do_get_c64

  subroutine make_c64(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    complex(real64), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_make_c64(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_c64

  subroutine do_make_c64(value, x, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    complex(real64), intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    complex(real64) :: one
    call make_numbers(value, c_loc(x), extents(shape(x, int64)), PC_DTYPE_COMPLEX128, storage_size(one, int64)/8, e, &
        dtype, units, mask, unit)
  end subroutine do_make_c64


  subroutine get_scalar(value, path, dtype, at, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(c_int32_t), intent(in) :: dtype
    type(c_ptr), intent(in) :: at
    type(trap), intent(inout), target :: e
    type(trap), target :: ignored
    type(pc_value) :: part
    type(polycodec_array), pointer :: array
    integer(int64), target :: n
    integer :: kind
    call arm(ignored)
    call find(value, path, part, ignored)  ! items of items of arrays are not parts
    kind = pc_kind(part)
    array => array_of(part)
    if (associated(array)) then
      if (array%layout == PC_LAYOUT_NDARRAY .and. array%ndim == 0) kind = PC_KIND_FLOAT
    end if
    if (kind >= PC_KIND_LIST .and. kind <= PC_KIND_ARRAY) then
      call refuse(e, PC_ERROR_TYPE, 'fortran.scalar', 'the value at '//path//' is not a scalar but '//pc_type(part))
    else if (polycodec_value_numbers(value%raw, bytes(path), dtype, at, 1_int64, c_null_ptr, c_loc(n), &
        c_loc(e%raw)) == PC_OK) then
      if (n /= 1) call refuse(e, PC_ERROR_TYPE, 'fortran.scalar', 'the value at '//path//' is not a scalar')
    end if
  end subroutine get_scalar

  subroutine get_logical(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical, intent(inout) :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_logical(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_logical

  subroutine do_get_logical(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical, intent(inout) :: x
    type(trap), intent(inout), target :: e
    logical(c_bool), target :: found
    found = x
    call get_scalar(value, path, PC_DTYPE_BOOLEAN, c_loc(found), e)
    x = found
  end subroutine do_get_logical

  !> Text or bytes at a path.
  subroutine get_text(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout) :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get_text(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine get_text

  subroutine do_get_text(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout) :: x
    type(trap), intent(inout), target :: e
    type(pc_value) :: part
    type(polycodec_node), pointer :: node
    call find(value, path, part, e)
    x = ''
    node => node_of(part)
    if (associated(node)) then
      if (node%kind == PC_KIND_STRING .or. node%kind == PC_KIND_BINARY) then
        x = text_of(polycodec_bytes(pointer_in(node), node_size(node)))
      else
        call refuse(e, PC_ERROR_TYPE, 'fortran.scalar', 'the value at '//path//' is not text but '//pc_type(part))
      end if
    end if
  end subroutine do_get_text

  !> Times as counts of a unit since 1970, or durations as counts of their own unit: PC_UNIT_SECOND and others.
  subroutine pc_times(value, path, unit, counts, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer, intent(in) :: unit
    integer(int64), allocatable, intent(out), target :: counts(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_times(value, path, unit, counts, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_times

  subroutine do_times(value, path, unit, counts, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer, intent(in) :: unit
    integer(int64), allocatable, intent(out), target :: counts(:)
    type(trap), intent(inout), target :: e
    integer(int64), target :: n, one
    integer(c_int32_t) :: code
    n = 0
    code = polycodec_value_times(value%raw, bytes(path), int(unit, c_int32_t), c_loc(one), 0_int64, c_null_ptr, &
        c_loc(n), c_loc(e%raw))
    allocate (counts(n))
    if (code == PC_OK .and. n > 0) code = polycodec_value_times(value%raw, bytes(path), int(unit, c_int32_t), &
        c_loc(counts), n, c_null_ptr, c_loc(n), c_loc(e%raw))
  end subroutine do_times

  !> Strings at a path, with spaces at their ends. lengths: without the spaces, in the order of the array.
  subroutine column_text_1(value, path, x, status, message, error, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_column_text_1(value, path, x, e, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_text_1

  subroutine do_column_text_1(value, path, x, e, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:)
    type(trap), intent(inout), target :: e
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(texts) :: t
    allocate (t%shape(1), source=0_int64)
    call find_texts(value, path, t, e)
    if (allocated(x)) deallocate (x)
    associate (shape => t%shape)
      allocate (character(t%longest) :: x(shape(1)))
    end associate
    if (t%n > 0) call place_texts(t, c_loc(x))
    if (present(lengths)) lengths = t%lengths
    call polycodec_sink_free(t%sink)
  end subroutine do_column_text_1

  subroutine make_text_1(value, x, status, message, error, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_make_text_1(value, x, e, dtype=dtype, units=units, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_text_1

  subroutine do_make_text_1(value, x, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    call make_texts(value, c_loc(x), len(x, int64), shape(x, int64), e, dtype, units, lengths)
  end subroutine do_make_text_1

  !> Strings at a path, with spaces at their ends. lengths: without the spaces, in the order of the array.
  subroutine column_text_2(value, path, x, status, message, error, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_column_text_2(value, path, x, e, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_text_2

  subroutine do_column_text_2(value, path, x, e, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :)
    type(trap), intent(inout), target :: e
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(texts) :: t
    allocate (t%shape(2), source=0_int64)
    call find_texts(value, path, t, e)
    if (allocated(x)) deallocate (x)
    associate (shape => t%shape)
      allocate (character(t%longest) :: x(shape(1), shape(2)))
    end associate
    if (t%n > 0) call place_texts(t, c_loc(x))
    if (present(lengths)) lengths = t%lengths
    call polycodec_sink_free(t%sink)
  end subroutine do_column_text_2

  subroutine make_text_2(value, x, status, message, error, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_make_text_2(value, x, e, dtype=dtype, units=units, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_text_2

  subroutine do_make_text_2(value, x, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    call make_texts(value, c_loc(x), len(x, int64), shape(x, int64), e, dtype, units, lengths)
  end subroutine do_make_text_2

  !> Strings at a path, with spaces at their ends. lengths: without the spaces, in the order of the array.
  subroutine column_text_3(value, path, x, status, message, error, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_column_text_3(value, path, x, e, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_text_3

  subroutine do_column_text_3(value, path, x, e, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :)
    type(trap), intent(inout), target :: e
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(texts) :: t
    allocate (t%shape(3), source=0_int64)
    call find_texts(value, path, t, e)
    if (allocated(x)) deallocate (x)
    associate (shape => t%shape)
      allocate (character(t%longest) :: x(shape(1), shape(2), shape(3)))
    end associate
    if (t%n > 0) call place_texts(t, c_loc(x))
    if (present(lengths)) lengths = t%lengths
    call polycodec_sink_free(t%sink)
  end subroutine do_column_text_3

  subroutine make_text_3(value, x, status, message, error, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_make_text_3(value, x, e, dtype=dtype, units=units, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_text_3

  subroutine do_make_text_3(value, x, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    call make_texts(value, c_loc(x), len(x, int64), shape(x, int64), e, dtype, units, lengths)
  end subroutine do_make_text_3

  !> Strings at a path, with spaces at their ends. lengths: without the spaces, in the order of the array.
  subroutine column_text_4(value, path, x, status, message, error, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_column_text_4(value, path, x, e, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_text_4

  subroutine do_column_text_4(value, path, x, e, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :, :)
    type(trap), intent(inout), target :: e
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(texts) :: t
    allocate (t%shape(4), source=0_int64)
    call find_texts(value, path, t, e)
    if (allocated(x)) deallocate (x)
    associate (shape => t%shape)
      allocate (character(t%longest) :: x(shape(1), shape(2), shape(3), shape(4)))
    end associate
    if (t%n > 0) call place_texts(t, c_loc(x))
    if (present(lengths)) lengths = t%lengths
    call polycodec_sink_free(t%sink)
  end subroutine do_column_text_4

  subroutine make_text_4(value, x, status, message, error, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_make_text_4(value, x, e, dtype=dtype, units=units, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_text_4

  subroutine do_make_text_4(value, x, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :, :)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    call make_texts(value, c_loc(x), len(x, int64), shape(x, int64), e, dtype, units, lengths)
  end subroutine do_make_text_4

  !> Strings at a path, with spaces at their ends. lengths: without the spaces, in the order of the array.
  subroutine column_text_5(value, path, x, status, message, error, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_column_text_5(value, path, x, e, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_text_5

  subroutine do_column_text_5(value, path, x, e, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :, :, :)
    type(trap), intent(inout), target :: e
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(texts) :: t
    allocate (t%shape(5), source=0_int64)
    call find_texts(value, path, t, e)
    if (allocated(x)) deallocate (x)
    associate (shape => t%shape)
      allocate (character(t%longest) :: x(shape(1), shape(2), shape(3), shape(4), shape(5)))
    end associate
    if (t%n > 0) call place_texts(t, c_loc(x))
    if (present(lengths)) lengths = t%lengths
    call polycodec_sink_free(t%sink)
  end subroutine do_column_text_5

  subroutine make_text_5(value, x, status, message, error, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_make_text_5(value, x, e, dtype=dtype, units=units, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_text_5

  subroutine do_make_text_5(value, x, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :, :, :)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    call make_texts(value, c_loc(x), len(x, int64), shape(x, int64), e, dtype, units, lengths)
  end subroutine do_make_text_5

  !> Strings at a path, with spaces at their ends. lengths: without the spaces, in the order of the array.
  subroutine column_text_6(value, path, x, status, message, error, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_column_text_6(value, path, x, e, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_text_6

  subroutine do_column_text_6(value, path, x, e, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :, :, :, :)
    type(trap), intent(inout), target :: e
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(texts) :: t
    allocate (t%shape(6), source=0_int64)
    call find_texts(value, path, t, e)
    if (allocated(x)) deallocate (x)
    associate (shape => t%shape)
      allocate (character(t%longest) :: x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)))
    end associate
    if (t%n > 0) call place_texts(t, c_loc(x))
    if (present(lengths)) lengths = t%lengths
    call polycodec_sink_free(t%sink)
  end subroutine do_column_text_6

  subroutine make_text_6(value, x, status, message, error, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :, :, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_make_text_6(value, x, e, dtype=dtype, units=units, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_text_6

  subroutine do_make_text_6(value, x, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :, :, :, :)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    call make_texts(value, c_loc(x), len(x, int64), shape(x, int64), e, dtype, units, lengths)
  end subroutine do_make_text_6

  !> Strings at a path, with spaces at their ends. lengths: without the spaces, in the order of the array.
  subroutine column_text_7(value, path, x, status, message, error, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_column_text_7(value, path, x, e, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine column_text_7

  subroutine do_column_text_7(value, path, x, e, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout), target :: x(:, :, :, :, :, :, :)
    type(trap), intent(inout), target :: e
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(texts) :: t
    allocate (t%shape(7), source=0_int64)
    call find_texts(value, path, t, e)
    if (allocated(x)) deallocate (x)
    associate (shape => t%shape)
      allocate (character(t%longest) :: x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)))
    end associate
    if (t%n > 0) call place_texts(t, c_loc(x))
    if (present(lengths)) lengths = t%lengths
    call polycodec_sink_free(t%sink)
  end subroutine do_column_text_7

  subroutine make_text_7(value, x, status, message, error, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :, :, :, :, :)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_make_text_7(value, x, e, dtype=dtype, units=units, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_text_7

  subroutine do_make_text_7(value, x, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(:, :, :, :, :, :, :)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    call make_texts(value, c_loc(x), len(x, int64), shape(x, int64), e, dtype, units, lengths)
  end subroutine do_make_text_7

  !> Finds the strings at a path, for an array with as many axes as t%shape. Nothing is there after an error.
  subroutine find_texts(value, path, t, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(texts), intent(inout), target :: t
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    integer(int64), allocatable :: shape(:)
    integer(int64) :: i, last
    integer :: axes
    axes = size(t%shape)
    call begin_column(value, path, axes, shape, t%part, e)
    array => array_of(t%part)
    if (associated(array)) then
      t%is_fixed = array%layout == PC_LAYOUT_NDARRAY .and. array%dtype == PC_DTYPE_FIXED_BYTES
      if (array%dtype == PC_DTYPE_FIXED_UTF8) t%longest = array%item_size
    end if
    allocate (t%ends(0))
    if (t%is_fixed .and. e%raw%code == PC_OK) then
      t%ends = [(i*array%item_size, i=1, product(shape))]
    else if (e%raw%code == PC_OK) then
      if (has_sink(t%sink, e)) call read_texts(value, path, t%sink, t%ends, t%all, e)
    end if
    t%n = size(t%ends, kind=int64)
    if (axes == 1) shape = t%n
    if (e%raw%code == PC_OK .and. product(shape) /= t%n) call refuse(e, PC_ERROR_TYPE, 'fortran.axes', 'there are '// &
        decimal(t%n)//' strings at '//path//' where '//decimal(product(shape))//' are expected')
    if (e%raw%code /= PC_OK) shape = 0
    if (e%raw%code /= PC_OK) t%n = 0
    t%shape = shape
    allocate (t%lengths(t%n))
    last = 0
    do i = 1, t%n
      t%lengths(1 + fortran_place(i - 1, t%shape)) = t%ends(i) - last
      t%longest = max(t%longest, t%ends(i) - last)
      last = t%ends(i)
    end do
  end subroutine find_texts

  subroutine read_texts(value, path, sink, ends, all, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(c_ptr), intent(in) :: sink
    integer(int64), allocatable, intent(inout), target :: ends(:)
    type(polycodec_bytes), intent(inout), target :: all
    type(trap), intent(inout), target :: e
    integer(int64), target :: n
    integer(c_int32_t) :: code
    code = polycodec_value_texts(value%raw, bytes(path), sink, c_null_ptr, 0_int64, c_null_ptr, c_loc(n), c_loc(e%raw))
    if (code /= PC_OK .or. n == 0) return
    deallocate (ends)
    allocate (ends(n))
    code = polycodec_value_texts(value%raw, bytes(path), sink, c_loc(ends), n, c_null_ptr, c_loc(n), c_loc(e%raw))
    if (code == PC_OK) code = polycodec_sink_bytes(sink, c_loc(all), c_loc(e%raw))
  end subroutine read_texts

  !> Where element i in the order of C is in the order of Fortran; both count from 0.
  pure function fortran_place(i, shape) result(place)
    integer(int64), intent(in) :: i, shape(:)
    integer(int64) :: place, rest
    integer :: axis
    place = 0
    rest = i
    do axis = size(shape), 1, -1
      place = place + mod(rest, shape(axis))*product(shape(:axis - 1))
      rest = rest/shape(axis)
    end do
  end function fortran_place

  subroutine place_texts(t, at)
    type(texts), intent(in) :: t
    type(c_ptr), intent(in) :: at
    type(polycodec_array), pointer :: array
    character(kind=c_char), pointer :: to(:), from(:)
    integer(int64) :: i, place, n
    if (t%is_fixed) then
      array => array_of(t%part)
      call place_elements(array, t%shape, at)
      return
    end if
    call c_f_pointer(at, to, [t%longest*t%n])
    call c_f_pointer(t%all%data, from, [t%all%size])
    to = ' '
    do i = 1, t%n
      place = fortran_place(i - 1, t%shape)
      n = t%lengths(1 + place)
      to(t%longest*place + 1:t%longest*place + n) = from(t%ends(i) - n + 1:t%ends(i))
    end do
  end subroutine place_texts

  !> Copies elements of bytes to the order of Fortran.
  subroutine place_elements(array, shape, at)
    type(polycodec_array), intent(in) :: array
    integer(int64), intent(in) :: shape(:)
    type(c_ptr), intent(in) :: at
    integer(int64), pointer :: strides(:)
    integer(int64) :: i, rest, offset
    integer :: axis
    call c_f_pointer(array%strides, strides, [array%ndim])
    do i = 0, product(shape) - 1
      rest = i
      offset = 0
      do axis = 1, size(shape)
        offset = offset + mod(rest, shape(axis))*strides(axis)
        rest = rest/shape(axis)
      end do
      call copy_bytes(after(at, i*array%item_size), after(array%data, offset), int(array%item_size, c_size_t))
    end do
  end subroutine place_elements

  ! ---- Making values ----

  subroutine begin_value(m, e)
    type(making), intent(inout), target :: m
    type(trap), intent(inout), target :: e
    if (e%raw%code /= PC_OK) return
    if (polycodec_value_create(0_int64, c_loc(m%value), c_loc(m%arena), c_loc(e%raw)) /= PC_OK) m%value = c_null_ptr
  end subroutine begin_value

  subroutine give_up(m, e)
    type(making), intent(inout) :: m
    type(trap), intent(inout) :: e
    if (e%raw%code == PC_OK) call refuse(e, PC_ERROR_INVALID, 'fortran.value', 'the value cannot be made')
    call polycodec_value_release(m%value)
    m%value = c_null_ptr
  end subroutine give_up

  subroutine need(m, n, memory, e)
    type(making), intent(inout) :: m
    integer(int64), intent(in) :: n
    type(c_ptr), intent(out), target :: memory
    type(trap), intent(inout), target :: e
    type(polycodec_arena), pointer :: arena
    procedure(grow_arena), pointer :: grow
    memory = c_null_ptr
    if (.not. c_associated(m%value)) return
    call c_f_pointer(m%arena, arena)
    call c_f_procpointer(arena%grow, grow)
    if (grow(m%arena, max(n, 1_int64), 16_int64, c_loc(memory), c_loc(e%raw)) /= PC_OK) call give_up(m, e)
  end subroutine need

  subroutine keep(m, value, e)
    type(making), intent(inout) :: m
    type(pc_value), intent(in) :: value
    type(trap), intent(inout), target :: e
    if (.not. c_associated(m%value)) return
    if (polycodec_value_keep(m%value, value%raw, c_loc(e%raw)) /= PC_OK) call give_up(m, e)
  end subroutine keep

  !> The node of a value that is kept, with its metadata.
  function root_of(value) result(node)
    type(pc_value), intent(in) :: value
    type(polycodec_node), pointer :: root
    type(polycodec_node) :: node
    if (.not. c_associated(value%raw)) return
    call c_f_pointer(polycodec_value_root(value%raw), root)
    node = root
  end function root_of

  function node_made(kind, dtype, n, at) result(node)
    integer(c_int32_t), intent(in) :: kind, dtype
    integer(int64), intent(in) :: n
    type(c_ptr), intent(in) :: at
    type(polycodec_node) :: node
    node%kind = int(kind, int8)
    node%dtype = int(dtype, int8)
    node%size_hi = transfer(ibits(n, 32, 16), node%size_hi)
    node%size_lo = transfer(ibits(n, 0, 32), node%size_lo)
    node%as = transfer(at, node%as)
  end function node_made

  subroutine finish(m, node, units, value, e)
    type(making), intent(inout) :: m
    type(polycodec_node), intent(in) :: node
    character(*), intent(in), optional :: units
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(polycodec_node), pointer :: nodes(:)
    type(polycodec_annotated), pointer :: annotated
    type(c_ptr) :: at, memory, text(2)
    call need(m, 4*node_bytes + 16, at, e)
    if (present(units)) then
      call put_text(m, 'units', text(1), e)
      call put_text(m, units, text(2), e)
    end if
    if (.not. c_associated(m%value)) return
    call c_f_pointer(at, nodes, [4])
    nodes(1) = node
    if (present(units)) then
      memory = after(at, 4*node_bytes)
      nodes(3) = node_made(PC_KIND_STRING, 0, 5_int64, text(1))
      nodes(4) = node_made(PC_KIND_STRING, 0, len(units, int64), text(2))
      nodes(2) = node_made(PC_KIND_OBJECT, 0, 1_int64, after(at, 2*node_bytes))
      call c_f_pointer(memory, annotated)
      annotated%node = at
      annotated%metadata = after(at, node_bytes)
      call need(m, node_bytes, at, e)
      if (.not. c_associated(m%value)) return
      call c_f_pointer(at, nodes, [1])
      nodes(1) = node_made(PC_KIND_ANNOTATED, 0, 0_int64, memory)
    end if
    if (polycodec_value_finish(m%value, at, c_loc(e%raw)) == PC_OK) then
      call take(value, m%value)
      m%value = c_null_ptr
    else
      call give_up(m, e)
    end if
  end subroutine finish

  subroutine put_text(m, text, at, e)
    type(making), intent(inout) :: m
    character(*), intent(in), target :: text
    type(c_ptr), intent(inout) :: at
    type(trap), intent(inout), target :: e
    call need(m, len(text, int64), at, e)
    if (c_associated(m%value) .and. len(text) > 0) call copy_bytes(at, c_loc(text), len(text, c_size_t))
  end subroutine put_text

  !> Puts an array into memory of the value; `array` has all but shape and strides.
  function put_array(m, array, shape, strides, e) result(at)
    type(making), intent(inout) :: m
    type(polycodec_array), intent(inout) :: array
    integer(int64), intent(in) :: shape(:), strides(:)
    type(trap), intent(inout), target :: e
    type(c_ptr) :: at, memory
    type(polycodec_array), pointer :: made
    integer(int64), pointer :: dims(:)
    integer :: axes
    axes = size(shape)
    call need(m, int(c_sizeof(array), int64), at, e)
    call need(m, 16_int64*axes, memory, e)
    if (.not. c_associated(m%value)) return
    array%struct_size = int(c_sizeof(array), c_int32_t)
    if (array%layout == PC_LAYOUT_NDARRAY) then
      array%length = 1
      if (axes > 0) array%length = shape(1)
      array%ndim = axes
      if (axes > 0) then
        call c_f_pointer(memory, dims, [2*axes])
        dims = [shape, strides]
        array%shape = memory
        array%strides = after(memory, 8_int64*axes)
      end if
    end if
    call c_f_pointer(at, made)
    made = array
  end function put_array

  subroutine finish_array(m, array, shape, strides, units, value, e)
    type(making), intent(inout) :: m
    type(polycodec_array), intent(inout) :: array
    integer(int64), intent(in) :: shape(:), strides(:)
    character(*), intent(in), optional :: units
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(c_ptr) :: at
    at = put_array(m, array, shape, strides, e)
    if (c_associated(m%value)) call finish(m, node_made(PC_KIND_ARRAY, 0, 0_int64, at), units, value, e)
  end subroutine finish_array

  !> An array of numbers or text in memory of the value.
  function elements(memory, n, each, dtype) result(array)
    type(c_ptr), intent(in) :: memory
    integer(int64), intent(in) :: n, each
    integer, intent(in) :: dtype
    type(polycodec_array) :: array
    array%dtype = int(dtype, int8)
    array%data = memory
    array%buffer = memory
    array%buffer_size = n*each
    array%item_size = int(each, c_int32_t)
    array%byte_order = host_order
  end function elements

  !> gfortran 12 gives -1 for an axis without elements.
  pure function extents(shape)
    integer(int64), intent(in) :: shape(:)
    integer(int64) :: extents(size(shape))
    extents = max(shape, 0_int64)
  end function extents

  !> Strides of an array of Fortran.
  function own_strides(shape, each) result(strides)
    integer(int64), intent(in) :: shape(:), each
    integer(int64) :: strides(size(shape))
    integer :: i
    strides = [(each*product(shape(:i - 1)), i=1, size(shape))]
  end function own_strides

  pure integer(int64) function dtype_bytes(dtype)
    integer, intent(in) :: dtype
    select case (dtype)
    case (PC_DTYPE_BOOLEAN, PC_DTYPE_INT8, PC_DTYPE_UINT8)
      dtype_bytes = 1
    case (PC_DTYPE_INT16, PC_DTYPE_UINT16, PC_DTYPE_FLOAT16)
      dtype_bytes = 2
    case (PC_DTYPE_INT32, PC_DTYPE_UINT32, PC_DTYPE_FLOAT32, PC_DTYPE_COMPLEX32)
      dtype_bytes = 4
    case (PC_DTYPE_INT128, PC_DTYPE_UINT128, PC_DTYPE_FLOAT128, PC_DTYPE_COMPLEX128)
      dtype_bytes = 16
    case default
      dtype_bytes = 8
    end select
  end function dtype_bytes

  !> Numbers of the program as they are, then as `dtype`, with units and missing items.
  recursive subroutine make_numbers(value, at, shape, own, each, e, dtype, units, there, unit)
    type(pc_value), intent(inout) :: value
    type(c_ptr), intent(in) :: at
    integer(int64), intent(in) :: shape(:), each
    integer(c_int32_t), intent(in) :: own
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype, unit
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: there(:)
    type(making) :: m
    type(pc_value) :: before
    type(polycodec_array) :: array, option
    type(c_ptr) :: memory
    integer(int64) :: wide, all
    integer(int64), target :: n
    integer :: as, stored
    as = own
    if (present(dtype)) as = dtype
    stored = merge(PC_DTYPE_INT64, as, as == PC_DTYPE_TIMESTAMP64 .or. as == PC_DTYPE_DURATION64)
    all = product(shape)
    wide = dtype_bytes(stored)
    call begin_value(m, e)
    call need(m, all*wide, memory, e)
    if (c_associated(m%value) .and. all > 0) then
      if (stored == own) then
        call copy_bytes(memory, at, int(all*each, c_size_t))
      else
        ! The library casts, and refuses what would be another number.
        call make_numbers(before, at, [all], own, each, e)
        if (polycodec_value_numbers(before%raw, bytes('$'), int(stored, c_int32_t), memory, all, c_null_ptr, c_loc(n), &
            c_loc(e%raw)) /= PC_OK) call give_up(m, e)
      end if
    end if
    if (c_associated(m%value) .and. size(shape) == 0) then
      call finish(m, scalar_node(m, memory, as, unit, e), units, value, e)
    else if (c_associated(m%value)) then
      array = elements(memory, all, wide, as)
      if (present(unit)) array%unit = unit
      memory = put_array(m, array, shape, own_strides(shape, wide), e)
      if (present(there) .and. c_associated(m%value)) then
        option%layout = int(PC_LAYOUT_OPTION_BYTES, int8)
        option%flags = int(PC_ARRAY_MASK_VALID, int8)
        option%length = shape(1)
        option%offsets = mask_column(m, there, e)
        call put_children(m, option, [memory], e)
        if (size(there) /= shape(1)) call refuse(e, PC_ERROR_INVALID, 'fortran.axes', '`mask` has another length')
        if (e%raw%code /= PC_OK) call give_up(m, e)
        if (c_associated(m%value)) memory = put_array(m, option, [integer(int64) ::], [integer(int64) ::], e)
      end if
      if (c_associated(m%value)) call finish(m, node_made(PC_KIND_ARRAY, 0, 0_int64, memory), units, value, e)
    end if
  end subroutine make_numbers

  function mask_column(m, there, e) result(column)
    type(making), intent(inout) :: m
    logical, intent(in) :: there(:)
    type(trap), intent(inout), target :: e
    type(polycodec_column) :: column
    integer(int8), pointer :: mask(:)
    call need(m, size(there, kind=int64), column%data, e)
    column%stride = 1
    column%dtype = PC_DTYPE_UINT8
    if (.not. c_associated(m%value)) return
    call c_f_pointer(column%data, mask, [size(there)])
    mask = merge(1_int8, 0_int8, there)
  end function mask_column

  subroutine put_children(m, array, children, e)
    type(making), intent(inout) :: m
    type(polycodec_array), intent(inout) :: array
    type(c_ptr), intent(in) :: children(:)
    type(trap), intent(inout), target :: e
    type(c_ptr), pointer :: made(:)
    array%n_children = size(children)
    call need(m, 8_int64*size(children), array%children, e)
    if (.not. c_associated(m%value)) return
    call c_f_pointer(array%children, made, [size(children)])
    made = children
  end subroutine put_children

  function scalar_node(m, at, dtype, unit, e) result(node)
    type(making), intent(inout) :: m
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: dtype
    integer, intent(in), optional :: unit
    type(trap), intent(inout), target :: e
    type(polycodec_node) :: node
    type(polycodec_time), pointer :: time
    type(c_ptr) :: memory
    integer(int64), target :: bits
    integer(int64), pointer :: count
    integer(int64) :: each
    integer :: kind, shift
    each = dtype_bytes(dtype)
    bits = 0
    shift = int(8*(8 - min(each, 8_int64)))
    call copy_bytes(c_loc(bits), at, int(min(each, 8_int64), c_size_t))
    if (host_order == PC_BIG_ENDIAN) bits = shiftr(bits, shift)
    select case (dtype)
    case (PC_DTYPE_BOOLEAN)
      kind = PC_KIND_BOOLEAN
    case (PC_DTYPE_INT8, PC_DTYPE_INT16, PC_DTYPE_INT32, PC_DTYPE_INT64)
      kind = PC_KIND_SIGNED
      bits = shifta(shiftl(bits, shift), shift)
    case (PC_DTYPE_UINT8, PC_DTYPE_UINT16, PC_DTYPE_UINT32, PC_DTYPE_UINT64)
      kind = PC_KIND_UNSIGNED
    case (PC_DTYPE_FLOAT16, PC_DTYPE_FLOAT32, PC_DTYPE_FLOAT64)
      kind = PC_KIND_FLOAT
    case (PC_DTYPE_TIMESTAMP64, PC_DTYPE_DURATION64)
      kind = merge(PC_KIND_TIMESTAMP, PC_KIND_DURATION, dtype == PC_DTYPE_TIMESTAMP64)
      call need(m, 16_int64, memory, e)
      if (.not. c_associated(m%value)) return
      call c_f_pointer(at, count)
      call c_f_pointer(memory, time)
      time = polycodec_time(count, 0, PC_UNIT_NONE)
      if (present(unit)) time%unit = unit
      if (dtype == PC_DTYPE_TIMESTAMP64 .and. count /= int64_min .and. time%unit >= PC_UNIT_SECOND .and. &
          time%unit <= PC_UNIT_NANOSECOND) then
        each = 10_int64**(3*(time%unit - PC_UNIT_SECOND))
        time%count = (count - modulo(count, each))/each
        time%nanoseconds = int(modulo(count, each)*(1000000000_int64/each), int32)
      end if
      bits = transfer(memory, bits)
    case default
      kind = PC_KIND_WIDE
      bits = transfer(at, bits)
    end select
    node = node_made(kind, merge(0, dtype, kind == PC_KIND_BOOLEAN), 0_int64, transfer(bits, c_null_ptr))
  end function scalar_node

  subroutine make_logical(value, x, status, message, error)
    type(pc_value), intent(inout) :: value
    logical, intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_logical(value, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_logical

  subroutine do_make_logical(value, x, e)
    type(pc_value), intent(inout) :: value
    logical, intent(in), contiguous, target :: x(..)
    type(trap), intent(inout), target :: e
    logical, pointer :: flat(:)
    logical(c_bool), allocatable, target :: short(:)
    type(c_ptr) :: at
    at = c_loc(x)
    call c_f_pointer(at, flat, [size(x)])
    allocate (short(size(flat)))
    short(:) = logical(flat, c_bool)
    call make_numbers(value, c_loc(short), extents(shape(x, int64)), PC_DTYPE_BOOLEAN, 1_int64, e)
  end subroutine do_make_logical

  !> Text as it is, or with PC_DTYPE_FIXED_BYTES bytes.
  subroutine make_text(value, x, status, message, error, dtype, units)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    type(trap), target :: e
    call arm(e)
    call do_make_text(value, x, e, dtype=dtype, units=units)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine make_text

  subroutine do_make_text(value, x, e, dtype, units)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), target :: x
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    type(making) :: m
    type(c_ptr) :: memory
    integer(c_int32_t) :: kind
    kind = PC_KIND_STRING
    if (present(dtype)) kind = merge(PC_KIND_BINARY, PC_KIND_STRING, dtype == PC_DTYPE_FIXED_BYTES)
    call begin_value(m, e)
    call put_text(m, x, memory, e)
    if (c_associated(m%value)) call finish(m, node_made(kind, 0, len(x, int64), memory), units, value, e)
  end subroutine do_make_text

  !> An array of strings, whose spaces at the end do not count, or `lengths` says what does. dtype: PC_DTYPE_FIXED_BYTES for
  !> bytes, PC_DTYPE_FIXED_UTF32, PC_DTYPE_NONE for strings of any length.
  subroutine make_texts(value, at, width_given, shape, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    type(c_ptr), intent(in) :: at
    integer(int64), intent(in) :: width_given, shape(:)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(making) :: m
    type(polycodec_array) :: array, inner
    type(c_ptr) :: memory
    character(kind=c_char), pointer :: from(:), to(:)
    character(kind=ucs4), pointer :: wide(:)
    character(kind=ucs4, len=:), allocatable :: letters
    integer(int64), allocatable :: sizes(:)
    integer(int64) :: n, i, j, each, width
    integer :: as
    nullify (wide)
    as = PC_DTYPE_FIXED_UTF8
    if (present(dtype)) as = dtype
    n = product(shape)
    each = width_given
    call begin_value(m, e)
    call need(m, 4*n*max(each, 1_int64), memory, e)
    if (c_associated(m%value)) then
      call c_f_pointer(at, from, [n*each])
      call c_f_pointer(memory, to, [4*n*max(each, 1_int64)])
      to = c_null_char
      allocate (sizes(n))
      do i = 1, n
        sizes(i) = each
        do while (sizes(i) > 0)
          if (from((i - 1)*each + sizes(i)) /= ' ') exit
          sizes(i) = sizes(i) - 1
        end do
      end do
      if (present(lengths)) then
        if (size(lengths) == n) sizes = min(max(lengths, 0_int64), each)
        if (size(lengths) /= n) call refuse(e, PC_ERROR_INVALID, 'fortran.axes', '`lengths` has another length')
      end if
      if (e%raw%code /= PC_OK) then
        call give_up(m, e)
      else if (as == PC_DTYPE_NONE) then
        j = 0
        do i = 1, n
          to(j + 1:j + sizes(i)) = from((i - 1)*each + 1:(i - 1)*each + sizes(i))
          j = j + sizes(i)
        end do
        inner = elements(memory, j, 1_int64, PC_DTYPE_UINT8)
        call finish_lists(m, put_array(m, inner, [j], [1_int64], e), sizes, PC_ARRAY_STRING, units, value, e)
      else
        width = max(each, 1_int64)
        if (as == PC_DTYPE_FIXED_UTF32) then
          ! As wide as the longest string has characters: bytes of UTF-8 that follow others do not count.
          width = maxval([1_int64, (count(iand(ichar(from((i - 1)*each + 1:(i - 1)*each + sizes(i))), 192) /= 128, &
              kind=int64), i=1, n)])
          call c_f_pointer(memory, wide, [n*width])
        end if
        if (as == PC_DTYPE_FIXED_BYTES) to(:n*each) = from
        do i = 1, n
          if (as == PC_DTYPE_FIXED_BYTES) exit
          if (as == PC_DTYPE_FIXED_UTF32) then
            letters = pc_to_ucs4(joined(from((i - 1)*each + 1:(i - 1)*each + sizes(i))))
            do j = 1, min(len(letters, int64), width)
              wide((i - 1)*width + j) = letters(j:j)
            end do
          else
            to((i - 1)*width + 1:(i - 1)*width + sizes(i)) = from((i - 1)*each + 1:(i - 1)*each + sizes(i))
          end if
        end do
        each = merge(4*width, width, as == PC_DTYPE_FIXED_UTF32)
        array = elements(memory, n, each, as)
        call finish_array(m, array, shape, own_strides(shape, each), units, value, e)
      end if
    end if
  end subroutine make_texts

  function joined(chars) result(text)
    character(kind=c_char), intent(in) :: chars(:)
    character(size(chars)) :: text
    integer :: i
    do i = 1, size(chars)
      text(i:i) = chars(i)
    end do
  end function joined

  !> Finishes lists of items of an array, one after another.
  subroutine finish_lists(m, child, sizes, flags, units, value, e)
    type(making), intent(inout) :: m
    type(c_ptr), intent(in) :: child
    integer(int64), intent(in) :: sizes(:)
    integer(c_int32_t), intent(in) :: flags
    character(*), intent(in), optional :: units
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(polycodec_array) :: array
    type(c_ptr) :: memory
    integer(int64), pointer :: ends(:)
    integer(int64) :: i, n
    n = size(sizes, kind=int64)
    call need(m, 8*(n + 1), memory, e)
    if (.not. c_associated(m%value)) return
    call c_f_pointer(memory, ends, [n + 1])
    ends(1) = 0
    do i = 1, n
      ends(i + 1) = ends(i) + sizes(i)
    end do
    array%layout = int(PC_LAYOUT_LIST_OFFSETS, int8)
    array%flags = int(flags, int8)
    array%length = n
    array%offsets = polycodec_column(memory, 8, PC_DTYPE_INT64, 0)
    call put_children(m, array, [child], e)
    call finish_array(m, array, [integer(int64) ::], [integer(int64) ::], units, value, e)
  end subroutine finish_lists

  subroutine pc_make_null(value, status, message, error)
    type(pc_value), intent(inout) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_null(value, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_null

  subroutine do_make_null(value, e)
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(making) :: m
    call begin_value(m, e)
    if (c_associated(m%value)) call finish(m, node_made(PC_KIND_NULL, 0, 0_int64, c_null_ptr), value=value, e=e)
  end subroutine do_make_null

  !> A list of values, or a tuple.
  subroutine pc_make_list(value, items, status, message, error, tuple)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: items(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, intent(in), optional :: tuple
    type(trap), target :: e
    call arm(e)
    call do_make_list(value, items, e, tuple=tuple)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_list

  subroutine do_make_list(value, items, e, tuple)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: items(:)
    type(trap), intent(inout), target :: e
    logical, intent(in), optional :: tuple
    type(making) :: m
    type(c_ptr) :: memory
    type(polycodec_node), pointer :: nodes(:)
    integer(int64) :: i, n
    integer(c_int32_t) :: kind
    kind = PC_KIND_LIST
    if (present(tuple)) kind = merge(PC_KIND_TUPLE, PC_KIND_LIST, tuple)
    n = size(items, kind=int64)
    call begin_value(m, e)
    call need(m, node_bytes*n, memory, e)
    do i = 1, n
      call keep(m, items(i), e)
    end do
    if (c_associated(m%value)) then
      call c_f_pointer(memory, nodes, [n])
      do i = 1, n
        nodes(i) = root_of(items(i))
      end do
      call finish(m, node_made(kind, 0, n, memory), value=value, e=e)
    end if
  end subroutine do_make_list

  !> An object of named values. Spaces at the end of a name do not count.
  subroutine object_names(value, names, items, status, message, error)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: names(:)
    type(pc_value), intent(in) :: items(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_object_names(value, names, items, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine object_names

  subroutine do_object_names(value, names, items, e)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: names(:)
    type(pc_value), intent(in) :: items(:)
    type(trap), intent(inout), target :: e
    type(pc_value), allocatable :: keys(:)
    call make_keys(keys, names, e)
    call pairs(value, PC_KIND_OBJECT, keys, items, e)
  end subroutine do_object_names

  !> The same with names that are values of text.
  subroutine object_keys(value, keys, items, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:), items(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_object_keys(value, keys, items, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine object_keys

  subroutine do_object_keys(value, keys, items, e)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:), items(:)
    type(trap), intent(inout), target :: e
    call pairs(value, PC_KIND_OBJECT, keys, items, e)
  end subroutine do_object_keys

  !> A map, whose keys are any values.
  subroutine pc_make_map(value, keys, items, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:), items(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_map(value, keys, items, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_map

  subroutine do_make_map(value, keys, items, e)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:), items(:)
    type(trap), intent(inout), target :: e
    call pairs(value, PC_KIND_MAP, keys, items, e)
  end subroutine do_make_map

  subroutine make_keys(keys, names, e)
    type(pc_value), allocatable, intent(out) :: keys(:)
    character(*), intent(in) :: names(:)
    type(trap), intent(inout), target :: e
    integer :: i
    allocate (keys(size(names)))
    do i = 1, size(names)
      call do_make_text(keys(i), trim(names(i)), e)
    end do
  end subroutine make_keys

  subroutine pairs(value, kind, keys, items, e)
    type(pc_value), intent(inout) :: value
    integer(c_int32_t), intent(in) :: kind
    type(pc_value), intent(in) :: keys(:), items(:)
    type(trap), intent(inout), target :: e
    type(making) :: m
    type(c_ptr) :: memory
    type(polycodec_node), pointer :: nodes(:)
    integer(int64) :: i, n
    n = size(items, kind=int64)
    if (size(keys) /= n) call refuse(e, PC_ERROR_INVALID, 'fortran.names', 'there are not as many names as values')
    call begin_value(m, e)
    call need(m, 2*node_bytes*n, memory, e)
    do i = 1, n
      call keep(m, keys(i), e)
      call keep(m, items(i), e)
    end do
    if (c_associated(m%value)) then
      call c_f_pointer(memory, nodes, [2*n])
      do i = 1, n
        nodes(2*i - 1) = root_of(keys(i))
        nodes(2*i) = root_of(items(i))
      end do
      call finish(m, node_made(kind, 0, n, memory), value=value, e=e)
    end if
  end subroutine pairs

  !> A table of named columns of one length: arrays, or lists of any values.
  subroutine table_names(value, names, columns, status, message, error)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: names(:)
    type(pc_value), intent(in) :: columns(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_table_names(value, names, columns, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine table_names

  subroutine do_table_names(value, names, columns, e)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: names(:)
    type(pc_value), intent(in) :: columns(:)
    type(trap), intent(inout), target :: e
    type(pc_value), allocatable :: keys(:)
    call make_keys(keys, names, e)
    call do_table_keys(value, keys, columns, e)
  end subroutine do_table_names

  subroutine table_keys(value, keys, columns, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:), columns(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_table_keys(value, keys, columns, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine table_keys

  subroutine do_table_keys(value, keys, columns, e)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:), columns(:)
    type(trap), intent(inout), target :: e
    type(making) :: m
    type(polycodec_array) :: table
    type(polycodec_node), pointer :: key
    type(polycodec_bytes), pointer :: names(:)
    type(c_ptr) :: children(size(columns))
    integer(int64) :: n
    integer :: i, kind
    if (size(keys) /= size(columns)) &
        call refuse(e, PC_ERROR_INVALID, 'fortran.names', 'there are not as many names as columns')
    call begin_value(m, e)
    call need(m, 16_int64*size(columns), table%names, e)
    table%layout = int(PC_LAYOUT_RECORD, int8)
    if (size(columns) > 0) table%length = pc_size(columns(1))
    do i = 1, size(columns)
      call keep(m, keys(i), e)
      kind = pc_kind(keys(i))
      if (c_associated(m%value) .and. kind /= PC_KIND_STRING) &
          call refuse(e, PC_ERROR_TYPE, 'fortran.names', 'the name of a column is text')
      children(i) = column_of(m, columns(i), e)
      n = pc_size(columns(i))
      if (e%raw%code == PC_OK .and. n /= table%length) call refuse(e, PC_ERROR_INVALID, 'fortran.axes', 'column '// &
          decimal(int(i, int64))//' has '//decimal(n)//' items, and the first one '//decimal(table%length))
    end do
    if (e%raw%code /= PC_OK) call give_up(m, e)
    if (c_associated(m%value)) then
      call c_f_pointer(table%names, names, [size(columns)])
      do i = 1, size(columns)
        key => node_of(keys(i))
        names(i) = polycodec_bytes(pointer_in(key), node_size(key))
      end do
      call put_children(m, table, children, e)
      call finish_array(m, table, [integer(int64) ::], [integer(int64) ::], value=value, e=e)
    end if
  end subroutine do_table_keys

  !> A value as an array inside of another value, with its metadata.
  function column_of(m, column, e) result(at)
    type(making), intent(inout) :: m
    type(pc_value), intent(in) :: column
    type(trap), intent(inout), target :: e
    type(c_ptr) :: at
    type(polycodec_array) :: blank
    type(polycodec_array), pointer :: array, made
    type(polycodec_node), pointer :: node
    type(polycodec_node) :: root
    type(polycodec_annotated), pointer :: annotated
    call keep(m, column, e)
    call need(m, int(c_sizeof(made), int64), at, e)
    if (.not. c_associated(m%value)) return
    call c_f_pointer(at, made)
    made = blank
    made%struct_size = int(c_sizeof(made), c_int32_t)
    node => node_of(column)
    array => array_of(column)
    if (associated(array)) then
      made = array
    else if (node%kind == PC_KIND_LIST .or. node%kind == PC_KIND_TUPLE) then
      made%layout = int(PC_LAYOUT_DOCUMENT, int8)
      made%length = node_size(node)
      made%nodes = pointer_in(node)
    else
      call refuse(e, PC_ERROR_TYPE, 'fortran.column', 'a column is an array or a list, not '//pc_type(column))
    end if
    root = root_of(column)
    if (root%kind /= PC_KIND_ANNOTATED) return
    call c_f_pointer(pointer_in(root), annotated)
    made%metadata = annotated%metadata
  end function column_of

  !> Lists of `items`, an array, one after another, of these lengths.
  subroutine pc_make_ragged(value, items, lengths, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: items
    integer(int64), intent(in) :: lengths(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_ragged(value, items, lengths, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_ragged

  subroutine do_make_ragged(value, items, lengths, e)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: items
    integer(int64), intent(in) :: lengths(:)
    type(trap), intent(inout), target :: e
    type(making) :: m
    type(c_ptr) :: child
    if (sum(lengths) /= pc_size(items) .or. any(lengths < 0)) call refuse(e, PC_ERROR_INVALID, 'fortran.axes', &
        'the lengths of the lists do not add up to '//decimal(pc_size(items))//', the number of items')
    call begin_value(m, e)
    child = column_of(m, items, e)
    if (c_associated(m%value)) call finish_lists(m, child, lengths, 0, value=value, e=e)
  end subroutine do_make_ragged

  !> A named payload, such as yggdrasil.class. Nothing is executed.
  subroutine pc_make_extension(value, name, payload, status, message, error)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), target :: name
    type(pc_value), intent(in) :: payload
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_extension(value, name, payload, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_extension

  subroutine do_make_extension(value, name, payload, e)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), target :: name
    type(pc_value), intent(in) :: payload
    type(trap), intent(inout), target :: e
    type(making) :: m
    type(c_ptr) :: memory, text
    type(polycodec_extension), pointer :: extension
    call begin_value(m, e)
    call keep(m, payload, e)
    call need(m, 24_int64, memory, e)
    call put_text(m, name, text, e)
    if (c_associated(m%value)) then
      call c_f_pointer(memory, extension)
      extension%name = polycodec_bytes(text, len(name, int64))
      extension%payload = polycodec_value_root(payload%raw)
      call finish(m, node_made(PC_KIND_EXTENSION, 0, 0_int64, memory), value=value, e=e)
    end if
  end subroutine do_make_extension

  !> Gives a value this metadata, an object, in place of what it has.
  subroutine pc_annotate(value, metadata, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: metadata
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_annotate(value, metadata, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_annotate

  subroutine do_annotate(value, metadata, e)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: metadata
    type(trap), intent(inout), target :: e
    type(making) :: m
    type(c_ptr) :: memory
    type(polycodec_annotated), pointer :: annotated, old
    type(polycodec_node) :: root
    call begin_value(m, e)
    call keep(m, value, e)
    call keep(m, metadata, e)
    call need(m, 16_int64, memory, e)
    if (c_associated(m%value)) then
      call c_f_pointer(memory, annotated)
      annotated%node = polycodec_value_root(value%raw)
      root = root_of(value)
      if (root%kind == PC_KIND_ANNOTATED) then
        call c_f_pointer(pointer_in(root), old)
        annotated%node = old%node
      end if
      annotated%metadata = polycodec_value_root(metadata%raw)
      call finish(m, node_made(PC_KIND_ANNOTATED, 0, 0_int64, memory), value=value, e=e)
    end if
  end subroutine do_annotate

  !> Gives a value units; other metadata stays.
  subroutine pc_set_units(value, units, status, message, error)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: units
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_set_units(value, units, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_set_units

  subroutine do_set_units(value, units, e)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: units
    type(trap), intent(inout), target :: e
    type(pc_value) :: metadata
    type(pc_value), allocatable :: keys(:), items(:)
    character(:), allocatable :: key
    integer(int64) :: i, n
    call do_metadata(value, metadata, e)
    n = pc_keys(metadata)
    do i = 1, n
      call key_text(metadata, i, key)
      if (key == 'units') exit
    end do
    allocate (keys(max(i, n)), items(max(i, n)))
    n = i
    do i = 1, size(keys, kind=int64)
      if (i == n) then
        call do_make_text(keys(i), 'units', e)
        call do_make_text(items(i), units, e)
      else
        call do_key_value(metadata, i, keys(i), e)
        call do_item(metadata, i, items(i), e)
      end if
    end do
    if (e%raw%code == PC_OK) call pairs(metadata, PC_KIND_OBJECT, keys, items, e)
    if (e%raw%code == PC_OK) call do_annotate(value, metadata, e)
  end subroutine do_set_units

  ! ---- Messages ----

  !> Opens a channel between a file or pipe to read, and one to write: - is standard input or output, and an empty name
  !> opens nothing. settings: a JSON object of docs/messages.md.
  subroutine pc_channel_open(channel, input, output, status, message, error, settings, options)
    type(pc_channel), intent(inout) :: channel
    character(*), intent(in) :: input, output
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    character(*), intent(in), optional, target :: settings
    type(pc_options), intent(in), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_channel_open(channel, input, output, e, settings=settings, options=options)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_channel_open

  subroutine do_channel_open(channel, input, output, e, settings, options)
    type(pc_channel), intent(inout) :: channel
    character(*), intent(in) :: input, output
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: settings
    type(pc_options), intent(in), optional, target :: options
    type(applied), target :: a
    type(c_ptr), target :: raw
    type(polycodec_bytes) :: text
    call pc_channel_close(channel)
    call apply(a, options)
    allocate (channel%heard)
    allocate (channel%heard%list(0))
    channel%heard%on_loss => a%heard%on_loss
    a%call%loss_data = c_loc(channel%heard)
    if (present(settings)) text = bytes(settings)
    if (has_registry(e)) then
      if (polycodec_channel_open(registry, text, c_loc(a%call), c_loc(raw), c_loc(e%raw)) == PC_OK) channel%raw = raw
      call open_end(channel%input, channel%streams(1), input, 'rb', 0, e)
      call open_end(channel%output, channel%streams(2), output, 'wb', 1, e)
    end if
    if (e%raw%code /= PC_OK) call pc_channel_close(channel)
  end subroutine do_channel_open

  subroutine open_end(descriptor, stream, name, mode, standard, e)
    integer(c_int), intent(inout) :: descriptor
    type(c_ptr), intent(inout) :: stream
    character(*), intent(in) :: name, mode
    integer, intent(in) :: standard
    type(trap), intent(inout) :: e
    character(:, c_char), allocatable, target :: path, how
    descriptor = -1
    if (e%raw%code /= PC_OK .or. name == '') return
    descriptor = standard
    if (name == '-') return
    path = name//c_null_char
    how = mode//c_null_char
    stream = open_stream(c_loc(path), c_loc(how))
    if (c_associated(stream)) then
      descriptor = descriptor_of(stream)
    else
      call refuse(e, PC_ERROR_IO, 'fortran.open', 'cannot open '//name//': check the name and the rights')
    end if
  end subroutine open_end

  subroutine pc_channel_close(channel)
    type(pc_channel), intent(inout) :: channel
    integer :: i
    integer(c_int) :: code
    call polycodec_channel_free(channel%raw)
    channel%raw = c_null_ptr
    do i = 1, 2
      if (c_associated(channel%streams(i))) code = close_stream(channel%streams(i))
      channel%streams(i) = c_null_ptr
    end do
    if (associated(channel%heard)) deallocate (channel%heard)
    nullify (channel%heard)
    channel%ended = .false.
  end subroutine pc_channel_close

  !> Bytes that were received; last: no more will come.
  subroutine pc_channel_feed(channel, octets, status, message, error, last)
    type(pc_channel), intent(inout) :: channel
    character(*), intent(in), target :: octets
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, intent(in), optional :: last
    type(trap), target :: e
    call arm(e)
    call do_channel_feed(channel, octets, e, last=last)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_channel_feed

  subroutine do_channel_feed(channel, octets, e, last)
    type(pc_channel), intent(inout) :: channel
    character(*), intent(in), target :: octets
    type(trap), intent(inout), target :: e
    logical, intent(in), optional :: last
    if (present(last)) channel%ended = last
    if (polycodec_channel_feed(channel%raw, bytes(octets), merge(1_c_int32_t, 0_c_int32_t, channel%ended), &
        c_loc(e%raw)) /= PC_OK) channel%ended = .true.
  end subroutine do_channel_feed

  !> The header of the last message that was read, as JSON; empty if it has none.
  function pc_message_header(channel) result(header)
    type(pc_channel), intent(in) :: channel
    character(:), allocatable :: header
    header = ''
    if (allocated(channel%header)) header = channel%header
  end function pc_message_header

  !> The next message. more is .false. where none is left. control: 0, or which control message it is.
  subroutine pc_message_read(channel, value, more, status, message, error, control)
    type(pc_channel), intent(inout), target :: channel
    type(pc_value), intent(inout) :: value
    logical, intent(out) :: more
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(out), optional :: control
    type(trap), target :: e
    call arm(e)
    call do_message_read(channel, value, more, e, control=control)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_message_read

  subroutine do_message_read(channel, value, more, e, control)
    type(pc_channel), intent(inout), target :: channel
    type(pc_value), intent(inout) :: value
    logical, intent(out) :: more
    type(trap), intent(inout), target :: e
    integer, intent(out), optional :: control
    type(c_ptr), target :: sink, raw
    integer(c_int32_t), target :: sign
    integer(c_size_t) :: n
    integer(c_int32_t) :: code
    more = .false.
    sign = 0
    raw = c_null_ptr
    if (present(control)) control = 0
    channel%header = ''
    if (.not. allocated(channel%buffer)) allocate (channel%buffer(1048576))
    if (has_sink(sink, e)) then
      do
        if (polycodec_channel_next(channel%raw, c_loc(raw), c_loc(sign), sink, c_loc(e%raw)) /= PC_OK) exit
        more = c_associated(raw)
        if (more .or. channel%ended .or. channel%input < 0) exit
        n = read_descriptor(channel%input, c_loc(channel%buffer), size(channel%buffer, kind=c_size_t))
        if (n < 0) then
          call refuse(e, PC_ERROR_IO, 'fortran.read', 'the input of the channel cannot be read')
          exit
        end if
        channel%ended = n == 0
        code = polycodec_channel_feed(channel%raw, polycodec_bytes(c_loc(channel%buffer), n), &
            merge(1_c_int32_t, 0_c_int32_t, channel%ended), c_loc(e%raw))
        if (code /= PC_OK) exit
      end do
      if (more) then
        call take(value, raw)
        channel%header = sink_text(sink, e)
        if (present(control)) control = sign
      end if
      call polycodec_sink_free(sink)
    end if
  end subroutine do_message_read

  !> The bytes of the message of a value. header: JSON of further members of its header.
  subroutine pc_message_pack(channel, value, octets, status, message, error, header)
    type(pc_channel), intent(inout) :: channel
    type(pc_value), intent(in) :: value
    character(:), allocatable, intent(out) :: octets
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    character(*), intent(in), optional, target :: header
    type(trap), target :: e
    call arm(e)
    call do_message_pack(channel, value, octets, e, header=header)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_message_pack

  subroutine do_message_pack(channel, value, octets, e, header)
    type(pc_channel), intent(inout) :: channel
    type(pc_value), intent(in) :: value
    character(:), allocatable, intent(out) :: octets
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: header
    octets = ''
    call pack(channel, value%raw, header, e, octets)
  end subroutine do_message_pack

  !> Writes the message of a value to the output of the channel.
  subroutine pc_message_write(channel, value, status, message, error, header)
    type(pc_channel), intent(inout) :: channel
    type(pc_value), intent(in) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    character(*), intent(in), optional, target :: header
    type(trap), target :: e
    call arm(e)
    call do_message_write(channel, value, e, header=header)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_message_write

  subroutine do_message_write(channel, value, e, header)
    type(pc_channel), intent(inout) :: channel
    type(pc_value), intent(in) :: value
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: header
    call pack(channel, value%raw, header, e)
  end subroutine do_message_write

  !> Writes the message that ends a stream.
  subroutine pc_message_end(channel, status, message, error)
    type(pc_channel), intent(inout) :: channel
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_message_end(channel, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_message_end

  subroutine do_message_end(channel, e)
    type(pc_channel), intent(inout) :: channel
    type(trap), intent(inout), target :: e
    call pack(channel, c_null_ptr, e=e)
  end subroutine do_message_end

  !> A header without the members that the channel writes, so that one that was received can be sent again.
  function own_members(header, e) result(members)
    character(*), intent(in), target :: header
    type(trap), intent(inout), target :: e
    character(:), allocatable :: members
    type(pc_value) :: all
    members = ''
    if (header == '') return
    call do_parse(header, all, e)
    if (e%raw%code == PC_OK) &
        call leave_out(all, ' type size serializer codec codec_version options filters ', e)
    if (e%raw%code == PC_OK) call do_text(all, members, e, .true.)
  end function own_members

  recursive subroutine leave_out(object, names, e)
    type(pc_value), intent(inout) :: object
    character(*), intent(in) :: names
    type(trap), intent(inout), target :: e
    type(pc_value), allocatable :: keys(:), items(:)
    character(:), allocatable :: key
    integer(int64) :: i, n
    n = pc_keys(object)
    allocate (keys(n), items(n))
    n = 0
    do i = 1, size(keys, kind=int64)
      call key_text(object, i, key)
      if (index(names, ' '//key//' ') > 0) cycle
      n = n + 1
      call do_key_value(object, i, keys(n), e)
      call do_item(object, i, items(n), e)
      if (key == '__meta__') call leave_out(items(n), ' size in_data ', e)
    end do
    call pairs(object, PC_KIND_OBJECT, keys(:n), items(:n), e)
  end subroutine leave_out

  !> Makes a message, and writes it to octets or to the output.
  subroutine pack(channel, value, header, e, octets)
    type(pc_channel), intent(inout) :: channel
    type(c_ptr), intent(in) :: value
    character(*), intent(in), optional, target :: header
    type(trap), intent(inout), target :: e
    character(:), allocatable, intent(inout), optional :: octets
    type(c_ptr), target :: made, at
    type(polycodec_bytes) :: text
    type(polycodec_bytes), pointer :: pieces(:)
    type(trap), target :: past
    character(:), allocatable, target :: members
    integer(int64), target :: n
    integer(int64) :: part, i, offset, done
    if (present(header)) then
      members = own_members(header, e)
      text = bytes(members)
    end if
    if (e%raw%code /= PC_OK) return
    if (polycodec_channel_pack(channel%raw, value, text, c_loc(made), c_loc(e%raw)) /= PC_OK) return
    call arm(past)
    part = 0
    do while (polycodec_message_part(made, part, c_loc(at), c_loc(n), c_loc(past%raw)) == PC_OK)
      call c_f_pointer(at, pieces, [n])
      part = part + 1
      do i = 1, n
        if (present(octets)) then
          octets = octets//text_of(pieces(i))
          cycle
        end if
        offset = 0
        do while (offset < pieces(i)%size .and. e%raw%code == PC_OK)
          done = write_descriptor(channel%output, after(pieces(i)%data, offset), pieces(i)%size - offset)
          if (done < 0) call refuse(e, PC_ERROR_IO, 'fortran.write', 'the output of the channel cannot be written')
          offset = offset + done
        end do
      end do
    end do
    call polycodec_message_free(made)
  end subroutine pack
end module polycodec_host

!> use polycodec
module polycodec
  use polycodec_constants
  use polycodec_host
end module polycodec
