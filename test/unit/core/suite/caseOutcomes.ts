import assert from "node:assert/strict";
import { noEnvironment } from "../../../../src/core/environment/payloadEnvironment";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import type { PayloadCheck } from "../../../../src/core/payload/payloadCheck";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import type { CaseProblem } from "../../../../src/core/suite/judgeCase";
import type { SuiteTools } from "../../../../src/core/suite/runSuite";
import { type ReadySuite, readSuite } from "../../../../src/core/suite/suite";
import { createTurns } from "../../../../src/core/suite/turns";
import { english } from "../../../../src/core/text/language";
import { endedInvocation } from "../../../fixtures/pastInvocation";

/** Returns the text of a suite with these cases. */
export const suite = (...cases: object[]) =>
  JSON.stringify({ format: 1, skill: "text-stats@1.0.0", cases });

/** Returns the messages of problems. */
export const messagesOf = (problems: readonly CaseProblem[]) =>
  problems.map(({ message }) => message);

/** Returns the check of a payload with a problem of each code. */
export const check = (...codes: string[]): PayloadCheck => ({
  state: codes.length === 0 ? "valid" : "invalid",
  hiddenProblems: 0,
  problems: codes.map((code) => ({
    code,
    message: "No.",
    severity: "error",
    start: 0,
    end: 1,
    pointer: "",
  })),
});

/** Describes the problems of a case for a title. */
export const told = ([problem]: readonly string[]) =>
  problem === undefined ? "is as expected" : `has the problem “${problem}”`;

/** A successful outcome of an invocation. */
export const success = {
  kind: "success",
  acceptedNotRun: false,
  outputText: "",
  durationMs: 20,
  amountCents: 3,
  currency: "EUR",
} satisfies InvocationOutcome;

/** The output of a successful invocation. */
export const output: JsonValue = { words: 2, list: [{ a: 1 }, { a: 2 }], "a/b": null };

/** Returns each check in turn, and the last of them from then on. */
export function tools(...checks: readonly PayloadCheck[]): SuiteTools {
  const left = [...checks];
  return {
    check: async () => (left.length > 1 ? left.shift() : left[0]) ?? check(),
    environment: noEnvironment,
    readPayload: async () => "1",
    allowsUnchecked: false,
    send: async () =>
      endedInvocation({ ...success, outputText: JSON.stringify(output) } as InvocationOutcome),
    isUpdate: false,
    turns: createTurns(1),
    isCanceled: () => false,
    now: () => 0,
    language: english,
  };
}

/** Reads a suite's text for a run. */
export function readySuite(text: string): ReadySuite {
  const read = readSuite(text, english);
  assert.ok(read.ok);
  const summary = { slug: "text-stats", version: "1.0.0" };
  const skill = { summary, outputSchema: true } as SkillDetail;
  const own = { name: "1.0.0", skill, reason: "" };
  return { file: "a.skill-suite.json", text, suite: read.value, own, against: [] };
}
