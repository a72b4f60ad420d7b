import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { findSecrets } from "../../../../src/core/payload/findSecrets";
import { l10nText } from "../../../../src/core/text/language";

const mixed = (length: number) => "aB3dE7gH1jK5mN9pQ2sT6vX0zY4cF8bW".repeat(4).slice(0, length);
const hex = "0123456789abcdef".repeat(4);

const secrets: [kind: string, secret: string][] = [
  ["a private key", "-----BEGIN PRIVATE KEY-----"],
  ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ["a private key", "-----BEGIN PGP PRIVATE KEY BLOCK-----"],
  ["a user token of a registry", `shub_user_${mixed(20)}`],
  ["a Project Key", `skh_${hex}`],
  ["a Project Key", `sk_proj_${mixed(24)}`],
  ["an AWS access key", "AKIAQ3EGRXYZ2345ABCD"],
  ["a GitHub token", `ghp_${mixed(36)}`],
  ["a GitHub token", `github_pat_${mixed(60)}`],
  ["a GitLab token", `glpat-${mixed(20)}`],
  ["a Slack token", `xoxb-1234567890-${mixed(12)}`],
  ["a Stripe key", `sk_live_${mixed(24)}`],
  ["an API key", `sk-${mixed(40)}`],
  ["an API key", `sk-ant-${mixed(40)}`],
  ["a Google API key", `AIza${mixed(35)}`],
  ["an npm token", `npm_${mixed(36)}`],
];

describe("findSecrets", () => {
  for (const [kind, secret] of secrets) {
    it(`finds ${kind}: ${secret.slice(0, 16)}…`, () => {
      const text = `{"a": "x ${secret} y"}`;
      const found = findSecrets(text);
      assert.deepEqual(
        found.map((one) => [one.kind.text, text.slice(one.start, one.end)]),
        [[kind, secret]],
      );
    });
  }

  const harmless = [
    "AKIAIOSFODNN7EXAMPLE",
    `skh_${"0".repeat(64)}`,
    `ghp_${"x".repeat(36)}`,
    "task-list-of-things-that-are-long-enough",
    "sk-short",
    "sk-learn-pipelines-for-everybody",
    "-----BEGIN PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----",
    hex,
  ];
  for (const text of harmless) {
    it(`ignores ${text.slice(0, 40)}`, () => assert.deepEqual(findSecrets(text), []));
  }

  it("finds the key in use in any form, also escaped", () => {
    const key = 'team"s\\very-own';
    const text = JSON.stringify({ a: key, b: key });
    const found = findSecrets(text, [key]);
    assert.equal(found.length, 2);
    assert.ok(found.every(({ kind }) => kind.text === "your Project Key"));
  });

  it("finds a key in a property's name, and after an escape that ends in a letter", () => {
    const token = `ghp_${mixed(36)}`;
    for (const text of [`{"${token}": 1}`, `{"a": "line\\n${token}"}`, `["\\u00e4\\t${token}"]`]) {
      const found = findSecrets(text).map(({ start, end }) => text.slice(start, end));
      assert.deepEqual(found, [token]);
    }
  });

  it("finds a key in JSON inside a string, and in unfinished JSON", () => {
    const token = `\\u0067hp_${mixed(36)}`;
    const inside = `{"a": "${token}"}`;
    const twice = JSON.stringify({ body: JSON.stringify(inside) });
    const [found] = findSecrets(twice);
    assert.equal(found?.kind.text, "a GitHub token");
    assert.match(twice.slice(found?.start, found?.end), /^\\+u0067hp_.*3d$/);
    assert.equal(findSecrets(`{"a": "${token}`).length, 1);
  });

  it("reports one range once", () => {
    const key = `skh_${hex}`;
    assert.deepEqual(findSecrets(key, [key]), [
      { start: 0, end: key.length, kind: l10nText("your Project Key") },
    ]);
  });

  it("lists at most twenty", () => {
    assert.equal(findSecrets(`ghp_${mixed(36)} `.repeat(100)).length, 20);
  });
});
