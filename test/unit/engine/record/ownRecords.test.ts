import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "mocha";
import { newRecordId } from "../../../../src/core/invocation/record/invocationRecord";
import type { ServerInvocation } from "../../../../src/core/project/project";
import type { ProjectState } from "../../../../src/core/project/projectState";
import { compareWithState } from "../../../../src/core/project/serverRecord";
import { InvocationHistory } from "../../../../src/engine/record/invocationHistory";
import { ownRecords } from "../../../../src/engine/record/ownRecords";
import type { OpenedStore } from "../../../../src/engine/store/operations";
import { keepRecords, openTestStore } from "../../../fixtures/machineStore";
import { pastInvocation } from "../../../fixtures/pastInvocation";

const minute = 60_000;
const now = Date.parse("2026-11-20T12:00:00Z");
const registry = "https://registry.example";

describe("this machine's invocations for a comparison with a project's", () => {
  let folder: string;
  let opened: OpenedStore;
  let history: InvocationHistory;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "own-records-"));
    opened = openTestStore(folder);
    const fail = (error: unknown) => assert.fail(String(error));
    history = new InvocationHistory(opened.store, () => ({ maxEntries: 10_000, maxDays: 0 }), {
      ...{ notWritten: fail, notRead: fail, notRetained: fail, notChanged: fail },
    });
  });
  after(async () => {
    history.dispose();
    await opened.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("are only the few relevant ones, with the same result as a comparison with all", async () => {
    const at = (minutesAgo: number, facts: Parameters<typeof pastInvocation>[1] = {}) => {
      const startedAt = now - minutesAgo * minute;
      const id = newRecordId(startedAt, `0a1b2c3d-${String(minutesAgo).padStart(4, "0")}`);
      return pastInvocation(startedAt, { id, registry, endsBefore: startedAt + minute, ...facts });
    };
    const lost = { status: "outcome unknown", ran: "unknown" } as const;
    const records = [
      ...Array.from({ length: 1_000 }, (_, index) => at(index + 10, { projectSlug: "another" })),
      at(1_100, { invocationId: "s-old", projectSlug: "demo" }),
      at(5, { invocationId: "s-new" }),
      at(4, { ...lost }),
      at(3, { projectSlug: "demo" }),
      at(2, { registry: "https://another.example", projectSlug: "demo" }),
    ];
    await keepRecords(opened.store, records);
    const server = (id: string, minutesAgo: number): ServerInvocation => ({
      ...{ id, skillSlug: "csv-profile", status: "success", createdAt: now - minutesAgo * minute },
    });
    const invocations = [server("s-lost", 4), server("s-new", 5), server("s-old", 1_100)];
    const state = {
      ...{ kind: "project", registry, loadedAt: now },
      detail: { summary: { slug: "demo", name: "Demo" }, invocations },
    } as unknown as ProjectState;
    const all = await history.list();
    const own = await ownRecords(history, state);
    assert.equal(all.length, records.length);
    assert.deepEqual(compareWithState(state, own), compareWithState(state, all));
    assert.equal(compareWithState(state, own).filter((one) => one.own !== undefined).length, 4);
    assert.ok(own !== undefined && own.length <= 5, `${own?.length}`);
  });

  it("are none if no project is loaded", async () => {
    assert.deepEqual(await ownRecords(history, { kind: "loading" }), []);
  });
});
