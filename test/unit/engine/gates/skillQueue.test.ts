import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import type { EngineParts, InvocationRequest } from "../../../../src/engine/attempt";
import { Allowance } from "../../../../src/engine/gates/skillQueue";
import { StoreProblem } from "../../../../src/engine/store/storeProblem";
import { testSession, yesClient } from "../../../fixtures/agentSession";
import { wantedCall } from "../../../fixtures/closedGates";
import { openTestStore } from "../../../fixtures/machineStore";
import { fullSkill } from "../../../fixtures/skillDetail";
import {
  agreeingAsker,
  payloadOf,
  ranOnce,
  testEngine,
  wantedOnce,
} from "../../../fixtures/testEngine";

const never = new AbortController().signal;
const free: SkillDetail = { ...fullSkill, prices: [{ billingModel: "free" }] };
const priceCents = 2;

/**
 * Returns a registry that checks the budget before an invocation and adds its cost afterwards, like the public gateway.
 * It responds once `together` invocations run at the same time, and then after a moment in which others could arrive.
 */
function budgeted(budgetCents: number, together = 1) {
  const state = { spent: 0, atOnce: 0, most: 0 };
  let meet = () => {};
  const haveMet = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const answer = async (): Promise<InvocationOutcome> => {
    if (state.spent + priceCents > budgetCents) {
      const refused = { kind: "refused", reason: "payment", status: 402, durationMs: 1 } as const;
      return { ...refused, code: "budget_exceeded" };
    }
    state.atOnce += 1;
    state.most = Math.max(state.most, state.atOnce);
    if (state.atOnce === together) meet();
    await haveMet;
    await new Promise((resolve) => setTimeout(resolve, 5));
    state.atOnce -= 1;
    state.spent += priceCents;
    return { ...ranOnce, amountCents: priceCents, currency: "USD" } as InvocationOutcome;
  };
  return { state, answer };
}

const dollars = (cents: number) => ({ cents, currency: "USD" });

describe("parallel invocations", () => {
  let folder: string;
  const ends: (() => unknown)[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "under-way-"));
  });
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const caller = { kind: "commandLine" } as const;
  const asker = () => agreeingAsker({ terms: () => "once" }, { isPerson: false });

  async function batch(
    registry: ReturnType<typeof budgeted>,
    wanted: Partial<InvocationRequest>,
    parts: Partial<EngineParts> = {},
  ) {
    const one = testEngine(folder, parts, registry.answer);
    ends.push(() => one.history.dispose());
    const opened = await one.engine.openBatch({ ...wantedOnce, caller, ...wanted }, asker(), never);
    if (opened.kind !== "batch") assert.fail(opened.stop.kind);
    return { ...one, opened };
  }
  const ten = (opened: {
    readonly invoke: (
      payload: ReturnType<typeof payloadOf>,
      signal: AbortSignal,
    ) => Promise<unknown>;
  }) =>
    Promise.all(
      Array.from({ length: 10 }, (_, n) => opened.invoke(payloadOf(`{"n":${n}}`), never)),
    );

  it("run as many at once as the project's budget allows", async () => {
    const registry = budgeted(8, 4);
    const budget = async () => ({ project: "p", left: dollars(8 - registry.state.spent) });
    const { opened } = await batch(registry, { isNumberChosen: true }, { budget });
    await ten(opened);
    assert.deepEqual([registry.state.spent, registry.state.most], [8, 4]);
  });

  it("run one at a time in order if the budget is unknown", async () => {
    const registry = budgeted(7);
    const { opened, sent } = await batch(registry, {});
    await ten(opened);
    assert.deepEqual([registry.state.spent, registry.state.most], [6, 1]);
    assert.deepEqual(
      sent,
      Array.from({ length: 10 }, (_, n) => `{"n":${n}}`),
    );
  });

  it("run as many at once as a person chose if the budget is unknown", async () => {
    const registry = budgeted(1000, 10);
    const { opened } = await batch(registry, { isNumberChosen: true });
    await ten(opened);
    assert.equal(registry.state.most, 10);
  });

  it("start with one if they have a limit, and stay below it although they are listed as free", async () => {
    const registry = budgeted(1000);
    const parts = { readSkill: async () => ({ ok: true as const, value: free }) };
    const wanted = { skill: free, allowance: new Allowance(5) };
    const { opened, sent } = await batch(registry, wanted, parts);
    const endings = await ten(opened);
    assert.deepEqual([registry.state.spent, sent.length], [4, 2]);
    assert.match(JSON.stringify(endings), /"kind":"price","isKnown":true/);
  });

  it("exceed every limit in a second currency", () => {
    const allowance = new Allowance(100);
    const usd = { cents: 1, currency: "usd" };
    assert.ok(allowance.add(usd) && allowance.add({ cents: 1, currency: "USD" }));
    assert.ok(!allowance.add({ cents: 1, currency: "jpy" }));
    assert.ok(!allowance.add({ cents: 1, currency: "" }));
    assert.ok(allowance.add({ cents: 0, currency: "jpy" }));
    // The response shows another currency than the price.
    allowance.correct(usd, { cents: 1, currency: "eur" });
    assert.ok(!allowance.add(usd));
  });

  it("share a limit over the skills of one command", async () => {
    const registry = budgeted(1000);
    const allowance = new Allowance(6);
    const two = [await batch(registry, { allowance }), await batch(registry, { allowance })];
    await Promise.all(two.map(({ opened }) => ten(opened)));
    assert.equal(registry.state.spent, 6);
  });

  it("start with one until a billed price is known, which a rejection does not show", async () => {
    const registry = budgeted(1000);
    const besideEach: number[] = [];
    const answer = async (): Promise<InvocationOutcome> => {
      if (besideEach.push(registry.state.atOnce) === 1) {
        return { kind: "refused", reason: "payment", status: 402, durationMs: 1 };
      }
      const answered = await registry.answer();
      if (besideEach.length === 2) assert.equal(registry.state.most, 1);
      return answered;
    };
    const { opened } = await batch({ ...registry, answer }, { allowance: new Allowance(1000) });
    await ten(opened);
    assert.deepEqual(besideEach.slice(0, 3), [0, 0, 0]);
    assert.ok(registry.state.most > 1);
  });

  it("run one at a time, or as chosen without a known budget, while the store fails", async () => {
    const start = () => Promise.reject(new StoreProblem("unusable", "The disk is full."));
    const store = { ...openTestStore(folder).store, start };
    const budget = async () => ({ project: "p", left: dollars(1000) });
    const most = async (wanted: Partial<InvocationRequest>, parts: Partial<EngineParts> = {}) => {
      const registry = budgeted(1000);
      const { opened } = await batch(registry, wanted, { store, ...parts });
      await ten(opened);
      assert.equal(registry.state.spent, 20);
      return registry.state.most;
    };
    assert.equal(await most({}), 1);
    assert.equal(await most({ isNumberChosen: true }, { budget }), 1);
    assert.ok((await most({ isNumberChosen: true })) > 1);
  });

  it("let the next one start if they are canceled before sending", async () => {
    const registry = budgeted(1000);
    const { opened, sent } = await batch(registry, {});
    const cancel = new AbortController();
    const first = opened.invoke(payloadOf("1"), never);
    const second = opened.invoke(payloadOf("2"), cancel.signal);
    const third = opened.invoke(payloadOf("3"), never);
    cancel.abort();
    await Promise.all([first, second, third]);
    assert.deepEqual(sent, ["1", "3"]);
  });

  it("let the next one start after an unexpected failure", async () => {
    let times = 0;
    const stillInUse = async () => {
      times += 1;
      if (times === 1) throw new Error("Nobody expected this.");
      return undefined;
    };
    const { opened } = await batch(budgeted(1000), {}, { stillInUse });
    await assert.rejects(opened.invoke(payloadOf("1"), never), /Nobody expected/);
    const next = await opened.invoke(payloadOf("2"), never);
    assert.equal(next.kind === "stopped" && next.stop.kind, "registryChanged");
  });

  it("of an agent that calls ten times at once stay within the budget", async () => {
    const registry = budgeted(7);
    const one = await testSession(folder, { answer: registry.answer });
    ends.push(async () => {
      await one.session.finish();
      one.dispose();
    });
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        one.session.call(
          "invoke_skill",
          { ...wantedCall, input: { csv: `${n}` } },
          yesClient,
          never,
        ),
      ),
    );
    assert.deepEqual([registry.state.spent, registry.state.most], [6, 1]);
  });
});
