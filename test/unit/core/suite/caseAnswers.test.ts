import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import type { PayloadCheck } from "../../../../src/core/payload/payloadCheck";
import {
  answerDifference,
  type CaseAnswer,
  isNoEvidence,
} from "../../../../src/core/suite/caseAnswers";
import { english } from "../../../../src/core/text/language";

const check = (...errors: readonly (readonly [code: string, pointer: string])[]): PayloadCheck => ({
  state: errors.length === 0 ? "valid" : "invalid",
  hiddenProblems: 0,
  problems: errors.map(([code, pointer]) => ({
    code,
    pointer,
    message: `${code} is wrong.`,
    severity: "error",
    start: 0,
    end: 0,
  })),
});

const success = (output: JsonValue): Partial<CaseAnswer> => ({
  output,
  outcome: {
    kind: "success",
    status: 200,
    durationMs: 5,
    acceptedNotRun: false,
    outputText: JSON.stringify(output),
  } as InvocationOutcome,
});

const refused = (code: string, reason = "policy") =>
  ({ kind: "refused", reason, status: 403, durationMs: 5, code }) as InvocationOutcome;

const answer = (version: string, more: Partial<CaseAnswer> = {}): CaseAnswer => ({
  version,
  check: check(),
  ...more,
});

describe("the results of two versions for a case", () => {
  const cases: readonly (readonly [
    name: string,
    before: Partial<CaseAnswer>,
    now: Partial<CaseAnswer>,
    difference: string | undefined,
  ])[] = [
    ["are alike if both accept the payload", {}, {}, undefined],
    [
      "differ if only the newer version rejects the payload",
      {},
      { check: check(["required", "/text"]) },
      "The payload is not valid for 1.3.0, unlike for 1.2.0: required is wrong. (required)",
    ],
    [
      "differ if the newer version no longer rejects it",
      { check: check(["required", "/text"]) },
      {},
      "1.3.0 no longer rejects the payload as 1.2.0 does: required is wrong. (required)",
    ],
    [
      "are alike if both reject it for the same reason",
      { check: check(["type", "/a"]) },
      { check: check(["type", "/a"]) },
      undefined,
    ],
    [
      "differ at the first different place of the output that is not ignored",
      success({ id: 1, words: 2 }),
      success({ id: 9, words: 3 }),
      "1.3.0 returns a different output than 1.2.0, first at /words: 3 instead of 2.",
    ],
    ["are alike if only ignored places differ", success({ id: 1 }), success({ id: 2 }), undefined],
    [
      "differ if a value is missing",
      success({ words: 2 }),
      success({}),
      "1.3.0 returns a different output than 1.2.0, first at /words: missing instead of 2.",
    ],
    [
      "differ in how they end",
      success({}),
      { outcome: refused("permission_level_exceeded") },
      "1.3.0 ended with “permission_level_exceeded”, 1.2.0 with “success”.",
    ],
    [
      "differ if the stored output no longer matches",
      { storedCheck: check() },
      { storedCheck: check(["type", "/words"]) },
      "The stored output does not match the output schema of 1.3.0 at /words: type is wrong.",
    ],
  ];
  for (const [name, before, now, difference] of cases) {
    it(name, () => {
      const one = { name: "a", expect: { ignore: ["/id"] } };
      const found = answerDifference(one, answer("1.2.0", before), answer("1.3.0", now), english);
      assert.equal(found, difference);
    });
  }

  it("are unknown if the project has another version, or its rate limit is reached", () => {
    assert.ok(isNoEvidence(refused("skill_not_installed")));
    assert.ok(isNoEvidence(refused("rate_limit_exceeded", "rateLimit")));
    assert.ok(!isNoEvidence(refused("permission_level_exceeded")));
  });
});
