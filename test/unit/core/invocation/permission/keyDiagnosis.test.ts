import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../../src/core/invocation/invocation";
import {
  answerAboutKey,
  type KeyFacts,
  keyDiagnosis,
} from "../../../../../src/core/invocation/permission/keyDiagnosis";
import { english, l10nText } from "../../../../../src/core/text/language";

const about = { origin: "https://registry.example.com", elsewhere: [], lastAnswer: undefined };
const stored = { kind: "key", keeping: "secretStorage" } as const;
const ofWindow = { kind: "key", keeping: "sessionOnly" } as const;

describe("the check of the Project Key", () => {
  const cases: readonly (readonly [
    name: string,
    facts: Partial<KeyFacts> & Pick<KeyFacts, "found">,
    says: RegExp,
    firstStep: string | undefined,
  ])[] = [
    [
      "no key",
      { found: { kind: "none" } },
      /There is no Project Key.*first invocation/,
      "setProjectKey",
    ],
    [
      "a key that belongs elsewhere",
      { found: { kind: "none" }, elsewhere: ["https://other.example"] },
      /The keys stored for https:\/\/other\.example are not sent here/,
      "setProjectKey",
    ],
    [
      "a key of the wrong kind",
      { found: { kind: "wrongKind", problem: l10nText("This is a user token.") } },
      /is not a valid Project Key\. This is a user token\./,
      "setProjectKey",
    ],
    [
      "no keyring",
      { found: { kind: "storageFails" } },
      /until this window closes/,
      "setProjectKey",
    ],
    [
      "a key for the session alone",
      { found: ofWindow },
      /kept until this window closes/,
      "setProjectKey",
    ],
    [
      "a key that was kept and not used yet",
      { found: stored },
      /next invocation shows whether/,
      "setProjectKey",
    ],
    [
      "a key that was kept and accepted",
      { found: stored, lastAnswer: "accepted" },
      /^The Project Key for \S+ worked when it was last used\. It is kept in the editor's/,
      "setProjectKey",
    ],
    [
      "a key that was kept and refused",
      { found: stored, lastAnswer: "refused" },
      /^The Project Key did not work when it was last used: \S+ rejected it\. It may be revoked/,
      "setProjectKey",
    ],
    [
      "a key that is refused now",
      { found: stored, lastAnswer: "accepted", reading: { kind: "refused" } },
      /^The Project Key does not work: \S+ does not accept it\. It may be revoked/,
      "setProjectKey",
    ],
    [
      "a registry that does not answer",
      {
        found: stored,
        lastAnswer: "accepted",
        reading: { kind: "failed", failure: { kind: "timeout", seconds: 3 } },
      },
      /^The Project Key for \S+ could not be checked\. The registry did not respond within 3 s/,
      "openSettings",
    ],
    [
      "a key that is accepted now",
      {
        found: stored,
        lastAnswer: "refused",
        reading: { kind: "accepted", skills: 2, listed: [], complete: true },
      },
      /^The Project Key works: \S+ accepts it and lists 2 skills for it, of which a policy may/,
      "setProjectKey",
    ],
    [
      "a key that was set for the built-in registry",
      { origin: undefined, found: ofWindow },
      /until this window closes, like the registry itself/,
      "setProjectKey",
    ],
    [
      "the built-in registry's own key",
      { origin: undefined, found: { kind: "key", keeping: "builtIn" } },
      /The built-in registry made it for this window/,
      undefined,
    ],
  ];
  for (const [name, facts, says, firstStep] of cases) {
    it(`reports ${name}`, () => {
      const notice = keyDiagnosis({ ...about, ...facts }, english);
      assert.match(notice.message, says);
      assert.equal(notice.actions[0]?.action, firstStep);
    });
  }
});

describe("what an outcome says about the key", () => {
  const refused = (reason: "unauthorized" | "policy" | "rateLimit"): InvocationOutcome => ({
    kind: "refused",
    reason,
    status: 403,
    durationMs: 1,
  });
  const cases: readonly (readonly [InvocationOutcome, string | undefined])[] = [
    [{ kind: "success", durationMs: 1, acceptedNotRun: false, outputText: "1" }, "accepted"],
    [refused("policy"), "accepted"],
    [refused("unauthorized"), "refused"],
    [refused("rateLimit"), undefined],
    [{ kind: "notSent", failure: { kind: "cancelled" } }, undefined],
  ];
  for (const [outcome, expected] of cases) {
    const name = outcome.kind === "refused" ? outcome.reason : outcome.kind;
    it(`is ${expected ?? "nothing"} after ${name}`, () => {
      assert.equal(answerAboutKey(outcome), expected);
    });
  }
});
