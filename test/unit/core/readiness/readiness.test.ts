import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readinessOf } from "../../../../src/core/readiness/readiness";
import {
  known,
  notKnown,
  type ReadinessFacts,
} from "../../../../src/core/readiness/readinessFacts";
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
  retentionOf,
  statement,
  team,
  withSkill,
} from "./readinessFacts";

const why = notKnown(l10nText("Nobody asked."));

describe("the readiness of a skill", () => {
  it("is met in every applicable item with complete evidence", async () => {
    const items = readinessOf(await facts(), english).questions.flatMap((one) => one.items);
    const states = items.map(({ id, state, evidence }) => `${id} ${state} ${evidence.length > 0}`);
    assert.deepEqual(states, [
      "publisher-active met true",
      "support-address met true",
      "reviewed met true",
      "owner-named met true",
      "invocable met true",
      "policy-no-wider met true",
      "key-of-project met true",
      "key-in-no-file met true",
      "no-repeat-after-unknown notApplicable true",
      "budget-limited met true",
      "retry-rule met true",
      "record-kept met true",
      "registry-log met true",
      "record-agrees met true",
      "production-logs met true",
      "runbook-named met true",
      "runbook-tried met true",
    ]);
  });

  it("is unknown in every item without evidence", async () => {
    const nothing = await facts({
      skill: readySkill({ publisher: { name: "P" } }, { supportUrl: "x@y.example" }),
      folder: why,
      project: why,
      key: why,
      keyOccurrences: why,
      record: why,
      retention: why,
    });
    const items = readinessOf(nothing, english).questions.flatMap((one) => one.items);
    assert.deepEqual(
      items.filter(({ state }) => state !== "notKnown").map(({ id }) => id),
      ["support-address"],
    );
    assert.ok(items.every(({ state, evidence }) => state === "met" || evidence.length === 0));
  });

  const cases: readonly (readonly [
    id: string,
    state: string,
    message: RegExp,
    changes: () => Partial<ReadinessFacts> | Promise<Partial<ReadinessFacts>>,
  ])[] = [
    [
      "publisher-active",
      "notMet",
      /Plainworks is “suspended”/,
      () => ({ skill: readySkill({ publisher: { name: "Plainworks", status: "suspended" } }) }),
    ],
    [
      "publisher-active",
      "met",
      /Plainworks is active/,
      () => ({ skill: readySkill({ publisher: { name: "Plainworks", trustLevel: "verified" } }) }),
    ],
    [
      "publisher-active",
      "notKnown",
      /does not state whether the publisher Plainworks is active/,
      () => ({ skill: readySkill({ publisher: { name: "Plainworks", status: "gold" } }) }),
    ],
    [
      "publisher-active",
      "notMet",
      /“limited”/,
      () => ({
        skill: readySkill({ publisher: { name: "P", status: "active", trustLevel: "limited" } }),
      }),
    ],
    [
      "publisher-active",
      "notKnown",
      /did not return the publisher/,
      () => {
        const { publisher: _, ...summary } = readySkill().summary;
        return { skill: { ...readySkill(), summary, unanswered: ["publisher"] } };
      },
    ],
    [
      "support-address",
      "notMet",
      /provides no support address/,
      () => ({ skill: readySkill({}, { supportUrl: " " }) }),
    ],
    [
      "support-address",
      "notMet",
      /cannot be opened/,
      () => ({ skill: readySkill({}, { supportUrl: "javascript:alert(1)" }) }),
    ],
    [
      "reviewed",
      "notMet",
      /not reviewed for customer-facing/,
      async () => ({ folder: await team(allStatements, readySkill(), ["safe-to-try"]) }),
    ],
    [
      "owner-named",
      "notKnown",
      /No owner is stated for text-stats/,
      async () => ({ folder: await team([]) }),
    ],
    [
      "owner-named",
      "notMet",
      /The statement of Ann <ann@example.com> expired after 2026-11-21\./,
      async () => ({ folder: await team([statement("owner", { until: "2026-11-21" })]) }),
    ],
    [
      "owner-named",
      "met",
      /until 2026-11-22: Bo\./,
      async () => ({
        folder: await team([
          statement("owner", { until: "2026-11-01" }),
          statement("owner", { until: "2026-11-22", notes: "Bo." }),
        ]),
      }),
    ],
    [
      "runbook-named",
      "notMet",
      /docs\/gone\.md, named by Ann <ann@example\.com>, does not exist\./,
      async () => ({ folder: await team([statement("runbook", { file: "docs/gone.md" })]) }),
    ],
    [
      "runbook-tried",
      "notKnown",
      /no date of its last trial/,
      async () => ({ folder: await team([statement("runbook", { file: "docs/runbook.md" })]) }),
    ],
    [
      "runbook-tried",
      "notMet",
      /more than 90 days ago/,
      async () => ({
        folder: await team([
          statement("runbook", { file: "docs/runbook.md", tried: "2026-08-23" }),
        ]),
      }),
    ],
    [
      "runbook-tried",
      "met",
      /last tried on 2026-08-24\./,
      async () => ({
        folder: await team([
          statement("runbook", { file: "docs/runbook.md", tried: "2026-08-24" }),
        ]),
      }),
    ],
    ["invocable", "notMet", /not installed/, () => ({ project: withSkill() })],
    ["invocable", "notMet", /polic/i, () => ({ project: project({ policy: undefined }) })],
    [
      "invocable",
      "notMet",
      /suspended/,
      () => ({ project: withSkill({ ...installed, status: "suspended" }) }),
    ],
    [
      "invocable",
      "notMet",
      /approv/,
      () => ({ project: withSkill({ ...installed, approvalState: "pending" }) }),
    ],
    [
      "registry-log",
      "met",
      /^At the registry: 25 invocations so far · 96% succeeded · \$0\.50 in all\.$/,
      () => ({}),
    ],
    [
      "registry-log",
      "notKnown",
      /no invocation of it by Shop/,
      () => ({ project: withSkill({ ...installed, usage: { invocations: 0 } }) }),
    ],
    [
      "policy-no-wider",
      "notMet",
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
      "policy-no-wider",
      "met",
      /no more than the skill needs/,
      () => ({
        project: withSkill(
          { ...installed, permissionLevel: "high" },
          { policy: { ...policy, maxPermissionLevel: "high" } },
        ),
      }),
    ],
    [
      "policy-no-wider",
      "notKnown",
      /provides no permissions for the installed version/,
      () => ({ project: project({ permissions: undefined }) }),
    ],
    [
      "key-of-project",
      "notMet",
      /…c0de does not belong to Shop\./,
      () => ({ project: project({ keys: [] }) }),
    ],
    [
      "key-of-project",
      "notMet",
      /…c0de is revoked\./,
      () => ({
        project: project({ keys: [{ id: "1", name: "Old", last4: "c0de", revokedAt: now - day }] }),
      }),
    ],
    [
      "key-of-project",
      "notMet",
      /does not accept the Project Key/,
      () => ({ project: why, key: known({ last4: "c0de", isRefused: true }, now) }),
    ],
    ["key-of-project", "notKnown", /Sign in to/, () => ({ project: why })],
    [
      "key-in-no-file",
      "notMet",
      /A file contains the/,
      () => ({
        keyOccurrences: known(
          { found: [{ file: ".env", line: 2 }], searched: 12, isComplete: false },
          now,
        ),
      }),
    ],
    [
      "key-in-no-file",
      "notKnown",
      /none of 12 files; others could not/,
      () => ({ keyOccurrences: known({ found: [], searched: 12, isComplete: false }, now) }),
    ],
    [
      "no-repeat-after-unknown",
      "notMet",
      /may have run twice/,
      () => ({
        record: known(
          [record(), record({ id: "b", startedAt: now - 3 * day, status: "outcome unknown" })],
          now,
        ),
      }),
    ],
    [
      "no-repeat-after-unknown",
      "met",
      /No invocation on record was repeated/,
      () => ({
        record: known(
          [
            record({ requestSha256: "bb" }),
            record({ id: "b", startedAt: now - 3 * day, status: "outcome unknown" }),
          ],
          now,
        ),
      }),
    ],
    [
      "no-repeat-after-unknown",
      "met",
      /repeated after an unknown outcome\.$/,
      () => ({
        record: known(
          [
            record({ status: "not sent" }),
            record({ id: "b", startedAt: now - 3 * day, status: "outcome unknown" }),
          ],
          now,
        ),
      }),
    ],
    [
      "no-repeat-after-unknown",
      "notKnown",
      /No invocation of it is on record/,
      () => ({ record: known([record({ registry: "built-in" })], now) }),
    ],
    [
      "budget-limited",
      "notMet",
      /No monthly budget/,
      () => ({ project: project({ policy: { ...policy, monthlyBudgetCents: 0 } }) }),
    ],
    [
      "budget-limited",
      "notApplicable",
      /are free/,
      () => ({ skill: readySkill({}, { prices: [{ billingModel: "free" }] }) }),
    ],
    [
      "record-kept",
      "notMet",
      /kept for 30 days; keep them for 90/,
      () => ({ retention: retentionOf({ days: 30 }) }),
    ],
    [
      "record-kept",
      "notMet",
      /is full: .* goes back to 2026-11-20 only/,
      () => ({ retention: retentionOf({ entries: 1 }) }),
    ],
    [
      "record-kept",
      "notKnown",
      /for 90 days or more, and the record goes back to 2026-11-20 only/,
      () => ({ retention: retentionOf({}) }),
    ],
    [
      "record-kept",
      "notMet",
      /No invocations are kept/,
      () => ({ retention: retentionOf({ entries: 0 }) }),
    ],
    [
      "record-agrees",
      "notMet",
      /“success” on record and “error” at the registry/,
      () => ({ project: project({}, [{ id: "inv-1", status: "error" }]) }),
    ],
    [
      "record-agrees",
      "notMet",
      /is missing from the registry's list/,
      () => ({
        project: project({}, [{ id: "inv-0", status: "success", createdAt: now - 9 * day }]),
      }),
    ],
    [
      "record-agrees",
      "notKnown",
      /both on record and in the registry's list/,
      () => ({ project: project({}, []) }),
    ],
  ];
  for (const [id, state, message, changes] of cases) {
    it(`${id} is ${state}: ${message.source}`, async () => {
      const item = answer(await facts(await changes()), id);
      assert.equal(item.state, state, item.message);
      assert.match(item.message, message);
      assert.equal(item.evidence.length > 0, state === "met" || state === "notMet");
    });
  }
});
