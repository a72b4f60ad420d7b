import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { RegistryFailure } from "../../../../src/core/registry/registryFailure";
import { plainListing } from "../../../../src/core/skillList/skillListing";
import { english } from "../../../../src/core/text/language";
import { l10nText } from "../../../../src/core/text/localizableText";
import { catalogDescription, listContext } from "../../../../src/host/discover/catalogState";

const failures: readonly (readonly [string, RegistryFailure])[] = [
  ["unreachable", { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" }],
  ["unreachable", { kind: "unreachable", cause: "proxy", detail: "407" }],
  ["unreachable", { kind: "timeout", seconds: 30 }],
  ["unreachable", { kind: "connectionLost", detail: "ECONNRESET" }],
  ["untrusted", { kind: "unreachable", cause: "certificate", detail: "CERT_HAS_EXPIRED" }],
  ["errorAnswer", { kind: "errorAnswer", status: 503, message: "Down until noon." }],
  ["errorAnswer", { kind: "notFound" }],
  ["failed", { kind: "unreadable", route: "/v1/skills/search", field: "" }],
  ["failed", { kind: "tooLarge", limitBytes: 10_000_000 }],
  ["failed", { kind: "redirected", target: "https://b.example" }],
];

describe("a Skills view without a list", () => {
  for (const [context, failure] of failures) {
    it(`is “${context}” after ${JSON.stringify(failure)}`, () => {
      const state = { kind: "failed", registryName: "a.example", failure } as const;
      assert.equal(listContext(state), context);
    });
  }

  it("names the registry and says what it answered", () => {
    const failure = { kind: "errorAnswer", status: 503, message: "Down until noon." } as const;
    const state = { kind: "failed", registryName: "a.example", failure } as const;
    const words = catalogDescription(state, plainListing, english);
    assert.equal(words, "a.example · HTTP 503: Down until noon.");
    const silent = { ...state, failure: { kind: "errorAnswer", status: 500 } } as const;
    assert.equal(catalogDescription(silent, plainListing, english), "a.example · HTTP 500");
  });

  it("says what keeps it from asking any", () => {
    const problem = l10nText("Start the address with https:// (or http:// for this machine).");
    const state = { kind: "notConnected", problem } as const;
    assert.match(catalogDescription(state, plainListing, english), /^Start the address with https/);
  });
});
