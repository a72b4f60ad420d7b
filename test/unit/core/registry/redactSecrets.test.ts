import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { redactorFor } from "../../../../src/core/registry/redactSecrets";
import { processorTime } from "../../../fixtures/processorTime";

const key = "skh_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const oddKey = `sk_proj_"q\\b/s+e=r~`;

describe("redactorFor", () => {
  for (const secret of [key, oddKey, "short-key"]) {
    const redact = redactorFor(secret);
    const hidden: readonly (readonly [string, string])[] = [
      ["as it is", secret],
      ["twice", `${secret} and ${secret}`],
      ["in a header", `Authorization: Bearer ${secret}`],
      ["URL-encoded", encodeURIComponent(secret)],
      ["URL-encoded throughout", percent(secret)],
      ["URL-encoded in small letters", percent(secret).toLowerCase()],
      ["in hexadecimal digits", Buffer.from(`Bearer ${secret}`).toString("hex").slice(14)],
      ["in capital hexadecimal digits", Buffer.from(secret).toString("hex").toUpperCase()],
      ["JSON-escaped", JSON.stringify(secret)],
      ["JSON-escaped throughout", unicode(secret)],
      [
        "JSON-escaped in capitals",
        unicode(secret).replace(/u00../g, (e) => `u${e.slice(1).toUpperCase()}`),
      ],
      ["JSON-escaped here and there", unicode(secret.slice(0, 3)) + secret.slice(3)],
      ["JSON in JSON", JSON.stringify(JSON.stringify({ secret }))],
      ["with escaped slashes", JSON.stringify(secret).replaceAll("/", "\\/")],
    ];
    for (const [name, text] of hidden) {
      it(`takes out ${secret.slice(0, 8)}… ${name}`, () => {
        const clean = redact(`<${text}>`);
        assert.ok(clean.startsWith("<") && clean.endsWith(">"), clean);
        assert.equal(leak(clean, secret), undefined);
        assert.ok(clean.includes("[Project Key]"), clean);
      });
    }
  }

  for (const secret of [key, oddKey]) {
    for (const before of ["", "a", "ab", "abc", "Bearer ", "user:"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        it(`takes out ${secret.slice(0, 8)}… in ${encoding} behind ${JSON.stringify(before)}`, () => {
          const encoded = Buffer.from(`${before}${secret}:more`).toString(encoding);
          const clean = redactorFor(secret)(`{"echo":"${encoded}"}`);
          assert.ok(clean.includes("[Project Key]"), clean);
          const rest = clean.replace(/^.*"echo":"|"}$/g, "").split("[Project Key]");
          const back = rest.map((part) => Buffer.from(part, encoding).toString("latin1")).join("|");
          assert.equal(leak(back, secret), undefined);
        });
      }
    }
  }

  it("finds Base64 with escaped slashes", () => {
    const secret = "skh_???>>>~~~???>>>~~~";
    const encoded = Buffer.from(secret).toString("base64").replaceAll("/", "\\/");
    assert.ok(encoded.includes("\\/"));
    assert.ok(redactorFor(secret)(encoded).startsWith("[Project Key]"));
  });

  it("leaves other text as it is", () => {
    const text = `100 % of \\u00e9 and \\" in skh_ ${key.slice(0, -1)}`;
    assert.equal(redactorFor(key)(text), text);
    assert.equal(redactorFor("")(text), text);
  });

  it("stays linear where nearly everything looks like the key", () => {
    const redact = redactorFor(key);
    const took = processorTime(() => {
      redact(`%${"\\".repeat(500_000)}`);
      redact(`%${key.slice(0, -1).repeat(8000)}`);
    });
    assert.ok(took < 3000, `${took} ms`);
  });
});

/** Any eight characters of the secret in a row that are still there. */
function leak(text: string, secret: string): string | undefined {
  for (let at = 0; at + 8 <= secret.length; at += 1) {
    const part = secret.slice(at, at + 8);
    if (text.includes(part)) return part;
  }
  return undefined;
}

function percent(text: string): string {
  return [...text].map((c) => `%${hex(c).toUpperCase()}`).join("");
}

function unicode(text: string): string {
  return [...text].map((c) => `\\u00${hex(c)}`).join("");
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, "0");
}
