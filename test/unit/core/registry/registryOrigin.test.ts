import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readRegistryOrigin } from "../../../../src/core/registry/registryOrigin";

describe("readRegistryOrigin", () => {
  const accepted: readonly (readonly [string, string])[] = [
    ["https://example.com", "https://example.com"],
    ["  HTTPS://Example.COM/  ", "https://example.com"],
    ["https://example.com.", "https://example.com"],
    ["https://example.com..:443/", "https://example.com"],
    ["https://example.com:8443/skills//", "https://example.com:8443/skills"],
    ["https://example.com/a/../b/", "https://example.com/b"],
    ["https://bücher.example", "https://xn--bcher-kva.example"],
    // A Cyrillic "а" in the place of the Latin one shows.
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

  it("keeps a password out of what it says", () => {
    const reading = readRegistryOrigin("https://user:hunter2@example.com");
    assert.ok(!reading.ok && !reading.problem.text.includes("hunter2"));
  });
});
