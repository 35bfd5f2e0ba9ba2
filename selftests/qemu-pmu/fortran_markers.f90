! SPDX-License-Identifier: GPL-2.0-only
!
! A program for LIKWID's markers in Fortran, which marked_core starts. The region
! "paused" lasts until a line comes. It prints what it knows of "work": events,
! times, and the count of the first event.
program fortran_markers
  use likwid
  implicit none
  integer :: nevents, count, i
  double precision :: events(8), time
  character(8) :: line

  call likwid_markerInit()
!$omp parallel num_threads(2)
  call likwid_markerThreadInit()
  call likwid_markerRegisterRegion("work")
!$omp end parallel

  call likwid_markerStartRegion("paused")
  print "(a)", "begun"
  flush (6)
  read (5, "(a)") line
  call likwid_markerStopRegion("paused")

!$omp parallel num_threads(2) private(i)
  do i = 1, 3
    call likwid_markerStartRegion("work  ")
    call likwid_markerStopRegion("work")
  end do
!$omp end parallel

  call likwid_markerStartRegion("forgotten")
  call likwid_markerStopRegion("forgotten")
  call likwid_markerResetRegion("forgotten")

  nevents = 8
  call likwid_markerGetRegion("work", nevents, events, time, count)
  print "(a, i0, x, i0, x, i0)", "work ", nevents, count, int(events(1), 8)
  call likwid_markerNextGroup()
  call likwid_markerClose()
end program fortran_markers
