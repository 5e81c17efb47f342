! SPDX-License-Identifier: MIT
! Values of many formats for Fortran, over polycodec/host.h: bindings/fortran/README.md has the interface.
! scripts/fortran_sys.py makes this file from polycodec.f90.in.
module polycodec_host
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64, real128, error_unit
  use polycodec_sys
  implicit none (type, external)
  private

  integer, parameter, public :: int128 = selected_int_kind(38)
  integer, parameter, public :: ucs4 = selected_char_kind('ISO_10646')

  !> A value: a number, text, array, table, or what is made of them. Copies share it; it never changes.
  type, public :: pc_value
    private
    type(polycodec_handle) :: raw
  contains
    procedure, private :: assign
    generic, public :: assignment(=) => assign
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
    integer(int64) :: max_depth = 0             !< and further limits; 0 is the default of the library
    integer(int64) :: max_input_bytes = 0
    integer(int64) :: max_header_bytes = 0
    integer(int64) :: max_nodes = 0
    integer(int64) :: max_elements = 0
    integer(int64) :: max_work = 0
    integer(int64) :: max_memory_bytes = 0
    integer(int64) :: max_output_bytes = 0
    integer(int64) :: max_stack_bytes = 0
    real(real64) :: seconds = 0                 !< the call ends with PC_ERROR_CANCELLED after this time
    integer :: threads = 0
  end type pc_options

  type :: losses_heard
    type(pc_loss), allocatable :: list(:)
    integer(int64) :: n = 0
    procedure(pc_hear_loss), pointer, nopass :: on_loss => null()
  end type losses_heard

  !> The error of a call of the library, the whole text of it, and what the call lost.
  type :: trap
    type(polycodec_error) :: raw
    type(pc_error) :: said
    character(:), allocatable :: text
    type(losses_heard) :: heard
  end type trap

  !> One end of a conversation in messages, over pipes, files or memory.
  type, public :: pc_channel
    private
    type(polycodec_handle) :: raw
    integer(c_int) :: input = -1, output = -1
    logical :: ended = .false.
    type(losses_heard), pointer :: heard => null()
    character(kind=c_char), allocatable :: buffer(:)
    character(:), allocatable :: header
  contains
    final :: pc_channel_close
  end type pc_channel

  !> pc_options as structs of the library.
  type :: applied
    type(polycodec_call_options) :: call
    type(polycodec_limits) :: limits
    type(polycodec_format) :: format
  end type applied

  !> A value that is being made, and its memory.
  type :: making
    type(pc_value) :: value
    type(c_ptr) :: arena = c_null_ptr
  end type making

  integer(int64), parameter :: node_bytes = 16
  integer(int64), parameter :: dtype_bytes(0:PC_DTYPE_COUNT) = &
      [8, 1, 1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 2, 4, 8, 16, 4, 8, 16, 8, 8, 8, 8, 8, 8, 8]
  integer(int8), parameter :: host_order = int(merge(PC_LITTLE_ENDIAN, PC_BIG_ENDIAN, &
      transfer([1_int8, 0_int8], 0_int16) == 1_int16), int8)
  integer(c_int), parameter :: clock_monotonic = 1
  type(polycodec_node), target, save :: no_node
  type(polycodec_array), target, save :: no_array = polycodec_array(layout=-1_int8)
  type(polycodec_handle), save :: registry

  public :: pc_status_name
  public :: pc_library_version
  public :: pc_configure
  public :: pc_open
  public :: pc_decode
  interface pc_decode
    procedure :: pc_decode__text
    procedure :: pc_decode__octets
  end interface pc_decode
  public :: pc_list_values
  public :: pc_parse
  public :: pc_save
  public :: pc_encode
  public :: pc_convert
  public :: pc_text
  public :: pc_type
  public :: pc_same
  public :: pc_convert_units
  public :: pc_to_ucs4
  public :: pc_to_utf8
  public :: pc_kind
  public :: pc_layout
  public :: pc_dtype
  public :: pc_size
  public :: pc_keys
  public :: pc_key
  interface pc_key
    procedure :: pc_key__text
    procedure :: pc_key__value
  end interface pc_key
  public :: pc_item
  public :: pc_field
  public :: pc_part
  public :: pc_metadata
  public :: pc_units
  public :: pc_find_shape
  public :: pc_lengths
  public :: pc_column
  interface pc_column
    procedure :: pc_column__l8
    procedure :: pc_column__i8
    procedure :: pc_column__i16
    procedure :: pc_column__i32
    procedure :: pc_column__i64
    procedure :: pc_column__i128
    procedure :: pc_column__r32
    procedure :: pc_column__r64
    procedure :: pc_column__r128
    procedure :: pc_column__c32
    procedure :: pc_column__c64
    procedure :: pc_column__text
  end interface pc_column
  public :: pc_get
  interface pc_get
    procedure :: pc_get__l8
    procedure :: pc_get__i8
    procedure :: pc_get__i16
    procedure :: pc_get__i32
    procedure :: pc_get__i64
    procedure :: pc_get__i128
    procedure :: pc_get__r32
    procedure :: pc_get__r64
    procedure :: pc_get__r128
    procedure :: pc_get__c32
    procedure :: pc_get__c64
    procedure :: pc_get__logical
    procedure :: pc_get__text
  end interface pc_get
  public :: pc_make
  interface pc_make
    procedure :: pc_make__l8
    procedure :: pc_make__i8
    procedure :: pc_make__i16
    procedure :: pc_make__i32
    procedure :: pc_make__i64
    procedure :: pc_make__i128
    procedure :: pc_make__r32
    procedure :: pc_make__r64
    procedure :: pc_make__r128
    procedure :: pc_make__c32
    procedure :: pc_make__c64
    procedure :: pc_make__logical
    procedure :: pc_make__text
  end interface pc_make
  public :: pc_times
  public :: pc_make_null
  public :: pc_make_list
  public :: pc_make_object
  interface pc_make_object
    procedure :: pc_make_object__names
    procedure :: pc_make_object__keys
  end interface pc_make_object
  public :: pc_make_map
  public :: pc_make_table
  interface pc_make_table
    procedure :: pc_make_table__names
    procedure :: pc_make_table__keys
  end interface pc_make_table
  public :: pc_make_ragged
  public :: pc_make_extension
  public :: pc_annotate
  public :: pc_set_units
  public :: pc_channel_open
  public :: pc_channel_close
  public :: pc_channel_feed
  public :: pc_message_header
  public :: pc_message_read
  public :: pc_message_pack
  public :: pc_message_write
  public :: pc_message_end

contains

  ! ---- Values, text and memory ----

  !> gfortran 12 does not assign parts as their own types say.
  impure elemental subroutine assign(to, from)
    class(pc_value), intent(inout) :: to
    type(pc_value), intent(in) :: from
    to%raw = from%raw
  end subroutine assign

  !> Bytes that the library reads during a call. Text that is not there, or not allocated, has none.
  function bytes(text)
    character(*), intent(in), optional, target :: text
    type(polycodec_bytes) :: bytes
    if (present(text)) bytes = polycodec_bytes(c_loc(text), len(text, int64))
    if (bytes%size == 0) bytes%data = c_null_ptr
  end function bytes

  function text_of(from) result(text)
    type(polycodec_bytes), intent(in) :: from
    character(:), allocatable, target :: text
    allocate (character(from%size) :: text)
    if (from%size > 0) call copy_bytes(c_loc(text), from%data, int(from%size, c_size_t))
  end function text_of

  !> Text of the library that a NUL ends.
  function text_at(at) result(text)
    type(c_ptr), intent(in) :: at
    character(:), allocatable :: text
    text = text_of(polycodec_bytes(at, int(text_length(at), int64)))
  end function text_at

  !> What was written to a sink.
  function text_in(sink, e) result(text)
    type(polycodec_handle), intent(in) :: sink
    type(trap), intent(inout), target :: e
    character(:), allocatable :: text
    type(polycodec_bytes) :: written
    call polycodec_sink_bytes(sink, written, e%raw)
    text = text_of(written)
  end function text_in

  function after(at, n)
    type(c_ptr), intent(in) :: at
    integer(int64), intent(in) :: n
    type(c_ptr) :: after
    after = transfer(transfer(at, 0_c_intptr_t) + n, c_null_ptr)
  end function after

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
    e%raw%say = c_funloc(hear)
    e%raw%say_data = c_loc(e%said)
    allocate (e%heard%list(0))
  end subroutine arm

  subroutine hear(to, message, path) bind(c)
    type(c_ptr), value :: to
    type(polycodec_bytes), value :: message, path
    type(pc_error), pointer :: said
    call c_f_pointer(to, said)
    said%message = text_of(message)
    said%path = text_of(path)
  end subroutine hear

  !> An error of this module, unless there is one.
  subroutine refuse(e, code, detail, message)
    type(trap), intent(inout), target :: e
    integer(c_int32_t), intent(in) :: code
    character(*), intent(in) :: detail, message
    if (e%raw%code /= PC_OK) return
    e%raw%code = code
    e%raw%offset = PC_NO_OFFSET
    e%said = pc_error(detail=detail, path='', message=message, codec='')
  end subroutine refuse

  !> Completes an error. If the caller does not ask for it the program ends.
  subroutine settle(e, is_heard)
    type(trap), intent(inout), target :: e
    logical, intent(in) :: is_heard
    e%said%status = e%raw%code
    if (e%raw%code /= PC_OK) e%said%byte = e%raw%offset
    if (.not. allocated(e%said%message)) e%said%message = text_at(c_loc(e%raw%message))
    if (.not. allocated(e%said%path)) e%said%path = text_at(c_loc(e%raw%path))
    if (.not. allocated(e%said%detail)) e%said%detail = text_at(c_loc(e%raw%detail))
    if (.not. allocated(e%said%codec)) e%said%codec = text_at(c_loc(e%raw%codec))
    e%text = ''
    if (e%raw%code == PC_OK) return
    e%text = pc_status_name(e%said%status)//': '//e%said%message
    if (e%said%detail /= '') e%text = e%text//' ('//e%said%detail//')'
    if (e%said%path /= '') e%text = e%text//', in '//e%said%path
    if (e%said%byte >= 0) e%text = e%text//', at byte '//decimal(e%said%byte)
    if (is_heard) return
    write (error_unit, '(2a)') 'polycodec: ', e%text
    error stop 1
  end subroutine settle

  !> The name of a status, such as malformed.
  function pc_status_name(status) result(text)
    character(:), allocatable :: text
    integer, intent(in) :: status
    text = text_at(polycodec_status_name(int(status, c_int32_t)))
  end function pc_status_name

  function pc_library_version() result(text)
    character(:), allocatable :: text
    text = text_at(polycodec_library_version())
  end function pc_library_version

  ! ---- Options ----

  subroutine hear_loss(to, class, path, what) bind(c)
    type(c_ptr), value :: to
    integer(c_int32_t), value :: class
    type(polycodec_bytes), value :: path, what
    type(losses_heard), pointer :: heard
    type(pc_loss), allocatable :: more(:)
    call c_f_pointer(to, heard)
    heard%n = heard%n + 1
    if (heard%n > size(heard%list)) then
      allocate (more(2*heard%n))
      more(:heard%n - 1) = heard%list
      call move_alloc(more, heard%list)
    end if
    heard%list(heard%n)%class = class
    heard%list(heard%n)%path = text_of(path)
    heard%list(heard%n)%what = text_of(what)
    if (associated(heard%on_loss)) call heard%on_loss(int(class), heard%list(heard%n)%path, heard%list(heard%n)%what)
  end subroutine hear_loss

  !> Begins a call of the library. `a` and options live until it ends.
  subroutine apply(a, e, options)
    type(applied), intent(inout), target :: a
    type(trap), intent(inout), target :: e
    type(pc_options), intent(in), optional, target :: options
    integer(c_long), target :: now(2)
    if (.not. c_associated(registry%raw)) call do_configure(e)
    if (.not. present(options)) return
    a%format%codec = bytes(options%codec)
    a%format%options = bytes(options%codec_options)
    a%format%filters = bytes(options%filters)
    a%call%select = bytes(options%select)
    a%call%member = bytes(options%member)
    a%call%flags = iany(pack([PC_CALL_TOLERANT, PC_CALL_LOSSLESS, PC_CALL_COMPARE, PC_CALL_AS_IS], &
        [options%tolerant, options%lossless, options%compare, options%as_is]))
    a%call%on_loss = c_funloc(hear_loss)
    a%call%loss_data = c_loc(e%heard)
    e%heard%on_loss => options%on_loss
    if (allocated(options%losses)) a%call%losses = &
        iany(ibset(0, pack(options%losses, options%losses >= 0 .and. options%losses < PC_LOSS_COUNT)))
    a%call%threads = options%threads
    a%limits%max_depth = int(min(options%max_depth, int(huge(1_int32), int64)), c_int32_t)
    a%limits%max_input_bytes = options%max_input_bytes
    a%limits%max_header_bytes = options%max_header_bytes
    a%limits%max_nodes = options%max_nodes
    a%limits%max_elements = options%max_elements
    a%limits%max_work = options%max_work
    a%limits%max_memory_bytes = options%max_memory_bytes
    a%limits%max_output_bytes = options%max_output_bytes
    a%limits%max_stack_bytes = options%max_stack_bytes
    if (options%seconds > 0) then
      if (read_clock(clock_monotonic, c_loc(now)) == 0) a%limits%deadline = &
          1000000000_int64*now(1) + now(2) + int(min(options%seconds, 1d9)*1d9, int64)
    end if
    a%call%limits = c_loc(a%limits)
  end subroutine apply

  !> Opens the registry of codecs anew: with a configuration as its files have it, with directories of plugins instead
  !> of the default one, and with threads for one call. Programs with threads call it before they start them.
  subroutine pc_configure(status, message, error, configuration, plugin_path, threads)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    character(*), intent(in), optional, target :: configuration, plugin_path
    integer, intent(in), optional :: threads
    type(trap), target :: e
    call arm(e)
    call do_configure(e, configuration=configuration, plugin_path=plugin_path, threads=threads)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_configure

  subroutine do_configure(e, configuration, plugin_path, threads)
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: configuration, plugin_path
    integer, intent(in), optional :: threads
    type(polycodec_registry_options) :: options
    type(polycodec_bytes), target :: layer, layer_name, directory
    options%flags = PC_REGISTRY_DEFAULT_CONFIG
    layer = bytes(configuration)
    layer_name = bytes('configuration of the program')
    options%layers = c_loc(layer)
    options%layer_names = c_loc(layer_name)
    options%n_layers = merge(1, 0, present(configuration))
    directory = bytes(plugin_path)
    options%plugin_paths = c_loc(directory)
    options%n_plugin_paths = merge(1, 0, present(plugin_path))
    if (present(threads)) options%threads = threads
    call polycodec_registry_open(options, registry, e%raw)
  end subroutine do_configure

  ! ---- Files, bytes and text ----

  subroutine open_path(file, a, source, e)
    character(*), intent(in), target :: file
    type(applied), intent(inout), target :: a
    type(trap), intent(inout), target :: e
    type(polycodec_source_options) :: wanted
    type(polycodec_handle), intent(inout) :: source
    wanted%from = merge(PC_SOURCE_DESCRIPTOR, PC_SOURCE_PATH, file == '-')
    wanted%path = bytes(file)
    wanted%name = bytes(file)
    wanted%limits = a%call%limits
    call polycodec_source_open(wanted, source, e%raw)
  end subroutine open_path

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
    if (present(options)) options%lost = e%heard%list(:e%heard%n)
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
    type(polycodec_handle) :: source
    call apply(a, e, options)
    call open_path(file, a, source, e)
    call polycodec_decode(registry, source, a%format, a%call, value%raw, error=e%raw)
  end subroutine do_open

  !> The value in bytes of any format.
  subroutine pc_decode__text(octets, value, status, message, error, options)
    character(*), intent(in), target :: octets
    type(pc_value), intent(inout) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_decode__text(octets, value, e, options=options)
    if (present(options)) options%lost = e%heard%list(:e%heard%n)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_decode__text

  subroutine do_decode__text(octets, value, e, options)
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    character(*), intent(in), target :: octets
    call decode_memory(c_loc(octets), len(octets, int64), value, e, options)
  end subroutine do_decode__text

  subroutine pc_decode__octets(octets, value, status, message, error, options)
    integer(int8), intent(in), contiguous, target :: octets(:)
    type(pc_value), intent(inout) :: value
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_decode__octets(octets, value, e, options=options)
    if (present(options)) options%lost = e%heard%list(:e%heard%n)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_decode__octets

  subroutine do_decode__octets(octets, value, e, options)
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    integer(int8), intent(in), contiguous, target :: octets(:)
    call decode_memory(c_loc(octets), size(octets, kind=int64), value, e, options)
  end subroutine do_decode__octets

  subroutine decode_memory(at, n, made, e, options)
    type(c_ptr), intent(in) :: at
    integer(int64), intent(in) :: n
    type(pc_value), intent(inout) :: made
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    type(applied), target :: a
    type(making) :: m
    type(polycodec_handle) :: source
    type(polycodec_source_options) :: wanted
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    call apply(a, e, options)
    ! The value views the bytes, which the program may change: `m` has a copy.
    wanted%from = PC_SOURCE_BYTES
    wanted%bytes = polycodec_bytes(stored(m, at, n, e), n)
    if (e%raw%code == PC_OK) wanted%owner = polycodec_value_retain(m%value%raw%raw)
    wanted%release = c_funloc(polycodec_value_release)
    wanted%limits = a%call%limits
    call polycodec_source_open(wanted, source, e%raw)
    call polycodec_decode(registry, source, a%format, a%call, made%raw, error=e%raw)
  end subroutine decode_memory

  !> The values of a file that has several: an object with the name of each one and facts about it.
  subroutine pc_list_values(file, codec, value, status, message, error)
    character(*), intent(in), target :: file
    character(*), intent(in), target :: codec
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
    character(*), intent(in), target :: file
    character(*), intent(in), target :: codec
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(applied), target :: a
    type(polycodec_handle) :: opened
    type(polycodec_handle) :: source
    call apply(a, e)
    a%format%codec = bytes(codec)
    call open_path(file, a, source, e)
    call polycodec_registry_open_codec(registry, a%format, opened, e%raw)
    call polycodec_opened_codec_list(opened, source, a%call, value%raw, e%raw)
  end subroutine do_list_values

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
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    character(*), intent(in), target :: text
    character(*), intent(in), optional, target :: type
    if (.not. c_associated(registry%raw)) call do_configure(e)
    call polycodec_value_parse(registry, bytes(text), bytes(type), value%raw, e%raw)
  end subroutine do_parse


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
    if (present(options)) options%lost = e%heard%list(:e%heard%n)
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
    call apply(a, e, options)
    call polycodec_encode_file(registry, value%raw, bytes(file), a%format, a%call, error=e%raw)
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
    if (present(options)) options%lost = e%heard%list(:e%heard%n)
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
    type(polycodec_handle) :: opened
    type(polycodec_handle) :: sink
    call polycodec_sink_create(PC_SINK_CONTIGUOUS, 0_int64, sink, e%raw)
    call apply(a, e, options)
    a%format%codec = bytes(codec)
    call polycodec_registry_open_codec(registry, a%format, opened, e%raw)
    call polycodec_opened_codec_encode(opened, value%raw, a%call, sink, c_null_ptr, error=e%raw)
    octets = text_in(sink, e)
  end subroutine do_encode

  !> Reads one file and writes its value to another. `input` is for the codec that reads.
  subroutine pc_convert(from, to, status, message, error, options, input)
    character(*), intent(in), target :: from
    character(*), intent(in), target :: to
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(pc_options), intent(inout), optional, target :: options
    type(pc_options), intent(in), optional, target :: input
    type(trap), target :: e
    call arm(e)
    call do_convert(from, to, e, options=options, input=input)
    if (present(options)) options%lost = e%heard%list(:e%heard%n)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_convert

  subroutine do_convert(from, to, e, options, input)
    character(*), intent(in), target :: from
    character(*), intent(in), target :: to
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    type(applied), target :: a
    type(polycodec_handle) :: source
    type(pc_options), intent(in), optional, target :: input
    type(applied), target :: reading
    call apply(reading, e, input)
    call apply(a, e, options)
    call open_path(from, a, source, e)
    call polycodec_convert(registry, source, reading%format, bytes(to), a%format, a%call, error=e%raw)
  end subroutine do_convert

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
    type(trap), intent(inout), target :: e
    type(polycodec_handle) :: sink
    character(:), allocatable, intent(out) :: text
    logical, intent(in), optional :: plain
    type(polycodec_text_options) :: options
    call polycodec_sink_create(PC_SINK_CONTIGUOUS, 0_int64, sink, e%raw)
    if (present(plain)) options%flags = merge(PC_TEXT_PLAIN, 0, plain)
    call polycodec_value_print(value%raw, options=options, sink=sink, error=e%raw)
    text = text_in(sink, e)
  end subroutine do_text

  !> The type of the value, such as 3 * float64.
  function pc_type(value) result(text)
    type(pc_value), intent(in) :: value
    type(trap), target :: e
    type(polycodec_handle) :: sink
    character(:), allocatable :: text
    call polycodec_sink_create(PC_SINK_CONTIGUOUS, 0_int64, sink, e%raw)
    call polycodec_value_type(value%raw, sink=sink, error=e%raw)
    text = text_in(sink, e)
  end function pc_type

  !> Whether two values are equal: kinds, types, numbers and metadata, with all NaNs equal.
  logical function pc_same(a, b)
    type(trap) :: ignored
    integer(int64) :: n
    type(pc_value), intent(in) :: a, b
    type(polycodec_compare_options) :: options
    n = 1
    options%flags = PC_COMPARE_FLOATS
    call polycodec_value_compare(a%raw, b%raw, options, n, error=ignored%raw)
    pc_same = n == 0
  end function pc_same

  !> Converts numbers in place from one unit to another.
  subroutine pc_convert_units(from, to, x, status, message, error)
    character(*), intent(in), target :: from
    character(*), intent(in), target :: to
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
    character(*), intent(in), target :: from
    character(*), intent(in), target :: to
    type(trap), intent(inout), target :: e
    real(real64), intent(inout), contiguous, target :: x(:)
    call polycodec_units_convert(bytes(from), bytes(to), c_loc(x), size(x, kind=int64), e%raw)
  end subroutine do_convert_units

  !> The characters of UTF-8. What is not UTF-8 becomes U+FFFD.
  function pc_to_ucs4(text) result(wide)
    character(*), intent(in) :: text
    character(kind=ucs4, len=:), allocatable :: wide
    character(kind=ucs4, len=len(text)) :: found
    integer :: at, n, i, code, octets
    at = 1
    n = 0
    do while (at <= len(text))
      code = ichar(text(at:at))
      octets = leadz(not(shiftl(code, 24)))  ! of this character; 0 is one of ASCII, 1 not a first one
      if (octets > 1) code = ibits(code, 0, max(7 - octets, 0))
      do i = 1, octets - 1
        if (at + i > len(text)) exit
        if (iand(ichar(text(at + i:at + i)), 192) /= 128) exit
        code = 64*code + ibits(ichar(text(at + i:at + i)), 0, 6)
      end do
      if (octets == 1 .or. octets > 4 .or. i < octets) code = 65533
      at = at + merge(1, i, octets > 4)
      n = n + 1
      found(n:n) = char(code, kind=ucs4)
    end do
    wide = found(:n)
  end function pc_to_ucs4

  !> UTF-8 of characters.
  function pc_to_utf8(wide) result(text)
    character(:), allocatable :: text
    character(kind=ucs4, len=*), intent(in) :: wide
    character(4*len(wide)) :: found
    integer :: i, n, code, more
    n = 0
    do i = 1, len(wide)
      code = ichar(wide(i:i))
      more = count(code >= [128, 2048, 65536])
      n = n + 1
      found(n:n) = char(merge(0, iand(not(2**(7 - more) - 1), 255), more == 0) + shiftr(code, 6*more))
      do more = more - 1, 0, -1
        n = n + 1
        found(n:n) = char(128 + iand(shiftr(code, 6*more), 63))
      end do
    end do
    text = found(:n)
  end function pc_to_utf8

  ! ---- Looking into values ----

  !> The node at an address, without metadata and references, and its array. The layout is -1 if it is not an array.
  subroutine look_at(at, node, array)
    type(c_ptr), intent(in) :: at
    type(polycodec_annotated), pointer :: annotated
    integer(int64) :: i
    type(polycodec_node), pointer, intent(out) :: node
    type(polycodec_array), pointer, intent(out) :: array
    node => no_node
    array => no_array
    if (c_associated(at)) call c_f_pointer(at, node)
    do i = 1, 64
      select case (node%kind)
      case (PC_KIND_ANNOTATED)
        call c_f_pointer(node%as, annotated)
        call c_f_pointer(annotated%node, node)
      case (PC_KIND_REFERENCE)
        call c_f_pointer(node%as, node)
      end select
    end do
    if (node%kind == PC_KIND_ARRAY) call c_f_pointer(node%as, array)
  end subroutine look_at

  subroutine look(value, node, array)
    type(pc_value), intent(in) :: value
    type(polycodec_node), pointer, intent(out) :: node
    type(polycodec_array), pointer, intent(out) :: array
    call look_at(polycodec_value_root(value%raw%raw), node, array)
  end subroutine look

  !> Child i of an array, counted from 1.
  function child_of(array, i) result(child)
    type(polycodec_array), pointer, intent(in) :: array
    integer(int64), intent(in) :: i
    type(polycodec_array), pointer :: child
    type(c_ptr), pointer :: children(:)
    call c_f_pointer(array%children, children, [array%n_children])
    call c_f_pointer(children(i), child)
  end function child_of

  !> The address of node i of a list, counted from 1. Those of an object or map are key, value, key, value.
  type(c_ptr) function node_at(node, i)
    type(polycodec_node), pointer, intent(in) :: node
    integer(int64), intent(in) :: i
    node_at = after(node%as, node_bytes*(i - 1))
  end function node_at

  integer(int64) function node_size(node)
    type(polycodec_node), pointer, intent(in) :: node
    node_size = shiftl(ibits(int(node%size_hi, int64), 0, 16), 32) + ibits(int(node%size_lo, int64), 0, 32)
  end function node_size

  logical function is_list(array)
    type(polycodec_array), pointer, intent(in) :: array
    is_list = array%layout >= PC_LAYOUT_LIST_OFFSETS .and. array%layout <= PC_LAYOUT_LIST_FIXED
  end function is_list

  !> The layout only chooses items of its children.
  logical function is_choice(array)
    type(polycodec_array), pointer, intent(in) :: array
    is_choice = array%layout >= PC_LAYOUT_OPTION_BYTES .and. array%layout <= PC_LAYOUT_CHUNKED
  end function is_choice

  !> What a value is: PC_KIND_OBJECT and others. Metadata and references do not count.
  integer function pc_kind(value)
    type(pc_value), intent(in) :: value
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    call look(value, node, array)
    pc_kind = node%kind
  end function pc_kind

  !> Of an array: PC_LAYOUT_NDARRAY and others, else -1.
  integer function pc_layout(value)
    type(pc_value), intent(in) :: value
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    call look(value, node, array)
    pc_layout = array%layout
  end function pc_layout

  !> The type of a scalar, or of the elements of an array: PC_DTYPE_FLOAT64 and others. Of times `unit` gets their unit.
  integer function pc_dtype(value, unit)
    type(pc_value), intent(in) :: value
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    integer, intent(out), optional :: unit
    type(polycodec_time), pointer :: time
    call look(value, node, array)
    do while (is_choice(array) .and. array%n_children > 0)
      array => child_of(array, 1_int64)
    end do
    pc_dtype = node%dtype
    if (node%kind == PC_KIND_ARRAY) pc_dtype = array%dtype
    if (node%kind == PC_KIND_BOOLEAN) pc_dtype = PC_DTYPE_BOOLEAN
    if (node%kind == PC_KIND_STRING) pc_dtype = PC_DTYPE_NONE
    if (.not. present(unit)) return
    unit = array%unit
    if (node%kind /= PC_KIND_TIMESTAMP .and. node%kind /= PC_KIND_DURATION) return
    call c_f_pointer(node%as, time)
    unit = time%unit
  end function pc_dtype

  !> How many items, members, rows, bytes: of an array along its first axis; 1 for other scalars.
  integer(int64) function pc_size(value)
    type(pc_value), intent(in) :: value
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    call look(value, node, array)
    pc_size = 1
    if (node%kind == PC_KIND_NULL) pc_size = 0
    if (node%kind >= PC_KIND_STRING .and. node%kind <= PC_KIND_MAP) pc_size = node_size(node)
    if (node%kind == PC_KIND_ARRAY) pc_size = array%length
  end function pc_size

  !> How many members of an object, entries of a map, or columns of a table.
  integer(int64) function pc_keys(value)
    type(pc_value), intent(in) :: value
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    call look(value, node, array)
    pc_keys = 0
    if (array%layout == PC_LAYOUT_RECORD) pc_keys = array%n_children
    if (node%kind == PC_KIND_OBJECT .or. node%kind == PC_KIND_MAP) pc_keys = node_size(node)
  end function pc_keys

  !> The name of member or column i, counted from 1, or of an extension: its name. Empty without one.
  subroutine pc_key__text(value, i, key)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(polycodec_array), pointer :: array
    type(polycodec_extension), pointer :: extension
    integer(int64) :: n
    type(polycodec_node), pointer :: node
    character(:), allocatable, intent(out) :: key
    type(polycodec_bytes), pointer :: names(:)
    key = ''
    n = pc_keys(value)
    call look(value, node, array)
    if (node%kind == PC_KIND_EXTENSION) then
      call c_f_pointer(node%as, extension)
      key = text_of(extension%name)
    else if (i >= 1 .and. i <= n) then
      call c_f_pointer(array%names, names, [array%n_children])
      if (associated(names)) key = text_of(names(i))
      if (node%kind /= PC_KIND_ARRAY) call look_at(node_at(node, 2*i - 1), node, array)
      if (node%kind == PC_KIND_STRING) key = text_of(polycodec_bytes(node%as, node_size(node)))
    end if
  end subroutine pc_key__text

  !> The key of entry i of a map, which need not be text.
  subroutine pc_key__value(value, i, key, status, message, error)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(pc_value), intent(inout) :: key
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_key__value(value, i, key, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_key__value

  subroutine do_key__value(value, i, key, e)
    type(pc_value), intent(in) :: value
    integer(int64), intent(in) :: i
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    integer(int64) :: n
    type(polycodec_node), pointer :: node
    type(polycodec_item) :: place
    type(pc_value), intent(inout) :: key
    call look(value, node, array)
    n = pc_keys(value)
    if (i < 1 .or. i > n .or. node%kind == PC_KIND_ARRAY) &
        call refuse(e, PC_ERROR_NOT_FOUND, 'fortran.index', 'the value has no key '//decimal(i))
    place%node = node_at(node, 2*i - 1)
    call make_part(value, place, key, e)
  end subroutine do_key__value

  subroutine make_part(value, place, part, e)
    type(pc_value), intent(in) :: value
    type(polycodec_item), intent(in) :: place
    type(pc_value), intent(inout) :: part
    type(trap), intent(inout), target :: e
    call polycodec_value_part(value%raw, place, 0_int64, PC_WHOLE, part%raw, e%raw)
  end subroutine make_part

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
    type(polycodec_array), pointer :: array
    type(polycodec_extension), pointer :: extension
    integer(int64) :: n
    type(polycodec_node), pointer :: node
    type(polycodec_item) :: place
    type(polycodec_tagged), pointer :: tagged
    call look(value, node, array)
    n = pc_size(value)
    if (i < 1 .or. i > n) call refuse(e, PC_ERROR_NOT_FOUND, 'fortran.index', &
        'the value has '//decimal(n)//' items, counted from 1, and no item '//decimal(i))
    select case (node%kind)
    case (PC_KIND_LIST, PC_KIND_TUPLE)
      place%node = node_at(node, i)
    case (PC_KIND_OBJECT, PC_KIND_MAP)
      place%node = node_at(node, 2*i)
    case (PC_KIND_ARRAY)
      place%array = node%as
      place%index = i - 1
    case (PC_KIND_EXTENSION)
      call c_f_pointer(node%as, extension)
      place%node = extension%payload
    case (PC_KIND_UNION)
      call c_f_pointer(node%as, tagged)
      place%node = tagged%node
    case default
      call refuse(e, PC_ERROR_TYPE, 'fortran.index', 'a scalar has no items')
    end select
    call make_part(value, place, item, e)
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
    type(polycodec_node), pointer :: node
    type(polycodec_item) :: place
    n = pc_keys(value)
    call look(value, node, array)
    if (node%kind /= PC_KIND_ARRAY) then
      call do_item(value, i, field, e)
    else if (i < 1 .or. i > n) then
      call refuse(e, PC_ERROR_NOT_FOUND, 'fortran.index', 'the table has '//decimal(n)// &
          ' columns, counted from 1, and no column '//decimal(i))
    else
      place = polycodec_item(c_null_ptr, c_loc(child_of(array, i)), PC_WHOLE)
      call polycodec_value_part(value%raw, place, 0_int64, array%length, field%raw, e%raw)
    end if
  end subroutine do_field

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
    call do_part(value, path, part, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_part

  subroutine do_part(value, path, part, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(pc_value), intent(inout) :: part
    type(trap), intent(inout), target :: e
    type(polycodec_item) :: place
    call polycodec_value_find(value%raw, bytes(path), place, e%raw)
    call make_part(value, place, part, e)
  end subroutine do_part

  !> A value without its metadata, and the metadata, as addresses of nodes. They are null where nothing is there.
  function parted(value) result(parts)
    type(pc_value), intent(in) :: value
    type(polycodec_annotated), pointer :: annotated
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    type(polycodec_annotated), target :: parts
    type(polycodec_node), pointer :: root
    call look(value, node, array)
    parts = polycodec_annotated(polycodec_value_root(value%raw%raw), array%metadata)
    if (.not. c_associated(parts%node)) return
    call c_f_pointer(parts%node, root)
    if (root%kind /= PC_KIND_ANNOTATED) return
    call c_f_pointer(root%as, annotated)
    parts = annotated
  end function parted

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
    type(polycodec_annotated), target :: parts
    parts = parted(value)
    if (c_associated(parts%metadata)) then
      call make_part(value, polycodec_item(parts%metadata, c_null_ptr, 0), metadata, e)
    else
      call do_make_null(metadata, e)
    end if
  end subroutine do_metadata

  !> The units of a value, or of the part at a path; empty if it has none.
  function pc_units(value, path) result(text)
    type(pc_value), intent(in) :: value
    type(trap), target :: e
    type(pc_value) :: metadata
    type(pc_value) :: part
    character(:), allocatable :: text
    character(*), intent(in), optional, target :: path
    part = value
    if (present(path)) call do_part(value, path, part, e)
    call do_metadata(part, metadata, e)
    call do_get__text(metadata, 'units', text, e)
  end function pc_units

  ! ---- Shapes ----

  !> Item i, counted from 0, of a column of structure.
  integer(int64) function column_item(column, i)
    integer(int64), intent(in) :: i
    integer(int64) :: n
    type(polycodec_column), intent(in) :: column
    integer(int64), target :: item
    n = dtype_bytes(column%dtype)
    item = 0
    call copy_bytes(c_loc(item), after(column%data, i*column%stride), n)
    if (host_order == PC_LITTLE_ENDIAN) item = shiftl(item, 64 - 8*n)
    column_item = merge(shifta(item, 64 - 8*n), shiftr(item, 64 - 8*n), column%dtype <= PC_DTYPE_INT64)
  end function column_item

  !> The number of items of list i, counted from 0, of a layout of lists.
  integer(int64) function list_length(array, i)
    type(polycodec_array), pointer, intent(in) :: array
    integer(int64), intent(in) :: i
    select case (array%layout)
    case (PC_LAYOUT_LIST_OFFSETS)
      list_length = column_item(array%offsets, i + 1) - column_item(array%offsets, i)
    case (PC_LAYOUT_LIST_VIEW)
      list_length = column_item(array%stops, i) - column_item(array%offsets, i)
    case default
      list_length = array%list_size
    end select
  end function list_length

  !> The number of items along each axis, as far as they are the same everywhere. Lists are axes down to a depth.
  recursive function shape_of(node, array, depth) result(shape)
    type(polycodec_node), pointer, intent(in) :: node
    type(polycodec_array), pointer, intent(in) :: array
    integer(int64) :: i
    integer(int64) :: n
    integer, intent(in) :: depth
    type(polycodec_node), pointer :: inner
    type(polycodec_array), pointer :: below
    integer(int64), allocatable :: shape(:), first(:), rest(:)
    integer(int64), pointer :: dims(:)
    allocate (shape(0), first(0), rest(0))
    if (node%kind == PC_KIND_LIST .or. node%kind == PC_KIND_TUPLE) shape = [node_size(node)]
    if (node%kind == PC_KIND_ARRAY) shape = [array%length]
    if (array%layout == PC_LAYOUT_NDARRAY) then
      call c_f_pointer(array%shape, dims, [array%ndim])
      shape = dims
    else if (is_list(array) .and. iand(int(array%flags), PC_ARRAY_STRING + PC_ARRAY_BINARY) == 0) then
      n = array%list_size
      if (array%length > 0) n = list_length(array, 0_int64)
      do i = 1, array%length - 1
        if (list_length(array, i) /= n) return
      end do
      first = shape_of(node, child_of(array, 1_int64), depth)
      shape = [shape, n, first(2:)]
    else if (depth > 0 .and. (is_choice(array) .or. node%kind == PC_KIND_LIST .or. node%kind == PC_KIND_TUPLE)) then
      do i = 1, merge(int(array%n_children, int64), product(shape), is_choice(array))
        if (is_choice(array)) then
          rest = shape_of(node, child_of(array, i), depth)
          rest = rest(2:)
        else
          call look_at(node_at(node, i), inner, below)
          rest = shape_of(inner, below, depth - 1)
        end if
        if (i == 1) first = rest
        if (size(rest) /= size(first)) return
        if (any(rest /= first)) return
        if (size(first) == 0) exit
      end do
      shape = [shape, first]
    end if
  end function shape_of

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
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    type(pc_value) :: part
    integer(int64), allocatable, intent(out) :: shape(:)
    call do_part(value, path, part, e)
    call look(part, node, array)
    shape = shape_of(node, array, 15)
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
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    integer(int64) :: i
    type(pc_value) :: item
    type(polycodec_node), pointer :: node
    type(pc_value) :: part
    integer(int64), allocatable, intent(out) :: lengths(:)
    call do_part(value, path, part, e)
    call look(part, node, array)
    allocate (lengths(pc_size(part)))
    do i = 1, size(lengths)
      if (is_list(array)) then
        lengths(i) = list_length(array, i - 1)
      else
        call do_item(part, i, item, e)
        lengths(i) = pc_size(item)
      end if
    end do
  end subroutine do_lengths

  !> The shape that an array of the program with so many axes gets. One axis is -1 if it is not that of an array.
  subroutine find_axes(value, path, axes, part, shape, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer, intent(in) :: axes
    type(pc_value), intent(inout) :: part
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    type(trap) :: ignored
    type(polycodec_node), pointer :: node
    integer(int64), allocatable, intent(out) :: shape(:)
    integer(int64), allocatable :: found(:)
    character(1400) :: has
    allocate (shape(axes), source=-1_int64)
    if (axes > 1) call do_part(value, path, part, e)
    if (axes == 1) call do_part(value, path, part, ignored)  ! the numbers of several items are not a part
    call look(part, node, array)
    if (e%raw%code /= PC_OK .or. (axes == 1 .and. array%layout /= PC_LAYOUT_NDARRAY)) return
    allocate (found, source=shape_of(node, array, 15))
    if (size(found) == axes) then
      shape = found
      return
    end if
    write (has, '(*(1x,i0))') found
    call refuse(e, PC_ERROR_TYPE, 'fortran.axes', 'the array at '//path//' has '//decimal(size(found, kind=int64))// &
        ' axes:'//trim(has)//', and that of the program '//decimal(int(axes, int64))// &
        ': lists of different lengths have none')
  end subroutine find_axes

  subroutine check_count(n, what, path, shape, e)
    integer(int64), intent(in) :: n
    character(*), intent(in), target :: path
    integer(int64), intent(in) :: shape(:)
    type(trap), intent(inout), target :: e
    character(*), intent(in) :: what
    if (n /= product(shape)) call refuse(e, PC_ERROR_TYPE, 'fortran.axes', 'there are '//decimal(n)//' '//what// &
        ' at '//path//' where '//decimal(product(shape))//' are expected')
  end subroutine check_count

  ! ---- Numbers ----

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__l8(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical(c_bool), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__l8(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__l8

  subroutine do_column__l8(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    logical(c_bool), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    logical(c_bool), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_BOOLEAN, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_BOOLEAN, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [logical(c_bool) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__l8

  !> The scalar at a path.
  subroutine pc_get__l8(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical(c_bool), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__l8(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__l8

  subroutine do_get__l8(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    logical(c_bool), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_BOOLEAN, c_loc(x), e)
  end subroutine do_get__l8

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__l8(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    logical(c_bool), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__l8(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__l8

  subroutine do_make__l8(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    logical(c_bool), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_BOOLEAN, e, dtype, units, mask, unit)
  end subroutine do_make__l8

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__i8(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int8), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__i8(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__i8

  subroutine do_column__i8(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    integer(int8), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    integer(int8), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT8, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT8, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [integer(int8) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__i8

  !> The scalar at a path.
  subroutine pc_get__i8(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int8), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__i8(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__i8

  subroutine do_get__i8(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int8), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_INT8, c_loc(x), e)
  end subroutine do_get__i8

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__i8(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int8), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__i8(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__i8

  subroutine do_make__i8(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    integer(int8), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_INT8, e, dtype, units, mask, unit)
  end subroutine do_make__i8

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__i16(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int16), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__i16(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__i16

  subroutine do_column__i16(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    integer(int16), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    integer(int16), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT16, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT16, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [integer(int16) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__i16

  !> The scalar at a path.
  subroutine pc_get__i16(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int16), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__i16(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__i16

  subroutine do_get__i16(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int16), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_INT16, c_loc(x), e)
  end subroutine do_get__i16

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__i16(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int16), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__i16(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__i16

  subroutine do_make__i16(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    integer(int16), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_INT16, e, dtype, units, mask, unit)
  end subroutine do_make__i16

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__i32(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int32), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__i32(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__i32

  subroutine do_column__i32(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    integer(int32), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    integer(int32), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT32, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT32, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [integer(int32) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__i32

  !> The scalar at a path.
  subroutine pc_get__i32(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int32), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__i32(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__i32

  subroutine do_get__i32(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int32), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_INT32, c_loc(x), e)
  end subroutine do_get__i32

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__i32(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int32), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__i32(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__i32

  subroutine do_make__i32(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    integer(int32), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_INT32, e, dtype, units, mask, unit)
  end subroutine do_make__i32

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__i64(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__i64(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__i64

  subroutine do_column__i64(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    integer(int64), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    integer(int64), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT64, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT64, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [integer(int64) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__i64

  !> The scalar at a path.
  subroutine pc_get__i64(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int64), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__i64(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__i64

  subroutine do_get__i64(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_INT64, c_loc(x), e)
  end subroutine do_get__i64

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__i64(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int64), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__i64(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__i64

  subroutine do_make__i64(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    integer(int64), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_INT64, e, dtype, units, mask, unit)
  end subroutine do_make__i64

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__i128(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int128), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__i128(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__i128

  subroutine do_column__i128(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    integer(int128), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    integer(int128), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT128, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_INT128, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [integer(int128) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__i128

  !> The scalar at a path.
  subroutine pc_get__i128(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer(int128), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__i128(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__i128

  subroutine do_get__i128(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int128), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_INT128, c_loc(x), e)
  end subroutine do_get__i128

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__i128(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    integer(int128), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__i128(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__i128

  subroutine do_make__i128(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    integer(int128), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_INT128, e, dtype, units, mask, unit)
  end subroutine do_make__i128

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__r32(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real32), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__r32(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__r32

  subroutine do_column__r32(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    real(real32), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    real(real32), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_FLOAT32, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_FLOAT32, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [real(real32) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__r32

  !> The scalar at a path.
  subroutine pc_get__r32(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real32), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__r32(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__r32

  subroutine do_get__r32(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    real(real32), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_FLOAT32, c_loc(x), e)
  end subroutine do_get__r32

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__r32(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real32), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__r32(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__r32

  subroutine do_make__r32(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    real(real32), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_FLOAT32, e, dtype, units, mask, unit)
  end subroutine do_make__r32

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__r64(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real64), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__r64(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__r64

  subroutine do_column__r64(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    real(real64), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    real(real64), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_FLOAT64, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_FLOAT64, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [real(real64) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__r64

  !> The scalar at a path.
  subroutine pc_get__r64(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real64), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__r64(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__r64

  subroutine do_get__r64(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    real(real64), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_FLOAT64, c_loc(x), e)
  end subroutine do_get__r64

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__r64(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real64), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__r64(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__r64

  subroutine do_make__r64(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    real(real64), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_FLOAT64, e, dtype, units, mask, unit)
  end subroutine do_make__r64

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__r128(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real128), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__r128(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__r128

  subroutine do_column__r128(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    real(real128), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    real(real128), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_FLOAT128, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_FLOAT128, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [real(real128) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__r128

  !> The scalar at a path.
  subroutine pc_get__r128(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    real(real128), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__r128(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__r128

  subroutine do_get__r128(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    real(real128), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_FLOAT128, c_loc(x), e)
  end subroutine do_get__r128

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__r128(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    real(real128), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__r128(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__r128

  subroutine do_make__r128(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    real(real128), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_FLOAT128, e, dtype, units, mask, unit)
  end subroutine do_make__r128

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__c32(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real32), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__c32(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__c32

  subroutine do_column__c32(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    complex(real32), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    complex(real32), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_COMPLEX64, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_COMPLEX64, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [complex(real32) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__c32

  !> The scalar at a path.
  subroutine pc_get__c32(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real32), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__c32(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__c32

  subroutine do_get__c32(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    complex(real32), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_COMPLEX64, c_loc(x), e)
  end subroutine do_get__c32

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__c32(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    complex(real32), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__c32(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__c32

  subroutine do_make__c32(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    complex(real32), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_COMPLEX64, e, dtype, units, mask, unit)
  end subroutine do_make__c32

  !> The numbers at a path as an array of as many axes. A mask, for one axis, is .false. where an item is missing.
  subroutine pc_column__c64(value, path, x, status, message, error, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real64), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    logical, allocatable, intent(out), optional :: mask(:)
    type(trap), target :: e
    call arm(e)
    call do_column__c64(value, path, x, e, mask=mask)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__c64

  subroutine do_column__c64(value, path, x, e, mask)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    type(pc_value) :: part
    complex(real64), allocatable, intent(inout) :: x(..)
    logical, allocatable, intent(out), optional :: mask(:)
    complex(real64), allocatable, target :: flat(:)
    integer(int8), allocatable, target :: there(:)
    integer(int64), allocatable :: shape(:)
    integer :: failed
    call find_axes(value, path, rank(x), part, shape, e)
    if (shape(1) < 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_COMPLEX128, c_loc(nowhere), 0_int64, &
        merge(c_loc(nowhere), c_null_ptr, present(mask)), shape(1), e%raw)
    n = merge(product(shape), 0_int64, e%raw%code == PC_OK)
    allocate (there(merge(n, 0_int64, present(mask))), source=1_int8)
    allocate (flat(n), stat=failed)
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
    if (n > 0) call polycodec_value_numbers(value%raw, bytes(path), PC_DTYPE_COMPLEX128, c_loc(flat), n, &
        merge(c_loc(there), c_null_ptr, present(mask) .and. rank(x) == 1), n, e%raw)
    call check_count(n, 'numbers', path, shape, e)
    if (e%raw%code /= PC_OK) then
      shape = 0
      flat = [complex(real64) ::]
    end if
    if (present(mask)) mask = there(:product(shape)) /= 0
    select rank (x)
    rank (1)
      call move_alloc(flat, x)
    rank (2)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2)), stat=failed)
      if (failed == 0) x(:, :) = reshape(flat, shape(1:2), order=[2, 1])
    rank (3)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3)), stat=failed)
      if (failed == 0) x(:, :, :) = reshape(flat, shape(1:3), order=[3, 2, 1])
    rank (4)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4)), stat=failed)
      if (failed == 0) x(:, :, :, :) = reshape(flat, shape(1:4), order=[4, 3, 2, 1])
    rank (5)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5)), stat=failed)
      if (failed == 0) x(:, :, :, :, :) = reshape(flat, shape(1:5), order=[5, 4, 3, 2, 1])
    rank (6)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :) = reshape(flat, shape(1:6), order=[6, 5, 4, 3, 2, 1])
    rank (7)
      if (allocated(x)) deallocate (x)
      allocate (x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)), stat=failed)
      if (failed == 0) x(:, :, :, :, :, :, :) = reshape(flat, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (failed /= 0) call refuse(e, PC_ERROR_MEMORY, 'fortran.memory', 'no memory for an array of this size')
  end subroutine do_column__c64

  !> The scalar at a path.
  subroutine pc_get__c64(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    complex(real64), intent(inout), target :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__c64(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__c64

  subroutine do_get__c64(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    complex(real64), intent(inout), target :: x
    call get_scalar(value, path, PC_DTYPE_COMPLEX128, c_loc(x), e)
  end subroutine do_get__c64

  !> A value of a scalar or an array, as `dtype`, with units, a unit of time, and items missing where mask is .false.
  subroutine pc_make__c64(value, x, status, message, error, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: value
    complex(real64), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(trap), target :: e
    call arm(e)
    call do_make__c64(value, x, e, dtype=dtype, units=units, mask=mask, unit=unit)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__c64

  subroutine do_make__c64(value, x, e, dtype, units, mask, unit)
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    type(pc_value), intent(inout) :: value
    complex(real64), intent(in), contiguous, target :: x(..)
    call make_numbers(value, c_loc(x), shape(x, int64), PC_DTYPE_COMPLEX128, e, dtype, units, mask, unit)
  end subroutine do_make__c64

  subroutine get_scalar(value, path, own, at, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    integer, intent(in) :: own
    type(c_ptr), intent(in) :: at
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    type(trap) :: ignored
    integer(int64) :: n
    type(polycodec_node), pointer :: node
    type(pc_value) :: part
    call do_part(value, path, part, ignored)  ! items of items of arrays are not parts
    call look(part, node, array)
    if (node%kind >= PC_KIND_LIST .and. node%kind <= PC_KIND_ARRAY .and. &
        .not. (array%layout == PC_LAYOUT_NDARRAY .and. array%ndim == 0)) &
        call refuse(e, PC_ERROR_TYPE, 'fortran.scalar', 'the value at '//path//' is not a scalar but '//pc_type(part))
    n = 1
    call polycodec_value_numbers(value%raw, bytes(path), own, at, 1_int64, c_null_ptr, n, e%raw)
    if (n /= 1) call refuse(e, PC_ERROR_TYPE, 'fortran.scalar', 'the value at '//path//' is not a scalar')
  end subroutine get_scalar

  subroutine pc_get__logical(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    logical, intent(inout) :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__logical(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__logical

  subroutine do_get__logical(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    logical, intent(inout) :: x
    logical(c_bool), target :: found
    call get_scalar(value, path, PC_DTYPE_BOOLEAN, c_loc(found), e)
    if (e%raw%code == PC_OK) x = found
  end subroutine do_get__logical

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
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(int64), target :: nowhere
    integer, intent(in) :: unit
    integer(int64), allocatable, intent(out), target :: counts(:)
    n = 0
    call polycodec_value_times(value%raw, bytes(path), unit, c_loc(nowhere), 0_int64, c_null_ptr, n, e%raw)
    allocate (counts(n))
    if (n > 0) call polycodec_value_times(value%raw, bytes(path), unit, c_loc(counts), n, c_null_ptr, n, e%raw)
  end subroutine do_times

  ! ---- Text ----

  !> Text or bytes at a path.
  subroutine pc_get__text(value, path, x, status, message, error)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout) :: x
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_get__text(value, path, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_get__text

  subroutine do_get__text(value, path, x, e)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    type(polycodec_node), pointer :: node
    type(pc_value) :: part
    character(:), allocatable, intent(inout) :: x
    call do_part(value, path, part, e)
    call look(part, node, array)
    x = ''
    if (node%kind == PC_KIND_STRING .or. node%kind == PC_KIND_BINARY) then
      x = text_of(polycodec_bytes(node%as, node_size(node)))
    else
      call refuse(e, PC_ERROR_TYPE, 'fortran.scalar', 'the value at '//path//' is not text but '//pc_type(part))
    end if
  end subroutine do_get__text

  !> Strings at a path, with spaces at their ends. lengths: without the spaces, in the order of the array.
  subroutine pc_column__text(value, path, x, status, message, error, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    character(:), allocatable, intent(inout) :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_column__text(value, path, x, e, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_column__text

  subroutine do_column__text(value, path, x, e, lengths)
    type(pc_value), intent(in) :: value
    character(*), intent(in), target :: path
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    integer(int64) :: i
    integer(int64) :: n
    type(polycodec_node), pointer :: node
    type(pc_value) :: part
    type(polycodec_handle) :: sink
    character(:), allocatable :: text
    character(:), allocatable, intent(inout) :: x(..)
    integer(int64), allocatable, intent(out), optional :: lengths(:)
    integer(int64), allocatable :: shape(:), order(:)
    integer(int64), allocatable, target :: ends(:)  ! string i, in the order of C, ends at ends(i) of all
    integer(int64) :: longest
    call polycodec_sink_create(PC_SINK_CONTIGUOUS, 0_int64, sink, e%raw)
    call find_axes(value, path, rank(x), part, shape, e)
    call look(part, node, array)
    if (array%layout == PC_LAYOUT_NDARRAY .and. array%dtype == PC_DTYPE_FIXED_BYTES .and. e%raw%code == PC_OK) then
      call read_octets(part, array, shape, text, ends, e)
    else
      n = 0
      call polycodec_value_texts(value%raw, bytes(path), sink, c_null_ptr, 0_int64, c_null_ptr, n, e%raw)
      allocate (ends(0:n), source=0_int64)
      if (n > 0) call polycodec_value_texts(value%raw, bytes(path), sink, c_loc(ends(1)), n, c_null_ptr, n, e%raw)
      text = text_in(sink, e)
    end if
    n = size(ends) - 1
    if (shape(1) < 0) shape = n
    call check_count(n, 'strings', path, shape, e)
    if (e%raw%code /= PC_OK) n = 0
    if (e%raw%code /= PC_OK) shape = 0
    allocate (order(n), source=[(i, i=1, n)])
    longest = maxval([0_int64, ends(1:n) - ends(0:n - 1)])
    if (array%dtype == PC_DTYPE_FIXED_UTF8) longest = array%item_size
    select rank (x)
    rank (1)
      order = [reshape(order, shape(1:1), order=[1])]
      if (allocated(x)) deallocate (x)
      allocate (character(longest) :: x(shape(1)))
      call place_texts(text, ends, order, x)
    rank (2)
      order = [reshape(order, shape(1:2), order=[2, 1])]
      if (allocated(x)) deallocate (x)
      allocate (character(longest) :: x(shape(1), shape(2)))
      call place_texts(text, ends, order, x)
    rank (3)
      order = [reshape(order, shape(1:3), order=[3, 2, 1])]
      if (allocated(x)) deallocate (x)
      allocate (character(longest) :: x(shape(1), shape(2), shape(3)))
      call place_texts(text, ends, order, x)
    rank (4)
      order = [reshape(order, shape(1:4), order=[4, 3, 2, 1])]
      if (allocated(x)) deallocate (x)
      allocate (character(longest) :: x(shape(1), shape(2), shape(3), shape(4)))
      call place_texts(text, ends, order, x)
    rank (5)
      order = [reshape(order, shape(1:5), order=[5, 4, 3, 2, 1])]
      if (allocated(x)) deallocate (x)
      allocate (character(longest) :: x(shape(1), shape(2), shape(3), shape(4), shape(5)))
      call place_texts(text, ends, order, x)
    rank (6)
      order = [reshape(order, shape(1:6), order=[6, 5, 4, 3, 2, 1])]
      if (allocated(x)) deallocate (x)
      allocate (character(longest) :: x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6)))
      call place_texts(text, ends, order, x)
    rank (7)
      order = [reshape(order, shape(1:7), order=[7, 6, 5, 4, 3, 2, 1])]
      if (allocated(x)) deallocate (x)
      allocate (character(longest) :: x(shape(1), shape(2), shape(3), shape(4), shape(5), shape(6), shape(7)))
      call place_texts(text, ends, order, x)
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be read')
    end select
    if (present(lengths)) lengths = ends(order) - ends(order - 1)
  end subroutine do_column__text

  !> Elements of bytes are an array of bytes with one axis more.
  subroutine read_octets(value, array, shape, text, ends, e)
    type(pc_value), intent(in) :: value
    type(polycodec_array), pointer, intent(in) :: array
    integer(int64), intent(in) :: shape(:)
    type(trap), intent(inout), target :: e
    type(polycodec_array), target :: built
    integer(int64) :: i
    type(making) :: m
    integer(int64) :: n
    type(pc_value) :: part
    character(:), allocatable, intent(out), target :: text
    integer(int64), allocatable, intent(out) :: ends(:)
    integer(int64), pointer :: strides(:)
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    n = product(shape)
    allocate (ends(0:n), source=[(i*array%item_size, i=0, n)])
    text = repeat(' ', ends(n))
    call polycodec_value_keep(m%value%raw, value%raw, e%raw)
    built = array
    built%metadata = c_null_ptr
    built%dtype = int(PC_DTYPE_UINT8, int8)
    built%item_size = 1
    call c_f_pointer(array%strides, strides, [array%ndim])
    call set_axes(m, built, [shape, int(array%item_size, int64)], [strides, 1_int64], e)
    call finish(m, array_node(m, built, e), part, e)
    call polycodec_value_numbers(part%raw, bytes('$'), PC_DTYPE_UINT8, c_loc(text), ends(n), c_null_ptr, n, e%raw)
  end subroutine read_octets

  subroutine place_texts(text, ends, order, x)
    integer(int64) :: i
    character(*), intent(in) :: text
    integer(int64), intent(in) :: ends(0:), order(:)
    character(*), intent(inout) :: x(*)
    do i = 1, size(order)
      x(i) = text(ends(order(i) - 1) + 1:ends(order(i)))
    end do
  end subroutine place_texts

  ! ---- Making values ----


  ! A value begins with its memory, its parts are stored() there, and finish() makes it of its root.

  !> A copy of n bytes in memory of the value, or room for them where `at` is null; null after an error.
  function stored(m, at, n, e) result(memory)
    type(making), intent(inout) :: m
    type(c_ptr), intent(in) :: at
    integer(int64), intent(in) :: n
    type(trap), intent(inout), target :: e
    type(c_ptr) :: memory
    call polycodec_arena_grow(m%arena, max(n, 1_int64), 16_int64, memory, e%raw)
    if (c_associated(memory) .and. c_associated(at)) call copy_bytes(memory, at, int(n, c_size_t))
  end function stored

  !> The root of another value, which the value keeps.
  function kept(m, other, e) result(root)
    type(making), intent(inout) :: m
    type(pc_value), intent(in) :: other
    type(trap), intent(inout), target :: e
    type(polycodec_node), pointer :: node
    type(polycodec_node), target :: root
    call polycodec_value_keep(m%value%raw, other%raw, e%raw)
    node => no_node
    if (e%raw%code == PC_OK) call c_f_pointer(polycodec_value_root(other%raw%raw), node)
    root = node
  end function kept

  function node_made(kind, n, at) result(root)
    integer, intent(in) :: kind
    integer(int64), intent(in) :: n
    type(c_ptr), intent(in) :: at
    type(polycodec_node), target :: root
    root%kind = int(kind, int8)
    root%size_hi = transfer(ibits(n, 32, 16), root%size_hi)
    root%size_lo = transfer(ibits(n, 0, 32), root%size_lo)
    root%as = at
  end function node_made

  !> The value with this root, a node whose parts are in its memory already.
  recursive subroutine finish(m, root, made, e, units)
    type(making), intent(inout) :: m
    type(polycodec_node), intent(in), target :: root
    type(pc_value), intent(inout) :: made
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: units
    call polycodec_value_finish(m%value%raw, stored(m, c_loc(root), node_bytes, e), e%raw)
    if (present(units)) call do_set_units(m%value, units, e)
    if (e%raw%code == PC_OK) made = m%value
  end subroutine finish

  function array_node(m, built, e) result(root)
    type(making), intent(inout) :: m
    type(trap), intent(inout), target :: e
    type(polycodec_node), target :: root
    type(polycodec_array), intent(in), target :: built
    root = node_made(PC_KIND_ARRAY, 0_int64, stored(m, c_loc(built), int(built%struct_size, int64), e))
  end function array_node

  subroutine set_axes(m, built, shape, strides, e)
    type(making), intent(inout) :: m
    type(polycodec_array), intent(inout), target :: built
    integer(int64), intent(in) :: shape(:)
    integer(int64), intent(in) :: strides(:)
    type(trap), intent(inout), target :: e
    integer(int64), target :: axes(2*size(shape))
    axes = [shape, strides]
    built%length = shape(1)
    built%ndim = size(shape)
    built%shape = stored(m, c_loc(axes), 16_int64*size(shape), e)
    built%strides = after(built%shape, 8_int64*size(shape))
  end subroutine set_axes

  !> An array of elements at `at` in memory of the value, in the order of Fortran.
  function elements(m, at, shape, each, as, e) result(built)
    type(making), intent(inout) :: m
    type(c_ptr), intent(in) :: at
    integer(int64), intent(in) :: shape(:)
    integer(int64), intent(in) :: each
    integer, intent(in) :: as
    type(trap), intent(inout), target :: e
    type(polycodec_array), target :: built
    integer(int64) :: i
    built%dtype = int(as, int8)
    built%data = at
    built%buffer = at
    built%buffer_size = product(shape)*each
    built%item_size = int(each, c_int32_t)
    built%byte_order = host_order
    call set_axes(m, built, shape, [(each*product(shape(:i - 1)), i=1, size(shape))], e)
  end function elements

  subroutine put_children(m, built, children, e)
    type(making), intent(inout) :: m
    type(polycodec_array), intent(inout), target :: built
    type(trap), intent(inout), target :: e
    type(c_ptr), intent(in), target :: children(:)
    built%n_children = size(children)
    built%children = stored(m, c_loc(children), 8_int64*size(children), e)
  end subroutine put_children

  !> Numbers of the program as they are, then as `dtype`, with units and missing items. A scalar is an item of an array.
  recursive subroutine make_numbers(made, at, extents, own, e, dtype, units, mask, unit)
    type(pc_value), intent(inout) :: made
    type(c_ptr), intent(in) :: at
    integer, intent(in) :: own
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    logical, intent(in), optional :: mask(:)
    integer, intent(in), optional :: unit
    integer :: as
    type(polycodec_array), target :: built
    type(pc_value) :: item
    type(making) :: m
    type(c_ptr) :: memory
    integer(int64) :: n
    character(:), allocatable :: text
    integer(int64), intent(in) :: extents(:)
    type(pc_value) :: items
    integer(int64), allocatable :: shape(:)
    integer :: held
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    as = own
    if (present(dtype)) as = max(0, min(dtype, PC_DTYPE_COUNT))
    held = merge(PC_DTYPE_INT64, as, as == PC_DTYPE_TIMESTAMP64 .or. as == PC_DTYPE_DURATION64)
    allocate (shape, source=[max(extents, 0_int64), spread(1_int64, 1, merge(1, 0, size(extents) == 0))])
    n = product(shape)
    if (held == own) then
      memory = stored(m, at, n*dtype_bytes(own), e)
    else
      ! The library casts, and refuses what would be another number.
      call make_numbers(items, at, [n], own, e)
      memory = stored(m, c_null_ptr, n*dtype_bytes(held), e)
      if (n > 0) call polycodec_value_numbers(items%raw, bytes('$'), held, memory, n, c_null_ptr, n, e%raw)
    end if
    built = elements(m, memory, shape, dtype_bytes(held), as, e)
    if (present(unit)) built%unit = unit
    if (present(mask)) call put_mask(m, built, mask, e)
    call finish(m, array_node(m, built, e), items, e)
    item = items
    if (size(extents) == 0) call do_item(items, 1_int64, item, e)
    if (size(extents) == 0 .and. held /= as) then  ! a time that is alone, in words
      call do_text(item, text, e)
      call do_parse(text, item, e)
    end if
    if (present(units)) call do_set_units(item, units, e)
    if (e%raw%code == PC_OK) made = item
  end subroutine make_numbers

  !> The array becomes one whose items are missing where the mask is .false.
  subroutine put_mask(m, built, mask, e)
    type(making), intent(inout) :: m
    type(polycodec_array), intent(inout), target :: built
    type(trap), intent(inout), target :: e
    type(polycodec_node), target :: root
    logical, intent(in) :: mask(:)
    type(polycodec_array) :: option
    integer(int8), target :: flags(size(mask))
    if (size(mask) /= built%length) call refuse(e, PC_ERROR_INVALID, 'fortran.axes', '`mask` has another length')
    flags = merge(1_int8, 0_int8, mask)
    root = array_node(m, built, e)
    option%layout = int(PC_LAYOUT_OPTION_BYTES, int8)
    option%flags = int(PC_ARRAY_MASK_VALID, int8)
    option%length = built%length
    option%offsets = polycodec_column(stored(m, c_loc(flags), size(flags, kind=int64), e), 1, PC_DTYPE_UINT8, 0)
    built = option
    call put_children(m, built, [root%as], e)
  end subroutine put_mask

  subroutine pc_make__logical(value, x, status, message, error)
    type(pc_value), intent(inout) :: value
    logical, intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make__logical(value, x, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__logical

  subroutine do_make__logical(value, x, e)
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(c_ptr) :: at
    logical, intent(in), contiguous, target :: x(..)
    logical, pointer :: flat(:)
    logical(c_bool), allocatable, target :: short(:)
    at = c_loc(x)
    call c_f_pointer(at, flat, [size(x)])
    allocate (short(size(flat)))
    short(:) = logical(flat, c_bool)
    call make_numbers(value, c_loc(short), shape(x, int64), PC_DTYPE_BOOLEAN, e)
  end subroutine do_make__logical

  !> Text as it is, or with PC_DTYPE_FIXED_BYTES bytes. Or an array of strings, whose spaces at the end do not count, or
  !> `lengths` says what does. dtype: PC_DTYPE_FIXED_BYTES for bytes, PC_DTYPE_FIXED_UTF32, PC_DTYPE_NONE for strings of
  !> any length.
  subroutine pc_make__text(value, x, status, message, error, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    character(*), intent(in), contiguous, target :: x(..)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    integer(int64), intent(in), optional :: lengths(:)
    type(trap), target :: e
    call arm(e)
    call do_make__text(value, x, e, dtype=dtype, units=units, lengths=lengths)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make__text

  subroutine do_make__text(value, x, e, dtype, units, lengths)
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    integer, intent(in), optional :: dtype
    character(*), intent(in), optional, target :: units
    integer :: as
    type(making) :: m
    character(*), intent(in), contiguous, target :: x(..)
    integer(int64), intent(in), optional :: lengths(:)
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    as = PC_DTYPE_FIXED_UTF8
    if (present(dtype)) as = dtype
    select rank (x)
    rank (0)
      call finish(m, node_made(merge(PC_KIND_BINARY, PC_KIND_STRING, as == PC_DTYPE_FIXED_BYTES), len(x, int64), &
          stored(m, c_loc(x), len(x, int64), e)), value, e, units)
    rank (*)  ! of gfortran 12 also an array constructor without elements
      call finish(m, texts_node(m, x, [0_int64], as, e, lengths), value, e, units)
    rank (1)
      call finish(m, texts_node(m, x, max(shape(x, int64), 0_int64), as, e, lengths), value, e, units)
    rank (2)
      call finish(m, texts_node(m, x, max(shape(x, int64), 0_int64), as, e, lengths), value, e, units)
    rank (3)
      call finish(m, texts_node(m, x, max(shape(x, int64), 0_int64), as, e, lengths), value, e, units)
    rank (4)
      call finish(m, texts_node(m, x, max(shape(x, int64), 0_int64), as, e, lengths), value, e, units)
    rank (5)
      call finish(m, texts_node(m, x, max(shape(x, int64), 0_int64), as, e, lengths), value, e, units)
    rank (6)
      call finish(m, texts_node(m, x, max(shape(x, int64), 0_int64), as, e, lengths), value, e, units)
    rank (7)
      call finish(m, texts_node(m, x, max(shape(x, int64), 0_int64), as, e, lengths), value, e, units)
    rank default
      call refuse(e, PC_ERROR_UNSUPPORTED, 'fortran.axes', 'arrays of 1 to 7 axes can be made')
    end select
  end subroutine do_make__text

  function texts_node(m, x, shape, as, e, lengths) result(root)
    type(making), intent(inout) :: m
    integer(int64), intent(in) :: shape(:)
    integer, intent(in) :: as
    type(trap), intent(inout), target :: e
    integer(int64) :: i
    type(c_ptr) :: memory
    integer(int64) :: n
    type(polycodec_node), target :: root
    character(:), allocatable :: text
    character(*), intent(in) :: x(*)
    integer(int64), intent(in), optional :: lengths(:)
    character(:), allocatable, target :: room
    integer(int64) :: sizes(product(shape)), width, used
    n = product(shape)
    width = max(len(x), 1)
    sizes = [(len_trim(x(i), int64), i=1, n)]
    if (present(lengths)) then
      if (size(lengths) == n) sizes = min(max(lengths, 0_int64), len(x, int64))
      if (size(lengths) /= n) call refuse(e, PC_ERROR_INVALID, 'fortran.axes', '`lengths` has another length')
    end if
    if (as == PC_DTYPE_FIXED_BYTES) sizes = len(x)
    if (as == PC_DTYPE_FIXED_UTF32) width = 4*maxval([1, (len(pc_to_ucs4(x(i)(:sizes(i)))), i=1, int(n))])
    room = repeat(c_null_char, n*width)
    used = 0
    do i = 1, n
      text = x(i)(:sizes(i))
      if (as == PC_DTYPE_FIXED_UTF32) text = transfer(pc_to_ucs4(text), repeat(' ', 4*len(pc_to_ucs4(text))))
      room(used + 1:used + len(text)) = text
      used = used + merge(sizes(i), width, as == PC_DTYPE_NONE)
    end do
    memory = stored(m, c_loc(room), used, e)
    if (as == PC_DTYPE_NONE) then
      root = array_node(m, elements(m, memory, [used], 1_int64, PC_DTYPE_UINT8, e), e)
      root = lists_node(m, root%as, sizes, PC_ARRAY_STRING, e)
    else
      root = array_node(m, elements(m, memory, shape, width, as, e), e)
    end if
  end function texts_node

  !> Lists of items of the array `child`, one after another.
  function lists_node(m, child, lengths, flags, e) result(root)
    type(making), intent(inout) :: m
    integer(int64), intent(in) :: lengths(:)
    type(trap), intent(inout), target :: e
    type(polycodec_array), target :: built
    integer(int64) :: i
    type(polycodec_node), target :: root
    type(c_ptr), intent(in) :: child
    integer, intent(in) :: flags
    integer(int64), target :: ends(0:size(lengths))
    ends(0) = 0
    do i = 1, size(lengths)
      ends(i) = ends(i - 1) + lengths(i)
    end do
    built%layout = int(PC_LAYOUT_LIST_OFFSETS, int8)
    built%flags = int(flags, int8)
    built%length = size(lengths)
    built%offsets = polycodec_column(stored(m, c_loc(ends), 8_int64*size(ends), e), 8, PC_DTYPE_INT64, 0)
    call put_children(m, built, [child], e)
    root = array_node(m, built, e)
  end function lists_node

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
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    call finish(m, node_made(PC_KIND_NULL, 0_int64, c_null_ptr), value, e)
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
    integer :: kind
    logical, intent(in), optional :: tuple
    kind = PC_KIND_LIST
    if (present(tuple)) kind = merge(PC_KIND_TUPLE, PC_KIND_LIST, tuple)
    call make_nodes(value, kind, size(items, kind=int64), items, e)
  end subroutine do_make_list

  !> A value of n items, whose nodes these are.
  subroutine make_nodes(made, kind, n, items, e)
    type(pc_value), intent(inout) :: made
    integer, intent(in) :: kind
    integer(int64), intent(in) :: n
    type(pc_value), intent(in) :: items(:)
    type(trap), intent(inout), target :: e
    integer(int64) :: i
    type(making) :: m
    type(polycodec_node), allocatable, target :: nodes(:)
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    allocate (nodes(size(items)))
    do i = 1, size(items)
      nodes(i) = kept(m, items(i), e)
    end do
    call finish(m, node_made(kind, n, stored(m, c_loc(nodes), node_bytes*size(items), e)), made, e)
  end subroutine make_nodes

  !> An object of named values. Spaces at the end of a name do not count.
  subroutine pc_make_object__names(value, names, items, status, message, error)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: names(:)
    type(pc_value), intent(in) :: items(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_object__names(value, names, items, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_object__names

  subroutine do_make_object__names(value, names, items, e)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: names(:)
    type(pc_value), intent(in) :: items(:)
    type(trap), intent(inout), target :: e
    type(pc_value) :: keys(size(names))
    call make_keys(keys, names, e)
    call make_pairs(value, PC_KIND_OBJECT, keys, items, e)
  end subroutine do_make_object__names

  !> The same with names that are values of text.
  subroutine pc_make_object__keys(value, keys, items, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:)
    type(pc_value), intent(in) :: items(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_object__keys(value, keys, items, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_object__keys

  subroutine do_make_object__keys(value, keys, items, e)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:)
    type(pc_value), intent(in) :: items(:)
    type(trap), intent(inout), target :: e
    call make_pairs(value, PC_KIND_OBJECT, keys, items, e)
  end subroutine do_make_object__keys

  !> A map, whose keys are any values.
  subroutine pc_make_map(value, keys, items, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:)
    type(pc_value), intent(in) :: items(:)
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
    type(pc_value), intent(in) :: keys(:)
    type(pc_value), intent(in) :: items(:)
    type(trap), intent(inout), target :: e
    call make_pairs(value, PC_KIND_MAP, keys, items, e)
  end subroutine do_make_map

  subroutine make_keys(keys, names, e)
    character(*), intent(in) :: names(:)
    type(trap), intent(inout), target :: e
    integer(int64) :: i
    type(pc_value), intent(inout) :: keys(:)
    do i = 1, size(names)
      call do_make__text(keys(i), trim(names(i)), e)
    end do
  end subroutine make_keys

  subroutine make_pairs(made, kind, keys, items, e)
    type(pc_value), intent(inout) :: made
    integer, intent(in) :: kind
    type(pc_value), intent(in) :: keys(:)
    type(pc_value), intent(in) :: items(:)
    type(trap), intent(inout), target :: e
    type(pc_value) :: parts(2*size(items))
    if (size(keys) /= size(items)) then
      call refuse(e, PC_ERROR_INVALID, 'fortran.names', 'there are not as many names as values')
    else
      parts(1::2) = keys
      parts(2::2) = items
      call make_nodes(made, kind, size(items, kind=int64), parts, e)
    end if
  end subroutine make_pairs

  !> A table of named columns of one length: arrays, or lists of any values.
  subroutine pc_make_table__names(value, names, columns, status, message, error)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: names(:)
    type(pc_value), intent(in) :: columns(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_table__names(value, names, columns, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_table__names

  subroutine do_make_table__names(value, names, columns, e)
    type(pc_value), intent(inout) :: value
    character(*), intent(in) :: names(:)
    type(pc_value), intent(in) :: columns(:)
    type(trap), intent(inout), target :: e
    type(pc_value) :: keys(size(names))
    call make_keys(keys, names, e)
    call do_make_table__keys(value, keys, columns, e)
  end subroutine do_make_table__names

  subroutine pc_make_table__keys(value, keys, columns, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:)
    type(pc_value), intent(in) :: columns(:)
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    type(trap), target :: e
    call arm(e)
    call do_make_table__keys(value, keys, columns, e)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_make_table__keys

  subroutine do_make_table__keys(value, keys, columns, e)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(in) :: keys(:)
    type(pc_value), intent(in) :: columns(:)
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    type(polycodec_array), target :: built
    integer(int64) :: i
    type(making) :: m
    integer(int64) :: n
    type(polycodec_node), pointer :: node
    type(polycodec_node), target :: root
    type(polycodec_bytes), target :: names(size(columns))
    type(c_ptr) :: children(size(columns))
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    if (size(keys) /= size(columns)) &
        call refuse(e, PC_ERROR_INVALID, 'fortran.names', 'there are not as many names as columns')
    built%layout = int(PC_LAYOUT_RECORD, int8)
    if (size(columns) > 0) built%length = pc_size(columns(1))
    do i = 1, size(columns)
      if (e%raw%code /= PC_OK) return
      call polycodec_value_keep(m%value%raw, keys(i)%raw, e%raw)
      call look(keys(i), node, array)
      if (node%kind /= PC_KIND_STRING) call refuse(e, PC_ERROR_TYPE, 'fortran.names', 'the name of a column is text')
      names(i) = polycodec_bytes(node%as, node_size(node))
      root = column_node(m, columns(i), e)
      children(i) = root%as
      n = pc_size(columns(i))
      if (n /= built%length) call refuse(e, PC_ERROR_INVALID, 'fortran.axes', 'column '//decimal(i)//' has '// &
          decimal(n)//' items, and the first one '//decimal(built%length))
    end do
    built%names = stored(m, c_loc(names), 16_int64*size(names), e)
    call put_children(m, built, children, e)
    call finish(m, array_node(m, built, e), value, e)
  end subroutine do_make_table__keys

  !> A value as an array inside of another value, with its metadata.
  function column_node(m, other, e) result(root)
    type(making), intent(inout) :: m
    type(pc_value), intent(in) :: other
    type(trap), intent(inout), target :: e
    type(polycodec_array), pointer :: array
    type(polycodec_array), target :: built
    type(polycodec_node), pointer :: node
    type(polycodec_annotated), target :: parts
    type(polycodec_node), target :: root
    call polycodec_value_keep(m%value%raw, other%raw, e%raw)
    call look(other, node, array)
    if (node%kind == PC_KIND_LIST .or. node%kind == PC_KIND_TUPLE) then
      built%layout = int(PC_LAYOUT_DOCUMENT, int8)
      built%length = node_size(node)
      built%nodes = node%as
    else
      built = array
      if (node%kind /= PC_KIND_ARRAY) &
          call refuse(e, PC_ERROR_TYPE, 'fortran.column', 'a column is an array or a list, not '//pc_type(other))
    end if
    parts = parted(other)
    built%metadata = parts%metadata
    root = array_node(m, built, e)
  end function column_node

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
    integer(int64), intent(in) :: lengths(:)
    type(trap), intent(inout), target :: e
    type(making) :: m
    type(polycodec_node), target :: root
    type(pc_value), intent(in) :: items
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    if (sum(lengths) /= pc_size(items) .or. any(lengths < 0)) call refuse(e, PC_ERROR_INVALID, 'fortran.axes', &
        'the lengths of the lists do not add up to '//decimal(pc_size(items))//', the number of items')
    root = column_node(m, items, e)
    call finish(m, lists_node(m, root%as, lengths, 0, e), value, e)
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
    type(pc_value), intent(in) :: payload
    type(trap), intent(inout), target :: e
    type(making) :: m
    character(*), intent(in), target :: name
    type(polycodec_extension), target :: named
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    call polycodec_value_keep(m%value%raw, payload%raw, e%raw)
    named%name = polycodec_bytes(stored(m, c_loc(name), len(name, int64), e), len(name, int64))
    named%payload = polycodec_value_root(payload%raw%raw)
    call finish(m, node_made(PC_KIND_EXTENSION, 0_int64, stored(m, c_loc(named), c_sizeof(named), e)), value, e)
  end subroutine do_make_extension

  !> Gives a value this metadata, an object, in place of what it has.
  subroutine pc_annotate(value, metadata, status, message, error)
    type(pc_value), intent(inout) :: value
    type(pc_value), intent(inout) :: metadata
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
    type(pc_value), intent(inout) :: metadata
    type(trap), intent(inout), target :: e
    type(making) :: m
    type(polycodec_annotated), target :: parts
    call polycodec_value_create(0_int64, m%value%raw, m%arena, e%raw)
    call polycodec_value_keep(m%value%raw, value%raw, e%raw)
    call polycodec_value_keep(m%value%raw, metadata%raw, e%raw)
    parts = parted(value)
    parts%metadata = polycodec_value_root(metadata%raw%raw)
    call finish(m, node_made(PC_KIND_ANNOTATED, 0_int64, stored(m, c_loc(parts), c_sizeof(parts), e)), value, e)
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

  recursive subroutine do_set_units(value, units, e)
    type(pc_value), intent(inout) :: value
    type(trap), intent(inout), target :: e
    type(pc_value) :: metadata
    integer(int64) :: n
    character(*), intent(in) :: units
    type(pc_value), allocatable :: parts(:)
    call do_metadata(value, metadata, e)
    call members(metadata, ' units ', parts, n, e)
    call do_make__text(parts(n + 1), 'units', e)
    call do_make__text(parts(n + 2), units, e)
    call make_nodes(metadata, PC_KIND_OBJECT, n/2 + 1, parts(:n + 2), e)
    call do_annotate(value, metadata, e)
  end subroutine do_set_units

  !> The n keys and values of an object, key after value, but those with names in `without`. There is room for one more.
  subroutine members(other, without, parts, n, e)
    type(pc_value), intent(in) :: other
    type(trap), intent(inout), target :: e
    integer(int64) :: i
    character(:), allocatable :: text
    character(*), intent(in) :: without
    type(pc_value), allocatable, intent(out) :: parts(:)
    integer(int64), intent(out) :: n
    allocate (parts(2*pc_keys(other) + 2))
    n = 0
    do i = 1, pc_keys(other)
      call pc_key__text(other, i, text)
      if (index(without, ' '//text//' ') > 0) cycle
      call do_key__value(other, i, parts(n + 1), e)
      call do_item(other, i, parts(n + 2), e)
      n = n + 2
    end do
  end subroutine members

  ! ---- Messages ----

  !> Opens a channel between a file or pipe to read, and one to write: - is standard input or output, and an empty name
  !> opens nothing. settings: a JSON object of docs/messages.md.
  subroutine pc_channel_open(channel, input, output, status, message, error, settings, options)
    type(pc_channel), intent(inout), target :: channel
    character(*), intent(in) :: input, output
    integer, intent(out), optional :: status
    character(:), allocatable, intent(out), optional :: message
    type(pc_error), intent(out), optional :: error
    character(*), intent(in), optional, target :: settings
    type(pc_options), intent(inout), optional, target :: options
    type(trap), target :: e
    call arm(e)
    call do_channel_open(channel, input, output, e, settings=settings, options=options)
    if (present(options)) options%lost = e%heard%list(:e%heard%n)
    call settle(e, present(status) .or. present(error))
    if (present(status)) status = e%said%status
    if (present(message)) message = e%text
    if (present(error)) error = e%said
  end subroutine pc_channel_open

  subroutine do_channel_open(channel, input, output, e, settings, options)
    type(pc_channel), intent(inout), target :: channel
    type(trap), intent(inout), target :: e
    type(pc_options), intent(inout), optional, target :: options
    type(applied), target :: a
    character(*), intent(in) :: input, output
    character(*), intent(in), optional, target :: settings
    call pc_channel_close(channel)
    call apply(a, e, options)
    allocate (channel%heard)
    allocate (channel%heard%list(0))
    channel%heard%on_loss => e%heard%on_loss
    a%call%loss_data = c_loc(channel%heard)
    call polycodec_channel_open(registry, bytes(settings), a%call, channel%raw, e%raw)
    channel%input = opened_end(input, 0, e)
    channel%output = opened_end(output, 1, e)
    if (e%raw%code /= PC_OK) call pc_channel_close(channel)
  end subroutine do_channel_open

  !> The descriptor of side 0, which is read, or 1, which is written; -1 without one.
  integer(c_int) function opened_end(name, side, e)
    type(trap), intent(inout), target :: e
    character(*), intent(in) :: name
    integer, intent(in) :: side
    character(:, c_char), allocatable, target :: file
    opened_end = merge(side, -1, name == '-')
    if (e%raw%code /= PC_OK .or. name == '' .or. name == '-') return
    file = name//c_null_char
    if (side == 0) opened_end = open_to_read(c_loc(file), 0)
    if (side == 1) opened_end = open_to_write(c_loc(file), 438)  ! all may read and write, within the umask
    if (opened_end < 0) &
        call refuse(e, PC_ERROR_IO, 'fortran.open', 'cannot open '//name//': check the name and the rights')
  end function opened_end

  impure elemental subroutine pc_channel_close(channel)
    type(pc_channel), intent(inout) :: channel
    integer(c_int) :: code
    call let_go(channel%raw)
    if (channel%input > 1) code = close_descriptor(channel%input)
    if (channel%output > 1) code = close_descriptor(channel%output)
    channel%input = -1
    channel%output = -1
    if (associated(channel%heard)) deallocate (channel%heard)
    channel%ended = .false.
  end subroutine pc_channel_close

  !> Bytes that were received; last: no more will come.
  subroutine pc_channel_feed(channel, octets, status, message, error, last)
    type(pc_channel), intent(inout), target :: channel
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
    type(pc_channel), intent(inout), target :: channel
    type(trap), intent(inout), target :: e
    character(*), intent(in), target :: octets
    logical, intent(in), optional :: last
    if (present(last)) channel%ended = last
    call polycodec_channel_feed(channel%raw, bytes(octets), merge(1, 0, channel%ended), e%raw)
    if (e%raw%code /= PC_OK) channel%ended = .true.
  end subroutine do_channel_feed

  !> The header of the last message that was read, as JSON; empty if it has none.
  function pc_message_header(channel) result(text)
    character(:), allocatable :: text
    type(pc_channel), intent(in) :: channel
    text = ''
    if (allocated(channel%header)) text = channel%header
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
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    type(polycodec_handle) :: raw
    type(polycodec_handle) :: sink
    logical, intent(out) :: more
    integer, intent(out), optional :: control
    integer(c_int32_t) :: sign
    call polycodec_sink_create(PC_SINK_CONTIGUOUS, 0_int64, sink, e%raw)
    sign = 0
    if (.not. allocated(channel%buffer)) allocate (channel%buffer(1048576))
    do
      call polycodec_channel_next(channel%raw, raw, sign, sink, e%raw)
      more = c_associated(raw%raw)
      if (more .or. e%raw%code /= PC_OK .or. channel%ended .or. channel%input < 0) exit
      n = read_descriptor(channel%input, c_loc(channel%buffer), size(channel%buffer, kind=c_size_t))
      if (n < 0) call refuse(e, PC_ERROR_IO, 'fortran.read', 'the input of the channel cannot be read')
      channel%ended = n == 0
      call polycodec_channel_feed(channel%raw, polycodec_bytes(c_loc(channel%buffer), n), &
          merge(1, 0, channel%ended), e%raw)
    end do
    if (more) value%raw = raw
    channel%header = text_in(sink, e)
    if (present(control)) control = sign
  end subroutine do_message_read

  !> The bytes of the message of a value. header: JSON of further members of its header.
  subroutine pc_message_pack(channel, value, octets, status, message, error, header)
    type(pc_channel), intent(inout), target :: channel
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
    type(pc_channel), intent(inout), target :: channel
    character(:), allocatable, intent(out) :: octets
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: header
    type(pc_value), intent(in) :: value
    octets = ''
    call send(channel, e, value%raw, header, octets)
  end subroutine do_message_pack

  !> Writes the message of a value to the output of the channel.
  subroutine pc_message_write(channel, value, status, message, error, header)
    type(pc_channel), intent(inout), target :: channel
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
    type(pc_channel), intent(inout), target :: channel
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: header
    type(pc_value), intent(in) :: value
    call send(channel, e, value%raw, header)
  end subroutine do_message_write

  !> Writes the message that ends a stream.
  subroutine pc_message_end(channel, status, message, error)
    type(pc_channel), intent(inout), target :: channel
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
    type(pc_channel), intent(inout), target :: channel
    type(trap), intent(inout), target :: e
    call send(channel, e)
  end subroutine do_message_end

  !> An object without the members of these names, and without the sizes in its `__meta__`.
  recursive subroutine leave_out(made, names, e)
    type(pc_value), intent(inout) :: made
    type(trap), intent(inout), target :: e
    integer(int64) :: i
    integer(int64) :: n
    character(:), allocatable :: text
    character(*), intent(in) :: names
    type(pc_value), allocatable :: parts(:)
    call members(made, names, parts, n, e)
    do i = 1, n, 2
      call do_get__text(parts(i), '$', text, e)
      if (text == '__meta__') call leave_out(parts(i + 1), ' size in_data ', e)
    end do
    call make_nodes(made, PC_KIND_OBJECT, n/2, parts(:n), e)
  end subroutine leave_out

  !> Makes a message, and writes it to octets or to the output.
  subroutine send(channel, e, body, header, octets)
    type(pc_channel), intent(inout), target :: channel
    type(trap), intent(inout), target :: e
    character(*), intent(in), optional, target :: header
    integer(int64) :: i
    type(pc_value) :: made
    type(polycodec_handle) :: message
    integer(int64) :: n
    type(polycodec_handle), intent(in), optional :: body
    character(:), allocatable, intent(inout), optional :: octets
    type(c_ptr) :: pieces
    type(polycodec_bytes), pointer :: list(:)
    type(polycodec_error) :: past
    character(:), allocatable, target :: own
    integer(int64) :: part
    allocate (character(0) :: own)
    if (present(header)) own = header
    if (own /= '') then
      ! What the channel writes itself is left out, so that a header that was received can be sent again.
      call do_parse(own, made, e)
      call leave_out(made, ' type size serializer codec codec_version options filters ', e)
      call do_text(made, own, e, .true.)
    end if
    call polycodec_channel_pack(channel%raw, body, bytes(own), message, e%raw)
    if (e%raw%code /= PC_OK) return
    do part = 0, huge(part) - 1
      call polycodec_message_part(message, part, pieces, n, past)
      if (past%code /= PC_OK) exit
      call c_f_pointer(pieces, list, [n])
      do i = 1, n
        if (present(octets)) octets = octets//text_of(list(i))
        if (.not. present(octets)) call write_all(channel%output, list(i), e)
      end do
    end do
  end subroutine send

  subroutine write_all(descriptor, piece, e)
    type(trap), intent(inout), target :: e
    integer(int64) :: n
    integer(c_int), intent(in) :: descriptor
    type(polycodec_bytes), intent(in) :: piece
    integer(int64) :: done
    done = 0
    do while (done < piece%size .and. e%raw%code == PC_OK)
      n = write_descriptor(descriptor, after(piece%data, done), piece%size - done)
      if (n < 0) call refuse(e, PC_ERROR_IO, 'fortran.write', 'the output of the channel cannot be written')
      done = done + n
    end do
  end subroutine write_all
end module polycodec_host

!> use polycodec
module polycodec
  use polycodec_constants
  use polycodec_host
end module polycodec
