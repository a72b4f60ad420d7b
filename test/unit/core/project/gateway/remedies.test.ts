import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { reasonOfCode } from "../../../../../src/core/invocation/errorCodes";
import { outcomeNotice } from "../../../../../src/core/invocation/outcomeNotice";
import { notCallableNotice } from "../../../../../src/core/invocation/permission/gateNotices";
import {
  type BlockCode,
  errorCodes,
  isBlockCode,
} from "../../../../../src/core/project/gateway/codes";
import type { PredictedResponse } from "../../../../../src/core/project/gateway/projectChecks";
import {
  installedVersion,
  nextStep,
  ownerRequest,
  publisherRequest,
  remedyOf,
  stillBlockedNotice,
  unblockingPolicy,
  verifiedVersion,
  WaitingInvocations,
} from "../../../../../src/core/project/gateway/remedies";
import { policyChanges } from "../../../../../src/core/project/policies";
import { english, l10nText } from "../../../../../src/core/text/language";
import type { NoticeActionName } from "../../../../../src/core/text/notice";
import { strictPolicy } from "../../../../fixtures/strictPolicy";

/** The first action after a block with each code. */
const firstActions: Readonly<Record<BlockCode, NoticeActionName>> = {
  skill_not_installed: "installSkill",
  install_not_active: "restoreSkill",
  skill_not_allowed: "openSkill",
  skill_not_verified: "askPublisher",
  skill_not_approved: "approveSkill",
  policy_missing: "installSkill",
  policy_approval_required: "approveSkill",
  permission_level_exceeded: "allowInPolicy",
  network_not_allowed: "allowInPolicy",
  browser_not_allowed: "allowInPolicy",
  filesystem_not_allowed: "allowInPolicy",
  secrets_not_allowed: "allowInPolicy",
  rate_limit_exceeded: "sendWhenAllowed",
  budget_exceeded: "editPolicy",
  subscription_required: "openCheckout",
  subscription_past_due: "openRegistry",
  subscription_paused: "openRegistry",
  subscription_canceled: "openCheckout",
  subscription_period_expired: "openCheckout",
};

/** The actions that do not change a project. */
const harmless: readonly NoticeActionName[] = [
  "openSkill",
  "openRegistry",
  "showOutput",
  "askOwner",
  "sendAgain",
];

const skill = {
  slug: "abc",
  name: "Abc",
  version: "1.0.0",
  status: "installed",
  permissionLevel: "high",
  permissions: {
    network: true,
    browser: true,
    filesystem: "read",
    secretCount: 1,
    secretNames: [],
  },
} as const;

describe("the remedy for a blocked invocation", () => {
  for (const code of errorCodes.filter(isBlockCode)) {
    it(`with ${code} is ${firstActions[code]}`, () => {
      const reason = reasonOfCode(code);
      assert.ok(reason !== undefined);
      const refused = { kind: "refused", reason, status: 403, code, durationMs: 1 } as const;
      const [first, ...others] = outcomeNotice("text-stats", refused, english)?.actions ?? [];
      assert.equal(first?.action, firstActions[code]);
      // There is only one remedy: the other actions do not change the project.
      for (const { action } of others) {
        assert.ok(harmless.includes(action), action);
      }
    });
  }

  const lifted: Readonly<Partial<Record<BlockCode, string>>> = {
    permission_level_exceeded: "maxPermissionLevel: low → high",
    network_not_allowed: "allowNetwork: false → true",
    browser_not_allowed: "allowBrowser: false → true",
    filesystem_not_allowed: "filesystemAccess: none → read",
    secrets_not_allowed: "allowSecretAccess: false → true",
  };
  for (const code of errorCodes.filter(isBlockCode)) {
    const expected = lifted[code];
    it(`allows ${expected ?? "nothing"} in the policy for ${code}`, () => {
      const after = unblockingPolicy(strictPolicy, skill, code);
      assert.deepEqual(after && policyChanges(strictPolicy, after), expected && [expected]);
      assert.equal(remedyOf(code, english)?.action === "allowInPolicy", expected !== undefined);
    });
  }

  const budget = { kind: "allowed", unknown: ["budget"] } as const;
  const changes: readonly (readonly [string, PredictedResponse | undefined, string])[] = [
    ["subscription_required", undefined, "waits"],
    ["subscription_required", { kind: "blocked", code: "subscription_required" }, "waits"],
    ["SUBSCRIPTION-REQUIRED", { kind: "blocked", code: "subscription_required" }, "waits"],
    ["subscription_required", budget, "goesOn"],
    ["budget_exceeded", budget, "goesOn"],
    // Nothing in a project shows whether this block is over.
    ["region_blocked", budget, "waits"],
    [
      "skill_not_approved",
      { kind: "blocked", code: "network_not_allowed" },
      "blockedBy network_not_allowed",
    ],
  ];
  for (const [code, answer, expected] of changes) {
    it(`leads an invocation blocked by ${code} to “${expected}” if the project then answers ${JSON.stringify(answer)}`, () => {
      const next = nextStep(code, answer);
      assert.equal("code" in next ? `${next.kind} ${next.code}` : next.kind, expected);
    });
  }

  const one = {
    registry: "https://one.example",
    slug: "abc",
    version: "1.0.0",
    code: "budget_exceeded",
    from: "first",
  };
  const pairs: readonly (readonly [string, other: Partial<typeof one>, settled: string[]])[] = [
    ["the same again", {}, ["second"]],
    ["the same blocked otherwise", { code: "skill_not_approved" }, ["second"]],
    ["another version", { version: "2.0.0" }, ["first", "second"]],
    ["another skill", { slug: "def" }, ["first", "second"]],
    ["the same at another registry", { registry: "https://two.example" }, ["first"]],
  ];
  for (const [what, other, settled] of pairs) {
    it(`ends the waiting of an invocation at a change in its own project, beside ${what}`, () => {
      const waiting = new WaitingInvocations<typeof one>();
      waiting.add(one);
      waiting.add({ ...one, ...other, from: "second" });
      const over = () =>
        waiting.settle(one.registry, () => budget).map(({ blocked }) => blocked.from);
      assert.deepEqual(over(), settled);
      // Each invocation continues once.
      assert.deepEqual(over(), []);
    });
  }

  it("keeps an invocation waiting after a failure, and drops it if it is withdrawn", () => {
    const waiting = new WaitingInvocations<typeof one>();
    waiting.add(one);
    assert.deepEqual(
      waiting.settle(one.registry, () => undefined),
      [],
    );
    waiting.remove({ ...one, registry: "https://two.example" });
    assert.equal(waiting.settle(one.registry, () => budget).length, 1);
    waiting.add(one);
    waiting.remove(one);
    assert.equal(waiting.settle(one.registry, () => budget).length, 0);
  });

  it("allows nothing if the skill's needs are unknown", () => {
    const { permissionLevel: _, permissions: __, ...bare } = skill;
    assert.equal(unblockingPolicy(strictPolicy, bare, "permission_level_exceeded"), undefined);
    assert.equal(unblockingPolicy(strictPolicy, bare, "filesystem_not_allowed"), undefined);
  });

  const versions: readonly (readonly [offered: string, status: string, expected: boolean])[] = [
    ["2.0.0", "verified", true],
    ["2.0.0", "submitted", false],
    ["1.0.0", "verified", false],
    ["", "verified", false],
  ];
  for (const [version, verificationStatus, is] of versions) {
    it(`may ${is ? "" : "not "}offer the ${verificationStatus} version “${version}” instead of 1.0.0`, () => {
      const offered = { version, verificationStatus };
      assert.equal(verifiedVersion(offered, "1.0.0"), is ? version : undefined);
      assert.equal(verifiedVersion(offered, ""), undefined);
    });
  }

  it("is the installed version if a project runs another than the requested one", () => {
    const install = { ...skill, status: "installed", version: "1.0.0" };
    assert.equal(installedVersion(install, "2.0.0"), "1.0.0");
    for (const [other, version] of [
      [install, "1.0.0"],
      [install, ""],
      [{ ...install, version: "" }, "2.0.0"],
      [{ ...install, status: "suspended" }, "2.0.0"],
      [undefined, "2.0.0"],
    ] as const) {
      assert.equal(installedVersion(other, version), undefined);
    }
  });

  it("is offered for the next obstacle, with the reason", () => {
    assert.deepEqual(stillBlockedNotice("abc", "install_not_active", "suspended", english), {
      severity: "warning",
      message: "abc is still blocked: it is suspended in this project. Restore it to invoke it.",
      actions: [
        { action: "restoreSkill", title: "Restore…" },
        { action: "showWhy", title: "Show Why" },
      ],
    });
  });

  it("asks the publisher of an unverified skill, even before sending", () => {
    assert.equal(
      publisherRequest(skill, "https://registry.example", english),
      "Please have abc@1.0.0 verified at https://registry.example, or tell us when its review ends: until then its invocations are rejected with skill_not_verified.",
    );
    const actions = (code: string) =>
      notCallableNotice(
        "abc",
        { kind: "no", code, text: l10nText("It is so.") },
        english,
      ).actions.map(({ action }) => action);
    assert.deepEqual(actions("skill_not_verified"), ["askPublisher", "openSkill"]);
    assert.deepEqual(actions("skill_not_allowed"), ["openSkill"]);
  });

  it("asks an owner with the reason", () => {
    const at = { origin: "https://registry.example", code: "budget_exceeded" };
    assert.equal(
      ownerRequest(skill, { slug: "demo", name: "Demo" }, at, english),
      "Please allow abc@1.0.0 in the project Demo (demo) at https://registry.example: its invocations are rejected with budget_exceeded. This project's monthly budget for it is used up. Raise the budget in the policy.",
    );
  });
});
