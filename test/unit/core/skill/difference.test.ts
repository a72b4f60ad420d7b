import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import { changeSinceAgreed } from "../../../../src/core/invocation/permission/agreement";
import { consentQuestion } from "../../../../src/core/invocation/permission/consentQuestion";
import { termsOf } from "../../../../src/core/invocation/permission/terms";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { updateDifference } from "../../../../src/core/project/updates";
import { skillAtRegistry } from "../../../../src/core/review/checkTeam";
import { standingLines } from "../../../../src/core/review/driftText";
import { contractKey } from "../../../../src/core/review/files/contractFiles";
import { firstPolicy, newReview } from "../../../../src/core/review/newReview";
import { teamStanding } from "../../../../src/core/review/teamStanding";
import { declarationOf } from "../../../../src/core/skill/compare/contract";
import { describeChanges } from "../../../../src/core/skill/compare/describeChanges";
import { difference } from "../../../../src/core/skill/difference";
import type { OwnDetail } from "../../../../src/core/skill/mergeSkill";
import type { Permissions } from "../../../../src/core/skill/permissions";
import type { Price, SkillDetail } from "../../../../src/core/skill/skill";
import { english } from "../../../../src/core/text/language";
import { reviewedSkill } from "../review/reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

const permissions: Permissions = {
  network: false,
  browser: false,
  filesystem: "none",
  secretCount: 1,
  secretNames: ["READ_ONLY"],
};
const referring = (definition: JsonObject): JsonObject => ({
  properties: { text: { $ref: "#/$defs/text" } },
  $defs: { text: definition },
});
const price = (unitAmountCents: number | undefined, currency?: string): Price => ({
  billingModel: "per_call",
  ...(unitAmountCents !== undefined && { unitAmountCents }),
  ...(currency !== undefined && { currency }),
});
const base = { permissions, inputSchema: referring({ maxLength: 9 }) };
const without = (part: "publisher"): Partial<SkillDetail> => {
  const { [part]: _, ...summary } = reviewedSkill().summary;
  return { summary };
};

interface Row {
  readonly before?: Partial<SkillDetail>;
  readonly now: Partial<SkillDetail>;
  /** The text that every place has to show; undefined if nothing changed. */
  readonly told: string | undefined;
  /** The text of `check`, if it does not compare this part or has its own words. */
  readonly check?: string | undefined;
  readonly isUnknown?: true;
}

const rows: Readonly<Record<string, Row>> = {
  nothing: { now: {}, told: undefined },
  "the order of members": {
    now: { inputSchema: JSON.parse(JSON.stringify(base.inputSchema)) },
    told: undefined,
  },
  "the host": {
    now: { runtime: { type: "http", entry: "https://evil.example/text-stats" } },
    told: "Where it runs: evil.example (was: run.plainworks.example)",
  },
  "the scheme": {
    now: { runtime: { type: "http", entry: "http://run.plainworks.example/text-stats" } },
    told: "Where it runs: http://run.plainworks.example (was: run.plainworks.example)",
  },
  "the path": {
    now: { runtime: { type: "http", entry: "https://run.plainworks.example/other" } },
    told: "Where it runs: https://run.plainworks.example/other (was: https://run.plainworks.example/text-stats)",
    // A contract contains only the host.
    check: "",
  },
  "the credentials and query of the address": {
    before: {
      runtime: { type: "http", entry: "https://a:b@run.plainworks.example/text-stats?sig=1#c" },
    },
    now: { runtime: { type: "http", entry: "https://run.plainworks.example/text-stats?sig=2" } },
    told: undefined,
  },
  "the arguments after an address with a query": {
    before: {
      runtime: { type: "mcp", entry: "https://run.plainworks.example/?sig=1", args: ["a"] },
    },
    now: { runtime: { type: "mcp", entry: "https://run.plainworks.example/?sig=2", args: ["b"] } },
    told: "Where it runs: https://run.plainworks.example/ b (was: https://run.plainworks.example/ a)",
    check: "",
  },
  "a command that reads like an address with a query": {
    before: { runtime: { type: "mcp", entry: "npx:tool?a" } },
    now: { runtime: { type: "mcp", entry: "npx:tool?b" } },
    told: "Where it runs: npx:tool?b (was: npx:tool?a)",
    check: "",
  },
  "a runtime that is not provided": {
    now: { runtime: { type: "http" } },
    told: "Where it runs: not provided (was: run.plainworks.example), not compared",
    isUnknown: true,
  },
  "the kind of runtime": {
    now: { runtime: { type: "mcp", entry: "https://run.plainworks.example/text-stats" } },
    told: "Where it runs: mcp (was: http)",
  },
  "the publisher": {
    now: { summary: { ...reviewedSkill().summary, publisher: { name: "X", slug: "x" } } },
    told: "Publisher: x (was: plainworks)",
    check: "The publisher of text-stats@1.0.0 is now x; it was plainworks when reviewed.",
  },
  "a publisher that is not provided": {
    now: without("publisher"),
    told: "Publisher: not provided (was: plainworks), not compared",
    check: "the registry no longer returns its publisher",
    isUnknown: true,
  },
  "the price": {
    now: { prices: [price(500, "USD")] },
    told: "Price: $5.00 per invocation (was: $0.02 per invocation)",
    check: "New price of text-stats@1.0.0: $5.00 per invocation.",
  },
  "the spelling of its currency": {
    now: { prices: [price(2, "usd")] },
    told: undefined,
    check: "",
  },
  "how free is spelled": {
    before: { prices: [{ billingModel: "free" }] },
    now: { prices: [price(0)] },
    told: undefined,
    check: "",
  },
  "an amount that is not provided": {
    now: { prices: [price(undefined, "USD")] },
    told: "amount not provided (was: $0.02 per invocation), not compared",
    check: "the registry no longer returns its price",
    isUnknown: true,
  },
  "a price that is not provided": {
    now: { prices: [] },
    told: "Price: not provided (was: $0.02 per invocation), not compared",
    check: "the registry no longer returns its price",
    isUnknown: true,
  },
  "a secret's name": {
    now: { permissions: { ...permissions, secretNames: ["ADMIN"] } },
    told: "ADMIN (was: Uses 1 secret of the project: READ_ONLY)",
  },
  "a secret's name that is not provided": {
    now: { permissions: { ...permissions, secretNames: [] } },
    told: "Permissions: Uses 1 secret of the project (was: Uses 1 secret of the project: READ_ONLY), not compared",
    isUnknown: true,
  },
  "a permission": {
    now: { permissions: { ...permissions, filesystem: "write" } },
    told: "Permissions: Writes files on the machine it runs on (was: Does not touch files)",
  },
  "a permission of an unknown name": {
    now: { permissions: { ...permissions, others: ["subprocess"] } },
    told: "Permissions: Has permissions unknown to this extension: subprocess (was: no unknown permissions)",
    check:
      "has more permissions than were reviewed: has permissions unknown to this extension: subprocess",
  },
  "permissions that are not provided": {
    now: { permissions: undefined },
    told: "Permissions: not provided (was: Uses 1 secret of the project: READ_ONLY), not compared",
    isUnknown: true,
  },
  "a part of the input schema behind a reference": {
    now: { inputSchema: referring({ maxLength: 5 }) },
    told: "Input: text: at most 5 characters (was: at most 9 characters)",
  },
  "descriptions in the input schema": {
    now: { inputSchema: { ...base.inputSchema, description: "Other words." } },
    told: "Input: differs only in how it is written, such as in descriptions",
  },
  "an input schema that is not provided": {
    now: { inputSchema: undefined },
    told: "Input: no schema is provided now, so it was not compared",
    isUnknown: true,
  },
  "an input schema with an external reference": {
    before: { inputSchema: referring({ $ref: "https://a.example/x.json" }) },
    now: { inputSchema: { ...referring({ $ref: "https://a.example/x.json" }), title: "X" } },
    told: "Input: text: unresolved reference https://a.example/x.json, not compared",
    isUnknown: true,
  },
  "the output": {
    now: { outputSchema: { type: "array" } },
    told: "Output: array (was: object)",
  },
};

/** The same skill, as a project's copy of it. */
function ownDetail({
  prices,
  feedback: _,
  unanswered: __,
  loading: ___,
  ...rest
}: SkillDetail): OwnDetail {
  return { ...rest, ...(prices !== undefined && { prices }) };
}

/** The places that show how a skill differs, each as its text. */
const places: Readonly<Record<string, (before: SkillDetail, now: SkillDetail) => string>> = {
  consent: (before, now) => {
    const [agreed, asked] = [before, now].map((skill, index) => ({
      ...termsOf("r", skill),
      // Another version is always asked about, so that every difference is shown.
      version: `${index}`,
    }));
    const target = { origin: "r", isBuiltIn: false, isTestRun: false, warning: "" };
    if (agreed === undefined || asked === undefined) return "";
    const { detail } = consentQuestion(asked, agreed, target, english);
    return detail.slice(0, detail.indexOf("") + 1).join("\n");
  },
  versions: (before, now) =>
    describeChanges(before, now, english)
      .groups.flatMap(({ title, changes }) =>
        changes.map(({ path, text }) => [title, path, text].filter(Boolean).join(": ")),
      )
      .join("\n"),
  updates: (before, now) =>
    updateDifference(ownDetail(before), now, "1.0.0", english)
      .changes.map(({ text }) => text)
      .join("\n"),
  agreement: (before, now) => changeSinceAgreed(before, { ok: true, value: now }, english) ?? "",
  check: (before, now) => {
    const nothing = { policy: firstPolicy(), reviews: [], contracts: new Map() };
    const made = newReview(nothing, {
      slug: "text-stats",
      registry: "r",
      skill: skillAtRegistry(before, digest),
      criteria: ["safe-to-try"],
      who: "Bo",
      when: "2026-01-01T00:00:00Z",
      until: undefined,
      notes: undefined,
      isWhole: true,
    });
    assert.ok(made !== undefined);
    const { review, contract } = made;
    const kept = { contract, hash: review.contract, slug: review.skill, version: review.version };
    const contracts = new Map([[contractKey(kept), kept]]);
    const files = { ...nothing, reviews: [review], contracts };
    const at = { files: [files], broken: [], registry: "r" };
    const standing = teamStanding(at, "text-stats", skillAtRegistry(now, digest), "2026-01-02");
    return standing === undefined ? "" : standingLines(standing, english).join("\n");
  },
};

describe("the difference between two skills", () => {
  for (const [what, row] of Object.entries(rows)) {
    const before = reviewedSkill({ ...base, ...row.before });
    const now = { ...before, ...row.now };
    const kinds = difference(declarationOf(before), declarationOf(now)).map(({ kind }) => kind);

    it(`is ${row.told === undefined ? "nothing" : row.isUnknown ? "unknown" : "known"} with ${what}`, () => {
      assert.deepEqual(
        kinds.map((kind) => kind === "unknown"),
        row.told === undefined ? [] : [row.isUnknown === true],
      );
      const { summary } = describeChanges(before, now, english);
      if (row.isUnknown)
        assert.match(`${summary}${places["versions"]?.(before, now)}`, /not compared/i);
    });

    for (const [place, tell] of Object.entries(places)) {
      it(`${row.told === undefined ? "is not reported" : "is reported"} by ${place}: ${what}`, () => {
        const text = tell(before, now);
        const expected = place === "check" ? (row.check ?? row.told) : row.told;
        if (expected === undefined || expected === "") assert.equal(text, "");
        else assert.ok(text.includes(expected), text);
      });
    }
  }

  it("lists parts that are unknown in either skill as not compared", () => {
    const hidden = { prices: [], permissions: { ...permissions, secretNames: [] } };
    const skill = reviewedSkill({ ...base, ...hidden, outputSchema: undefined });
    const { summary, groups } = describeChanges(
      skill,
      { ...skill, ...without("publisher") },
      english,
    );
    assert.equal(
      summary,
      "1 to check. Not compared: publisher, price, output schema, names of secrets.",
    );
    assert.equal(groups.length, 1);
    assert.equal(
      describeChanges(skill, skill, english).summary,
      "The same: permissions, input schema, runtime, publisher. Not compared: price, output schema, names of secrets.",
    );
  });
});
