import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { windowRows } from "../../../../src/core/account/windowRows";
import { english } from "../../../../src/core/text/language";

const nothing = {
  registry: "Built-in registry",
  environment: undefined,
  account: undefined,
  project: undefined,
  hasKey: undefined,
};
const described = (facts: typeof nothing | Parameters<typeof windowRows>[0]) =>
  windowRows(facts, english).map(({ description, command }) => `${command} ${description}`);

describe("the list of what a window uses", () => {
  it("says what is missing or unknown, and how to change it", () => {
    assert.deepEqual(described(nothing), [
      "connect Built-in registry",
      "connect not chosen",
      "signIn not signed in",
      "chooseProject not chosen",
      "projectKey unknown",
    ]);
  });

  it("names what is in use", () => {
    const account = "ana@example.com (Shop)";
    const used = { registry: "r", environment: "staging", account, project: "Web", hasKey: false };
    assert.deepEqual(described(used).slice(1), [
      "connect staging",
      `signIn ${account}`,
      "chooseProject Web",
      "projectKey not set for this project",
    ]);
    const before = { ...nothing, hasKey: false };
    assert.equal(described(before).at(-1), "projectKey not set");
    assert.equal(described({ ...used, hasKey: true }).at(-1), "projectKey set");
  });
});
