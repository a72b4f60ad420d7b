import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { findSkill } from "../../../../src/localRegistry/catalog/catalog";
import {
  defaultPolicy,
  findBlock,
  type Install,
  type Policy,
  type Usage,
} from "../../../../src/localRegistry/project/project";

const at = "2026-11-20T10:00:00.000Z";
const fresh = { inWindow: 0, spentCents: 0 };

function installed(slug: string, more: Partial<Install> = {}): Install {
  const skill = findSkill(slug);
  assert.ok(skill);
  return {
    skill,
    manifest: skill.releases[0].manifest,
    status: "installed",
    approvalState: "approved",
    installedAt: at,
    updatedAt: at,
    ...more,
  };
}

function codeFor(
  install: Install,
  policy: Policy | undefined,
  use: Usage = fresh,
): string | undefined {
  return findBlock(install, policy, use)?.code;
}

describe("a project's policy", () => {
  const high = installed("vault-rotate");
  const open: Policy = { ...defaultPolicy(high.manifest, at), approvalRequired: false };
  const browser = installed("flaky-fetch");

  // Each row keeps the causes of the rows above it, so the order of checks is tested as well.
  const cases: readonly [string, Install, Policy | undefined][] = [
    ["install_not_active", { ...high, status: "suspended", approvalState: "owner_required" }, open],
    ["install_not_active", { ...installed("draft-writer"), status: "removed" }, open],
    [
      "skill_not_verified",
      { ...installed("draft-writer"), approvalState: "owner_required" },
      undefined,
    ],
    ["skill_not_approved", { ...high, approvalState: "owner_required" }, undefined],
    ["policy_missing", high, undefined],
    [
      "policy_approval_required",
      high,
      { ...open, approvalRequired: true, maxPermissionLevel: "low" },
    ],
    [
      "permission_level_exceeded",
      high,
      { ...open, maxPermissionLevel: "medium", allowNetwork: false },
    ],
    ["network_not_allowed", high, { ...open, allowNetwork: false, filesystemAccess: "none" }],
    [
      "browser_not_allowed",
      browser,
      { ...defaultPolicy(browser.manifest, at), allowBrowser: false, rateLimitPerMinute: 0 },
    ],
    [
      "filesystem_not_allowed",
      high,
      { ...open, filesystemAccess: "read", allowSecretAccess: false },
    ],
    ["secrets_not_allowed", high, { ...open, allowSecretAccess: false, rateLimitPerMinute: 0 }],
  ];
  for (const [code, install, policy] of cases) {
    it(`blocks ${install.skill.slug} with ${code}`, () => {
      assert.equal(codeFor(install, policy), code);
    });
  }

  it("limits rate, then budget, then asks for a subscription", () => {
    const market = installed("market-data");
    const policy = { ...defaultPolicy(market.manifest, at), monthlyBudgetCents: 10 };
    const spent = { inWindow: 59, spentCents: 10 };
    assert.equal(codeFor(market, policy, { ...spent, inWindow: 60 }), "rate_limit_exceeded");
    assert.equal(codeFor(market, policy, spent), "budget_exceeded");
    assert.equal(codeFor(market, policy, { ...spent, spentCents: 9 }), "subscription_required");
    const free = { ...policy, monthlyBudgetCents: 0 };
    assert.equal(codeFor(market, free, spent), "subscription_required");
    const times = { currentPeriodStart: at, createdAt: at, updatedAt: at };
    const end = Date.parse(at) + 1000;
    const currentPeriodEnd = new Date(end).toISOString();
    const subscription = { id: "s", status: "trialing", currentPeriodEnd, ...times } as const;
    const subscribed = { ...spent, subscription };
    assert.equal(codeFor(market, free, { ...subscribed, now: end - 1 }), undefined);
    const over = codeFor(market, free, { ...subscribed, now: end });
    assert.equal(over, "subscription_period_expired");
  });

  it("names the exhausted limit; for a missing subscription it says that the policy allows the invocation", () => {
    const market = installed("market-data");
    const policy = { ...defaultPolicy(market.manifest, at), monthlyBudgetCents: 10 };
    const said = (use: Usage) => {
      const block = findBlock(market, policy, use);
      const { ok, code, message, rateLimit, budget, subscription } = (block?.policy ??
        {}) as Record<string, unknown>;
      const more = rateLimit ?? budget ?? subscription;
      return [block?.code, block?.error, [ok, code, message], more];
    };
    const rate = "Project rate limit exceeded for this skill.";
    assert.deepEqual(said({ inWindow: 61, spentCents: 12 }), [
      "rate_limit_exceeded",
      rate,
      [false, "rate_limit_exceeded", rate],
      { ok: false, limit: 60, used: 61 },
    ]);
    const over = "Project monthly budget exceeded for this skill.";
    assert.deepEqual(said({ inWindow: 0, spentCents: 12 }), [
      "budget_exceeded",
      over,
      [false, "budget_exceeded", over],
      { ok: false, limitCents: 10, usedCents: 12 },
    ]);
    const times = { currentPeriodStart: at, createdAt: at, updatedAt: at, currentPeriodEnd: at };
    const subscription = { id: "s", status: "active", ...times } as const;
    const code = "subscription_period_expired";
    const message = "Project subscription period has expired.";
    const row = { subscriptionId: "s", subscriptionStatus: "active", currentPeriodEnd: at };
    const use = { inWindow: 0, spentCents: 0, subscription, now: Date.parse(at) };
    assert.deepEqual(said(use), [
      code,
      message,
      [true, "allowed", "Allowed."],
      { ok: false, code, message, billingModel: "subscription", ...row },
    ]);
  });

  it("allows by default a manifest's permissions, and asks for approval if they are high", () => {
    const { approvalRequired, monthlyBudgetCents, rateLimitPerMinute } = defaultPolicy(
      high.manifest,
      at,
    );
    assert.deepEqual([approvalRequired, monthlyBudgetCents, rateLimitPerMinute], [true, 0, 10]);
    assert.equal(codeFor(browser, defaultPolicy(browser.manifest, at)), undefined);
  });
});
