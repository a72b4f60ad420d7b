import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { Question } from "../../../src/core/invocation/permission/question";
import type { SkillDetail } from "../../../src/core/skill/skill";
import type { Ending, EngineParts, SentPayload } from "../../../src/engine/attempt";
import type { Store } from "../../../src/engine/store/store";
import { openTestStore, startSame } from "../../fixtures/machineStore";
import { fullSkill } from "../../fixtures/skillDetail";
import {
  agreeingAsker,
  payloadOf,
  type TestEngine,
  testEngine,
  validCheck,
  wantedOnce,
} from "../../fixtures/testEngine";
import { movableClock } from "../cli/movableClock";

const never = new AbortController().signal;
const dearPrice = 9900;
const dear: SkillDetail = {
  ...fullSkill,
  prices: (fullSkill.prices ?? []).map((price) => ({ ...price, unitAmountCents: dearPrice })),
};
/** Longer than an answer stays valid, in minutes. */
const late = 6;

/** The situation in which the engine asks a question. */
interface Asked {
  readonly payload?: SentPayload;
  readonly parts?: (folder: string) => Partial<EngineParts>;
  /** Runs before. Returns a function that runs when the question is answered. */
  readonly first?: (folder: string) => Promise<() => void>;
}

const unchecked = payloadOf("{}", async () => ({ ...validCheck, state: "unchecked" }));
const questions: Readonly<Record<string, Asked & { readonly kind: Question["kind"] }>> = {
  "whether to send an unchecked payload": { kind: "unchecked", payload: unchecked },
  "whether to send a credential": {
    kind: "secrets",
    payload: payloadOf(`{"key":"skh_${"0123456789abcdef".repeat(4)}"}`),
  },
  "whether to send what is not expected to run": {
    kind: "notExpectedToRun",
    parts: () => ({
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
    }),
  },
  "about the reviews": {
    kind: "unreviewed",
    parts: () => ({
      objectionTo: async () => ({
        slug: "csv-profile",
        drift: [],
        notKnown: [],
        broken: ["policy.json"],
      }),
    }),
  },
  "about the terms": { kind: "terms" },
  "about the daily limit before it is claimed": {
    kind: "dailyLimit",
    parts: () => ({ dailyLimitCents: () => 1 }),
  },
  "about the daily limit once it is claimed": {
    kind: "dailyLimit",
    parts: () => {
      let times = 0;
      return { dailyLimitCents: () => (times++ === 0 ? 0 : 1) };
    },
  },
  "whether to wait for the rate limit": {
    kind: "rateLimit",
    parts: (folder) => {
      const { store } = openTestStore(folder);
      let times = 0;
      const start: Store["start"] = async (wanted) =>
        times++ === 0 ? { kind: "rateLimited", waitMs: 1 } : store.start(wanted);
      return { store: { ...store, start } };
    },
  },
  "whether to send the same payload twice": {
    kind: "inProgress",
    first: async (folder) => {
      const { slug: skillSlug, version } = fullSkill.summary;
      const registry = wantedOnce.registry.baseUrl;
      const { store } = openTestStore(folder);
      await startSame(store, { registry, skillSlug, version, inputText: "{}" }, 3_600_000);
      return () => undefined;
    },
  },
};

/** The waits of the engine other than questions, each of which `pass` makes long. */
const waits: Readonly<Record<string, (pass: () => void, folder: string) => Partial<EngineParts>>> =
  {
    "the registry that is in use": (pass) => ({
      stillInUse: async (registry) => {
        pass();
        return registry;
      },
    }),
    "other programs at the store": (pass, folder) => {
      const { store } = openTestStore(folder);
      const start: Store["start"] = (wanted) => {
        pass();
        return store.start(wanted);
      };
      return { store: { ...store, start } };
    },
    "the disk of the store": (pass, folder) => {
      const { store } = openTestStore(folder);
      const start: Store["start"] = async (wanted) => {
        const answer = await store.start(wanted);
        pass();
        return answer;
      };
      return { store: { ...store, start } };
    },
    "a sender": (pass) => ({
      findSender: async () => {
        pass();
        return {
          sender: { kind: "projectKey", key: "skh_0123456789abcdef" },
          scope: { registry: wantedOnce.registry.baseUrl, project: "p", skillSlug: "csv-profile" },
          noteOutcome: () => undefined,
        };
      },
    }),
  };

const whyOf = (ending: Ending) =>
  ending.kind === "sent"
    ? ending.outcome.kind
    : ending.stop.kind === "declined"
      ? `no to ${ending.stop.question.kind}`
      : ending.stop.kind;

describe("an invocation after a wait that outdates its facts", () => {
  let folder: string;
  const clock = movableClock();
  const engines: TestEngine[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "late-"));
  });
  afterEach(async () => {
    for (const { history } of engines.splice(0)) history.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  /** Returns an engine whose registry raises the price as time passes. */
  const engineAt = (parts: (pass: () => void) => Partial<EngineParts>) => {
    let skill = fullSkill;
    let isOver = false;
    const pass = () => {
      if (isOver) return;
      isOver = true;
      skill = dear;
      clock.pass(late);
    };
    const readSkill = async () => ({ ok: true as const, value: skill });
    const one = testEngine(folder, { readSkill, ...parts(pass) });
    engines.push(one);
    return { ...one, pass };
  };
  /** Agrees only to the price that was read first. */
  const terms: ReturnType<typeof agreeingAsker>["answers"]["terms"] = ({ terms: { prices } }) =>
    JSON.stringify(prices).includes(String(dearPrice)) ? "no" : "once";

  for (const [name, { kind, payload = payloadOf("{}"), parts, first }] of Object.entries(
    questions,
  )) {
    it(`asks about the current price if the question ${name} was answered late`, async () => {
      const one = engineAt(() => parts?.(folder) ?? {});
      await first?.(folder);
      let times = 0;
      const answer = (yes: "yes" | "later") => () => {
        times += 1;
        one.pass();
        return yes;
      };
      const asker = agreeingAsker({
        terms,
        [kind]: answer(kind === "rateLimit" ? "later" : "yes"),
        ...(kind === "terms" && {
          terms: (question: Parameters<typeof terms>[0]) => {
            const agreed = terms(question);
            answer("yes")();
            return agreed;
          },
        }),
      });
      const wanted = { ...wantedOnce, readAt: performance.now() };
      const ending = await one.engine.invoke(wanted, payload, asker, never);
      assert.equal(whyOf(ending), "no to terms");
      assert.ok(times > 0, "It was not asked.");
      assert.deepEqual(one.sent, []);
      assert.deepEqual(await one.history.list(), []);
    });
  }

  for (const [name, partsOf] of Object.entries(waits)) {
    it(`asks about the current price after a long wait for ${name}`, async () => {
      const one = engineAt((pass) => partsOf(pass, folder));
      const wanted = { ...wantedOnce, readAt: performance.now() };
      const ending = await one.engine.invoke(
        wanted,
        payloadOf("{}"),
        agreeingAsker({ terms }),
        never,
      );
      assert.equal(whyOf(ending), "no to terms");
      assert.deepEqual(one.sent, []);
    });
  }

  it("keeps to the current rate, for all of a batch, after a late answer", async () => {
    const one = engineAt(() => ({}));
    let rate = 100;
    const late = agreeingAsker({
      terms: () => {
        one.pass();
        rate = 1;
        return "once";
      },
    });
    const wanted = { ...wantedOnce, readAt: performance.now(), perMinute: async () => rate };
    const batch = await one.engine.openBatch(wanted, late, never);
    if (batch.kind === "stopped") assert.fail(whyOf(batch));
    const asker = agreeingAsker({ rateLimit: () => "no" });
    const invoke = async (text: string) => whyOf(await batch.invoke(payloadOf(text), never, asker));
    assert.deepEqual([await invoke("1"), await invoke("2")], ["success", "no to rateLimit"]);
    assert.deepEqual(one.sent, ["1"]);
  });

  it("is asked about again if the Project Key was changed during a question", async () => {
    let key: string | undefined = "skh_of_one_project_0123";
    const used: string[] = [];
    const scope = { registry: wantedOnce.registry.baseUrl, project: "p", skillSlug: "csv-profile" };
    const one = engineAt(() => ({
      findKey: async () => key,
      findSender: async () => {
        used.push(key ?? "");
        const sender = { kind: "projectKey", key: key ?? "" } as const;
        return key === undefined ? undefined : { sender, scope, noteOutcome: () => undefined };
      },
      dailyLimitCents: (() => {
        let times = 0;
        return () => (times++ === 0 ? 0 : 1);
      })(),
    }));
    const change = (next: string | undefined) =>
      agreeingAsker({
        terms: () => "once",
        dailyLimit: () => {
          key = next;
          return "yes";
        },
      });
    const invoke = (asker: ReturnType<typeof agreeingAsker>, text: string) =>
      one.engine.invoke(wantedOnce, payloadOf(text), asker, never);
    assert.equal(whyOf(await invoke(change("skh_of_another_project"), "1")), "success");
    assert.deepEqual(used, ["skh_of_one_project_0123", "skh_of_another_project"]);
    assert.equal(whyOf(await invoke(change(undefined), "2")), "noSender");
    assert.deepEqual(one.sent, ["1"]);
  });

  it("is asked about again if the user of a test run signed out during a question", async () => {
    let isSignedIn = true;
    let found = 0;
    const scope = { registry: wantedOnce.registry.baseUrl, project: "p", skillSlug: "csv-profile" };
    const sender = { kind: "projectKey", key: "skh_of_one_project_0123" } as const;
    const one = engineAt(() => ({
      findSender: async () => {
        found += 1;
        return found === 1
          ? { sender, scope, isSignedIn: async () => isSignedIn, noteOutcome: () => undefined }
          : undefined;
      },
    }));
    const asker = agreeingAsker({
      terms: () => {
        isSignedIn = false;
        return "once";
      },
    });
    assert.equal(
      whyOf(await one.engine.invoke(wantedOnce, payloadOf("{}"), asker, never)),
      "noSender",
    );
    assert.deepEqual([found, one.sent], [2, []]);
  });

  it("releases its claim and reservations before asking again", async () => {
    const one = engineAt((pass) => {
      const waiting = waits["the disk of the store"];
      return { ...waiting?.(pass, folder), dailyLimitCents: () => dearPrice + 1 };
    });
    const wanted = { ...wantedOnce, readAt: performance.now() };
    await one.engine.invoke(wanted, payloadOf("{}"), agreeingAsker({ terms }), never);
    // If the first one's price were still reserved, this would exceed the limit; if its claim were, it would be in
    // progress.
    const asker = agreeingAsker();
    assert.equal(
      whyOf(await one.engine.invoke(wantedOnce, payloadOf("{}"), asker, never)),
      "success",
    );
    assert.deepEqual(asker.asked, ["terms"]);
  });

  it("is not sent if the record's start was written too slowly", async () => {
    const one = engineAt(() => ({}));
    const asker = agreeingAsker({}, { started: () => one.pass() });
    const ending = await one.engine.invoke(wantedOnce, payloadOf("{}"), asker, never);
    assert.equal(whyOf(ending), "notSent");
    assert.deepEqual(one.sent, []);
  });

  it("is not sent if it was canceled while the store was busy", async () => {
    const cancel = new AbortController();
    const one = engineAt(
      () => waits["other programs at the store"]?.(() => cancel.abort(), folder) ?? {},
    );
    const wanted = { ...wantedOnce, isWaitedFor: true };
    const ending = await one.engine.invoke(wanted, payloadOf("{}"), agreeingAsker(), cancel.signal);
    assert.equal(whyOf(ending), "canceled");
    assert.deepEqual(one.sent, []);
    // It does not delay an equal payload either.
    const again = engineAt(() => ({}));
    const sent = await again.engine.invoke(wantedOnce, payloadOf("{}"), agreeingAsker(), never);
    assert.equal(whyOf(sent), "success");
  });
});
