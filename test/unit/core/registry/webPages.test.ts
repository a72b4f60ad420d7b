import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  readWebOrigin,
  type WebPage,
  webPageAddress,
} from "../../../../src/core/registry/webPages";

describe("the web application of a registry", () => {
  const allowed: readonly [header: string | undefined, origin: string | undefined][] = [
    ["https://useskillhub.com", "https://useskillhub.com"],
    ["https://Registry.example:8443", "https://registry.example:8443"],
    ["https://registry.example/", "https://registry.example"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["http://registry.example", undefined],
    ["*", undefined],
    ["null", undefined],
    ["", undefined],
    [undefined, undefined],
    ["https://a.example, https://b.example", undefined],
    ["https://user:secret@registry.example", undefined],
    ["https://registry.example/path?x=1", undefined],
    ["vscode://extension/command", undefined],
    ["javascript:alert(1)", undefined],
    ["file:///etc/passwd", undefined],
    [`https://${"a".repeat(400)}.example`, undefined],
  ];
  for (const [header, origin] of allowed) {
    it(`is at ${origin} if its responses allow ${JSON.stringify(header)?.slice(0, 60)}`, () => {
      assert.equal(readWebOrigin(header), origin);
    });
  }

  const origin = "https://api.registry.example";
  const webOrigin = "https://registry.example";
  const pages: readonly [page: WebPage, address: string][] = [
    [{ kind: "skill", slug: "redact-pii" }, "https://registry.example/skills/redact-pii"],
    [{ kind: "skill", slug: "a/../b?c" }, "https://registry.example/skills/a%2F..%2Fb%3Fc"],
    [{ kind: "project", slug: "demo" }, "https://registry.example/dashboard/projects/demo"],
    [{ kind: "login" }, "https://registry.example/login"],
  ];
  for (const [page, address] of pages) {
    it(`has ${address}`, () => {
      assert.equal(webPageAddress({ origin, webOrigin }, page), address);
    });
  }

  it("defaults to the registry's own address unless that is on this machine", () => {
    const page = { kind: "login" } as const;
    assert.equal(webPageAddress({ origin }, page), `${origin}/`);
    assert.equal(webPageAddress({ origin: "http://127.0.0.1:4010" }, page), undefined);
    const webOrigin = "http://localhost:3000";
    const local = webPageAddress({ origin: "http://127.0.0.1:4010", webOrigin }, page);
    assert.equal(local, "http://localhost:3000/login");
  });
});
