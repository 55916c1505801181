"""A problem in whole numbers, as the bench hands it over: the same integers our own checker judges by."""

import json
from dataclasses import dataclass

import numpy


@dataclass
class Problem:
    """Node 0 is the depot. What a problem does not have is None."""

    tour: bool
    open: bool
    distance: numpy.ndarray
    duration: numpy.ndarray
    demand: list
    backhaul: list
    capacity: int | None
    windows: list | None
    service: list
    limit: int | None

    @staticmethod
    def read(path):
        """Reads the file of a problem; a single matrix plays both roles."""
        with open(path) as file:
            given = json.load(file)
        square = lambda values: numpy.array(values, dtype=numpy.int64).reshape(given["nodes"], given["nodes"])
        distance = square(given.pop("distance"))
        duration = given.pop("duration")
        del given["nodes"]
        return Problem(distance=distance, duration=distance if duration is None else square(duration), **given)

    @property
    def nodes(self):
        return len(self.distance)

    @property
    def has_backhaul(self):
        return any(self.backhaul)

    def way(self, matrix):
        """A matrix for solvers without open routes: the way home is free where routes are open."""
        if not self.open:
            return matrix
        matrix = matrix.copy()
        matrix[:, 0] = 0
        return matrix

    def cost_with_order(self, matrix):
        """The matrix with a dear way from pickups to deliveries, for solvers that know of no order.

        Cutting such an arc in two costs at most twice the largest entry, so that ten times is dear enough.
        """
        if not self.has_backhaul:
            return matrix
        matrix = matrix.copy()
        deliveries, pickups = numpy.flatnonzero(self.demand), numpy.flatnonzero(self.backhaul)
        matrix[numpy.ix_(pickups, deliveries)] += 10 * int(self.distance.max())
        return matrix

    def vehicles(self):
        """More vehicles than a good plan uses, and not many more: spare ones slow some rivals down."""
        stops = self.nodes - 1
        if self.tour:
            return 1
        if self.windows is not None:
            return min(stops, stops // 2 + 5)
        trips = max(-(-sum(amounts) // self.capacity) for amounts in (self.demand, self.backhaul))
        return min(stops, 3 * trips + 5)
