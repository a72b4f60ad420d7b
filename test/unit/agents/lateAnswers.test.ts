import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { withStopped } from "../../../src/core/agents/agentAgreements";
import type { SkillDetail } from "../../../src/core/skill/skill";
import type { Store } from "../../../src/engine/store/store";
import { type SessionOptions, testSession, yesClient } from "../../fixtures/agentSession";
import { wantedCall } from "../../fixtures/closedGates";
import { openTestStore } from "../../fixtures/machineStore";
import { fullSkill } from "../../fixtures/skillDetail";
import { movableClock } from "../cli/movableClock";

const never = new AbortController().signal;
/** Longer than a reading of a skill stays valid, in minutes. */
const late = 6;
const elsewhere: SkillDetail = {
  ...fullSkill,
  runtime: { type: "http", entry: "https://elsewhere.example/profile" },
};
const writing: SkillDetail = {
  ...fullSkill,
  permissions: { ...fullSkill.permissions, filesystem: "write" } as never,
};

type Session = Awaited<ReturnType<typeof testSession>>;

describe("an agent's invocation after a wait that outdates its facts", () => {
  let folder: string;
  const clock = movableClock();
  const opened: Session[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "late-agents-"));
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) {
      await one.session.finish();
      one.dispose();
    }
    await rm(folder, { recursive: true, force: true });
  });
  const open = async (options: SessionOptions = {}) => {
    const one = await testSession(folder, options);
    opened.push(one);
    return one;
  };
  const invoke = async ({ session }: Session, askPerson = yesClient.askPerson) => {
    const client = { ...yesClient, askPerson };
    const { text } = await session.call("invoke_skill", wantedCall, client, never);
    return JSON.parse(text) as { readonly status: string; readonly code?: string };
  };

  /** Events during the question, and the gate that each one closes. */
  const meanwhile: Readonly<
    Record<string, readonly [code: string, happens: (one: Session) => unknown]>
  > = {
    "the skill moved to another host": ["contractChanged", ({ become }) => become(elsewhere)],
    "the skill may write files by then": ["contractChanged", ({ become }) => become(writing)],
    "the cents of the day are spent by then": [
      "spendingLimit",
      async () => {
        const other = await open({ centsPerDay: 2 });
        const wanted = { ...wantedCall, input: { csv: "other" } };
        const { text } = await other.session.call("invoke_skill", wanted, yesClient, never);
        assert.match(text, /"success"/);
      },
    ],
    "the permission level is above the limit by then": [
      "levelExceeded",
      ({ settings }) =>
        settings.change((before) => ({
          ...before,
          limits: { ...before.limits, maxPermissionLevel: "low" },
        })),
    ],
    "agents are stopped by then": [
      "agentsOff",
      ({ settings }) => settings.change((before) => withStopped(before, true)),
    ],
  };
  for (const [name, [code, happens]] of Object.entries(meanwhile)) {
    it(`is refused after a late yes if ${name}`, async () => {
      const one = await open({ agreement: { mode: "ask" }, centsPerDay: 2 });
      const refused = await invoke(one, async () => {
        await happens(one);
        clock.pass(late);
        return "yes" as const;
      });
      assert.equal(refused.code, code, JSON.stringify(refused));
      assert.deepEqual(one.sent, []);
    });
  }

  it("is sent after a late yes if a new reading finds no change", async () => {
    let reads = 0;
    const readSkill = async () => {
      reads += 1;
      return { ok: true as const, value: fullSkill };
    };
    const one = await open({
      agreement: { mode: "ask" },
      engine: { readSkill },
      parts: { readSkill },
    });
    const ran = await invoke(one, () => {
      clock.pass(late);
      return "yes";
    });
    assert.equal(ran.status, "success", JSON.stringify(ran));
    assert.deepEqual([one.sent.length, reads], [1, 2]);
  });

  it("is refused if agents are stopped while the store is busy", async () => {
    const { store } = openTestStore(folder);
    let stop: () => Promise<unknown> = async () => undefined;
    const start: Store["start"] = async (wanted) => {
      const answer = await store.start(wanted);
      await stop();
      return answer;
    };
    const one = await open({ engine: { store: { ...store, start } } });
    stop = () => one.settings.change((before) => withStopped(before, true));
    assert.equal((await invoke(one)).code, "agentsOff");
    assert.deepEqual(one.sent, []);
    stop = async () => undefined;
    await one.settings.change((before) => withStopped(before, false));
    // The refused invocation no longer counts.
    const ran = await invoke(one);
    assert.equal(JSON.stringify(ran).includes(`"left":{"calls":19,"centsToday":98}`), true);
  });

  it("is refused if a limit is lowered while the store is busy", async () => {
    const { store } = openTestStore(folder);
    let lower: () => Promise<unknown> = async () => undefined;
    const start: Store["start"] = async (wanted) => {
      const answer = await store.start(wanted);
      await lower();
      return answer;
    };
    const one = await open({ engine: { store: { ...store, start } } });
    lower = () =>
      one.settings.change((before) => ({
        ...before,
        limits: { ...before.limits, centsPerDay: 0 },
      }));
    assert.equal((await invoke(one)).code, "spendingLimit");
    assert.deepEqual(one.sent, []);
  });

  it("is decided by a new reading if the store was busy for long", async () => {
    const { store } = openTestStore(folder);
    let times = 0;
    const start: Store["start"] = (wanted) => {
      times += 1;
      if (times === 1) clock.pass(late);
      return store.start(wanted);
    };
    const one = await open({ engine: { store: { ...store, start } } });
    assert.equal((await invoke(one)).status, "success");
    assert.deepEqual([times, one.sent.length], [2, 1]);
  });
});
