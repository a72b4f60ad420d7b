import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { clientFor } from "../../fixtures/clientFor";

describe("RegistryClient", () => {
  for (const baseUrl of [
    "http://registry.example",
    "https://a:b@registry.example",
    "registry",
    "",
  ]) {
    it(`is not made for ${JSON.stringify(baseUrl)}`, () => {
      assert.throws(() => clientFor(baseUrl), TypeError);
    });
  }
});
