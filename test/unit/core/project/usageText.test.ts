import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { InstallUsage } from "../../../../src/core/project/project";
import { incidentsText, subscriptionText, usageText } from "../../../../src/core/project/usageText";
import { english } from "../../../../src/core/text/language";
import { localNoon } from "../../../fixtures/localNoon";

describe("the usage of a skill in a project", () => {
  const cases: readonly [what: string, usage: InstallUsage | undefined, text: string][] = [
    ["is omitted if unknown", undefined, ""],
    ["is omitted if there was none", { invocations: 0, cents: 0 }, ""],
    [
      "can be a single invocation",
      { invocations: 1, succeeded: 1 },
      "1 invocation so far · 100% succeeded",
    ],
    [
      "lists every known number",
      {
        invocations: 12_500,
        succeeded: 9_999,
        failed: 1,
        blocked: 2_500,
        averageLatencyMs: 120,
        cents: 1_250,
        currency: "USD",
      },
      "12,500 invocations so far · 99.9% succeeded · 2,500 blocked · 120 ms on average · $12.50 in all",
    ],
    [
      "can be blocked invocations only",
      { invocations: 2, blocked: 2 },
      "2 invocations so far · 2 blocked",
    ],
  ];
  for (const [what, usage, text] of cases) {
    it(what, () => assert.equal(usageText(usage, english), text));
  }

  it("comes with open incidents", () => {
    assert.equal(incidentsText({ openIncidents: 0 }, english), "");
    assert.equal(incidentsText({ openIncidents: 1 }, english), "1 open incident");
    assert.equal(incidentsText({ openIncidents: 2 }, english), "2 open incidents");
  });

  it("comes with a subscription and its end", () => {
    const currentPeriodEnd = localNoon("2026-12-24");
    const text = (status: string, end?: number) =>
      subscriptionText(
        { skillSlug: "abc", status, ...(end !== undefined && { currentPeriodEnd: end }) },
        english,
      );
    assert.equal(subscriptionText(undefined, english), "");
    assert.match(text("trialing", currentPeriodEnd), /^Trial, until Dec 24, 2026/);
    assert.equal(text("paused"), "Subscription: paused");
  });
});
