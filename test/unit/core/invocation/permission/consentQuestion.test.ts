import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, it } from "mocha";
import {
  consentQuestion,
  neededQuestion,
  needsConsent,
  permissionsLine,
  termsDifference,
} from "../../../../../src/core/invocation/permission/consentQuestion";
import {
  agreedTerms,
  agreementToKeep,
  asFree,
  readAgreements,
  type Terms,
  termsChanges,
  termsOf,
} from "../../../../../src/core/invocation/permission/terms";
import type { JsonObject } from "../../../../../src/core/json/jsonValue";
import type { TeamStanding } from "../../../../../src/core/review/standing";
import { type Permissions, permissionSentences } from "../../../../../src/core/skill/permissions";
import type { SkillDetail } from "../../../../../src/core/skill/skill";
import { english, languageOf } from "../../../../../src/core/text/language";
import { dialogText } from "../../../../../src/core/text/plainText";

const none: Permissions = {
  network: false,
  browser: false,
  filesystem: "none",
  secretCount: 0,
  secretNames: [],
};

const schema: JsonObject = {
  type: "object",
  required: ["text"],
  properties: { text: { type: "string" }, top: { type: "integer" } },
};

function skill(changes: Partial<SkillDetail> = {}, version = "1.0.0"): SkillDetail {
  return {
    summary: {
      slug: "text-stats",
      displayName: "Text statistics",
      description: "",
      tags: [],
      version,
      numbers: {},
      billingModel: "free",
    },
    manifest: {},
    inputSchema: schema,
    outputSchema: undefined,
    permissions: none,
    runtime: { type: "http" },
    versions: [],
    examples: [],
    prices: [],
    feedback: undefined,
    ...changes,
  };
}

const terms = (changes: Partial<SkillDetail> = {}, version?: string): Terms =>
  termsOf("https://registry.example.com", skill(changes, version));

const paid = { prices: [{ billingModel: "per_call", unitAmountCents: 3, currency: "EUR" }] };

describe("consent", () => {
  const cases: readonly (readonly [
    name: string,
    change: Partial<SkillDetail>,
    isBuiltIn: boolean,
    needed: boolean,
  ])[] = [
    ["a free skill that only computes, at the built-in registry", {}, true, false],
    ["a free skill that only computes, at another registry", {}, false, true],
    ["a skill that uses the network", { permissions: { ...none, network: true } }, true, true],
    ["a skill whose permissions are not known", { permissions: undefined }, true, true],
    ["a skill with a price", paid, true, true],
    [
      "a skill with a subscription",
      { prices: [{ billingModel: "subscription", unitAmountCents: 2900 }] },
      true,
      true,
    ],
    [
      "a skill whose price is inactive",
      {
        prices: [
          { billingModel: "free" },
          { billingModel: "per_call", unitAmountCents: 3, status: "archived" },
        ],
      },
      true,
      false,
    ],
  ];
  for (const [name, change, isBuiltIn, needed] of cases) {
    it(`is ${needed ? "" : "not "}required for ${name}`, () => {
      assert.equal(needsConsent(skill(change), isBuiltIn), needed);
    });
  }
});

describe("the question for consent", () => {
  const origin = "https://registry.example.com";
  const target = { origin, isBuiltIn: false, isTestRun: false, warning: "" };

  it("names permissions, price, policy and target", () => {
    const now = terms({ ...paid, permissions: { ...none, network: true, secretCount: 2 } });
    const { message, detail } = consentQuestion(
      now,
      undefined,
      {
        ...target,
        maxPermissionLevel: "medium",
      },
      english,
    );
    assert.match(message, /text-stats@1\.0\.0/);
    const text = detail.join("\n");
    for (const words of [
      /Uses 2 secrets/,
      /network/,
      /€0\.03 per invocation/,
      /medium/,
      /example\.com/,
    ]) {
      assert.match(text, words);
    }
    assert.equal(detail.length, 4);
  });

  it("names every permission on uncut lines, however long the names of secrets are", () => {
    const texts = JSON.parse(readFileSync(resolve("l10n/bundle.l10n.de.json"), "utf8"));
    const secretNames = Array.from({ length: 100 }, () => "S".repeat(200));
    const secrets = { secretCount: 100, secretNames };
    const permissions = { network: true, browser: true, filesystem: "write", ...secrets } as const;
    for (const language of [english, languageOf("de", texts)]) {
      const line = permissionsLine({ permissions }, language);
      assert.ok(line.length <= 300, `${line.length}`);
      const shown = dialogText([line]);
      for (const { sentence } of permissionSentences(permissions, language)) {
        assert.ok(shown.includes(sentence.slice(0, 50)), shown);
      }
    }
  });

  it("warns before the price that it may be billed without being executed", () => {
    const warned = { ...target, warning: "May be billed but not executed." };
    const { detail } = consentQuestion(terms(paid), undefined, warned, english);
    assert.equal(detail[2], "May be billed but not executed.");
  });

  it("shows a price that could not be read as unknown, not as missing or changed", () => {
    const now = terms({ prices: undefined, unanswered: ["prices"] });
    const { message, detail } = consentQuestion(now, terms(paid), target, english);
    assert.match(detail.join("\n"), /Price: unknown/);
    assert.doesNotMatch(message, /changed/);
  });

  it("says if price or permissions are missing", () => {
    const now = termsOf("r", skill({ permissions: undefined, prices: undefined }));
    const text = consentQuestion({ ...now, prices: [] }, undefined, target, english).detail.join(
      "\n",
    );
    assert.match(text, /Permissions: not provided/);
    assert.match(text, /Price: not provided/);
  });

  it("reports that a test run really runs, without key and price", () => {
    const now = terms({ ...paid, permissions: { ...none, network: true } });
    const { message, detail, agree } = consentQuestion(
      now,
      undefined,
      { ...target, isTestRun: true },
      english,
    );
    assert.deepEqual([message, agree], ["Test run text-stats@1.0.0?", "Run"]);
    const text = detail.join("\n");
    for (const words of [
      /network/,
      /none \(test runs are not billed\)\. The skill really runs/,
      /instead of a Project Key/,
    ]) {
      assert.match(text, words);
    }
    assert.doesNotMatch(text, /€/);
  });

  it("is required for a test run only if the skill does more than compute, whatever its price", () => {
    const atRegistry = (change: Partial<SkillDetail>) => needsConsent(asFree(skill(change)), true);
    assert.equal(atRegistry(paid), false);
    assert.equal(atRegistry({ prices: undefined, unanswered: ["prices"] }), false);
    assert.equal(atRegistry({ ...paid, permissions: { ...none, filesystem: "write" } }), true);
  });

  it("shows changes first", () => {
    const now = terms({ permissions: { ...none, filesystem: "write" } });
    const { message, detail } = consentQuestion(now, terms(), target, english);
    assert.match(message, /has changed/);
    assert.match(detail[0] ?? "", /^Permissions: Writes files/);
  });
});

describe("the difference between terms", () => {
  it("ignores the order of members, descriptions and examples", () => {
    const turned = { properties: schema["properties"] ?? {}, required: ["text"], type: "object" };
    const other = terms({ inputSchema: turned, examples: [{ name: "x", input: 1 }] });
    assert.deepEqual(termsDifference(terms(), other, english), []);
    assert.deepEqual(termsChanges(terms(), other), []);
  });

  it("names the version, and stays short after any change", () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`p${index}`, { type: "string" }]),
    );
    const now = terms({ inputSchema: { type: "object", properties } }, "2.0.0");
    const lines = termsDifference(terms(), now, english);
    assert.match(lines[0] ?? "", /Version 2\.0\.0 instead of 1\.0\.0/);
    assert.equal(lines.length, 8);
    assert.match(lines[7] ?? "", /more changes/);
  });

  const known = { ...terms(paid), publisher: "plainworks" };
  const unnamed = { ...known, publisher: null };
  const unanswered = { ...unnamed, unanswered: ["publisher" as const] };

  it("reports a price or a publisher that the registry no longer returns", () => {
    const unpriced = { ...known, prices: [] };
    for (const [part, silent] of Object.entries({ prices: unpriced, publisher: unnamed })) {
      assert.deepEqual(
        termsChanges(known, silent).map((change) => [change.part, change.kind]),
        [[part, "unknown"]],
      );
      const target = { origin: "r", isBuiltIn: false, isTestRun: false, warning: "" };
      const question = neededQuestion(skill(paid), { now: silent, before: known }, target, english);
      assert.match(question?.message ?? "", /has changed since you agreed/);
    }
    assert.notDeepEqual(termsChanges(terms(), terms(paid)), []);
  });

  it("ignores a publisher whose source did not respond, then or now", () => {
    assert.deepEqual(termsChanges(known, unanswered), []);
    assert.deepEqual(termsChanges(unanswered, known), []);
  });

  it("keeps the stored agreement if only the publisher is unknown now", () => {
    assert.deepEqual(agreementToKeep([known], unanswered), known);
    assert.deepEqual(agreementToKeep([], unanswered), unanswered);
    assert.deepEqual(readAgreements([unanswered]), [unanswered]);
    const silent = { ...unnamed, prices: [] };
    assert.deepEqual(agreementToKeep([known], silent), silent);
  });
});

describe("the questions before an invocation", () => {
  const target = { origin: "https://registry.example.com", isTestRun: false, warning: "" };
  const unreviewed: TeamStanding = {
    slug: "text-stats",
    drift: [{ kind: "unreviewed", version: "1.0.0", criteria: ["safe-to-try"] }],
    notKnown: [],
    broken: [],
  };
  const drifted: TeamStanding = {
    ...unreviewed,
    drift: [{ kind: "expired", version: "1.0.0", by: "review", until: "2026-01-01" }],
  };
  const unknown: TeamStanding = {
    ...unreviewed,
    drift: [],
    broken: [".skill-registry/policy.json"],
  };

  for (const [what, { before, isBuiltIn = false, objection, now = terms() }, agree] of [
    ["nothing was agreed to", {}, "Invoke"],
    ["the same was agreed to", { before: terms() }, undefined],
    ["its price is not known", { before: terms(), now: unpriced() }, "Invoke"],
    ["nothing is at stake", { isBuiltIn: true }, undefined],
    ["it is not reviewed", { objection: unreviewed }, "Invoke Unreviewed"],
    [
      "it is not reviewed, and the same was agreed to",
      { before: terms(), objection: unreviewed },
      "Invoke Unreviewed",
    ],
    [
      "it is not reviewed, and nothing else is at stake",
      { isBuiltIn: true, objection: unreviewed },
      "Invoke Unreviewed",
    ],
    ["it drifted", { before: terms(), objection: drifted }, "Invoke Despite Review"],
    ["its reviews are broken", { before: terms(), objection: unknown }, "Invoke Unreviewed"],
  ] as const satisfies readonly (readonly [string, Asked, string | undefined])[]) {
    it(`${agree === undefined ? "are none" : `offer “${agree}”`} if ${what}`, () => {
      const asked = { ...target, isBuiltIn, objection };
      const question = neededQuestion(skill(), { now, before }, asked, english);
      assert.equal(question?.agree, agree);
    });
  }

  for (const [isTestRun, isBuiltIn, named] of [
    [false, false, true],
    [true, false, false],
    [false, true, false],
  ] as const) {
    it(`${named ? "name" : "do not name"} the project of the key, ${isTestRun ? "of a test run" : isBuiltIn ? "at the built-in registry" : "which may be another organization's"}`, () => {
      const asked = { ...target, isTestRun, isBuiltIn, keyProject: "Shop (Acme)" };
      const { detail } = consentQuestion(terms(), undefined, asked, english);
      const isNamed = detail.at(-1)?.endsWith("with the Project Key of Shop (Acme).") === true;
      assert.equal(isNamed, named, detail.at(-1));
    });
  }

  it("name a Project Key only if there is one", () => {
    const lineWith = (hasKey: boolean) => {
      const asked = { ...target, isBuiltIn: false, hasKey };
      return consentQuestion(terms(), undefined, asked, english).detail.at(-1);
    };
    assert.equal(lineWith(true), `Sent to: ${target.origin}, with your Project Key.`);
    assert.equal(lineWith(false), `Sent to: ${target.origin}.`);
  });

  it("list objections of reviews first, then changes, then the terms", () => {
    const before = terms({ permissions: { ...none, network: true } });
    const asked = { ...target, isBuiltIn: false, objection: unreviewed };
    const question = neededQuestion(skill(), { now: terms(), before }, asked, english);
    assert.equal(
      question?.message,
      "text-stats@1.0.0 is not reviewed in this workspace. Invoke it unreviewed?",
    );
    const [first, , changed] = question?.detail ?? [];
    assert.match(first ?? "", /is not reviewed for safe-to-try/);
    assert.match(changed ?? "", /network/);
    assert.match(question?.detail.at(-1) ?? "", /^Sent to: /);
  });
});

interface Asked {
  readonly before?: Terms;
  readonly isBuiltIn?: boolean;
  readonly objection?: TeamStanding;
  readonly now?: Terms;
}

function unpriced(): Terms {
  return { ...terms(), prices: [], unanswered: ["prices"] };
}

describe("an agreement", () => {
  it("is found for the version, else for the last agreed version", () => {
    const agreements = [terms({}, "1.0.0"), terms({}, "2.0.0")];
    assert.equal(agreedTerms(agreements, terms({}, "1.0.0"))?.version, "1.0.0");
    assert.equal(agreedTerms(agreements, terms({}, "3.0.0"))?.version, "2.0.0");
  });

  it("applies to one registry only", () => {
    const elsewhere = { ...terms(), registry: "https://other.example.com" };
    assert.equal(agreedTerms([terms()], elsewhere), undefined);
  });

  it("survives writing and reading; a damaged one is asked for again", () => {
    const written = JSON.parse(JSON.stringify([terms(paid), 5, { registry: "x" }, null]));
    assert.deepEqual(readAgreements(written), [terms(paid)]);
    assert.deepEqual(readAgreements("?"), []);
    const broken = { ...terms(), permissions: { ...none, filesystem: "all" } };
    assert.deepEqual(readAgreements([broken]), []);
  });
});
