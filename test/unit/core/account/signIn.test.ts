import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  codeEntryPrompt,
  codeEntryState,
  entryFailureText,
  findCode,
  isEmailAddress,
  readUserToken,
  startCodeEntry,
  tokenFailureText,
  wrongCode,
} from "../../../../src/core/account/signIn";
import type { RegistryFailure } from "../../../../src/core/registry/registryFailure";
import { english } from "../../../../src/core/text/language";

const now = Date.parse("2026-11-22T10:00:00Z");
const entry = startCodeEntry("a@b.c", { challengeId: "1" }, now);

describe("the code for signing in", () => {
  const mails: readonly [text: string, code: string | undefined][] = [
    ["123456", "123456"],
    [" 123 456 ", "123456"],
    ["123-456", "123456"],
    ["Your code is 123456.", "123456"],
    ["Code:123456 (valid for 10 minutes)", "123456"],
    ["Hello,\r\n\r\nyour code is\r\n\r\n    482 913\r\n\r\nSent 22/11/2026 10:15:30", "482913"],
    ["482913 482913", "482913"],
    ["482913 or 482914", undefined],
    ["12345", undefined],
    ["1234567", undefined],
    ["Order 1234567890", undefined],
    ["+49 30 123456 789", undefined],
    ["", undefined],
    ["no digits", undefined],
  ];
  for (const [text, code] of mails) {
    it(`that is found in ${JSON.stringify(text)} is ${code}`, () =>
      assert.equal(findCode(text), code));
  }

  it("is found in megabytes of text in limited time", () => {
    assert.equal(findCode("1 ".repeat(1_000_000)), undefined);
  });

  it("is valid for ten minutes, and can be sent again after one", () => {
    const at = (seconds: number) => codeEntryState(entry, now + seconds * 1000);
    assert.deepEqual(at(0), { canTry: true, canResend: false });
    assert.deepEqual(at(60), { canTry: true, canResend: true });
    assert.deepEqual(at(599), { canTry: true, canResend: true });
    assert.deepEqual(at(600), { canTry: false, canResend: true });
    assert.match(codeEntryPrompt(entry, now, english), /10:00 left, 5 tries/);
    assert.match(codeEntryPrompt(entry, now + 595_000, english), / 0:05 left/);
    assert.match(codeEntryPrompt(entry, now + 600_000, english), /has expired/);
  });

  it("uses the registry's expiry only if it is plausible", () => {
    const ends = (expiresAt: number) =>
      startCodeEntry("a@b.c", { challengeId: "1", expiresAt }, now).expiresAt - now;
    assert.equal(ends(now + 300_000), 300_000);
    assert.equal(ends(now - 1), 600_000);
    assert.equal(ends(now + 864e5), 600_000);
  });

  const error = (status: number): RegistryFailure => ({ kind: "errorAnswer", status });
  const ends: readonly [RegistryFailure, number][] = [
    [error(400), 4],
    [error(403), 0],
    [{ kind: "notFound" }, 0],
    [error(500), 5],
    [{ kind: "timeout", seconds: 30 }, 5],
    [{ kind: "cancelled" }, 5],
  ];
  for (const [failure, left] of ends) {
    it(`leaves ${left} tries after ${JSON.stringify(failure)}`, () => {
      assert.equal(wrongCode(entry, failure).triesLeft, left);
    });
  }

  it("is rejected with the registry's words, which form no link", () => {
    const message = "[Click](command:workbench.action.quit)";
    const text = entryFailureText({ kind: "errorAnswer", status: 400, message }, "code", english);
    assert.ok(text.includes("Click") && !text.includes("]("), text);
    assert.equal(entryFailureText({ kind: "cancelled" }, "code", english), "");
  });

  it("is reported as wrong without an HTTP status, as a wrong password is", () => {
    const message = "Email/username or password is incorrect.";
    const wrong = { kind: "errorAnswer", status: 400, message } as const;
    assert.equal(
      entryFailureText(wrong, "password", english),
      `The registry did not accept this sign-in: ${message}`,
    );
    assert.match(entryFailureText(error(500), "password", english), /HTTP 500/);
  });

  it("reports that a user token signs nobody in, unless the registry has no accounts", () => {
    assert.match(tokenFailureText(error(401), english), /^The registry does not know this user/);
    assert.match(tokenFailureText(error(405), english), /^This registry has no accounts/);
    const missing = { kind: "notFound", message: "No such route." } as const;
    assert.match(tokenFailureText(missing, english), /^This registry has no accounts/);
    assert.match(tokenFailureText(error(500), english), /HTTP 500/);
    assert.equal(tokenFailureText({ kind: "cancelled" }, english), "");
    const message = "[Click](command:workbench.action.quit)";
    const text = tokenFailureText({ kind: "errorAnswer", status: 400, message }, english);
    assert.ok(text.includes("Click") && !text.includes("]("), text);
  });

  it("is only sent to a possible email address", () => {
    for (const text of ["a@b.c", " a@b "]) assert.ok(isEmailAddress(text), text);
    for (const text of ["", "a", "@b.c", "a@", "a b@c", "a@b@c"]) {
      assert.ok(!isEmailAddress(text), text);
    }
  });

  it("allows five tries", () => {
    let tried = entry;
    for (let count = 0; count < 5; count += 1) {
      assert.ok(codeEntryState(tried, now).canTry);
      tried = wrongCode(tried, error(400));
    }
    assert.ok(!codeEntryState(tried, now).canTry);
    assert.match(codeEntryPrompt(tried, now, english), /Too many wrong codes/);
  });
});

describe("a pasted user token", () => {
  const origin = "https://a.example";
  it("is accepted with spaces and a scheme around it", () => {
    const read = readUserToken(" Bearer shub_user_0a \n", origin);
    assert.deepEqual(read, {
      ok: true,
      token: { kind: "userToken", origin, text: "shub_user_0a" },
    });
  });

  const wrong = ["", "skh_0a", "sk_proj_0a", "ghp_0a", "shub_user_ 0a", "shub_user_ä\u0000"];
  for (const text of [...wrong, `shub_user_${"a".repeat(5000)}`]) {
    it(`is refused without being repeated: ${JSON.stringify(text.slice(0, 20))}`, () => {
      const read = readUserToken(text, origin);
      assert.ok(!read.ok);
      assert.ok(text === "" || !JSON.stringify(read.problem).includes(text));
    });
  }
});
