"""What is said when something is wrong: a stable code, the cause, and what to do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

from ._words import in_python

if TYPE_CHECKING:
    from ._solution import Solution

# Beyond so many messages nobody reads on; all of them are in `messages`.
_SHOWN = 5


@dataclass(frozen=True)
class Message:
    """One thing that is wrong or worth knowing.

    `severity` is ``"error"`` (malformed: nothing is solved), ``"blocker"`` (a stop that no plan can serve),
    ``"unserved"`` (a stop that no plan was found for) or ``"warning"``; `code` never changes and is for programs;
    `cause` and `action` are for people; `nodes` are the nodes it is about.
    """

    severity: str
    code: str
    cause: str
    action: str
    nodes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.severity} [{self.code}]: {self.cause}\n    -> {self.action}"


Finding = Message


@dataclass(frozen=True)
class Note:
    """Something worth knowing about a file or an answer, with a stable code."""

    code: str
    text: str

    def __str__(self) -> str:
        return f"[{self.code}] {self.text}"


class RadarError(Exception):
    """Everything that RADAR raises. `messages` has all there is to say, the most important first.

    `answers` is what `solve_many` has found all the same when it raises: one per problem, None where there is none.

    >>> import radar
    >>> try:
    ...     radar.solve([[0, 1], [-1, 0]])
    ... except radar.RadarError as error:
    ...     print(error.code)
    negative-value
    """

    answers: Sequence[Optional[Solution]] = ()

    def __init__(self, messages: Sequence[Message]) -> None:
        # As the only argument of the exception they are what pickling gives back to this very function.
        super().__init__(list(messages))

    @property
    def messages(self) -> list[Message]:
        """Everything there is to say, the most important first."""
        return list(self.args[0])

    @property
    def code(self) -> str:
        """The stable code of the first message, for programs."""
        return self.messages[0].code

    @property
    def cause(self) -> str:
        """What is wrong and where."""
        return self.messages[0].cause

    @property
    def action(self) -> str:
        """What to do about it."""
        return self.messages[0].action

    def __str__(self) -> str:
        lines = [str(message) for message in self.messages[:_SHOWN]]
        left = len(self.messages) - len(lines)
        return "\n".join(lines + ([f"and {left} more in .messages"] if left else []))

    def within(self, place: str) -> RadarError:
        """The same error, saying what it is about."""
        first, *rest = self.messages
        return type(self)([replace(first, cause=f"{place}: {first.cause}"), *rest])


class InputError(RadarError, ValueError):
    """What was given is wrong, or cannot be read."""


class InfeasibleError(RadarError):
    """No plan can serve every stop, or none was found."""


class InternalError(RadarError, RuntimeError):
    """A defect of RADAR itself."""


class Interrupted(RadarError):
    """Ctrl-C, a callback that returned False, or the end of the interpreter came before this was begun."""


class MissingPackageError(RadarError, ImportError):
    """Something was asked for that another package does, which is not installed."""


_BLAMED = {"input": InputError, "problem": InfeasibleError, "program": InternalError, "interrupted": Interrupted}


def make(blame: str, messages: Sequence[Mapping[str, Any]]) -> RadarError:
    """The error for what the native module refuses."""
    return _BLAMED[blame]([message(said) for said in messages])


def message(said: Mapping[str, Any]) -> Message:
    """A message as the native module says it."""
    return Message(
        said["severity"], said["code"], in_python(said["cause"]), in_python(said["action"]), tuple(said["nodes"])
    )


def note(code: str, text: str) -> Note:
    """A note as the native module says it."""
    return Note(code, in_python(text))


def bad_input(code: str, cause: str, action: str) -> InputError:
    """An error about what was given."""
    return InputError([Message("error", code, cause, action)])
