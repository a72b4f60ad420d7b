import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { noAgentSettings } from "../../../../src/core/agents/agentAgreements";
import { agentOverviewText } from "../../../../src/core/agents/agentOverview";
import { english } from "../../../../src/core/text/language";

describe("What agents may do, as text", () => {
  it("says in words why an agent was refused, and a code that it does not know as it is", () => {
    const text = agentOverviewText(
      {
        settings: noAgentSettings,
        isEnabled: true,
        today: "2026-01-01",
        centsToday: 0,
        records: [],
        refused: ["spendingLimit", "newer", "constructor"].map((code) => ({
          at: 0,
          skill: "csv-profile",
          code,
          caller: { kind: "mcp", name: "probe" },
        })),
      },
      english,
    );
    const rows = text.split("\n").filter((line) => line.includes("csv-profile"));
    assert.deepEqual(
      rows.map((row) => row.split(" · ").slice(1)),
      ["it costs more than agents may spend", "newer", "constructor"].map((why) => [
        "csv-profile",
        why,
        "probe",
      ]),
    );
  });
});
