import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { joinedQuestion } from "../../../../src/core/invocation/permission/question";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { fullSkill } from "../../../fixtures/skillDetail";
import { agreeingAsker, payloadOf, validCheck } from "../../../fixtures/testEngine";
import { type ClosedGate, useEngines, whyOf } from "../useEngines";

const no = () => "no" as const;

const standing = { slug: "csv-profile", drift: [], notKnown: [], broken: ["policy.json"] };

const withStatus = (verificationStatus: string): SkillDetail => ({
  ...fullSkill,
  summary: { ...fullSkill.summary, verificationStatus },
});

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

describe("an invocation", () => {
  const { engineAt, invoke } = useEngines();

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
        said.some((line) => line.startsWith("Price: ")),
        said.join(),
      );
    }
  });
});
