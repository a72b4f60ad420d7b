import type { SkillDetail } from "../../../../src/core/skill/skill";

/** Returns a verified skill of the publisher Plainworks with one price. */
export function reviewedSkill(
  changes: Partial<SkillDetail> = {},
  summary: Partial<SkillDetail["summary"]> = {},
): SkillDetail {
  return {
    summary: {
      slug: "text-stats",
      displayName: "Text statistics",
      description: "",
      tags: [],
      version: "1.0.0",
      verificationStatus: "verified",
      publisher: { name: "Plainworks", slug: "plainworks" },
      numbers: {},
      ...summary,
    },
    manifest: {},
    inputSchema: { type: "object", properties: { text: { type: "string" } } },
    outputSchema: { type: "object" },
    permissions: {
      network: false,
      browser: false,
      filesystem: "none",
      secretCount: 0,
      secretNames: [],
    },
    runtime: { type: "http", entry: "https://run.plainworks.example/text-stats" },
    versions: [],
    examples: [],
    prices: [{ billingModel: "per_call", unitAmountCents: 2, currency: "USD" }],
    feedback: undefined,
    ...changes,
  };
}
