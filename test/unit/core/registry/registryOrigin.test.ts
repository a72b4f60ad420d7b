import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readRegistryOrigin, readTypedAddress } from "../../../../src/core/registry/registryOrigin";

describe("readRegistryOrigin", () => {
  const accepted: readonly (readonly [string, string])[] = [
    ["https://example.com", "https://example.com"],
    ["  HTTPS://Example.COM/  ", "https://example.com"],
    ["https://example.com.", "https://example.com"],
    ["https://example.com/v1", "https://example.com"],
    ["https://example.com/skills/v1/", "https://example.com/skills"],
    ["https://example.com/v1x", "https://example.com/v1x"],
    ["https://example.com..:443/", "https://example.com"],
    ["https://example.com:8443/skills//", "https://example.com:8443/skills"],
    ["https://example.com/a/../b/", "https://example.com/b"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
    // A Cyrillic "а" in place of the Latin one becomes visible.
    ["https://exаmple.com", "https://xn--exmple-4nf.com"],
    ["http://localhost:4873", "http://localhost:4873"],
    ["http://localhost./", "http://localhost"],
    ["http://127.0.0.1:80", "http://127.0.0.1"],
    ["http://127.1:3000", "http://127.0.0.1:3000"],
    ["http://[::1]:3000", "http://[::1]:3000"],
    ["https://localhost", "https://localhost"],
  ];
  for (const [text, baseUrl] of accepted) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const origin = new URL(baseUrl).origin;
      assert.deepEqual(readRegistryOrigin(text), {
        ok: true,
        value: { baseUrl, origin },
      });
    });
  }

  const refused = [
    "",
    "   ",
    "example.com",
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://example.com",
    "http://0.0.0.0:3000",
    "http://192.168.0.1",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "http://[::ffff:127.0.0.1]",
    "https://user:pw@example.com",
    "https://user@example.com",
    "https://:pw@example.com",
    "https://example.com?token=1",
    "https://example.com/#top",
    "https://exam ple.com",
    "https://exam\nple.com",
    "https://example.com\u200b",
    "https://good.example\\@evil.example",
    "https://",
    "https://.",
    "https://..../",
    "https://example.com:99999",
    `https://example.com/${"a".repeat(2000)}`,
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 50))}`, () => {
      const reading = readRegistryOrigin(text);
      assert.ok(!reading.ok);
      assert.match(reading.problem.text, /^[A-Z].+\.$/);
    });
  }

  it("keeps a password out of its messages", () => {
    const reading = readRegistryOrigin("https://user:hunter2@example.com");
    assert.ok(!reading.ok && !reading.problem.text.includes("hunter2"));
  });
});

describe("readTypedAddress", () => {
  for (const [typed, baseUrl] of [
    [" https://example.com/ ", "https://example.com"],
    ["HTTP://localhost:4873", "http://localhost:4873"],
    ["registry.example.com", "https://registry.example.com"],
    ["bücher.example:8443/skills", "https://xn--bcher-kva.example:8443/skills"],
    ["localhost", "http://localhost"],
    ["127.0.0.1:4873", "http://127.0.0.1:4873"],
    ["[::1]:4873/skills", "http://[::1]:4873/skills"],
  ] as const) {
    it(`connects ${typed} to ${baseUrl}`, () => {
      const reading = readTypedAddress(typed);
      assert.equal(reading?.ok === true && reading.value.baseUrl, baseUrl);
    });
  }

  for (const typed of [
    "ftp://x",
    "git+ssh://example.com",
    "https:",
    "http://example.com",
    "https://user:pw@example.com",
  ]) {
    it(`explains the problem of ${typed}`, () => assert.equal(readTypedAddress(typed)?.ok, false));
  }

  for (const typed of [
    "",
    "h",
    "https",
    "built-in",
    "Built-in registry",
    "local",
    "v1.",
    "a b.c",
  ]) {
    it(`treats ${JSON.stringify(typed)} as words`, () =>
      assert.equal(readTypedAddress(typed), undefined));
  }
});
