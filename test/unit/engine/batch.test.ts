import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { describe, it } from "mocha";
import { agreementMs } from "../../../src/core/invocation/permission/agreement";
import type { DailyLimit } from "../../../src/core/invocation/spending";
import type { Asker } from "../../../src/engine/asker";
import type { Store } from "../../../src/engine/store/store";
import { fullSkill } from "../../fixtures/skillDetail";
import {
  agreeingAsker,
  payloadOf,
  type TestEngine,
  validCheck,
  wantedOnce,
} from "../../fixtures/testEngine";
import { never, useEngines, whyOf } from "./useEngines";

const no = () => "no" as const;
const senderOf = (key: string) => ({
  sender: { kind: "projectKey" as const, key },
  scope: { registry: "https://registry.example", project: "p", skillSlug: "csv-profile" },
  noteOutcome: () => undefined,
});

describe("an invocation", () => {
  const { clock, engineAt, fresh } = useEngines();

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

    const met = { dailyLimit: 1, uncounted: "unknown" } as const;
    for (const [kind, answer] of [
      ["dailyLimit", "yes"],
      ["dailyLimit", "no"],
      ["uncounted", "yes"],
      ["uncounted", "no"],
    ] as const) {
      it(`asks once if eight cases meet the question ${kind} together, and takes a ${answer} for all`, async () => {
        let limit: DailyLimit = 0;
        let questions = 0;
        const one = engineAt({ dailyLimitCents: () => limit });
        const asker = agreeingAsker({
          [kind]: async () => {
            questions += 1;
            await setImmediate();
            return answer;
          },
        });
        const batch = await open(one, asker, 9);
        limit = met[kind];
        const payloads = Array.from({ length: 8 }, (_, index) => payloadOf(String(index)));
        const ends = await Promise.all(payloads.map((payload) => batch.invoke(payload, never)));
        const end = answer === "yes" ? "sent" : `no to ${kind}`;
        assert.deepEqual(new Set(ends.map(whyOf)), new Set([end]));
        assert.equal(whyOf(await batch.invoke(payloadOf("9"), never)), end);
        assert.equal(questions, 1);
      });
    }

    it("asks once after the key changed while two invocations were in their claims", async () => {
      const { store } = engineAt();
      const held: (() => void)[] = [];
      const start: Store["start"] = async (wanted) => {
        const answer = await store.start(wanted);
        if (held.length < 2) await new Promise<void>((release) => held.push(release));
        return answer;
      };
      let [key, senders] = ["old", 0];
      const one = engineAt({
        store: { ...store, start },
        findKey: async () => key,
        findSender: async () => {
          senders += 1;
          return senderOf(key);
        },
      });
      const batch = await open(one, agreeingAsker(), 2);
      const [first, second] = ["1", "2"].map((text) => batch.invoke(payloadOf(text), never));
      while (held.length < 2) await setImmediate();
      key = "new";
      held[0]?.();
      assert.ok(first && second);
      assert.equal(whyOf(await first), "sent");
      held[1]?.();
      assert.equal(whyOf(await second), "sent");
      assert.equal(senders, 2);
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
