import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Question } from "../../../src/core/invocation/permission/question";
import type { Asker } from "../../../src/engine/asker";
import type { EngineParts } from "../../../src/engine/attempt";
import { Allowance } from "../../../src/engine/gates/skillQueue";
import { fullSkill } from "../../fixtures/skillDetail";
import { agreeingAsker, payloadOf, ranOnce, wantedOnce } from "../../fixtures/testEngine";
import { never, useEngines, whyOf } from "./useEngines";

const no = () => "no" as const;

describe("an invocation", () => {
  const { clock, engineAt, invoke } = useEngines();

  it("asks about permissions, is sent once, and records its caller", async () => {
    const one = engineAt();
    const asker = agreeingAsker();
    const ending = await invoke(one, { asker, payload: payloadOf("{}") });
    assert.equal(whyOf(ending), "sent");
    assert.deepEqual([asker.asked, one.sent], [["terms"], ["{}"]]);
    const [record, ...others] = await one.history.list();
    assert.deepEqual([record?.status, record?.caller, others], ["success", { kind: "person" }, []]);
  });

  it("is canceled at once while a busy store keeps what was agreed to", async () => {
    const cancel = new AbortController();
    const agree = () => {
      cancel.abort();
      return new Promise<never>(() => undefined);
    };
    const one = engineAt({ store: Object.assign(Object.create(engineAt().store), { agree }) });
    assert.equal(whyOf(await invoke(one, {}, cancel.signal)), "canceled");
    assert.deepEqual(one.sent, []);
  });

  it("records its expected cost and the editor's profile", async () => {
    const one = engineAt();
    assert.equal(whyOf(await invoke(one)), "sent");
    assert.equal(whyOf(await invoke(one, { wanted: { isTestRun: true } })), "sent");
    const facts = (await one.history.list()).map((record) => [
      ...[record.ran, record.expectedCents, record.expectedCurrency],
      ...[record.profile, record.batch],
    ]);
    assert.deepEqual(facts, [
      ["yes", undefined, undefined, "Test Editor", undefined],
      ["yes", 2, "USD", "Test Editor", undefined],
    ]);
  });

  it("frees its claim and its part of the rate limit after an unexpected failure before sending", async () => {
    const { engine, sent, history } = engineAt();
    const failing = agreeingAsker(
      {},
      {
        waiting: (step) => {
          if (step === "claim") throw new Error("Nobody expected this.");
        },
      },
    );
    const wanted = { ...wantedOnce, perMinute: async () => 1 };
    const invoke = (asker: Asker) => engine.invoke(wanted, payloadOf("{}"), asker, never);
    await assert.rejects(invoke(failing), /Nobody expected/);
    assert.deepEqual(await history.list(), []);
    assert.equal((await invoke(agreeingAsker())).kind, "sent");
    assert.equal(sent.length, 1);
  });

  it("is recorded and counted with its end if a handler fails unexpectedly", async () => {
    const { engine, history } = engineAt();
    const failing = agreeingAsker(
      {},
      {
        ended: () => {
          throw new Error("Nobody expected this.");
        },
      },
    );
    const allowance = new Allowance(3);
    const wanted = { ...wantedOnce, caller: { kind: "test" } as const, allowance };
    await assert.rejects(engine.invoke(wanted, payloadOf("1"), failing, never), /Nobody expected/);
    await assert.rejects(engine.invoke(wantedOnce, payloadOf("2"), failing, never), /Nobody/);
    // The limit does not know its billed amount, so the next one might exceed the limit.
    const next = await engine.invoke(wanted, payloadOf("3"), agreeingAsker(), never);
    assert.equal(next.kind === "stopped" && next.stop.kind, "price");
    const statuses = (await history.list()).map(({ status }) => status);
    assert.deepEqual(statuses, ["success", "success"]);
  });

  it("records neither the key nor a secret of an environment typed into its payload", async () => {
    const key = "skh_0123456789abcdef";
    const secret = "mail-token-0123456789";
    const { engine, store } = engineAt({
      keeping: { mayKeep: () => true, ask: async () => true },
    });
    const text = JSON.stringify({ to: "{{customer}}", key, secret });
    const resolved = text.replace("{{customer}}", "c-17");
    const written = { text, secrets: [secret], replaced: [], shown: "" };
    const ending = await engine.invoke(
      wantedOnce,
      { ...payloadOf(resolved), written },
      agreeingAsker(),
      never,
    );
    if (ending.kind !== "sent") assert.fail("It was not sent.");
    const kept = await store.texts(ending.record.id);
    assert.equal(
      kept?.inputText,
      '{"to":"{{customer}}","key":"[Project Key]","secret":"[Secret]"}',
    );
  });

  it("ends at any endless step after a cancellation", async () => {
    const forEver = () => new Promise<never>(() => undefined);
    const slow: readonly Partial<EngineParts>[] = [
      { findKey: forEver },
      { readSkill: forEver },
      { callabilityFacts: forEver },
      { objectionTo: forEver },
    ];
    for (const parts of slow) {
      const cancel = new AbortController();
      const one = engineAt(parts);
      const ending = invoke(one, {}, cancel.signal);
      setTimeout(() => cancel.abort(), 20);
      assert.equal(whyOf(await ending), "canceled");
      assert.deepEqual(one.sent, []);
    }
  });

  it("asks again about the current terms if the answers took more than five minutes", async () => {
    const reads: number[] = [];
    const one = engineAt({
      readSkill: async () => {
        reads.push(performance.now());
        return { ok: true, value: fullSkill };
      },
    });
    let asked = 0;
    const terms = () => {
      asked += 1;
      if (asked === 1) clock.pass(6);
      return "yes" as const;
    };
    await invoke(one, { asker: agreeingAsker({ terms }, { isPerson: false }) });
    assert.deepEqual([asked, reads.length, one.sent.length], [2, 2, 1]);
  });

  it("does not read a skill again that was just read", async () => {
    const readSkill = () => assert.fail("It was read for this.");
    const one = engineAt({ readSkill });
    const ending = await invoke(one, { wanted: { readAt: performance.now() } });
    assert.equal(whyOf(ending), "sent");
  });

  it("asks a person once about the same terms, and a script each time", async () => {
    await invoke(engineAt());
    const [person, script] = [agreeingAsker(), agreeingAsker({}, { isPerson: false })];
    await invoke(engineAt(), { asker: person });
    await invoke(engineAt(), { asker: script });
    assert.deepEqual([person.asked, script.asked], [[], ["terms"]]);
  });

  it("asks a person again once the price has risen, but not for a test run, which is free", async () => {
    await invoke(engineAt());
    const prices = (fullSkill.prices ?? []).map((price) => ({ ...price, unitAmountCents: 9 }));
    const readSkill = async () => ({ ok: true as const, value: { ...fullSkill, prices } });
    const [testRun, invocation] = [agreeingAsker(), agreeingAsker()];
    await invoke(engineAt({ readSkill }), { asker: testRun, wanted: { isTestRun: true } });
    await invoke(engineAt({ readSkill }), { asker: invocation });
    assert.deepEqual([testRun.asked, invocation.asked], [[], ["terms"]]);
  });

  it("asks a person again for the key of another organization's project, with its name", async () => {
    let project: { text: string; id?: string } | undefined;
    const asked: string[] = [];
    const invokeFor = async (next: typeof project) => {
      project = next;
      const terms = (question: Extract<Question, { kind: "terms" }>) => {
        asked.push(question.text.detail.at(-1) ?? "");
        return "yes" as const;
      };
      await invoke(engineAt({ keyProject: async () => project }), {
        asker: agreeingAsker({ terms }),
      });
      return asked.length;
    };
    const [shop, other] = [
      { text: "Shop (Acme)", id: "acme/shop" },
      { text: "Shop (Rival)", id: "rival/shop" },
    ];
    assert.equal(await invokeFor(shop), 1);
    assert.equal(await invokeFor(shop), 1);
    // A project without an ID is unknown yet, so it is not another one.
    assert.equal(await invokeFor({ text: "shop" }), 1);
    assert.equal(await invokeFor(other), 2);
    assert.match(asked[0] ?? "", /with the Project Key of Shop \(Acme\)\.$/);
    assert.match(asked[1] ?? "", /with the Project Key of Shop \(Rival\)\.$/);
  });

  it("stores no agreement that an option gave", async () => {
    await invoke(engineAt(), { asker: agreeingAsker({ terms: () => "once" }) });
    const person = agreeingAsker();
    await invoke(engineAt(), { asker: person });
    assert.deepEqual(person.asked, ["terms"]);
  });

  describe("beside another program on the machine", () => {
    /** Returns an answer that waits until it is released. */
    const held = () => {
      let answer = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { answer, answered };
    };

    it("is sent once with the same payload, and reports that it is being sent", async () => {
      const { answer, answered } = held();
      const first = engineAt({}, () => answered.then(() => ranOnce));
      let started = () => {};
      const isStarted = new Promise<void>((resolve) => {
        started = resolve;
      });
      const payload = payloadOf("{}");
      const running = invoke(first, { payload, asker: agreeingAsker({}, { started }) });
      await isStarted;
      const second = engineAt();
      assert.equal(whyOf(await invoke(second, { payload })), "no to inProgress");
      assert.deepEqual(second.sent, []);
      const twice = engineAt();
      assert.equal(
        whyOf(await invoke(twice, { payload, wanted: { allowsDuplicate: true } })),
        "sent",
      );
      answer();
      await running;
    });

    it("waits for the same payload if requested", async () => {
      const { answer, answered } = held();
      const first = engineAt({}, () => answered.then(() => ranOnce));
      let started = () => {};
      const isStarted = new Promise<void>((resolve) => {
        started = resolve;
      });
      const caller = { kind: "commandLine" } as const;
      const payload = payloadOf("{}");
      const running = invoke(first, {
        payload,
        wanted: { caller },
        asker: agreeingAsker({}, { started }),
      });
      await isStarted;
      const inProgress = () => {
        setTimeout(answer, 10);
        return "later" as const;
      };
      const second = engineAt();
      const ending = await invoke(second, { payload, asker: agreeingAsker({ inProgress }) });
      assert.equal(whyOf(ending), "sent");
      await running;
    });

    it("stays under one daily limit, however many start at once", async () => {
      const programs = Array.from({ length: 6 }, () =>
        // Each costs $0.02, so four fit below $0.09.
        engineAt({ dailyLimitCents: () => 9 }, async () => ({
          ...ranOnce,
          amountCents: 2,
          currency: "USD",
        })),
      );
      const asker = agreeingAsker({ dailyLimit: no });
      const endings = await Promise.all(
        programs.map((one, index) => invoke(one, { payload: payloadOf(`${index}`), asker })),
      );
      const sent = endings.filter(({ kind }) => kind === "sent");
      assert.equal(sent.length, 4);
      assert.equal(programs.flatMap((one) => one.sent).length, 4);
    });
  });
});
