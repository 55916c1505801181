"""What a caller hears while the work goes on, and how it ends the work."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import radar

LONG = """
import json, time
import radar
problem = radar.generate("acvrp", 100, seed=3)
told = []
def hear(event):
    if event["event"] == "incumbent" and not told:
        told.append(event)
        print("begun", flush=True)
began = time.perf_counter()
solution = radar.solve(problem, time_limit=120, on_progress=hear)
print(json.dumps({
    "seconds": time.perf_counter() - began,
    "interrupted": solution.interrupted,
    "warnings": [warning.code for warning in solution.warnings],
    "holds": bool(radar.check(problem, solution)),
}), flush=True)
"""

# Without a callback nobody tells that the work has begun: another thread sees the main one stay in the native module.
WATCH = """
import sys, threading, time
def watch(main):
    seen, still = None, 0
    while still < 5:
        time.sleep(0.02)
        frame = sys._current_frames()[main]
        here = frame.f_code.co_name, frame.f_lasti
        still = still + 1 if here == seen and here[0] in ("solve", "solve_many", "decode") else 0
        seen = here
    print("begun", flush=True)
threading.Thread(target=watch, args=(threading.main_thread().ident,), daemon=True).start()
"""

MANY = """
import json, time
import radar
problems = radar.generate("acvrp", 100, seed=3, count=40)
began = time.perf_counter()
def hear(number, done):
    if done == 2:
        print("begun", flush=True)
try:
    answers = radar.solve_many(problems, time_limit=3, workers=2, on_done=hear, errors=ERRORS)
except radar.Interrupted as error:
    answers = [error if answer is None else answer for answer in error.answers]
print(json.dumps({
    "seconds": time.perf_counter() - began,
    "solved": sum(isinstance(answer, radar.Solution) for answer in answers),
    "codes": sorted({answer.code for answer in answers if isinstance(answer, radar.Interrupted)}),
    "count": len(answers),
}), flush=True)
"""

EVALUATE = """
import json
import radar
model = radar.Model.new({"preset": "small-atsp", "layers": 1})
try:
    radar.evaluate(model, PROBLEMS, REFERENCES, augment=AUGMENT)
except KeyboardInterrupt:
    print(json.dumps("interrupted"), flush=True)
"""


def interrupt(program, wait):
    """Runs a program, presses Ctrl-C some time after it has begun, and gives what it prints."""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    printed, complaint = process.communicate(timeout=60)
    assert process.returncode == 0, complaint
    return json.loads(printed)


@pytest.mark.parametrize("heard", [True, False], ids=["with a callback", "without"])
def test_ctrl_c_returns_the_best_so_far(heard):
    program = LONG if heard else WATCH + LONG.replace("on_progress=hear", "")
    told = interrupt(program, 0.1)
    assert told["interrupted"] and told["holds"]
    assert "ctrl-c" in told["warnings"]
    assert told["seconds"] < 60


NETWORK = """
import json
import radar
problem = radar.generate("tmat", 100, seed=1)
solution = radar.solve(problem, model=radar.Model.shipped(), augment=1024, time_limit=120)
print(json.dumps([solution.cost, solution.method, [warning.code for warning in solution.warnings]]), flush=True)
"""


def test_ctrl_c_keeps_the_plan_of_a_network():
    cost, method, warnings = interrupt(WATCH + NETWORK, 1)
    assert "ctrl-c" in warnings
    if "network-failed" not in warnings:
        assert method.startswith("network `") and "; then" not in method
        assert cost == pytest.approx(float(method.split(": ")[1].split(",")[0]), abs=1e-6)


@pytest.mark.parametrize("errors", ["raise", "return"])
def test_ctrl_c_ends_a_batch_and_keeps_what_is_done(errors):
    told = interrupt(MANY.replace("ERRORS", repr(errors)), 0)
    assert told["count"] == 40
    assert 2 <= told["solved"] < 40
    assert told["codes"] == ["interrupted"]
    assert told["seconds"] < 60


@pytest.mark.parametrize(
    ("problems", "references", "augment"),
    [
        # So many seconds of search, and so many sketches, as no test waits for.
        ('radar.generate("tmat", 200, count=500)', '"solve"', 1),
        ('radar.generate("tmat", 200, count=500)', "None", 1024),
    ],
    ids=["references", "decoding"],
)
def test_ctrl_c_ends_an_evaluation(problems, references, augment):
    program = EVALUATE.replace("PROBLEMS", problems).replace("REFERENCES", references)
    assert interrupt(WATCH + program.replace("AUGMENT", str(augment)), 0) == "interrupted"


def test_events_tell_the_story(deliveries):
    events = []
    solution = radar.solve(deliveries, time_limit=None, steps=3000, on_progress=events.append)
    assert events[0] == {"event": "started", "variant": "ACVRP", "stops": 100}
    found = [event for event in events if event["event"] == "incumbent"]
    costs = [event["cost"] for event in found]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == pytest.approx(solution.cost)
    assert found[-1]["unserved"] == 0
    assert radar.check(deliveries, found[-1]["plan"]).cost == pytest.approx(costs[-1])
    assert [event["elapsed"] for event in found] == sorted(event["elapsed"] for event in found)
    bounds = [event["bound"] for event in events if event["event"] == "bound"]
    assert bounds and bounds[-1] <= solution.cost


def test_events_come_on_the_callers_thread(deliveries):
    threads = set()
    radar.solve(deliveries, time_limit=0.1, on_progress=lambda _: threads.add(threading.get_ident()))
    assert threads == {threading.get_ident()}


def test_false_ends_the_work_with_the_best(deliveries):
    began = time.perf_counter()
    solution = radar.solve(deliveries, time_limit=60, on_progress=lambda event: event["event"] != "incumbent")
    assert time.perf_counter() - began < 20
    assert solution.interrupted
    assert "stopped-by-caller" in [warning.code for warning in solution.warnings]
    assert radar.check(deliveries, solution)


def test_other_answers_of_a_callback_go_on(deliveries):
    asked = radar.solve(deliveries, time_limit=None, steps=500, on_progress=lambda _: 0)
    assert asked == radar.solve(deliveries, time_limit=None, steps=500)


def test_an_exception_of_a_callback_is_raised(deliveries):
    def fail(event):
        raise LookupError("not today")

    began = time.perf_counter()
    with pytest.raises(LookupError, match="not today"):
        radar.solve(deliveries, time_limit=60, on_progress=fail)
    assert time.perf_counter() - began < 20


def test_what_is_no_callback_is_an_error(deliveries):
    with pytest.raises(radar.InputError, match="wrong-type"):
        radar.solve(deliveries, time_limit=1, on_progress=5)


def test_other_threads_work_meanwhile(deliveries):
    ticks, over = [], threading.Event()

    def count():
        while not over.wait(0.005):
            ticks.append(1)

    thread = threading.Thread(target=count)
    thread.start()
    radar.solve(deliveries, time_limit=1)
    over.set()
    thread.join()
    assert len(ticks) > 20


def test_numpys_false_ends_the_work_as_pythons_does(deliveries):
    solution = radar.solve(deliveries, time_limit=20, on_progress=lambda event: np.False_)
    assert "stopped-by-caller" in [warning.code for warning in solution.warnings]


def test_threads_that_solve_at_once_keep_their_own_limits(deliveries):
    found = {}

    def solve(number, limit):
        found[number] = radar.solve(deliveries, time_limit=limit, method="search")

    limits = [2.0, 2.0, 0.5, 0.5]
    threads = [threading.Thread(target=solve, args=pair) for pair in enumerate(limits)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[number].method.startswith("search") for number in range(len(limits)))
    assert all(found[number].timings["total"] < 1.9 for number in (2, 3))


def test_a_daemon_thread_within_a_callback_does_not_take_the_interpreter_down():
    script = """
import threading, time, radar
problem = radar.generate("acvrp", 60, seed=3)
slow = lambda event: time.sleep(0.05)
solve = lambda: radar.solve(problem, time_limit=5, on_progress=slow)
threading.Thread(target=solve, daemon=True).start()
time.sleep(0.3)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_nothing_is_begun_when_the_interpreter_ends():
    script = """
import atexit

def late():
    calls = [
        lambda: radar.generate("tmat", 5, count=50), lambda: radar.generate("tmat", 5), lambda: model.decode(problem),
        lambda: model.confidence(problem), lambda: radar.evaluate(model, [problem], "solve"),
        lambda: radar.evaluate(model, [problem]), lambda: radar.solve(problem), lambda: radar.solve_many([problem]),
    ]
    for call in calls:
        try:
            print(call())
        except radar.Interrupted as error:
            print(error.code)

# Handlers that were there before are called after.
atexit.register(late)
import radar
model, problem = radar.Model.new("small-atsp"), radar.Problem([[0, 1, 2], [2, 0, 3], [3, 1, 0]])
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (ended.stdout.split(), ended.stderr) == (["interrupted"] * 8, "")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are those of Linux")
@pytest.mark.parametrize(
    ("megabytes", "call", "code"),
    [
        (1, "radar.solve(small)", "threads"),
        (1, "radar.solve_many([small])", "threads"),
        (1, 'radar.generate("tmat", 5)', "threads"),
        (50, "radar.Problem(large)", "too-little-memory"),
        (50, "radar.Problem(large.view('i8'))", "too-little-memory"),
        (50, "radar.Problem(np.broadcast_to(1.0, (4000, 4000)))", "too-little-memory"),
        (50, "problem.distance", "too-little-memory"),
        (150, 'radar.generate("tmat", 9000)', "too-little-memory"),
        (150, "model.decode(problem)", "too-little-memory"),
        (150, "model.encode(problem)", "too-little-memory"),
    ],
)
def test_a_system_that_gives_no_more_does_not_take_the_interpreter_down(megabytes, call, code):
    script = f"""
import resource
import numpy as np, radar
large = np.zeros((4000, 4000))
small, problem, model = radar.Problem([[0, 1], [2, 0]]), radar.Problem(large), radar.Model.new("small-atsp")
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + ({megabytes} << 20), resource.RLIM_INFINITY))
try:
    {call}
except radar.RadarError as error:
    print(error.code)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (ended.stdout, ended.returncode) == (f"{code}\n", 0), ended.stderr
