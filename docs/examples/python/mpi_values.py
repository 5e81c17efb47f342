# SPDX-License-Identifier: MIT
"""mpi4py: values between ranks, whose buffers MPI sends from where they are.

Usage: mpiexec -n 2 python mpi_values.py. The communicators of mpi4py.util.pkl5 pickle with protocol 5."""

import numpy as np
from mpi4py import MPI
from mpi4py.util import pkl5

import polycodec as pc


def main():
    world = pkl5.Intracomm(MPI.COMM_WORLD)
    value = pc.value({"x": np.arange(1e6), "y": np.ones(1_000_000)}) if world.rank == 0 else None
    value = world.bcast(value, root=0)

    rows = len(value["x"]) // world.size
    mine = value["x"][world.rank * rows : (world.rank + 1) * rows]
    totals = world.gather(float(mine.to_numpy().sum()), root=0)

    if world.rank == world.size - 1:
        world.send(mine, dest=0)
    if world.rank == 0:
        last = world.recv(source=world.size - 1)
        print(sum(totals), last.type)


if __name__ == "__main__":
    main()
