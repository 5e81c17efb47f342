# SPDX-License-Identifier: MIT
"""Clusters for the tests of polycodec.dask."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from distributed import Client, LocalCluster

TIMEOUT = 300


@pytest.fixture(scope="session")
def cluster() -> Iterator[LocalCluster]:
    """A scheduler and two workers, each a process."""
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as made:
        yield made


@pytest.fixture
def client(cluster: LocalCluster) -> Iterator[Client]:
    """The default client of a test."""
    with Client(cluster, timeout=TIMEOUT) as made:
        yield made
