import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { projectCheckNames } from "../../../../../src/core/project/gateway/codes";
import {
  blockText,
  checkProject,
  checkTitle,
  type ProjectCheckFacts,
  predictionText,
  predictResponse,
} from "../../../../../src/core/project/gateway/projectChecks";
import {
  type InstalledSkill,
  type ProjectPolicy,
  type ServerInvocation,
  type StoredPolicy,
  withLists,
} from "../../../../../src/core/project/project";
import { english } from "../../../../../src/core/text/language";

const now = Date.parse("2026-11-22T10:00:00Z");

/** An installed skill that every check allows, except that its budget is unknown. */
const open = {
  slug: "abc",
  name: "Abc",
  version: "1.0.0",
  status: "installed",
  approvalState: "approved",
  verificationStatus: "verified",
  permissionLevel: "high",
  isPolicyMissing: false,
  policy: {
    maxPermissionLevel: "high",
    allowNetwork: true,
    allowBrowser: true,
    filesystemAccess: "write",
    allowSecretAccess: true,
    monthlyBudgetCents: 100,
    rateLimitPerMinute: 2,
    approvalRequired: false,
    updatedAt: now - 1000,
  },
  permissions: {
    network: true,
    browser: true,
    filesystem: "write",
    secretCount: 1,
    secretNames: [],
  },
  price: { billingModel: "subscription", unitAmountCents: 100 },
} as const satisfies InstalledSkill;

const active = { skillSlug: "abc", status: "active" };

function factsOf(
  skill: InstalledSkill | undefined,
  more: Partial<ProjectCheckFacts> = {},
): ProjectCheckFacts {
  return { skill, subscriptions: [active], invocations: [], now, ...more };
}

function answerOf(facts: ProjectCheckFacts): string {
  const answer = predictResponse(facts);
  return answer.kind === "blocked" ? answer.code : `allowed ${answer.unknown}`.trim();
}

function invoked(secondsAgo: number, more: Partial<ServerInvocation> = {}): ServerInvocation {
  const id = String(secondsAgo);
  return { id, skillSlug: "abc", status: "success", createdAt: now - secondsAgo * 1000, ...more };
}

describe("the predicted response of the gateway", () => {
  it("follows the checks in the gateway's order", () => {
    const policyOf = (changes: ProjectPolicy) => ({ policy: { ...open.policy, ...changes } });
    const closed = {
      maxPermissionLevel: "low",
      allowNetwork: false,
      allowBrowser: false,
      filesystemAccess: "none",
      allowSecretAccess: false,
      approvalRequired: true,
    };
    const spent = invoked(0.5, { errorCode: "budget_exceeded", status: "blocked" });
    const worst: ProjectCheckFacts = factsOf(undefined, {
      subscriptions: [],
      invocations: [spent, invoked(30), invoked(20)],
    });
    // Each step removes the cause of the previous block, and nothing else.
    const skill: InstalledSkill = {
      ...open,
      status: "suspended",
      verificationStatus: "rejected",
      approvalState: "owner_required",
      isPolicyMissing: true,
      ...policyOf(closed),
    };
    const steps: readonly [
      code: string,
      mended: Partial<InstalledSkill>,
      more?: Partial<ProjectCheckFacts>,
    ][] = [
      ["install_not_active", {}],
      ["skill_not_allowed", { status: "installed" }],
      ["skill_not_verified", { verificationStatus: "submitted" }],
      ["skill_not_approved", { verificationStatus: "verified" }],
      ["policy_missing", { approvalState: "approved" }],
      ["policy_approval_required", { isPolicyMissing: false }],
      ["permission_level_exceeded", policyOf({ ...closed, approvalRequired: false })],
      [
        "network_not_allowed",
        policyOf({ ...closed, approvalRequired: false, maxPermissionLevel: "high" }),
      ],
      ["browser_not_allowed", policyOf({ ...open.policy, ...without("allowNetwork", closed) })],
      ["filesystem_not_allowed", policyOf({ filesystemAccess: "read", allowSecretAccess: false })],
      ["secrets_not_allowed", policyOf({ allowSecretAccess: false })],
      ["rate_limit_exceeded", policyOf({})],
      ["budget_exceeded", {}, { invocations: [spent] }],
      ["subscription_required", {}, { invocations: [] }],
      ["allowed budget", {}, { subscriptions: [active] }],
    ];
    const answers = [answerOf(worst)];
    let state: ProjectCheckFacts = { ...worst, skill };
    for (const [, mended, more = {}] of steps) {
      state = { ...state, ...more, skill: { ...(state.skill ?? open), ...mended } };
      answers.push(answerOf(state));
    }
    assert.deepEqual(answers, ["skill_not_installed", ...steps.map(([code]) => code)]);
    assert.deepEqual(
      checkProject(state).map(({ name }) => name),
      [...projectCheckNames],
    );
  });

  const rows: readonly [what: string, ProjectCheckFacts, expected: string][] = [
    ["another version than is pinned", factsOf(open, { version: "1.0.1" }), "skill_not_installed"],
    ["the pinned version", factsOf(open, { version: "1.0.0" }), "allowed budget"],
    ["a removed skill", factsOf({ ...open, status: "removed" }), "install_not_active"],
    ["a skill the registry suspended", withStatus("suspended"), "skill_not_allowed"],
    ["a draft", withStatus("draft"), "skill_not_verified"],
    ["a deprecated skill", withStatus("deprecated"), "allowed budget"],
    ["no budget", withPolicy({ monthlyBudgetCents: 0 }), "allowed"],
    [
      "a free skill",
      factsOf({ ...open, price: { billingModel: "free" } }, { subscriptions: [] }),
      "allowed",
    ],
    [
      "an unknown billing model",
      factsOf({ ...open, price: { billingModel: "seat" } }, { subscriptions: [] }),
      "allowed budget,subscription",
    ],
    ["an unknown level", withPolicy({ maxPermissionLevel: "most" }), "allowed level,budget"],
    [
      "two invocations in a minute, one of them refused",
      factsOf(open, { invocations: [invoked(1, { status: "blocked" }), invoked(59)] }),
      "rate_limit_exceeded",
    ],
    [
      "an invocation a minute ago",
      factsOf(open, { invocations: [invoked(1), invoked(60)] }),
      "allowed budget",
    ],
    [
      "invocations of other skills",
      factsOf(open, { invocations: [invoked(1, { skillSlug: "def" }), invoked(2)] }),
      "allowed budget",
    ],
    [
      "more invocations than are listed",
      factsOf(open, {
        invocations: Array.from({ length: 25 }, (_, at) => invoked(at, { skillSlug: "def" })),
      }),
      "allowed rate,budget",
    ],
    ["a budget used up before its policy changed", usedUp(2), "allowed budget"],
    [
      "a budget above all that was ever spent",
      factsOf({ ...open, usage: { cents: 99 } }),
      "allowed",
    ],
    [
      "a budget below what was ever spent",
      factsOf({ ...open, usage: { cents: 100 } }),
      "allowed budget",
    ],
    [
      "a budget used up since, whatever the stated total",
      { ...usedUp(0.5), skill: { ...open, usage: { cents: 0 } } },
      "budget_exceeded",
    ],
    ["a budget used up since", usedUp(0.5), "budget_exceeded"],
    [
      "a budget used up last month",
      {
        ...usedUp(0.5),
        now: Date.parse("2026-12-01T00:00:00Z"),
      },
      "allowed budget",
    ],
    ["an approval that is pending", withApproval("pending"), "skill_not_approved"],
    ["an approval that was refused", withApproval("rejected"), "skill_not_approved"],
    ["an approval in a word of its own", withApproval("odd"), "allowed approved,budget"],
    [
      "an approval that the policy requires and that was given",
      withPolicy({ approvalRequired: true, approvedAt: now }),
      "allowed budget",
    ],
    ["a trial", withSubscription("trialing"), "allowed budget"],
    ["a trial that ended", withSubscription("trialing", now), "subscription_period_expired"],
    [
      "a cancellation before its end",
      withSubscription("canceled", now + 1),
      "subscription_canceled",
    ],
    ["a payment that is late", withSubscription("past_due"), "subscription_past_due"],
    ["a pause", withSubscription("paused"), "subscription_paused"],
    ["a cancellation", withSubscription("canceled"), "subscription_canceled"],
    ["a period that ended", withSubscription("active", now), "subscription_period_expired"],
    ["a word of its own", withSubscription("odd"), "allowed budget,subscription"],
  ];
  for (const [what, facts, expected] of rows) {
    it(`is ${expected} for ${what}`, () => assert.equal(answerOf(facts), expected));
  }

  it("is unknown if a registry only lists what is installed", () => {
    const { slug, name, version, status } = open;
    const answer = predictResponse(factsOf({ slug, name, version, status }, { subscriptions: [] }));
    assert.ok(answer.kind === "allowed");
    assert.deepEqual(answer.unknown, projectCheckNames.slice(2));
  });

  it("shows when a rate limit has room again", () => {
    const answer = predictResponse(factsOf(open, { invocations: [invoked(50), invoked(10)] }));
    assert.deepEqual(answer, {
      kind: "blocked",
      code: "rate_limit_exceeded",
      until: now + 10_000,
    });
    const language = { ...english, locale: "en-GB" };
    assert.match(predictionText(answer, "", language), /last minute\. It can be invoked again at /);
  });

  it("has a text for every check and code", () => {
    for (const name of projectCheckNames) assert.notEqual(checkTitle(name, english), "");
    assert.equal(
      predictionText({ kind: "allowed", unknown: ["rate", "budget"] }, "", english),
      "Nothing is known to block an invocation. Unknown: rate limit, monthly budget.",
    );
    assert.match(blockText("skill_not_installed", "", english), /\.$/);
  });

  it("distinguishes a suspended install from a removed one and an unknown status", () => {
    const text = (status: string) => blockText("install_not_active", status, english);
    assert.equal(text("suspended"), "It is suspended in this project. Restore it to invoke it.");
    assert.equal(
      text("removed"),
      "It was removed from this project. Install it again to invoke it.",
    );
    for (const status of ["", "paused"]) assert.match(text(status), /suspended or removed/);
    assert.match(blockText("budget_exceeded", "suspended", english), /budget/);
  });
});

describe("the lists beside a project's detail", () => {
  const detail = { summary: { slug: "p", name: "P" }, keys: [], updates: [], invocations: [] };
  const bare: InstalledSkill = { slug: "abc", name: "Abc", version: "1", status: "installed" };
  const joined = (policies: ReadonlyMap<string, StoredPolicy> | undefined) =>
    withLists({ ...detail, subscriptions: [], skills: [bare] }, { policies }).skills[0];

  it("show whether a skill has a policy, if the registry lists policies", () => {
    assert.equal(joined(new Map())?.isPolicyMissing, true);
    const kept = joined(new Map([["abc", { updatedAt: 5 }]]));
    assert.deepEqual([kept?.isPolicyMissing, kept?.policy], [false, { updatedAt: 5 }]);
    assert.equal(joined(undefined)?.isPolicyMissing, undefined);
  });
});

function without<Members extends object>(name: keyof Members, members: Members): ProjectPolicy {
  const { [name]: _, ...rest } = members;
  return { ...rest, approvalRequired: false, maxPermissionLevel: "high" } as ProjectPolicy;
}

function withApproval(approvalState: string): ProjectCheckFacts {
  return factsOf({ ...open, approvalState });
}

function withStatus(verificationStatus: string): ProjectCheckFacts {
  return factsOf({ ...open, verificationStatus });
}

function withPolicy(changes: ProjectPolicy): ProjectCheckFacts {
  return factsOf({ ...open, policy: { ...open.policy, ...changes } });
}

function usedUp(secondsAgo: number): ProjectCheckFacts {
  const refused = invoked(secondsAgo, { status: "blocked", errorCode: "budget_exceeded" });
  return factsOf(open, { invocations: [refused] });
}

function withSubscription(status: string, currentPeriodEnd?: number): ProjectCheckFacts {
  const end = currentPeriodEnd === undefined ? {} : { currentPeriodEnd };
  return factsOf(open, { subscriptions: [{ skillSlug: "abc", status, ...end }] });
}
