"""What every language does with models/languages.yaml, in Python: see languages_scenario.cc."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import languages as parcels
from languages import Connection, Depot, DepotKey, EntityError, Parcel, ParcelKey, Scan


def parcel(depot: str, number: int) -> Parcel:
    return Parcel(depot=depot, parcel=f"p{number}", due=1772280000000 + number * 1000,
                  weight=Decimal(f"{number * 5}.5"), barcode=f"4{number:012d}")


def fails(kind: str, step: Callable[[], object]) -> None:
    try:
        step()
    except EntityError as error:
        assert error.kind == kind, f"{error.kind}: {error}"
    else:
        raise AssertionError(f"nothing failed as {kind}")


def play(db: Connection) -> None:
    def key(number: int) -> ParcelKey:
        return ParcelKey("norr", f"p{number}")

    for number in range(1, 7):
        made = parcels.register(db, parcel(" Norr ", number))
        assert (made.depot, made.version, made.state) == ("norr", 1, "waiting")
    again = parcel("norr", 7)
    again.barcode = "4000000000001"
    fails("not_unique", lambda: parcels.register(db, again))
    fails("exists", lambda: parcels.register(db, parcel("norr", 2)))
    loaded = parcels.load(db, key(1), courier="Ann", add_attempts=1)
    assert (loaded.state, loaded.attempts, loaded.version) == ("moving", 1, 2)
    fails("conflict", lambda: parcels.load(db, key(1), courier="Bo", add_attempts=1))
    parcels.load(db, key(5), courier="Ann", add_attempts=2)
    assert parcels.drop(db, key(5), to="lost").courier is None
    fails("conflict", lambda: parcels.deliver(db, key(1), courier="Bo"))
    assert parcels.deliver(db, key(1), courier="Ann").delivered_at == "2026-02-28T12:34:56Z"
    parcels.weigh(db, key(2), weight=Decimal("20.00"), note="heavy", tags={"x", "y"}, expected_version=1)
    fails("conflict", lambda: parcels.weigh(db, key(2), note="?", expected_version=1))
    parcels.weigh(db, key(4), weight=Decimal("19.99"), expected_version=1)
    parcels.label(db, key(3), barcode="5#%", slot=12)
    fails("not_unique", lambda: parcels.label(db, key(4), slot=12))
    parcels.notice(db, key(3), add_by_day={"mon": 2, "sun": 1}, add_attempts=3)
    assert parcels.notice(db, key(3), add_by_day={"mon": 1}, add_attempts=1).by_day == {"mon": 3, "sun": 1}
    assert parcels.relocate(db, key(3), depot="SÖDER", expected_version=4).version == 5
    parcels.forget(db, key(6))
    fails("conflict", lambda: parcels.forget(db, key(1)))
    fails("missing", lambda: parcels.forget(db, key(6)))
    fails("invalid", lambda: parcels.register(db, parcel("a#b", 8)))
    parcels.open(db, Depot(depot="norr", city="Umeå"))
    parcels.hand_over(db, parcels.load_write(key(2), courier="Cy", add_attempts=1),
                      parcels.arrive_write(DepotKey("norr"), add_parcels=1))
    fails("conflict", lambda: parcels.hand_over(db, parcels.load_write(key(2), courier="Cy", add_attempts=1),
                                                parcels.arrive_write(DepotKey("norr"), add_parcels=1)))
    for lane in (4, 9):
        parcels.scan(db, Scan(depot="norr", at=7, day="2026-02-28", lane=lane), lane=4)
    fails("conflict", lambda: parcels.scan(db, Scan(depot="norr", at=7, day="2026-02-28", lane=5), lane=4))


def read(db: Connection) -> None:
    """What the reads find after play()."""
    def names(found: list[Parcel]) -> list[str]:
        return [each.parcel for each in found if each.depot in ("norr", "söder")]

    one = parcels.parcel(db, ParcelKey(" NORR", "p2"))
    assert one is not None and one.weight == 20 and one.tags == {"x", "y"} and one.by_day == {}
    assert parcels.parcel(db, ParcelKey("norr", "p3")) is None
    several = [ParcelKey("norr", "p5"), ParcelKey("norr", "p9"), ParcelKey("norr", "p1")]
    assert names(parcels.parcels(db, several)) == ["p5", "p1"]
    depot = parcels.depot(db, DepotKey("norr"))
    assert depot is not None and (depot.city, depot.parcels) == ("Umeå", 1)
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = parcels.of_depot(db, "Norr", cursor=cursor)
        assert len(page.items) <= 2
        seen += names(page.items)
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == ["p1", "p2", "p4", "p5"], seen
    assert {type(each) for each in parcels.everything_of(db, "DEPOT#norr")} == {Parcel, Depot}
    waiting = parcels.due_before(db, "waiting", 1772280005000, limit=100)
    assert names(waiting.items)[-2:] == ["p3", "p4"], waiting
    assert names(parcels.due_between(db, 1772280003000, 1772280004000)) == ["p4", "p3"]
    assert "p2" in names(parcels.heavy(db, Decimal("19.99"))) and "p4" not in names(parcels.heavy(db, Decimal("19.99")))
    assert [each.parcel for each in parcels.late(db, "norr")] == ["p2", "p5"]
    assert parcels.late_count(db, "norr") == 2
    assert set(names(parcels.spread(db, limit=100).items)) == {"p1", "p2", "p3", "p4", "p5"}
    assert parcels.by_label(db, "DEPOT#norr", b"none") is None
    assert [each.lane for each in parcels.lane(db, "norr", "2026-02-28", 9).items] == [9]
    assert "norr" in [each.depot for each in parcels.all_depots(db)]
