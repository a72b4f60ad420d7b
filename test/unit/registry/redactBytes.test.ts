import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { KeyRedactor } from "../../../src/core/registry/redactSecrets";
import { runSync } from "../../../src/core/text/chunked";
import { redactBytes } from "../../../src/registry/redactBytes";

function redacted(secret: string, body: string): string {
  const redactor = new KeyRedactor();
  redactor.learnSecret(secret);
  return runSync(redactBytes(Buffer.from(body), redactor)).toString();
}

describe("A secret of an environment in a response", () => {
  const numbers: readonly (readonly [string, string, string, unknown])[] = [
    ["as a number", "4815162342", '{"a":4815162342,"b":1}', { a: "[Secret]", b: 1 }],
    ["as a number in a list", "4815162342", "[4815162342, 2]", ["[Secret]", 2]],
    ["alone", "4815162342", "4815162342", "[Secret]"],
    ["in a longer number", "4815162342", '{"a":-194815162342.5e3}', { a: "[Secret]" }],
    ["twice in a number", "12341234", '{"a":1234123412341234}', { a: "[Secret]" }],
    ["in a string", "4815162342", '{"a":"x 4815162342 y"}', { a: "x [Secret] y" }],
    ["as a number in a string", "4815162342", '"[1, 4815162342]"', "[1, [Secret]]"],
    ["without its leading zeros", "0048151623", '{"a":48151623}', { a: "[Secret]" }],
  ];
  for (const [where, secret, body, expected] of numbers) {
    it(`of digits is removed ${where}, and the response stays JSON`, () => {
      assert.deepEqual(JSON.parse(redacted(secret, body)), expected);
    });
  }

  it("of digits is removed even if a program rounded it", () => {
    const secret = "98765432109876543210";
    const body = `{"a":${BigInt(Number(secret))},"b":${JSON.stringify(Number(secret))}}`;
    assert.deepEqual(JSON.parse(redacted(secret, body)), { a: "[Secret]", b: "[Secret]" });
  });

  const secret = "пароль-ключ€é9";
  const escaped = secret.replace(/[^\0-\x7f]/g, (one) => {
    return `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  const forms: readonly (readonly [string, string])[] = [
    ["as it is", secret],
    ["JSON-escaped", escaped],
    ["JSON-escaped in capitals", escaped.replace(/[0-9a-f]{4}/g, (four) => four.toUpperCase())],
    ["URL-encoded", encodeURIComponent(secret)],
    ["in hexadecimal digits", Buffer.from(secret).toString("hex")],
    ["in Base64", Buffer.from(secret).toString("base64")],
    ["in Base64 behind other bytes", Buffer.from(`a:${secret}`).toString("base64")],
  ];
  for (const [name, text] of forms) {
    it(`of non-Latin letters is removed ${name}`, () => {
      const clean = redacted(secret, `{"echo":"${text}"}`);
      assert.match(clean, /^\{"echo":".{0,4}\[Secret\].{0,3}"\}$/);
    });
  }
});
