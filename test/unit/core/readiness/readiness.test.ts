import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readinessOf } from "../../../../src/core/readiness/readiness";
import type { ReadinessFacts } from "../../../../src/core/readiness/readinessFacts";
import { english, l10nText } from "../../../../src/core/text/language";
import {
  allStatements,
  answer,
  day,
  facts,
  installed,
  now,
  policy,
  project,
  readySkill,
  record,
  statement,
  team,
  withSkill,
} from "./readinessFacts";

const why = { why: l10nText("Nobody asked.") };

describe("the readiness of a skill", () => {
  const questions = ["ownership", "key-scope", "retry-behavior", "logs", "manual-fallback"];

  it("is yes with complete evidence", async () => {
    const { answers } = readinessOf(await facts(), english);
    const shown = answers.map((one) => `${one.question} ${one.state} ${one.evidence.length > 0}`);
    assert.deepEqual(
      shown,
      questions.map((question) => `${question} yes true`),
    );
  });

  it("is not known without evidence", async () => {
    const nothing = await facts({
      skill: readySkill({ publisher: { name: "P" } }, { supportUrl: "x@y.example" }),
      team: why,
      project: why,
      key: why,
      keyOccurrences: why,
      record: why,
    });
    const { answers } = readinessOf(nothing, english);
    const shown = answers.map((one) => `${one.question} ${one.state} ${one.evidence.length > 0}`);
    assert.deepEqual(
      shown,
      questions.map((question) => `${question} notKnown false`),
    );
  });

  it("is no for a fault, also beside what is not known", async () => {
    const skill = readySkill({}, { supportUrl: "" });
    assert.equal(answer(await facts({ skill, team: why }), "ownership").state, "no");
  });

  for (const unread of ["record", "project"] as const) {
    it(`is not known for logs without the ${unread}`, async () => {
      assert.equal(answer(await facts({ [unread]: why }), "logs").state, "notKnown");
    });
  }

  it("dates a review by its last entry, and by now without one", async () => {
    const dates = async (isStatement: boolean) => {
      const { files, ...rest } = await team();
      const kept = files.reviews.filter(({ kind }) => !isStatement || kind === "statement");
      const given = await facts({ team: { ...rest, files: { ...files, reviews: kept } } });
      const shown = answer(given, "ownership").evidence.map(({ label, at }) => `${label} ${at}`);
      return shown.find((label) => label.startsWith(".skill-registry/reviews.json "));
    };
    const reviewed = Date.parse("2026-11-01T09:00:00Z");
    assert.equal(await dates(false), `.skill-registry/reviews.json ${reviewed}`);
    assert.equal(await dates(true), `.skill-registry/reviews.json ${now}`);
  });

  const cases: readonly (readonly [
    question: string,
    state: string,
    message: RegExp,
    changes: () => Partial<ReadinessFacts> | Promise<Partial<ReadinessFacts>>,
  ])[] = [
    [
      "ownership",
      "no",
      /Plainworks is “suspended”/,
      () => ({ skill: readySkill({ publisher: { name: "Plainworks", status: "suspended" } }) }),
    ],
    [
      "ownership",
      "notKnown",
      /does not state whether the publisher Plainworks is active/,
      () => ({ skill: readySkill({ publisher: { name: "Plainworks", status: "gold" } }) }),
    ],
    [
      "ownership",
      "no",
      /“limited”/,
      () => ({
        skill: readySkill({ publisher: { name: "P", status: "active", trustLevel: "limited" } }),
      }),
    ],
    [
      "ownership",
      "notKnown",
      /did not return the publisher/,
      () => {
        const { publisher: _, ...summary } = readySkill().summary;
        return { skill: { ...readySkill(), summary, unanswered: ["publisher"] } };
      },
    ],
    [
      "ownership",
      "no",
      /provides no support address/,
      () => ({ skill: readySkill({}, { supportUrl: " " }) }),
    ],
    [
      "ownership",
      "no",
      /cannot be opened/,
      () => ({ skill: readySkill({}, { supportUrl: "javascript:alert(1)" }) }),
    ],
    [
      "ownership",
      "no",
      /not reviewed for customer-facing/,
      async () => ({ team: await team(allStatements, readySkill(), ["safe-to-try"]) }),
    ],
    [
      "ownership",
      "notKnown",
      /No owner is stated for text-stats/,
      async () => ({ team: await team([]) }),
    ],
    [
      "ownership",
      "no",
      /The statement of Ann <ann@example.com> expired after 2026-11-21\./,
      async () => ({ team: await team([statement("owner", { until: "2026-11-21" })]) }),
    ],
    [
      "ownership",
      "yes",
      /until 2026-11-22: Bo\./,
      async () => ({
        team: await team([
          statement("owner", { until: "2026-11-01" }),
          statement("owner", { until: "2026-11-22", notes: "Bo." }),
        ]),
      }),
    ],
    [
      "manual-fallback",
      "no",
      /docs\/gone\.md, named by Ann <ann@example\.com>, does not exist\./,
      async () => ({ team: await team([statement("runbook", { file: "docs/gone.md" })]) }),
    ],
    [
      "manual-fallback",
      "notKnown",
      /no date of its last trial/,
      async () => ({ team: await team([statement("runbook", { file: "docs/runbook.md" })]) }),
    ],
    [
      "manual-fallback",
      "no",
      /more than 90 days ago/,
      async () => ({
        team: await team([statement("runbook", { file: "docs/runbook.md", tried: "2026-08-23" })]),
      }),
    ],
    [
      "key-scope",
      "no",
      /more than the skill needs: network, files: write, secrets, level: high\./,
      () => ({
        project: project({
          policy: {
            ...policy,
            allowNetwork: true,
            filesystemAccess: "write",
            allowSecretAccess: true,
            maxPermissionLevel: "high",
          },
        }),
      }),
    ],
    [
      "key-scope",
      "yes",
      /no more than the skill needs/,
      () => ({
        project: withSkill(
          { ...installed, permissionLevel: "high" },
          { policy: { ...policy, maxPermissionLevel: "high" } },
        ),
      }),
    ],
    [
      "key-scope",
      "notKnown",
      /provides no permissions for the installed version/,
      () => ({ project: project({ permissions: undefined }) }),
    ],
    [
      "key-scope",
      "no",
      /…c0de does not belong to Shop\./,
      () => ({ project: project({ keys: [] }) }),
    ],
    [
      "key-scope",
      "no",
      /…c0de is revoked\./,
      () => ({
        project: project({ keys: [{ id: "1", name: "Old", last4: "c0de", revokedAt: now - day }] }),
      }),
    ],
    [
      "key-scope",
      "no",
      /does not accept the Project Key/,
      () => ({ project: why, key: { last4: "c0de", isRefused: true, at: now } }),
    ],
    ["key-scope", "notKnown", /Sign in to/, () => ({ project: why })],
    [
      "key-scope",
      "no",
      /A file contains the/,
      () => ({
        keyOccurrences: { found: [{ file: ".env", line: 2 }], searched: 12, isComplete: false },
      }),
    ],
    [
      "key-scope",
      "notKnown",
      /none of 12 files; others could not/,
      () => ({ keyOccurrences: { found: [], searched: 12, isComplete: false } }),
    ],
    [
      "retry-behavior",
      "no",
      /may have run twice/,
      () => ({
        record: [
          record(),
          record({ id: "b", startedAt: now - 3 * day, status: "outcome unknown" }),
        ],
      }),
    ],
    [
      "logs",
      "no",
      /“success” on record and “error” at the registry/,
      () => ({ project: project({}, [{ id: "inv-1", status: "error" }]) }),
    ],
    [
      "logs",
      "no",
      /is missing from the registry's list/,
      () => ({
        project: project({}, [{ id: "inv-0", status: "success", createdAt: now - 9 * day }]),
      }),
    ],
    [
      "manual-fallback",
      "yes",
      /last tried on 2026-08-24\./,
      async () => ({
        team: await team([statement("runbook", { file: "docs/runbook.md", tried: "2026-08-24" })]),
      }),
    ],
  ];
  for (const [question, state, message, changes] of cases) {
    it(`${question} is ${state}: ${message.source}`, async () => {
      const found = answer(await facts(await changes()), question);
      assert.equal(found.state, state, found.message);
      assert.match(found.message, message);
      assert.equal(found.evidence.length > 0, state !== "notKnown");
    });
  }

  it("names the act that mends a fault", async () => {
    const actOf = async (question: string, changes: Partial<ReadinessFacts>) =>
      answer(await facts(changes), question).act;
    const found = [{ file: ".env", line: 2 }];
    const keyOccurrences = { found, searched: 1, isComplete: true };
    assert.deepEqual(
      [
        await actOf("ownership", {
          team: await team([statement("owner", { until: "2026-11-01" })]),
        }),
        await actOf("ownership", {
          team: await team(allStatements, readySkill(), ["safe-to-try"]),
        }),
        await actOf("key-scope", { keyOccurrences }),
        await actOf("key-scope", { project: project({ keys: [] }) }),
        await actOf("key-scope", { project: project({ policy: undefined }) }),
        await actOf("key-scope", { project: withSkill() }),
        await actOf("logs", {}),
      ],
      [
        ...["statement", "reviewSkill", "rotateProjectKey", "setProjectKey", "editPolicy"],
        ...["installSkill", undefined],
      ],
    );
  });

  const harmless: readonly (readonly [
    question: string,
    title: string,
    changes: () => Partial<ReadinessFacts> | Promise<Partial<ReadinessFacts>>,
  ])[] = [
    [
      "ownership",
      "with a publisher of whom only a trust level is known",
      () => ({ skill: readySkill({ publisher: { name: "Plainworks", trustLevel: "verified" } }) }),
    ],
    [
      "retry-behavior",
      "if another request follows an unknown outcome",
      () => ({
        record: [
          record({ requestSha256: "bb" }),
          record({ id: "b", startedAt: now - 3 * day, status: "outcome unknown" }),
        ],
      }),
    ],
    [
      "retry-behavior",
      "if what follows an unknown outcome was not sent",
      () => ({
        record: [
          record({ status: "not sent" }),
          record({ id: "b", startedAt: now - 3 * day, status: "outcome unknown" }),
        ],
      }),
    ],
    [
      "retry-behavior",
      "without an invocation on record",
      () => ({ record: [record({ registry: "built-in" })] }),
    ],
    [
      "logs",
      "without an invocation that the registry lists too",
      () => ({ project: project({}, []) }),
    ],
  ];
  for (const [question, title, changes] of harmless) {
    it(`${question} is yes ${title}, in the words of the statement`, async () => {
      const { state, message } = answer(await facts(await changes()), question);
      assert.equal(state, "yes", message);
      assert.match(message, /^Ann .* states, until /);
    });
  }
});
