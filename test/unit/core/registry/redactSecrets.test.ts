import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { KeyRedactor } from "../../../../src/core/registry/redactSecrets";

const redactorFor = (key: string) => (text: string) => new KeyRedactor(key).redact(text);
const key = "skh_9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
const oddKey = `sk_proj_"q\\b/s+e=r~`;

describe("KeyRedactor", () => {
  for (const secret of [key, oddKey, "short-key"]) {
    const redact = redactorFor(secret);
    const hidden: readonly (readonly [string, string])[] = [
      ["as it is", secret],
      ["twice", `${secret} and ${secret}`],
      ["in a header", `Authorization: Bearer ${secret}`],
      ["URL-encoded", encodeURIComponent(secret)],
      ["URL-encoded throughout", percent(secret)],
      ["URL-encoded in small letters", percent(secret).toLowerCase()],
      ["in capital letters", secret.toUpperCase()],
      ["in capital letters, JSON-escaped", unicode(secret.toUpperCase())],
      ["in small letters", secret.toLowerCase()],
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
      it(`removes ${secret.slice(0, 8)}… ${name}`, () => {
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
        it(`removes ${secret.slice(0, 8)}… in ${encoding} after ${JSON.stringify(before)}`, () => {
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

  it("finds a secret in capital letters behind a letter that becomes two in lower case", () => {
    const redactor = new KeyRedactor();
    redactor.learnSecret("pass-word-1");
    assert.equal(redactor.redact("İ PASS-Word-1!"), "İ [Secret]!");
  });

  it("keeps words in another case than a key that could be a word", () => {
    assert.equal(
      new KeyRedactor("password").redact("Password: password"),
      "Password: [Project Key]",
    );
  });

  it("finds Base64 with escaped slashes", () => {
    const secret = "skh_???>>>~~~???>>>~~~";
    const encoded = Buffer.from(secret).toString("base64").replaceAll("/", "\\/");
    assert.ok(encoded.includes("\\/"));
    assert.ok(redactorFor(secret)(encoded).startsWith("[Project Key]"));
  });

  it("removes any key or secret with a control character, however often it is escaped", () => {
    const control = fc.integer({ min: 0, max: 0x1f }).map((code) => String.fromCharCode(code));
    const word = fc.string({
      unit: fc.constantFrom(..."abcxyz019+/=&<>\"'\\-"),
      minLength: 6,
      maxLength: 12,
    });
    const json = (text: string) => JSON.stringify(text).slice(1, -1);
    const entity: Readonly<Record<string, string>> = {
      ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
    };
    const html = (text: string) => text.replace(/[&<>"']/g, (sign) => entity[sign] ?? sign);
    const writings = [
      (text: string) => text,
      json,
      (text: string) => json(json(text)),
      html,
      (text: string) => json(html(text)),
      (text: string) => html(json(text)),
    ];
    fc.assert(
      fc.property(word, control, word, fc.constantFrom("", "\n", "\r\n"), (one, sign, two, end) => {
        const secret = `k${one}${sign}${two}k${end}`;
        const [asKey, asSecret] = [new KeyRedactor(secret), new KeyRedactor()];
        asSecret.learnSecret(secret);
        for (const write of writings) {
          for (const text of [secret, secret.trim()].map(write)) {
            const named = `{"${text}":"${text}"}`;
            for (const [redactor, placeholder] of [
              [asKey, "[Project Key]"],
              [asSecret, "[Secret]"],
            ] as const) {
              const rest = redactor.redact(named).replaceAll(placeholder, "");
              assert.match(
                rest,
                /^\{"(?:\\*[nr]|\s)*":"(?:\\*[nr]|\s)*"\}$/,
                JSON.stringify(named),
              );
            }
          }
        }
      }),
    );
  });

  it("keeps the letters of an escaped line break that belongs to no key", () => {
    const redactor = new KeyRedactor("first-line\nsecond-line");
    for (const text of ["first-line\\tsecond-line \\n", "\\n first-line second-line"]) {
      assert.equal(redactor.redact(text), text);
    }
  });

  it("keeps other text", () => {
    const text = `100 % of \\u00e9 and \\" in skh_ ${key.slice(0, -1)}`;
    assert.equal(redactorFor(key)(text), text);
    assert.equal(redactorFor("")(text), text);
  });

  it("removes a form that is escaped itself", () => {
    const redact = redactorFor(key);
    const base64 = Buffer.from(`??>${oddKey}`).toString("base64").replaceAll("+", "\\u002b");
    assert.equal(redact(percent(percent(key))), "[Project Key]");
    assert.equal(redact(JSON.stringify(unicode(key)).slice(1, -1)), "[Project Key]");
    assert.ok(redactorFor(oddKey)(base64).includes("[Project Key]"));
  });

  const long = [...Array(4096).keys()].map((index) => "skh_0Zz"[(index * index) % 7]).join("");
  const hostileKeys: readonly (readonly [string, string])[] = [
    ["of 4,096 characters", long],
    ["of 4,096 symbols", "()[*\\+?".repeat(512)],
    ["of one repeated character", "a".repeat(4096)],
    ["whose beginning does not repeat", `b${"a".repeat(4095)}`],
    ["of one repeated pair", "ab".repeat(2048)],
  ];
  for (const [name, secret] of hostileKeys) {
    it(`finds a key ${name}, with one escaped character`, () => {
      const redact = redactorFor(secret);
      const escaped = secret.slice(0, 99) + unicode(secret.charAt(99)) + secret.slice(100);
      for (const text of [secret, escaped, JSON.stringify(secret), encodeURIComponent(secret)]) {
        const clean = redact(`{"a":"${text}","b":1}`);
        assert.ok(clean.includes("[Project Key]"), clean.slice(0, 100));
        assert.equal(leak(clean, secret), undefined);
      }
    });

    it(`ignores an incomplete key ${name}, however often`, () => {
      const redactor = new KeyRedactor(secret);
      const almost = secret.slice(0, -1);
      const texts = [`${almost}!`, `${almost.slice(1)}!`];
      for (const text of texts) assert.equal(redactor.holds(text.repeat(500)), false);
    });
  }

  it("processes megabytes of text in many steps", () => {
    const redactor = new KeyRedactor(key, oddKey);
    redactor.holds(unicode(key).repeat(2000));
    const work = redactor.redactChunked(`${'{"name":"Z\\u00fcrich %41"}'.repeat(200_000)}${key}`);
    let steps = 0;
    while (work.next().done !== true) steps += 1;
    assert.ok(steps > 30, `${steps} steps`);
  });

  it("finds a key across the border of two steps", () => {
    const redactor = new KeyRedactor(key);
    for (const form of [key, unicode(key)]) {
      for (let shift = 0; shift < form.length + 2; shift += 7) {
        const text = `${"x".repeat(128_000 - shift)}${form}${"y".repeat(1000)}`;
        assert.equal(redactor.redact(text), text.replace(form, "[Project Key]"));
      }
    }
  });

  describe("with a key that could be a word", () => {
    const json = '{"status":"success","skill":"skillet","count":1,"ok":true,"note":"is ill"}';
    for (const [word, left] of [
      ["status", json],
      ["ill", json.replace("is ill", "is [Project Key]")],
      ["success", json.replace('"success"', '"[Project Key]"')],
      ["1", json],
      ["true", json],
      ["e", json],
    ] as const) {
      it(`keeps other words, names and values: ${word}`, () => {
        const clean = new KeyRedactor(word).redact(json);
        assert.equal(clean, left);
        assert.doesNotThrow(() => JSON.parse(clean));
      });
    }

    it("removes it wherever steps of a long text meet", () => {
      const redactor = new KeyRedactor("orange");
      for (let shift = -8; shift <= 8; shift += 1) {
        for (const [before, after] of [
          [" ", " "],
          ['\\"', '\\"'],
        ]) {
          const text = `${".".repeat(128_000 + shift)}${before}orange${after}${".".repeat(1000)}`;
          const redacted = redactor.redact(text).slice(-1030);
          assert.equal(redacted, text.replace("orange", "[Project Key]").slice(-1030));
          const longer = text.replace("orange", "orangery");
          assert.ok(redactor.redact(longer) === longer, `${before}${shift}`);
        }
      }
    });

    it("removes it from a header and between punctuation", () => {
      for (const text of ["Bearer 1", "Bearer ill", '"ill"', "key=ill&x"]) {
        const redactor = new KeyRedactor("ill", "1");
        assert.ok(redactor.redact(text).includes("[Project Key]"), text);
      }
    });
  });

  it("removes a key that is the whole text, also if it learned a longer one first", () => {
    const redactor = new KeyRedactor(`skh_${"0123456789abcdef".repeat(4)}`, "skh_short_1");
    redactor.learnSecret("pin42");
    assert.equal(redactor.redact("skh_short_1"), "[Project Key]");
    assert.equal(redactor.redact("pin42"), "[Secret]");
  });

  it("removes every key it has learned", () => {
    const redactor = new KeyRedactor();
    redactor.learn("");
    redactor.learn(key);
    redactor.learn(oddKey);
    assert.equal(redactor.redact(`${oddKey} ${key}`), "[Project Key] [Project Key]");
    assert.ok(redactor.holds(`x${key}`));
    assert.ok(!redactor.holds("x"));
  });

  it("keeps long text that mostly resembles the key", () => {
    const almost = `%${"\\".repeat(500_000)} %${`${key.slice(0, -1)} `.repeat(8000)}`;
    assert.equal(redactorFor(key)(almost), almost);
  });

  it("labels keys and user tokens correctly in any form", () => {
    const token = `shub_user_${"0123456789abcdef".repeat(4)}`;
    const redactor = new KeyRedactor(key, token);
    const text = `${token} ${key} ${token.replaceAll("_", "%5F")} ${btoa(token)}`;
    assert.match(
      redactor.redact(text),
      /^\[User Token\] \[Project Key\] \[User Token\] \[User Token\]/,
    );
  });
});

/** Returns eight characters in a row of the secret that are still in the text, or undefined. */
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
