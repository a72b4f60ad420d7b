import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readProjectKey } from "../../../../src/core/registry/credential";

const key = `skh_${"0123456789abcdef".repeat(4)}`;

describe("readProjectKey", () => {
  const accepted: readonly (readonly [string, string, string])[] = [
    ["a key", key, key],
    ["spaces and line breaks around it", ` \t${key}\r\n`, key],
    ["a non-breaking space before it", `\u00a0${key}`, key],
    ["the header's word before it", `Bearer ${key}`, key],
    ["another prefix", "sk_proj_A-b.c~d+e/f=", "sk_proj_A-b.c~d+e/f="],
    ["no prefix", "anything!", "anything!"],
    ["the longest", "k".repeat(4096), "k".repeat(4096)],
  ];
  for (const [name, pasted, read] of accepted) {
    it(`accepts ${name}`, () => assert.deepEqual(readProjectKey(pasted), { ok: true, key: read }));
  }

  const refused: readonly (readonly [string, string])[] = [
    ["nothing", ""],
    ["spaces alone", "   "],
    ["the header's word alone", "Bearer "],
    ["a line break inside", `${key}\r\nX-Evil: 1`],
    ["a line feed inside", `skh_a\nb`],
    ["NUL", `${key}\0`],
    ["a space inside", `skh_a b`],
    ["two keys", `${key} ${key}`],
    ["a letter of another script", `skh_ключ`],
    ["a Latin-1 letter", `skh_é`],
    ["a control character", `skh_\x7f`],
    ["a zero-width space", `skh_\u200babc`],
    ["10 KB", "k".repeat(10_240)],
    ["a user token", "shub_user_abcdef"],
    ["a user token in capitals", "SHUB_USER_abcdef"],
  ];
  for (const [name, pasted] of refused) {
    it(`refuses ${name}, without repeating it`, () => {
      const reading = readProjectKey(pasted);
      assert.ok(!reading.ok);
      assert.match(reading.problem.text, /^[A-Z].+\.$/);
      const middle = pasted.trim().slice(4);
      assert.ok(middle.length < 4 || !reading.problem.text.includes(middle));
    });
  }

  it("recognizes a user token", () => {
    const reading = readProjectKey("shub_user_abcdef");
    assert.ok(!reading.ok && reading.problem.text.includes("user token"));
  });
});
