"""What an order has changed of a state: some fields with their values after it.

A state has some sixty fields and an order changes a handful, so this is what is told and stored of
each.  Who has the state before puts the changes over it and has the state after.
"""

from typing import TYPE_CHECKING, Any, Union

import msgspec

from shared_rules.state import MatchState

_FIELDS = MatchState.__struct_fields__

if TYPE_CHECKING:

    class StateChanges(msgspec.Struct, frozen=True):
        """Fields of a ``MatchState``, each with its new value or unset."""

else:
    StateChanges = msgspec.defstruct(
        "StateChanges",
        [
            (field.name, Union[field.type, msgspec.UnsetType], msgspec.UNSET)  # noqa: UP007
            for field in msgspec.structs.fields(MatchState)
        ],
        frozen=True,
        kw_only=True,
        module=__name__,
    )


def changes_of(before: MatchState | None, after: MatchState) -> StateChanges:
    """What differs; with nothing before, every field."""
    values = {field: getattr(after, field) for field in _FIELDS}
    if before is not None:
        # most are the very same object, which is quicker to see than that they are equal
        values = {
            field: value
            for field, value in values.items()
            if value is not (earlier := getattr(before, field)) and value != earlier
        }
    return StateChanges(**values)


def changed(state: MatchState | None, changes: StateChanges) -> MatchState:
    """The state after the changes.

    Raises:
        ValueError: there is no state, and the changes don't say all of one.
    """
    values: dict[str, Any] = {
        field: value for field in _FIELDS if (value := getattr(changes, field)) is not msgspec.UNSET
    }
    if state is not None:
        return msgspec.structs.replace(state, **values)
    if "description" not in values:
        raise ValueError("changes of a state that isn't known")
    return MatchState(**values)
