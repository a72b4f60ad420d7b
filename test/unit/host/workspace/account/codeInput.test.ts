import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type * as vscode from "vscode";
import type { UserSession } from "../../../../../src/core/account/sessions";
import { startCodeEntry } from "../../../../../src/core/account/signIn";
import type { Result } from "../../../../../src/core/registry/registryFailure";
import { english } from "../../../../../src/core/text/language";
import { enterCode } from "../../../../../src/host/workspace/account/codeInput";
import { openInputBox } from "../../../../fixtures/inputBox";

const session = { email: "a@b.c", token: "shub_user_0a" } as UserSession;
const resendButton = {} as vscode.QuickInputButton;
const minute = 60_000;

/** Opens a box for a code, with a registry that responds when the test says so. */
function openBox(sentAt = Date.now()) {
  const { box, enter, press, pressEscape, isDisposed } = openInputBox();
  const seen = { codes: [] as string[], mails: 0 };
  let signal: AbortSignal | undefined;
  let answer: (answer: Result<UserSession>) => void = () => undefined;
  const answered = new Promise<Result<UserSession>>((resolve) => {
    answer = resolve;
  });
  const routes = {
    verifyCode: (_: string, code: string, its: AbortSignal) => {
      seen.codes.push(code);
      signal = its;
      return answered;
    },
    requestCode: async () => {
      seen.mails += 1;
      return { ok: true, value: { challengeId: "2" } } as const;
    },
  };
  const entry = startCodeEntry("a@b.c", { challengeId: "1" }, sentAt);
  const opened = enterCode(box, routes, entry, resendButton, english);
  const resend = () => press(resendButton);
  const isAborted = () => signal?.aborted;
  return { box, opened, seen, isDisposed, isAborted, answer, enter, pressEscape, resend };
}

describe("the box for a code", () => {
  it("signs in with a code, and closes", async () => {
    const { opened, seen, isDisposed, answer, enter } = openBox();
    enter("Your code is 123 456.");
    answer({ ok: true, value: session });
    assert.equal(await opened, session);
    assert.deepEqual([isDisposed(), seen], [true, { codes: ["123456"], mails: 0 }]);
  });

  it("ends with Escape, without a session", async () => {
    const { opened, seen, isDisposed, enter, pressEscape } = openBox();
    pressEscape();
    assert.equal(await opened, undefined);
    assert.ok(isDisposed());
    enter("no code");
    assert.deepEqual(seen.codes, []);
  });

  it("ends with Escape while a code is checked, and ignores the late answer", async () => {
    const { opened, isAborted, answer, enter, pressEscape } = openBox();
    enter("123456");
    assert.equal(isAborted(), false);
    pressEscape();
    assert.equal(isAborted(), true);
    answer({ ok: true, value: session });
    assert.equal(await opened, undefined);
  });

  it("stays open for another try after a wrong code", async () => {
    const { box, opened, isDisposed, answer, enter, pressEscape } = openBox();
    enter("no code");
    await new Promise(setImmediate);
    assert.match(box.validationMessage?.toString() ?? "", /no six-digit code/);
    enter("123456");
    assert.ok(box.busy && !box.enabled);
    answer({ ok: false, failure: { kind: "errorAnswer", status: 400, message: "Wrong." } });
    await new Promise(setImmediate);
    assert.ok(!box.busy && box.enabled && !isDisposed());
    assert.match(box.prompt ?? "", /4 tries/);
    pressEscape();
    assert.equal(await opened, undefined);
  });

  it("sends a new code after a minute, and not before", async () => {
    const young = openBox();
    assert.deepEqual(young.box.buttons, []);
    young.resend();
    assert.equal(young.seen.mails, 0);
    young.pressEscape();
    const old = openBox(Date.now() - 11 * minute);
    assert.match(old.box.prompt ?? "", /has expired/);
    assert.deepEqual(old.box.buttons, [resendButton]);
    old.enter("123456");
    await new Promise(setImmediate);
    old.resend();
    await new Promise(setImmediate);
    assert.deepEqual([old.seen.mails, old.seen.codes], [1, []]);
    assert.match(old.box.prompt ?? "", /5 tries/);
    old.pressEscape();
  });
});
