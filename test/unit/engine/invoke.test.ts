import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import { agreementMs } from "../../../src/core/invocation/permission/agreement";
import {
  joinedQuestion,
  type Question,
  type Stop,
} from "../../../src/core/invocation/permission/question";
import type { SkillDetail } from "../../../src/core/skill/skill";
import type { Asker } from "../../../src/engine/asker";
import type {
  Ending,
  EngineParts,
  InvocationRequest,
  SentPayload,
} from "../../../src/engine/attempt";
import { Allowance } from "../../../src/engine/gates/skillLimiter";
import { fullSkill } from "../../fixtures/skillDetail";
import {
  agreeingAsker,
  payloadOf,
  ranOnce,
  type TestEngine,
  testEngine,
  validCheck,
  wantedOnce,
} from "../../fixtures/testEngine";
import { movableClock } from "../cli/movableClock";

const never = new AbortController().signal;
const no = () => "no" as const;
const standing = { slug: "csv-profile", drift: [], notKnown: [], broken: ["policy.json"] };
const withStatus = (verificationStatus: string): SkillDetail => ({
  ...fullSkill,
  summary: { ...fullSkill.summary, verificationStatus },
});

/** A way to close a gate, and the resulting reason why nothing is sent. In the order of the gates. */
interface ClosedGate {
  readonly stop: Stop["kind"] | `no to ${string}`;
  readonly payload?: SentPayload;
  readonly parts?: Partial<EngineParts>;
  readonly wanted?: Partial<InvocationRequest>;
  readonly asker?: Asker;
}

const gates: Readonly<Record<string, ClosedGate>> = {
  "the payload is not valid": {
    stop: "invalid",
    payload: payloadOf("{}", async () => ({ ...validCheck, state: "invalid" })),
  },
  "the payload is no JSON": {
    stop: "invalid",
    payload: payloadOf("{", async () => ({ ...validCheck, state: "unchecked" })),
  },
  "the payload could not be checked": {
    stop: "no to unchecked",
    payload: payloadOf("{}", async () => ({ ...validCheck, state: "unchecked" })),
    asker: agreeingAsker({ unchecked: no }),
  },
  "the payload has a credential": {
    stop: "no to secrets",
    payload: payloadOf(`{"key":"skh_${"0123456789abcdef".repeat(4)}"}`),
    asker: agreeingAsker({ secrets: no }),
  },
  "the payload has the key itself": {
    stop: "no to secrets",
    payload: payloadOf('{"key":"a-key-of-its-own"}'),
    parts: { findKey: async () => "a-key-of-its-own" },
    asker: agreeingAsker({ secrets: no }),
  },
  "the skill cannot be read again": {
    stop: "termsUnknown",
    parts: { readSkill: async () => ({ ok: false, failure: { kind: "timeout", seconds: 3 } }) },
  },
  "the registry has another version now": {
    stop: "otherVersion",
    parts: {
      readSkill: async () => ({
        ok: true,
        value: { ...fullSkill, summary: { ...fullSkill.summary, version: "9.0.0" } },
      }),
    },
  },
  "the skill is suspended": {
    stop: "notCallable",
    parts: { readSkill: async () => ({ ok: true, value: withStatus("suspended") }) },
  },
  "the payload does not match the current schema": {
    stop: "noLongerValid",
    parts: {
      readSkill: async () => ({ ok: true, value: { ...fullSkill, inputSchema: { type: "null" } } }),
    },
    payload: payloadOf("{}", async ({ inputSchema }) =>
      inputSchema === fullSkill.inputSchema ? validCheck : { ...validCheck, state: "invalid" },
    ),
  },
  "the project is known to block it": {
    stop: "no to notExpectedToRun",
    parts: {
      callabilityFacts: async () => ({
        hasKey: true,
        invocations: [],
        now: Date.now(),
        policy: {
          kind: "listed",
          at: Date.now(),
          listed: { installStatus: "suspended", approvalState: "approved" },
        },
      }),
    },
    asker: agreeingAsker({ notExpectedToRun: no }),
  },
  "the reviews object": {
    stop: "no to unreviewed",
    parts: { objectionTo: async () => standing },
    asker: agreeingAsker({ unreviewed: no }),
  },
  "it costs more than allowed": { stop: "price", wanted: { maxCents: 0 } },
  "nobody agrees to its terms": {
    stop: "no to terms",
    asker: agreeingAsker({ terms: no }),
  },
  "it would exceed the daily limit": {
    stop: "no to dailyLimit",
    parts: { dailyLimitCents: () => 1 },
    asker: agreeingAsker({ dailyLimit: no }),
  },
  "there is no key": { stop: "noSender", parts: { findSender: async () => undefined } },
  "another registry was chosen meanwhile": {
    stop: "registryChanged",
    parts: { stillInUse: async () => undefined },
  },
  "its values are from an environment of another registry": {
    stop: "registryChanged",
    payload: { ...payloadOf("{}"), registry: "https://other.example" },
  },
};

const whyOf = (ending: Ending) =>
  ending.kind === "sent"
    ? "sent"
    : ending.stop.kind === "declined"
      ? `no to ${ending.stop.question.kind}`
      : ending.stop.kind;

describe("an invocation", () => {
  let folder: string;
  const clock = movableClock();
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "engine-"));
  });
  const engines: TestEngine[] = [];
  afterEach(async () => {
    for (const { history } of engines.splice(0)) history.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const engineAt = (
    ...how: Parameters<typeof testEngine> extends [string, ...infer Rest] ? Rest : never
  ) => {
    const one = testEngine(folder, ...how);
    engines.push(one);
    return one;
  };

  /** Returns a new payload each time, so that none is the second click of a double click. */
  let count = 0;
  const fresh = () => {
    count += 1;
    return payloadOf(`{"n":${count}}`);
  };
  const invoke = (
    { engine }: { readonly engine: TestEngine["engine"] },
    { wanted = {}, payload = fresh(), asker = agreeingAsker() }: Partial<ClosedGate> = {},
    signal = never,
  ) => engine.invoke({ ...wantedOnce, ...wanted }, payload, asker, signal);

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

  for (const [name, gate] of Object.entries(gates)) {
    it(`ends before anything is sent if ${name}`, async () => {
      const one = engineAt(gate.parts);
      assert.equal(whyOf(await invoke(one, gate)), gate.stop);
      assert.deepEqual(one.sent, []);
      // It was not claimed, counted or recorded either.
      assert.deepEqual(await one.history.list(), []);
      const again = engineAt({ dailyLimitCents: () => 3 });
      assert.equal(whyOf(await invoke(again)), "sent");
    });
  }

  it("asks one question about all obstacles, and further ones if an answer covered only one", async () => {
    const blocked = gates["the project is known to block it"]?.parts;
    const objecting = { ...blocked, objectionTo: async () => standing };
    for (const [parts, answer, expected] of [
      [blocked, "all", []],
      [blocked, "yes", ["terms"]],
      [objecting, "all", []],
      [objecting, "yes", ["unreviewed", "terms"]],
    ] as const) {
      let said: readonly string[] = [];
      const asker = agreeingAsker({
        notExpectedToRun: (question) => {
          said = joinedQuestion(question).detail;
          return answer;
        },
      });
      const one = engineAt(parts);
      assert.equal(whyOf(await invoke(one, { asker, wanted: { asksTerms: true } })), "sent");
      assert.deepEqual(asker.asked, expected);
      assert.ok(
        said.some((line) => line.startsWith("Cost: ")),
        said.join(),
      );
    }
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

  describe("in a batch", () => {
    it("is recorded with the ID of its batch", async () => {
      const one = engineAt();
      const [first, second] = [await open(one, agreeingAsker()), await open(one, agreeingAsker())];
      for (const batch of [first, first, second]) {
        assert.equal(whyOf(await batch.invoke(fresh(), never)), "sent");
      }
      const [third, ...others] = (await one.history.list()).map(({ batch }) => batch);
      assert.match(third ?? "", /^[0-9a-f]{8}$/);
      assert.equal(new Set(others).size, 1);
      assert.notEqual(others[0], third);
    });

    const open = async (one: TestEngine, asker: Asker, count = 3) => {
      const opened = await one.engine.openBatch({ ...wantedOnce, count }, asker, never);
      if (opened.kind !== "batch") assert.fail(whyOf(opened));
      return opened;
    };

    it("reads the skill again whenever the agreement is five minutes old", async () => {
      let reads = 0;
      const one = engineAt({
        readSkill: async () => {
          reads += 1;
          return { ok: true, value: fullSkill };
        },
      });
      const asker = agreeingAsker({}, { isPerson: false });
      const batch = await open(one, asker);
      for (const [minutes, times] of [
        [0, 1],
        [4, 1],
        [2, 2],
        [4, 2],
        [2, 3],
      ] as const) {
        clock.pass(minutes);
        assert.equal(whyOf(await batch.invoke(fresh(), never)), "sent");
        assert.equal(reads, times);
      }
      assert.equal(one.sent.length, 5);
    });

    it("sends a case once if the agreement becomes five minutes old just before", async () => {
      const one = engineAt();
      let starts = 0;
      const started = () => {
        starts += 1;
        if (starts === 1) clock.pass(agreementMs / 60_000);
      };
      const batch = await open(one, agreeingAsker({}, { started }), 1);
      const { source: _, check: __, ...payload } = fresh();
      const ending = await batch.invokeCase(payload, validCheck, "a case", never);
      assert.equal(ending.kind === "sent" && ending.outcome.kind, "success");
      assert.deepEqual([starts, one.sent.length], [2, 1]);
    });

    it("asks again about the daily limit after five minutes, though it may be exceeded until then", async () => {
      const one = engineAt({ dailyLimitCents: () => 1 });
      const asker = agreeingAsker();
      const batch = await open(one, asker);
      for (const minutes of [0, 1, 5]) {
        clock.pass(minutes);
        assert.equal(whyOf(await batch.invoke(fresh(), never)), "sent");
      }
      assert.deepEqual(asker.asked, ["terms", "dailyLimit", "dailyLimit"]);
    });

    it("is never sent again once the skill has changed, even if it changes back", async () => {
      let skill = fullSkill;
      const one = engineAt({ readSkill: async () => ({ ok: true, value: skill }) });
      const batch = await open(one, agreeingAsker());
      skill = { ...fullSkill, runtime: { type: "http", entry: "https://elsewhere.example/" } };
      assert.equal(whyOf(await batch.invoke(payloadOf("1"), never)), "sent");
      clock.pass(agreementMs / 60_000);
      assert.equal(whyOf(await batch.invoke(payloadOf("2"), never)), "changed");
      skill = fullSkill;
      clock.pass(agreementMs / 60_000);
      assert.equal(whyOf(await batch.invoke(payloadOf("3"), never)), "changed");
      assert.deepEqual(one.sent, ["1"]);
    });

    it("continues after a payload that is not sent", async () => {
      const one = engineAt();
      const batch = await open(one, agreeingAsker());
      const invalid = payloadOf("{}", async () => ({ ...validCheck, state: "invalid" }));
      assert.equal(whyOf(await batch.invoke(invalid, never)), "invalid");
      assert.equal(whyOf(await batch.invoke(payloadOf("2"), never)), "sent");
    });

    it("asks about the cost of the whole batch", async () => {
      const one = engineAt({ dailyLimitCents: () => 5 });
      const opened = await one.engine.openBatch(
        { ...wantedOnce, count: 3 },
        agreeingAsker({ dailyLimit: no }),
        never,
      );
      assert.equal(opened.kind === "batch" ? "open" : whyOf(opened), "no to dailyLimit");
    });
  });
});
