import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { agentOverview, agentOverviewText } from "../../../../src/core/agents/agentOverview";
import { english } from "../../../../src/core/text/language";
import { refusedWith } from "../../../fixtures/agentFacts";

describe("What agents may do", () => {
  it("explains why an agent was refused, and shows unknown codes unchanged", () => {
    const codes = ["spendingLimit", "newer", "constructor"];
    const text = agentOverviewText(refusedWith(codes), english);
    const rows = text.split("\n").filter((line) => line.includes("csv-profile"));
    assert.deepEqual(
      rows.map((row) => row.trim().split(" · ").slice(0, 2)),
      ["it costs more than agents may spend", "newer", "constructor"].map((why) => [
        "csv-profile",
        why,
      ]),
    );
    assert.match(text, /, medium permissions at most · Spent/);
    assert.match(text, /^20 invocations.*Spent today: 15 cents\nAgents may invoke no skill yet/);
    assert.doesNotMatch(text, /Stop Agents/);
  });

  it("merges repeated refusals of one agent into one row with their number", () => {
    const codes = ["notAllowed", "notAllowed", "levelExceeded", "notAllowed"];
    const rows = agentOverview(refusedWith(codes), english).slice(3);
    assert.deepEqual(
      rows.map(({ description }) => description),
      ["agents are not allowed to invoke it · 3 times", "its permission level is too high"],
    );
  });

  it("offers the action that helps after a refusal, but none for another registry's skill", () => {
    const codes = ["notAllowed", "spendingLimit", "levelExceeded", "agentsOff", "payloadInvalid"];
    const actions = (registry?: string) =>
      agentOverview(refusedWith(codes, registry), english)
        .slice(3)
        .map(({ action }) => action.kind);
    assert.deepEqual(actions(), ["allow", "allow", "setLimits", "stop", "openSkill"]);
    assert.deepEqual(new Set(actions("https://elsewhere.example")), new Set(["none"]));
  });
});
