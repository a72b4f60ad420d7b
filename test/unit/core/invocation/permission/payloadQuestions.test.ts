import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  invalidText,
  maySend,
  secretsQuestion,
  uncheckedQuestion,
} from "../../../../../src/core/invocation/permission/payloadQuestions";
import { findSecrets } from "../../../../../src/core/payload/findSecrets";
import type { PayloadCheck, PayloadProblem } from "../../../../../src/core/payload/payloadCheck";
import { english } from "../../../../../src/core/text/language";

const token = `ghp_${"aB3".repeat(12)}`;

describe("the question about credentials in a text", () => {
  const questionOf = (use: "send" | "copy", text: string) =>
    secretsQuestion(use, text, findSecrets(text, []), english);

  it("is not asked without credentials", () => {
    assert.equal(questionOf("send", '{ "text": "Hi." }'), undefined);
  });

  const cases = [
    ["send", `\n"${token}"`, "Line 2 appears to contain a GitHub token. Send anyway?"],
    ["copy", `"${token}"`, "Line 1 appears to contain a GitHub token. Copy anyway?"],
    [
      "send",
      `"${token}"\n"${token}"\n"${token}"`,
      "Line 1 appears to contain a GitHub token (and 2 more). Send anyway?",
    ],
    [
      "copy",
      `"${token}"\n"${token}"`,
      "Line 1 appears to contain a GitHub token (and 1 more). Copy anyway?",
    ],
  ] as const;
  for (const [use, text, message] of cases) {
    it(`is “${message}”`, () => {
      const question = questionOf(use, text);
      assert.equal(question?.message, message);
      assert.equal(question?.agree, use === "send" ? "Send This Once" : "Copy This Once");
      assert.match(question?.detail.join() ?? "", use === "send" ? /^Whoever runs/ : /plain sight/);
    });
  }
});

describe("the question about a payload that could not be checked", () => {
  const problem = { severity: "error" } as PayloadProblem;
  const checkOf = (...problems: PayloadProblem[]): PayloadCheck => ({
    state: "unchecked",
    reason: "It took too long.",
    problems,
    hiddenProblems: 0,
  });
  for (const [check, message] of [
    [checkOf(), /could not be checked\. Send it anyway\?$/],
    [checkOf(problem), /^The payload has a problem, and not all of it/],
    [checkOf(problem, problem), /^The payload has 2 problems, and not all of it/],
  ] as const) {
    it(`counts the problems, and gives the reason: ${message.source}`, () => {
      const question = uncheckedQuestion(check, english);
      assert.match(question.message, message);
      assert.match(question.detail.join(), /^It took too long\. Registries do not validate/);
    });
  }
});

describe("the reason why a payload was not sent", () => {
  const problem = { severity: "error", pointer: "/a", message: "No." } as PayloadProblem;
  for (const [state, count, text] of [
    ["invalid", 1, "Not sent: the payload for s has a problem. a: No."],
    ["invalid", 2, "Not sent: the payload for s has 2 problems."],
    ["unchecked", 0, "Not sent: the payload for s is not JSON."],
  ] as const) {
    it(`is “${text}”`, () => {
      const problems = Array.from({ length: count }, () => problem);
      assert.equal(invalidText("s", { state, problems, hiddenProblems: 0 }, english), text);
    });
  }
});

describe("a checked payload", () => {
  const checked = (state: PayloadCheck["state"]): PayloadCheck => {
    return { state, problems: [], hiddenProblems: 0 };
  };

  it("is sent if it is valid, and after a question if it is JSON that could not be checked", () => {
    const cases = [
      ["valid", "{}", "yes"],
      ["unchecked", "{}", "ask"],
      ["unchecked", "{", "no"],
      ["invalid", "{}", "no"],
    ] as const;
    for (const [state, text, sent] of cases) {
      assert.equal(maySend(checked(state), text), sent, `${state} ${text}`);
    }
  });
});
