# SPDX-License-Identifier: MIT
"""Ray: values in the object store, whose columns all workers of a machine view without a copy.

Usage: ray_values.py. Ray pickles with protocol 5 and keeps the buffers of a value in shared memory as they are."""

import numpy as np
import ray

import polycodec as pc


@ray.remote
def total(value, name):
    """Adds up a column. The value arrives as a view of the object store."""
    column = value[name].to_numpy()
    assert not column.flags.writeable and not column.flags.owndata
    return float(column.sum())


@ray.remote
def halves(value):
    """Returns a part of a value: values travel back as well."""
    return value["x"][: len(value["x"]) // 2]


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        stored = ray.put(pc.value({"x": np.arange(1e6), "y": np.ones(1_000_000)}))
        print(ray.get([total.remote(stored, name) for name in ("x", "y")]))
        print(ray.get(halves.remote(stored)).type)
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main()
