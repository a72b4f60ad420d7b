import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import { invocationEvent, writeAuditEvent } from "../../../../../src/core/audit/auditEvent";
import { thisProgram } from "../../../../../src/engine/store/program";
import type { EventsRequest, Store } from "../../../../../src/engine/store/store";
import { atTables } from "../../../../fixtures/machineStore";
import { pastInvocation } from "../../../../fixtures/pastInvocation";
import { StoreFolder } from "../storeFolder";

const idOf = (index: number) => `0176407000000${index}-0123456789abc`;

function note(store: Store, index: number): Promise<void> {
  const facts = { id: idOf(index), endsBefore: 1_764_070_120_000, registry: "https://a.example" };
  const event = invocationEvent(pastInvocation(1_764_070_000_000 + index, facts));
  return store.noteEvent(event.id, writeAuditEvent(event));
}

/** Returns a request for a turn of a minute, for all waiting events. */
function turnOf(holder: string): EventsRequest {
  const signal = { signal: "traces", exported: ["traces", "logs"] } as const;
  const until = Date.now() + 60_000;
  return { ...signal, holder, until, most: 100, ids: [], areExcluded: true };
}

describe("the outbox in the store", () => {
  let folder: StoreFolder;
  beforeEach(() => {
    folder = new StoreFolder();
  });
  afterEach(() => folder.remove());

  it("keeps the newest events beyond its limit, and counts the others", async () => {
    const store = folder.open();
    for (const index of [1, 2, 3]) await note(store, index);
    await folder.close();
    await atTables(folder.path, (database) =>
      database.exec(
        `WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 9998)
         INSERT INTO outbox (id, text) SELECT printf('99990101000000%06d', n), '{}' FROM many`,
      ),
    );
    const turn = await folder.open().takeEvents(turnOf("a"));
    const kept = turn?.events.map(({ event }) => event.id);
    assert.deepEqual([kept, turn?.dropped], [[idOf(2), idOf(3)], 1]);
  });

  it("is delivered by one program at a time, and by the next if that one was killed", async () => {
    const store = folder.open();
    await note(store, 1);
    const dead = folder.open({ self: { ...thisProgram(), pid: 2 ** 30 } });
    const take = (holder: string) => store.takeEvents(turnOf(holder));
    assert.equal((await take("a"))?.events.length, 1);
    assert.equal(await take("b"), undefined);
    await store.endTurn(turnOf("a"), []);
    assert.equal((await dead.takeEvents(turnOf("c")))?.events.length, 1);
    assert.equal((await take("b"))?.events.length, 1);
  });
});
