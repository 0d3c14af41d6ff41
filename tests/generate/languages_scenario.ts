// What every language does with models/languages.yaml, in TypeScript: see languages_scenario.cc.
import * as parcels from "./languages.js";
import { EntityError, type Connection, type NewParcel } from "./languages.js";
import * as electro from "./languages_electrodb.js";

function parcel(depot: string, number: number): NewParcel {
  return {
    depot,
    parcel: `p${number}`,
    due: 1772280000000 + number * 1000,
    weight: `${number * 5}.5`,
    barcode: `4${String(number).padStart(12, "0")}`,
  };
}

function equal(found: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

async function fails(kind: string, step: Promise<unknown>): Promise<void> {
  const failed = await step.then(
    () => "nothing",
    (error: unknown) => (error instanceof EntityError ? error.kind : String(error)),
  );
  equal(failed, kind);
}

export async function play(db: Connection): Promise<void> {
  const key = (number: number) => ({ depot: "norr", parcel: `p${number}` });
  for (let number = 1; number <= 6; ++number) {
    const made = await parcels.register(db, parcel(" Norr ", number));
    equal([made.depot, made.version, made.state], ["norr", 1, "waiting"]);
  }
  await fails("not_unique", parcels.register(db, { ...parcel("norr", 7), barcode: "4000000000001" }));
  await fails("exists", parcels.register(db, parcel("norr", 2)));
  const loaded = await parcels.load(db, key(1), { courier: "Ann" }, { attempts: 1 });
  equal([loaded.state, loaded.attempts, loaded.version], ["moving", 1, 2]);
  await fails("conflict", parcels.load(db, key(1), { courier: "Bo" }, { attempts: 1 }));
  await parcels.load(db, key(5), { courier: "Ann" }, { attempts: 2 });
  equal((await parcels.drop(db, key(5), "lost")).courier, undefined);
  await fails("conflict", parcels.deliver(db, key(1), {}, "Bo"));
  equal((await parcels.deliver(db, key(1), {}, "Ann")).deliveredAt, "2026-02-28T12:34:56Z");
  await parcels.weigh(db, key(2), { weight: "20.00", note: "heavy", tags: new Set(["x", "y"]) }, 1);
  await fails("conflict", parcels.weigh(db, key(2), { note: "?" }, 1));
  await parcels.weigh(db, key(4), { weight: "19.99" }, 1);
  await parcels.label(db, key(3), { barcode: "5#%", slot: 12 });
  await fails("not_unique", parcels.label(db, key(4), { slot: 12 }));
  await parcels.notice(db, key(3), { byDay: { mon: 2, sun: 1 }, attempts: 3 });
  equal((await parcels.notice(db, key(3), { byDay: { mon: 1 }, attempts: 1 })).byDay.mon, 3);
  equal((await parcels.relocate(db, key(3), { depot: "SÖDER" }, 4)).version, 5);
  await parcels.forget(db, key(6));
  await fails("conflict", parcels.forget(db, key(1)));
  await fails("missing", parcels.forget(db, key(6)));
  await fails("invalid", parcels.register(db, parcel("a#b", 8)));
  await parcels.open(db, { depot: "norr", city: "Umeå" });
  const handOver = () =>
    parcels.handOver(
      db,
      parcels.loadWrite(key(2), { courier: "Cy" }, { attempts: 1 }),
      parcels.arriveWrite({ depot: "norr" }, { parcels: 1 }),
    );
  await handOver();
  await fails("conflict", handOver());
  for (const lane of [4, 9]) await parcels.scan(db, { depot: "norr", at: 7, day: "2026-02-28", lane }, 4);
  await fails("conflict", parcels.scan(db, { depot: "norr", at: 7, day: "2026-02-28", lane: 5 }, 4));
}

/** What the reads find after play(). */
export async function read(db: Connection): Promise<void> {
  const names = (found: parcels.Parcel[]) =>
    found.filter((each) => ["norr", "söder"].includes(each.depot)).map((each) => each.parcel);
  const one = await parcels.parcel(db, { depot: " NORR", parcel: "p2" });
  equal([one?.weight, [...(one?.tags ?? [])].sort(), one?.byDay], ["20", ["x", "y"], {}]);
  equal(await parcels.parcel(db, { depot: "norr", parcel: "p3" }), undefined);
  const several = ["p5", "p9", "p1"].map((name) => ({ depot: "norr", parcel: name }));
  equal(names(await parcels.parcels(db, several)), ["p5", "p1"]);
  const depot = await parcels.depot(db, { depot: "norr" });
  equal([depot?.city, depot?.parcels], ["Umeå", 1]);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page: parcels.Page<parcels.Parcel> = await parcels.ofDepot(db, "Norr", cursor === undefined ? {} : { cursor });
    equal(page.items.length <= 2, true);
    seen.push(...names(page.items));
    cursor = page.cursor;
  } while (cursor !== undefined);
  equal(seen, ["p1", "p2", "p4", "p5"]);
  const kinds = (await parcels.everythingOf(db, "DEPOT#norr")).map((found) => found.entity);
  equal([...new Set(kinds)].sort(), ["Depot", "Parcel"]);
  equal(names((await parcels.dueBefore(db, "waiting", 1772280005000, { limit: 100 })).items).slice(-2), ["p3", "p4"]);
  equal(names(await parcels.dueBetween(db, 1772280003000, 1772280004000)), ["p4", "p3"]);
  const heavy = names(await parcels.heavy(db, "19.99"));
  equal([heavy.includes("p2"), heavy.includes("p4")], [true, false]);
  equal((await parcels.late(db, "norr")).map((each) => each.parcel), ["p2", "p5"]);
  equal(await parcels.lateCount(db, "norr"), 2);
  equal(names((await parcels.spread(db, { limit: 100 })).items).sort(), ["p1", "p2", "p3", "p4", "p5"]);
  equal(await parcels.byLabel(db, "DEPOT#norr", new TextEncoder().encode("none")), undefined);
  equal((await parcels.lane(db, "norr", "2026-02-28", 9)).items.map((each) => each.lane), [9]);
  equal((await parcels.allDepots(db)).some((each) => each.depot === "norr"), true);
}

/** The same table through ElectroDB's entities; leaves it as it was. */
export async function playWithElectroDb(db: Connection): Promise<void> {
  const parcel = electro.makeParcel(db);
  const key = { depot: "väst", parcel: "p20" };
  const byStateShard = electro.shardOf(key.parcel, 7);
  await electro.createParcel(db, { ...key, due: 1772280000000, weight: 2.5, extra: { x: 1 } });
  equal(await electro.createParcel(db, { ...key, due: 1, weight: 1 }).then(() => "made", () => "refused"), "refused");
  const got = (await parcel.get(key).go()).data;
  equal([got?.state, got?.priority, got?.created], ["waiting", 5, "2026-02-28T12:34:56.000Z"]);
  await parcel.patch(key).set({ state: "moving", courier: "Ann", byStateShard }).where(({ state }, { eq }) => eq(state, "waiting")).go();
  const waiting = await parcel.query.byState({ state: "waiting", byStateShard }).go();
  equal(waiting.data.some((each) => each.parcel === key.parcel), false);
  const moving = await parcel.query.byState({ state: "moving", byStateShard }).lt({ due: 1772280000001 }).go();
  equal(moving.data.map((each) => [each.depot, each.parcel]), [["väst", "p20"]]);
  // What ElectroDB wrote, the functions with the SDK read, and the other way round.
  equal((await parcels.parcel(db, key))?.courier, "Ann");
  await parcels.drop(db, key, "lost");
  equal((await parcel.get(key).go()).data?.state, "lost");
  await parcel.delete(key).go();
}
