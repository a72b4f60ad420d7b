import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "mocha";
import type { InvocationRecord } from "../../../../src/core/invocation/record/invocationRecord";
import type { InstalledSkill } from "../../../../src/core/project/project";
import { readinessOf } from "../../../../src/core/readiness/readiness";
import {
  findKeyOccurrences,
  known,
  notKnown,
  type ProjectFacts,
  type ReadinessFacts,
  type Retention,
  teamFacts,
} from "../../../../src/core/readiness/readinessFacts";
import { readinessReport, readinessText } from "../../../../src/core/readiness/readinessText";
import { skillAtRegistry } from "../../../../src/core/review/checkTeam";
import type { ReviewFiles } from "../../../../src/core/review/coverage";
import {
  type Review,
  readReviews,
  type Statement,
  writeTeamFile,
} from "../../../../src/core/review/files/reviewFiles";
import { firstPolicy, newReview } from "../../../../src/core/review/newReview";
import type { SkillDetail } from "../../../../src/core/skill/skill";
import { runSync } from "../../../../src/core/text/chunked";
import { english, l10nText } from "../../../../src/core/text/language";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { strictPolicy } from "../../../fixtures/strictPolicy";
import { reviewedSkill } from "../review/reviewedSkill";

const digest = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");
const now = Date.parse("2026-11-22T05:00:00Z");
const day = 86_400_000;

const readySkill = (summary: Partial<SkillDetail["summary"]> = {}, changes = {}) =>
  reviewedSkill(
    { supportUrl: "https://plainworks.example/support", ...changes },
    { publisher: { name: "Plainworks", slug: "plainworks", status: "active" }, ...summary },
  );

const statement = (about: Statement["about"], more: Partial<Statement> = {}): Statement => ({
  kind: "statement",
  skill: "text-stats",
  about,
  who: "Ann <ann@example.com>",
  when: "2026-11-01T09:00:00Z",
  until: "2027-06-30",
  notes: "The payments team.",
  ...more,
});

const allStatements = [
  statement("owner"),
  statement("retry-rule"),
  statement("logs"),
  statement("runbook", { file: "docs/runbook.md", tried: "2026-10-20" }),
];

/** Returns a team that reviewed the skill for customers, with statements; `docs/runbook.md` exists. */
async function team(
  statements: readonly Statement[] = allStatements,
  skill = readySkill(),
  criteria = ["customer-facing"],
) {
  const none: ReviewFiles = { policy: firstPolicy(), reviews: [], contracts: new Map() };
  const made = newReview(none, {
    slug: "text-stats",
    registry: "https://registry.example",
    skill: skillAtRegistry(skill, digest),
    criteria,
    who: "Ann <ann@example.com>",
    when: "2026-11-01T09:00:00Z",
    isWhole: false,
  });
  assert.ok(made !== undefined);
  const { review, contract } = made;
  const reviews = [review, ...statements];
  const reviewsText = writeTeamFile({ format: 1, reviews });
  const read = runSync(readReviews(reviewsText, english));
  assert.ok(read.ok, JSON.stringify(read));
  const hash = review.contract;
  const kept = { slug: "text-stats", version: "1.0.0", contract, hash };
  const contracts = new Map([["text-stats@1.0.0", kept]]);
  const sources = {
    files: { policy: firstPolicy(), reviews, contracts },
    reviewsText,
    read: async () => ({ ok: true as const, value: skill }),
    digest,
    registry: "https://registry.example",
    exists: async (file: string) => file === "docs/runbook.md",
  };
  return teamFacts({ slug: "text-stats", version: "" }, sources, now);
}

const policy = { ...strictPolicy, monthlyBudgetCents: 1000, rateLimitPerMinute: 60 };

const installed: InstalledSkill = {
  slug: "text-stats",
  name: "Text",
  version: "1.0.0",
  status: "installed",
  approvalState: "approved",
  verificationStatus: "verified",
  permissionLevel: "low",
  permissions: readySkill().permissions ?? assert.fail(),
  usage: { invocations: 25, succeeded: 24, failed: 1, cents: 50, currency: "USD" },
  price: { billingModel: "free" },
};

function project(
  changes: Partial<ProjectFacts> = {},
  invocations: ProjectFacts["detail"]["invocations"] = [],
) {
  const value: ProjectFacts = {
    detail: {
      summary: { slug: "shop", name: "Shop" },
      skills: [installed],
      keys: [],
      updates: [],
      invocations,
      subscriptions: [],
    },
    policy,
    permissions: readySkill().permissions,
    keys: [{ id: "1", name: "Production", last4: "c0de" }],
    ...changes,
  };
  return known(value, now);
}

function withSkill(skill?: InstalledSkill, changes: Partial<ProjectFacts> = {}) {
  const fact = project();
  assert.ok(fact.isKnown);
  const skills = skill === undefined ? [] : [skill];
  return project({ ...changes, detail: { ...fact.value.detail, skills } });
}

const record = (changes: Partial<InvocationRecord> = {}): InvocationRecord =>
  pastInvocation(now - 2 * day, {
    id: "20261120-a",
    endsBefore: now - day,
    registry: "https://registry.example",
    skillSlug: "text-stats",
    version: "1.0.0",
    status: "success",
    durationMs: 5,
    invocationId: "inv-1",
    projectSlug: "shop",
    requestSha256: "aa",
    ...changes,
  });

const why = notKnown(l10nText("Nobody asked."));

/** Returns a retention of a thousand invocations, of which one exists. */
const retentionOf = (parts: Partial<Retention>) =>
  known({ days: 0, entries: 1000, kept: 1, since: now - 2 * day, ...parts }, now);

async function facts(changes: Partial<ReadinessFacts> = {}): Promise<ReadinessFacts> {
  return {
    now,
    skill: readySkill(),
    registry: "https://registry.example",
    folder: await team(),
    project: project({}, [{ id: "inv-1", status: "success", createdAt: now - 2 * day }]),
    key: known({ last4: "c0de", isRefused: false }, now),
    keyOccurrences: known({ found: [], searched: 12, isComplete: true }, now),
    record: known([record(), record({ startedAt: now - 91 * day, skillSlug: "other" })], now),
    retention: retentionOf({ since: now - 91 * day }),
    ...changes,
  };
}

const answer = (given: ReadinessFacts, id: string) => {
  const items = readinessOf(given, english).questions.flatMap((one) => one.items);
  const item = items.find((one) => one.id === id);
  assert.ok(item !== undefined, id);
  return item;
};

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

  it("dates its review by the last valid entry, or by now without one", async () => {
    const ofReview = async (reviews: readonly Review[]) => {
      const folder = await team();
      assert.ok(folder.isKnown);
      const files = { ...folder.value.files, reviews };
      const given = await facts({ folder: known({ ...folder.value, files }, now) });
      return answer(given, "reviewed").evidence.map(({ at }) => new Date(at).toISOString());
    };
    const folder = await team();
    assert.ok(folder.isKnown);
    const [first] = folder.value.files.reviews;
    assert.ok(first !== undefined);
    const later = { ...first, when: "2026-11-10T09:00:00Z" };
    const other = { ...first, skill: "json-diff", when: "2026-11-12T09:00:00Z" };
    const stated = statement("owner", { when: "2026-11-15T09:00:00Z" });
    assert.deepEqual(await ofReview([first, later, other, stated]), ["2026-11-10T09:00:00.000Z"]);
    assert.deepEqual(await ofReview([stated]), ["2026-11-22T05:00:00.000Z"]);
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

  it("is written as text whose links are its evidence, at the line of an entry", async () => {
    const readiness = readinessOf(await facts(), english);
    const { text, parts, links } = readinessText(readiness, english);
    const titles = parts.filter(({ part }) => part === "heading");
    assert.deepEqual(
      titles.map(({ start, end }) => text.slice(start, end).split(/[:?]/)[0]),
      [
        "Ready for customers",
        ...["Ownership", "Key scope", "Retry behavior", "Logs", "Manual fallback"],
      ],
    );
    const answers = parts.filter(({ part }) => part === "met");
    assert.ok(answers.every(({ start, end }) => text.slice(start, end) === "met"));
    assert.equal(answers.length, 16);
    assert.match(
      text,
      /^Ready for customers\? text-stats@1\.0\.0\nhttps:\/\/registry\.example, 2026-11-22 05:00 UTC\n16 met, 1 not applicable\.\n\nOwnership: /,
    );
    const labels = links.map(({ start, end }) => text.slice(start, end));
    assert.ok(labels.includes("Key Production …c0de of the project shop"), labels.join("\n"));
    assert.ok(labels.includes("Invocation inv-1"));
    assert.ok(labels.includes("docs/runbook.md"));
    const lines = links.flatMap(({ target: one }) =>
      one.kind === "file" && one.line !== undefined ? [one.line] : [],
    );
    const { value } = (await team()) as Extract<
      Awaited<ReturnType<typeof team>>,
      { isKnown: true }
    >;
    const entries = value.reviewsText.split("\n");
    assert.deepEqual(
      lines.map((line) => entries[line]?.trim()),
      ["owner", "retry-rule", "logs", "runbook", "runbook"].map((about) => `"about": "${about}",`),
    );
    const report = readinessReport(readiness, english);
    assert.ok(report.every((item) => item.state === "good" && item.findings.length === 0));
  });

  it("is written with a version on one line, whatever its text", async () => {
    const readiness = { ...readinessOf(await facts(), english), version: "1\n  met  \u202eAll." };
    assert.match(readinessText(readiness, english).text, /^.*text-stats@1 met \\u202EAll\.\nhttps/);
  });

  it("mentions once the fact that several items lack, and its remedy, if links are shown", async () => {
    const missing = notKnown(l10nText("There is no policy."), "review");
    const absent = notKnown(l10nText("Not signed in."), "signIn");
    const readiness = readinessOf(await facts({ folder: missing, project: absent }), english);
    const { text, links } = readinessText(readiness, english, { additions: true });
    assert.equal(text.match(/There is no policy\./g)?.length, 1);
    assert.match(text, /\nSeveral questions\n {2}not known {2,}There is no policy\. \(6 items\)\n/);
    assert.match(text, /Manual fallback: .*\n {2}not known {2,}See above\.\n/);
    const added = links.filter(({ target }) => target.kind === "add");
    assert.deepEqual(
      added.map(({ start, end }) => text.slice(start, end)),
      ["Review This Skill…", "Sign In…"],
    );
    assert.doesNotMatch(readinessText(readiness, english).text, /Review This Skill/);
    // A report for tools keeps the items separate.
    const unknown = readinessReport(readiness, english).filter(
      ({ answer }) => answer === "notKnown",
    );
    assert.equal(unknown.length, 12);
  });

  it("finds the lines of a key in files", async () => {
    const texts: Record<string, string> = { a: "KEY\na\nbKEY KEY\n\nKEY", "b/c": "nothing" };
    const read = async (name: string) => {
      if (name === "gone") throw new Error("There is no such file.");
      return texts[name];
    };
    const names = ["a", "b/c", "gone", "large"];
    const search = (searched: readonly string[]) => {
      const files = { names: searched, hasMore: false, read };
      return findKeyOccurrences("KEY", files, new AbortController().signal);
    };
    const places = await search(names);
    const found = [0, 2, 4].map((line) => ({ file: "a", line }));
    assert.deepEqual(places.isKnown && places.value, { found, searched: 2, isComplete: false });
    const all = await search(["a", "b/c"]);
    assert.deepEqual(all.isKnown && all.value, { found, searched: 2, isComplete: true });
  });

  it("counts as searched only the files that were read, if more exist or the search is aborted", async () => {
    const search = async (hasMore: boolean, abortedAt?: string) => {
      const abort = new AbortController();
      const read = async (name: string) => {
        if (name === abortedAt) abort.abort();
        return "";
      };
      const files = { names: ["a", "b", "c"], hasMore, read };
      const places = await findKeyOccurrences("KEY", files, abort.signal);
      return places.isKnown && places.value;
    };
    assert.deepEqual(await search(true), { found: [], searched: 3, isComplete: false });
    assert.deepEqual(await search(false, "b"), { found: [], searched: 2, isComplete: false });
  });
});

describe("a statement", () => {
  const problems = (entry: object) => {
    const read = runSync(readReviews(writeTeamFile({ format: 1, reviews: [entry] }), english));
    return read.ok ? [] : read.problems.map(({ code, pointer }) => `${pointer} ${code}`);
  };

  const cases: readonly (readonly [name: string, entry: object, problems: readonly string[]])[] = [
    ["is valid if complete", statement("owner"), []],
    ["of a runbook names a file", statement("runbook"), ["/reviews/0 required"]],
    [
      "counts for at most a year",
      statement("owner", { until: "2027-11-03" }),
      ["/reviews/0/until review"],
    ],
    [
      "names a day that a calendar has",
      statement("runbook", { file: "a.md", tried: "2026-02-30" }),
      ["/reviews/0/tried review"],
    ],
    ...["../a.md", "/etc/passwd", "a/../../b", "a\\b"].map(
      (file) =>
        [
          `names a file of the repository: ${file}`,
          statement("owner", { file }),
          ["/reviews/0/file pattern"],
        ] as const,
    ),
  ];
  for (const [name, entry, expected] of cases) {
    it(name, () => assert.deepEqual(problems(entry), expected));
  }
});
