! SPDX-License-Identifier: LGPL-2.1-or-later
!
! LIKWID's marker routines for Fortran, measured by libuncore: a program that
! uses the module likwid compiles without a change.
!
!	gfortran /usr/include/uncore/likwid-compat/likwid.f90 x.f90 -luncore
!	uncorectl stat -m -e branch-misses,imc/cas_count_read/ -- ./a.out
!
! It is source because a compiled module fits one version of one compiler. What
! the environment says is as in likwid-marker.h.
module likwid
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  private

  public :: likwid_markerInit, likwid_markerThreadInit
  public :: likwid_markerRegisterRegion, likwid_markerStartRegion
  public :: likwid_markerStopRegion, likwid_markerResetRegion
  public :: likwid_markerGetRegion, likwid_markerNextGroup
  public :: likwid_markerClose

  ! The same as in the program's files that are written in C.
  type(c_ptr), bind(C, name="uncore_likwid_marker") :: marker = c_null_ptr

  ! EBUSY and ECHILD
  integer(c_int), parameter :: busy = 16, child = 10

  ! struct uncore_event_error begins so; the rest is room enough.
  integer, parameter :: message_length = 256
  type, bind(C) :: event_error
    character(kind=c_char) :: message(message_length)
    character(kind=c_char) :: rest(4096)
  end type event_error

  interface
    function marker_open(groups, marker, error) &
        bind(C, name="uncore_marker_open") result(ret)
      import :: c_ptr, c_int, event_error
      type(c_ptr), value :: groups
      type(c_ptr), intent(inout) :: marker
      type(event_error), intent(inout) :: error
      integer(c_int) :: ret
    end function marker_open

    function marker_report(marker) &
        bind(C, name="uncore_marker_report") result(ret)
      import :: c_ptr, c_int
      type(c_ptr), value :: marker
      integer(c_int) :: ret
    end function marker_report

    subroutine marker_close(marker) bind(C, name="uncore_marker_close")
      import :: c_ptr
      type(c_ptr), value :: marker
    end subroutine marker_close

    subroutine marker_next(marker) bind(C, name="uncore_marker_next")
      import :: c_ptr
      type(c_ptr), value :: marker
    end subroutine marker_next

    function marker_register(marker, name) &
        bind(C, name="uncore_marker_register") result(ret)
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: marker
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: ret
    end function marker_register

    function marker_start(marker, name) &
        bind(C, name="uncore_marker_start") result(ret)
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: marker
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: ret
    end function marker_start

    function marker_stop(marker, name) &
        bind(C, name="uncore_marker_stop") result(ret)
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: marker
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: ret
    end function marker_stop

    function marker_reset(marker, name) &
        bind(C, name="uncore_marker_reset") result(ret)
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: marker
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: ret
    end function marker_reset

    function marker_get(marker, name, num, values, times, seconds) &
        bind(C, name="uncore_marker_get") result(ret)
      import :: c_ptr, c_int, c_int64_t, c_double, c_char
      type(c_ptr), value :: marker
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int), intent(inout) :: num
      real(c_double), intent(inout) :: values(*)
      integer(c_int64_t), intent(out) :: times
      real(c_double), intent(out) :: seconds
      integer(c_int) :: ret
    end function marker_get
  end interface

contains

  subroutine likwid_markerInit()
    type(event_error) :: error
    integer(c_int) :: ret
    integer :: length

    if (c_associated(marker)) return
    error%message = c_null_char
    ret = marker_open(c_null_ptr, marker, error)
    if (ret == 0) return
    length = 0
    do while (length < message_length)
      if (error%message(length + 1) == c_null_char) exit
      length = length + 1
    end do
    if (length > 0) then
      write (error_unit, "(257a)") "uncore: no region is measured: ", &
        error%message(1:length)
    else
      write (error_unit, "(a, i0)") "uncore: no region is measured: error ", &
        -ret
    end if
  end subroutine likwid_markerInit

  ! Threads are set up when they first need it.
  subroutine likwid_markerThreadInit()
  end subroutine likwid_markerThreadInit

  subroutine likwid_markerNextGroup()
    call marker_next(marker)
  end subroutine likwid_markerNextGroup

  subroutine likwid_markerRegisterRegion(regionTag)
    character(*), intent(in) :: regionTag
    integer(c_int) :: ret

    ret = marker_register(marker, trim(regionTag) // c_null_char)
  end subroutine likwid_markerRegisterRegion

  subroutine likwid_markerStartRegion(regionTag)
    character(*), intent(in) :: regionTag
    integer(c_int) :: ret

    ret = marker_start(marker, trim(regionTag) // c_null_char)
  end subroutine likwid_markerStartRegion

  subroutine likwid_markerStopRegion(regionTag)
    character(*), intent(in) :: regionTag
    integer(c_int) :: ret

    ret = marker_stop(marker, trim(regionTag) // c_null_char)
  end subroutine likwid_markerStopRegion

  subroutine likwid_markerResetRegion(regionTag)
    character(*), intent(in) :: regionTag
    integer(c_int) :: ret

    ret = marker_reset(marker, trim(regionTag) // c_null_char)
    if (ret == -busy) write (error_unit, "(3a)") &
      "uncore: region ", trim(regionTag), " is begun and was not reset"
  end subroutine likwid_markerResetRegion

  ! nr_events: in, room in events; out, how many are there.
  subroutine likwid_markerGetRegion(regionTag, nr_events, events, time, count)
    character(*), intent(in) :: regionTag
    integer, intent(inout) :: nr_events
    double precision, intent(inout) :: events(*)
    double precision, intent(out) :: time
    integer, intent(out) :: count
    integer(c_int) :: num
    integer(c_int64_t) :: times

    num = max(nr_events, 0)
    if (marker_get(marker, trim(regionTag) // c_null_char, num, events, &
                   times, time) /= 0) num = 0
    nr_events = num
    count = int(times)
  end subroutine likwid_markerGetRegion

  subroutine likwid_markerClose()
    integer(c_int) :: ret

    ret = marker_report(marker)
    ! A child made by fork has only what its parent will give.
    if (ret /= 0 .and. ret /= -child) write (error_unit, "(a, i0)") &
      "uncore: the results are lost: error ", -ret
    call marker_close(marker)
    marker = c_null_ptr
  end subroutine likwid_markerClose

end module likwid
