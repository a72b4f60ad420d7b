import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { changesSinceAllowed } from "../../../src/agents/skillGate";
import { refusalOf } from "../../../src/core/agents/agentResults";
import { changeSinceAgreed } from "../../../src/core/invocation/permission/agreement";
import { canInvoke } from "../../../src/core/invocation/permission/canInvoke";
import { type Stop, stopText } from "../../../src/core/invocation/permission/question";
import type { ReviewFiles } from "../../../src/core/review/coverage";
import { standingLines } from "../../../src/core/review/driftText";
import { contractKey } from "../../../src/core/review/files/contractFiles";
import { firstPolicy, newReview } from "../../../src/core/review/newReview";
import { skillStanding } from "../../../src/core/review/skillStanding";
import { readContract } from "../../../src/core/skill/compare/contract";
import type { Permissions } from "../../../src/core/skill/permissions";
import type { SkillDetail } from "../../../src/core/skill/skill";
import { english } from "../../../src/core/text/language";
import { sha256 } from "../../../src/engine/sha256";
import { agreedNow } from "../../fixtures/agentFacts";
import { fullSkill } from "../../fixtures/skillDetail";

const registry = "https://registry.example";
const { slug } = fullSkill.summary;
const powerful = fullSkill.permissions as Permissions;
const at = (skill: SkillDetail) => ({
  version: skill.summary.version,
  verification: skill.summary.verificationStatus,
  contract: readContract(skill, sha256),
});

/** Returns what `check` reports about a changed skill if the fixture was reviewed. */
function checked(now: SkillDetail): string {
  const policy = firstPolicy();
  const nothing: ReviewFiles = { policy, reviews: [], contracts: new Map() };
  const made = newReview(nothing, {
    ...{ slug, registry, skill: at(fullSkill), criteria: ["safe-to-try"], who: "Ann" },
    ...{ when: "2026-01-01T00:00:00Z", isWhole: false, until: undefined },
  });
  const read = readContract(fullSkill, sha256);
  if (made === undefined || !read.ok) assert.fail("The contract is not known.");
  const { contract, hash } = read;
  const kept = { slug, version: made.review.version, contract, hash };
  const files = { policy, reviews: [made.review], contracts: new Map([[contractKey(kept), kept]]) };
  const current = { ok: true as const, value: at(now) };
  const skill = { slug, registry, usedVersions: [""], current, others: [] };
  const standing = skillStanding(files, skill, "2026-11-22");
  return standingLines({ ...standing, broken: [] }, english).join("\n");
}

describe("a changed skill", () => {
  const price = { billingModel: "per_call", unitAmountCents: 9900, currency: "USD" };
  const summary = (changed: Partial<SkillDetail["summary"]>) => ({
    summary: { ...fullSkill.summary, ...changed },
  });
  const runs = (entry: string) => ({ runtime: { type: "http", entry } });
  const cases: readonly (readonly [string, Partial<SkillDetail>, readonly string[]])[] = [
    ["in its price", { prices: [price] }, ["$99.00 per invocation", "$0.02 per invocation"]],
    ["to a free one", { prices: [{ billingModel: "free" }] }, ["free", "$0.02 per invocation"]],
    [
      "in its permissions",
      { permissions: { ...powerful, filesystem: "write", secretCount: 1 } },
      ["writes files on the machine it runs on", "uses 1 secret of the project"],
    ],
    [
      "in its host",
      runs("https://other.example/profile"),
      ["where it runs: other.example (was: run.tabular.example)"],
    ],
    [
      "to a host without https",
      runs("http://run.tabular.example/profile"),
      ["where it runs: http://run.tabular.example (was: run.tabular.example)"],
    ],
    [
      "in its input",
      { inputSchema: { type: "object", required: ["more"] } },
      ["input: more: new, required: any value"],
    ],
    [
      "in its publisher",
      summary({ publisher: { name: "Other", slug: "other" } }),
      ["other", "tabular-tools"],
    ],
  ];
  for (const [title, change, words] of cases) {
    it(`${title} has the same words in an invocation, a check and an agent's refusal`, () => {
      const now = { ...fullSkill, ...change };
      const said = {
        invoke: changeSinceAgreed(fullSkill, { ok: true, value: now }, english) ?? "",
        check: checked(now),
        agents: changesSinceAllowed(now, agreedNow(), english).join("\n"),
      };
      for (const [who, text] of Object.entries(said)) {
        for (const word of words) assert.ok(text.toLowerCase().includes(word), `${who}: ${text}`);
      }
    });
  }

  for (const [status, word] of [
    ["suspended", "Suspended"],
    ["rejected", "Rejected"],
    ["submitted", "Submitted"],
  ] as const) {
    it(`that is now ${status} is refused to an agent in the words of an invocation, and named by a check`, () => {
      const now = { ...fullSkill, ...summary({ verificationStatus: status }) };
      const verdict = canInvoke(now);
      if (verdict.kind !== "no") assert.fail(verdict.kind);
      const stop: Stop = { kind: "notCallable", verdict };
      const { message } = stopText(slug, stop, english);
      assert.deepEqual(refusalOf(slug, stop), { code: "notCallable", message });
      assert.equal(changeSinceAgreed(fullSkill, { ok: true, value: now }, english), message);
      assert.match(checked(now), new RegExp(`is now “${word}” at the registry`));
    });
  }
});
