# %% [markdown]
# # A morning in Porto
#
# Sixty real stops with time windows, distances and travel times from the road network (map data © OpenStreetMap
# contributors, ODbL 1.0). The cells run top to bottom in a notebook or an editor that knows `# %%`; as a script this
# prints what it finds and writes `porto.png` and `porto.geojson` into the current folder.
#
# Needs `pip install pandas matplotlib` beside the package.

# %%
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import radar

here = Path(globals().get("__file__", "here")).resolve()
porto = next(path for folder in here.parents if (path := folder / "examples" / "porto.json").exists())

# %% [markdown]
# ## The problem
# A matrix is read row = from, column = to. One-way streets make the way back another one.

# %%
problem = radar.read(porto)
print(problem, "in", problem.units["distance"])
there = problem.distance
pairs = ~np.eye(problem.nodes, dtype=bool)
print(f"ways there and back differ by {np.mean(np.abs(there - there.T)[pairs]):.0f} m in the mean")
for finding in problem.findings:
    print(finding)

# %% [markdown]
# ## Solve
# The callback sees every better plan and every better bound; `return False` would end the search.

# %%
curve = []


def watch(event):
    if event["event"] in ("incumbent", "bound"):
        curve.append((event["elapsed"], event["event"], event.get("cost", event.get("bound"))))


solution = radar.solve(problem, time_limit=2.0, seed=1, on_progress=watch)
print(solution)
print(f"{len(solution.routes)} routes, {solution.cost:.0f} m; no plan is shorter than {solution.bound:.0f} m")

# %% [markdown]
# ## Check
# The verdict comes from another part of the program than the plan, and takes plans of any origin.

# %%
verdict = radar.check(problem, solution)
assert verdict and verdict.cost == solution.cost
first, *others = solution.route_ids
worse = radar.check(problem, [first[::-1], *others])
print("the first route backwards:", "holds" if worse else "; ".join(map(str, worse.violations[:2])))

# %% [markdown]
# ## The schedule
# One row per visit. Times are seconds since midnight here.


# %%
def clock(seconds):
    return f"{int(seconds) // 3600}:{int(seconds) % 3600 // 60:02}"


visits = solution.to_frame()
times = {column: visits[column].map(clock) for column in ("arrival", "start", "leave")}
print(visits.assign(**times).head(8).to_string(index=False))
print(visits.groupby("route").agg(stops=("node", "size"), waits=("wait", "sum"), last=("leave", "max")))

# %% [markdown]
# ## One vehicle too few
# That is refused with a reason. Asked to, the solver serves what can be served, and says why the rest is left out.

# %%
parts = {"distance": there, "duration": problem.duration, "ids": problem.ids, "points": problem.points}
lists = {"demand": problem.demand, "windows": problem.windows, "service": problem.service}
smaller = radar.Problem(**parts, **lists, capacity=problem.capacity, vehicles=4, units=problem.units)
try:
    radar.solve(smaller)
except radar.InfeasibleError as error:
    print(error)

rest = radar.solve(smaller, allow_unserved=True)
for stop in rest.unserved:
    print(f"{stop.id} is left out: {stop.reasons[0]}")

# %% [markdown]
# ## What would be enough
# For a stop in a plan: the clause that is in the way, and the least change that would admit it.

# %%
left_out = [stop.id for stop in rest.unserved]
for explanation in radar.explain(smaller, rest, stops=left_out[:2]):
    print(explanation)

# %% [markdown]
# ## A call at ten
# Vehicles are under way: the first two stops of each route stay. What comes behind them is planned anew.

# %%
begun = radar.solve(problem, time_limit=0.5, freeze=(solution, [2] * len(solution.routes)))
assert [route[:2] for route in begun.routes[: len(solution.routes)]] == [route[:2] for route in solution.routes]
print("with beginnings kept:", begun)

# %% [markdown]
# ## Pictures

# %%
figure, (map_axes, curve_axes) = plt.subplots(1, 2, figsize=(12, 5))
solution.plot(map_axes)
for kind, label in (("incumbent", "best plan"), ("bound", "proved bound")):
    seconds, metres = zip(*[(elapsed, value) for elapsed, event, value in curve if event == kind])
    curve_axes.step([*seconds, 2.0], [*metres, metres[-1]], where="post", label=label)
curve_axes.set(xlabel="seconds", ylabel="metres")
curve_axes.legend()
figure.tight_layout()
figure.savefig("porto.png", dpi=150)
solution.save("porto.geojson")
print("wrote porto.png and porto.geojson")
