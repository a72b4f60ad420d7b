import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  type KeyFacts,
  keyDiagnosis,
} from "../../../../../src/core/invocation/permission/keyDiagnosis";
import { english, l10nText } from "../../../../../src/core/text/language";

const about = { origin: "https://registry.example.com", elsewhere: [] };

describe("the check of the Project Key", () => {
  const cases: readonly (readonly [
    name: string,
    facts: Partial<KeyFacts> & Pick<KeyFacts, "state">,
    says: RegExp,
    firstStep: string | undefined,
  ])[] = [
    ["none", { state: "none" }, /There is no Project Key.*first invocation/, "setProjectKey"],
    [
      "one that belongs elsewhere",
      { state: "none", elsewhere: ["https://other.example"] },
      /The keys stored for https:\/\/other\.example are not sent here/,
      "setProjectKey",
    ],
    [
      "the wrong kind",
      { state: "wrongKind", problem: l10nText("This is a user token.") },
      /is not a valid Project Key\. This is a user token\./,
      "setProjectKey",
    ],
    ["no keyring", { state: "storageFails" }, /until this window closes/, "setProjectKey"],
    ["session only", { state: "sessionOnly" }, /kept until this window closes/, "setProjectKey"],
    ["kept, not used yet", { state: "stored" }, /next invocation shows whether/, "setProjectKey"],
    [
      "kept and accepted",
      { state: "stored", lastAnswer: "accepted" },
      /^The Project Key for \S+ worked when it was last used\. It is kept in the editor's/,
      "setProjectKey",
    ],
    [
      "kept and refused",
      { state: "stored", lastAnswer: "refused" },
      /^The Project Key did not work when it was last used: \S+ rejected it\. It may be revoked/,
      "setProjectKey",
    ],
    [
      "refused now",
      { state: "stored", lastAnswer: "accepted", reading: { kind: "refused" } },
      /^The Project Key does not work: \S+ does not accept it\. It may be revoked/,
      "setProjectKey",
    ],
    [
      "not heard",
      {
        state: "stored",
        lastAnswer: "accepted",
        reading: { kind: "failed", failure: { kind: "timeout", seconds: 3 } },
      },
      /^The Project Key for \S+ could not be checked\. The registry did not respond within 3 s/,
      "openSettings",
    ],
    [
      "accepted now",
      {
        state: "stored",
        lastAnswer: "refused",
        reading: { kind: "accepted", skills: 2, listed: [], complete: true },
      },
      /^The Project Key works: \S+ accepts it and lists 2 skills for it\. A policy may/,
      "setProjectKey",
    ],
    [
      "one set for the built-in registry",
      { state: "builtInSession" },
      /until this window closes, like the registry itself/,
      "setProjectKey",
    ],
    [
      "the built-in registry's own",
      { state: "builtIn" },
      /The built-in registry made it for this window/,
      undefined,
    ],
  ];
  for (const [name, facts, says, firstStep] of cases) {
    it(`tells: ${name}`, () => {
      const notice = keyDiagnosis({ ...about, ...facts }, english);
      assert.match(notice.message, says);
      assert.equal(notice.actions[0]?.action, firstStep);
    });
  }
});
