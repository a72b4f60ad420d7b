import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { endsSession, isWrongRole } from "../../../../src/core/account/sessions";
import { signInMethods } from "../../../../src/core/account/signIn";
import { predictResponse } from "../../../../src/core/project/gateway/projectChecks";
import { withLists } from "../../../../src/core/project/project";
import { openUpdates } from "../../../../src/core/project/updateInbox";
import { updateDifference } from "../../../../src/core/project/updates";
import type { UserToken } from "../../../../src/core/registry/credential";
import { english } from "../../../../src/core/text/language";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../../src/localRegistry/startLocalRegistry";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { failureIn, valueIn } from "./resultParts";

describe("the routes of a project at the embedded registry", () => {
  let registry: LocalRegistry;
  let client: RegistryClient;
  const codes = new Map<string, string>();
  before(async () => {
    registry = await startLocalRegistry({ deliverCode: (email, code) => codes.set(email, code) });
    client = clientFor(registry.baseUrl);
  });
  after(async () => {
    client.close();
    await registry.close();
  });

  const as = (role: "owner" | "developer" | "finance") => client.workspace(tokenOf(role));
  const tokenOf = (role: "owner" | "developer" | "finance"): UserToken => {
    const { origin } = new URL(registry.baseUrl);
    return { kind: "userToken", origin, text: registry.userTokens[role] };
  };

  it("list the ways to sign in", async () => {
    const offered = valueIn(await client.signIn.methods(never));
    assert.deepEqual(signInMethods(offered), ["emailCode", "token", "password"]);
  });

  it("sign in with a code, and return the user", async () => {
    const email = "developer@local.example";
    const { challengeId } = valueIn(await client.signIn.requestCode(email, never));
    const wrong = failureIn(await client.signIn.verifyCode(challengeId, "000000", never));
    assert.deepEqual(wrong, {
      kind: "errorAnswer",
      status: 400,
      message: "Email verification code is invalid.",
    });
    const code = codes.get(email) ?? "";
    const session = valueIn(await client.signIn.verifyCode(challengeId, code, never));
    const { origin } = new URL(registry.baseUrl);
    assert.deepEqual([session.email, session.origin, session.isOurs], [email, origin, true]);
    assert.match(session.token, /^shub_user_[0-9a-f]{64}$/);
    assert.ok((session.expiresAt ?? 0) > Date.now() + 13 * 24 * 3_600_000);
    const account = valueIn(
      await client.workspace({ kind: "userToken", origin, text: session.token }).account(never),
    );
    const { role, organization, tokenId, userId } = account;
    assert.deepEqual([role, organization], ["developer", "Local Workspace"]);
    assert.deepEqual([tokenId, userId], [session.tokenId, session.userId]);
    assert.ok(valueIn(await as("developer").revokeSession(tokenId, never)));
    const ended = await client
      .workspace({ kind: "userToken", origin, text: session.token })
      .account(never);
    assert.ok(endsSession(failureIn(ended)));
  });

  it("sign in with a password", async () => {
    const session = valueIn(await client.signIn.passwordLogin("owner", registry.password, never));
    assert.equal(session.email, "owner@local.example");
    const wrong = failureIn(await client.signIn.passwordLogin("owner", "wrong-password", never));
    assert.ok(!endsSession(wrong));
  });

  it("create a token without an expiry for allowed roles, list it without its text, and revoke it", async () => {
    const { userId } = valueIn(await as("owner").account(never));
    const { row, token } = valueIn(await as("owner").createToken(userId, "CI of shop", never));
    assert.deepEqual([row.name, row.isActive, row.expiresAt], ["CI of shop", true, undefined]);
    assert.match(token, /^shub_user_[0-9a-f]{64}$/);
    const { origin } = new URL(registry.baseUrl);
    const withToken = client.workspace({ kind: "userToken", origin, text: token });
    assert.equal(valueIn(await withToken.account(never)).role, "owner");
    const listed = valueIn(await as("owner").tokens(never));
    assert.ok(!JSON.stringify(listed).includes(token));
    assert.deepEqual(
      listed.filter(({ id }) => id === row.id).map(({ name, isCurrent }) => [name, isCurrent]),
      [["CI of shop", false]],
    );
    assert.equal(listed.filter(({ isCurrent }) => isCurrent).length, 1);
    valueIn(await as("owner").revokeSession(row.id, never));
    assert.ok(endsSession(failureIn(await withToken.account(never))));
    const after = valueIn(await as("owner").tokens(never));
    assert.equal(after.find(({ id }) => id === row.id)?.isActive, false);
    assert.ok(isWrongRole(failureIn(await as("developer").createToken(userId, "x", never))));
  });

  it("list projects for allowed roles", async () => {
    const [demo] = valueIn(await as("developer").projects(never));
    const { createdAt = 0, ...rest } = demo ?? {};
    assert.ok(Math.abs(createdAt - Date.now()) < 3_600_000);
    assert.deepEqual(rest, {
      slug: "local-demo",
      name: "Local Demo",
      installedCount: 12,
    });
    assert.ok(isWrongRole(failureIn(await as("finance").projects(never))));
    assert.equal(valueIn(await as("finance").account(never)).role, "finance");
  });

  it("accept ratings and reports of a skill from every role, and reject unreadable ones", async () => {
    const rating = { rating: 4, title: "Good", body: "Counts well" };
    const report = {
      category: "security",
      severity: "high",
      title: "Odd",
      description: "It asks for more than it says.",
    } as const;
    for (const role of ["developer", "finance"] as const) {
      assert.ok(valueIn(await as(role).rateSkill("text-stats", rating, never)));
      assert.ok(valueIn(await as(role).reportSkill("text-stats", report, never)));
    }
    const none = failureIn(await as("owner").rateSkill("no-such-skill", rating, never));
    assert.deepEqual(none, { kind: "errorAnswer", status: 400, message: "Skill not found." });
    assert.ok(!(await as("owner").rateSkill("text-stats", { ...rating, rating: 6 }, never)).ok);
  });

  it("return everything about a project at once", async () => {
    const detail = valueIn(await as("owner").project("local-demo", never));
    const notice = detail.skills.find(({ slug }) => slug === "status-notice");
    assert.equal(notice?.approvalState, "owner_required");
    assert.equal(notice?.policy?.approvalRequired, true);
    const redact = detail.skills.find(({ slug }) => slug === "redact-pii");
    assert.deepEqual([redact?.version, redact?.price?.billingModel], ["1.1.0", "per_call"]);
    assert.ok(detail.updates.some(({ skillSlug }) => skillSlug === "redact-pii"));
    assert.equal(detail.keys[0]?.last4, registry.projectKey.slice(-4));
    const missing = failureIn(await as("owner").project("nothing-here", never));
    assert.deepEqual(missing, { kind: "notFound", message: "Project not found." });
  });

  it("create a working key, and revoke it", async () => {
    const { row, key } = valueIn(await as("developer").createKey("local-demo", "Test", never));
    assert.deepEqual([row.name, row.last4], ["Test", key.slice(-4)]);
    assert.equal((await client.readKey(key, never)).kind, "accepted");
    assert.ok(valueIn(await as("developer").revokeKey("local-demo", row.id, "no longer", never)));
    assert.equal((await client.readKey(key, never)).kind, "refused");
    const rows = valueIn(await as("owner").keys("local-demo", never));
    assert.ok(rows.find(({ id }) => id === row.id)?.revokedAt);
  });

  it("adopt an update after the two versions were compared, and roll back", async () => {
    const routes = as("owner");
    const slug = "redact-pii";
    const detail = valueIn(await routes.project("local-demo", never));
    const updates = () => openUpdates(detail).filter(({ skillSlug }) => skillSlug === slug);
    const [update, ...others] = updates();
    const { targetVersion = "", ids = [] } = update ?? {};
    assert.deepEqual([ids.length, targetVersion, others], [2, "2.0.0", []]);
    const pinned = valueIn(await routes.pinnedSkill("local-demo", slug, never));
    assert.equal(pinned.summary.version, "1.1.0");
    const offered = valueIn(await client.skill(slug, targetVersion, never));
    const difference = updateDifference(pinned, offered, targetVersion, english);
    assert.ok(difference.changes.length > 0, difference.note);
    const [known, unknown] = [false, true].map((isUnknown) =>
      difference.changes.filter(({ text }) => text.endsWith(", not compared") === isUnknown),
    );
    for (const { text } of known ?? []) assert.match(text, /^(Permissions|Input|Output): /);
    // A project's copy names neither publisher nor price.
    for (const { text } of unknown ?? []) assert.match(text, /^(Publisher|Price): /);
    assert.match(difference.note, / Not compared: publisher/);
    const note = updateDifference(pinned, offered, "9.9.9", english).note;
    assert.match(note, /returned \S+ instead of 9\.9\.9/);
    const [id = ""] = ids;
    valueIn(await routes.settleUpdate("local-demo", id, { status: "adopted" }, never));
    const version = async () =>
      valueIn(await routes.project("local-demo", never)).skills.find((one) => one.slug === slug)
        ?.version;
    assert.equal(await version(), targetVersion);
    valueIn(await routes.install("local-demo", slug, "1.1.0", never));
    assert.equal(await version(), "1.1.0");
  });

  it("start a free trial that ends by itself", async () => {
    const routes = as("owner");
    assert.equal(valueIn(await client.acceptsPayments(never)), false);
    const { slug } = valueIn(await routes.createProject("On trial", never));
    assert.equal((await routes.checkout(slug, "market-data", never)).ok, false);
    valueIn(await routes.startTrial(slug, "market-data", never));
    const { subscriptions } = valueIn(await routes.project(slug, never));
    const trial = subscriptions.find(({ skillSlug }) => skillSlug === "market-data");
    assert.equal(trial?.status, "trialing");
    assert.ok((trial?.currentPeriodEnd ?? 0) > 0);
  });

  it("know only the public versions of verified skills", async () => {
    const slugs = ["redact-pii", "csv-profile", "draft-writer", "flaky-fetch", "no-such-skill"];
    const found = await client.publicVersions(slugs, never);
    assert.deepEqual(Object.fromEntries(found), { "redact-pii": "2.0.0", "csv-profile": "2.0.0" });
  });

  it("answer an invocation as predicted, whatever the state of the skill", async () => {
    const routes = as("owner");
    const target = { project: "local-demo", token: tokenOf("owner") };
    const foretold = async (slug: string) => {
      const [detail, policies, permissions] = await Promise.all([
        routes.project(target.project, never),
        routes.policies(target.project, never),
        routes.permissions(target.project, never),
      ]);
      const lists = { policies: valueIn(policies), permissions: valueIn(permissions) };
      const { skills, ...facts } = withLists(valueIn(detail), lists);
      const skill = skills.find((one) => one.slug === slug);
      const answer = predictResponse({ ...facts, skill, now: Date.now() });
      return answer.kind === "blocked" ? answer.code : "allowed";
    };
    const answered = async (skillSlug: string) => {
      const call = { skillSlug, version: "", inputText: "{}" };
      const outcome = await client.testRun(call, target, never);
      return outcome.kind === "refused" ? outcome.code : "allowed";
    };
    const compare = async (slug: string) => {
      const expected = await foretold(slug);
      assert.equal(await answered(slug), expected, slug);
      return expected;
    };
    const seen = new Set<string>();
    for (const { slug } of valueIn(await routes.project(target.project, never)).skills) {
      if (slug !== "slow-report") seen.add(await compare(slug));
    }
    const slug = "vault-rotate";
    const all = valueIn(await routes.policies(target.project, never)).get(slug)?.row;
    assert.ok(all !== undefined);
    const none = {
      ...all,
      maxPermissionLevel: "high",
      allowNetwork: false,
      filesystemAccess: "none",
      allowSecretAccess: false,
      approvalRequired: true,
    };
    const steps = [
      none,
      { ...none, approvalRequired: false },
      { ...none, approvalRequired: false, allowNetwork: true },
      { ...none, approvalRequired: false, allowNetwork: true, filesystemAccess: "write" },
      { ...all, maxPermissionLevel: "high", rateLimitPerMinute: 1 },
    ];
    for (const policy of steps) {
      valueIn(await routes.putPolicy(target.project, slug, policy, never));
      seen.add(await compare(slug));
    }
    for (const status of ["suspended", "removed"] as const) {
      const change = { status, reason: "a good reason" };
      valueIn(await routes.setInstallStatus(target.project, slug, change, never));
      seen.add(await compare(slug));
    }
    seen.add(await compare("nothing-here"));
    assert.deepEqual([...seen].sort(), [
      "allowed",
      "filesystem_not_allowed",
      "install_not_active",
      "network_not_allowed",
      "permission_level_exceeded",
      "rate_limit_exceeded",
      "secrets_not_allowed",
      "skill_not_approved",
      "skill_not_installed",
      "skill_not_verified",
      "subscription_required",
    ]);
  });

  it("approve a skill with its whole policy, so that nothing else is reset", async () => {
    const slug = "status-notice";
    const before = valueIn(await as("owner").policies("local-demo", never)).get(slug)?.row;
    assert.ok(before?.approvalRequired);
    const changed = { ...before, rateLimitPerMinute: 7, approvalRequired: false };
    const refused = failureIn(await as("developer").putPolicy("local-demo", slug, changed, never));
    assert.ok(refused.kind === "errorAnswer" && refused.status === 400);
    valueIn(await as("owner").putPolicy("local-demo", slug, changed, never));
    const after = valueIn(await as("owner").policies("local-demo", never)).get(slug)?.row;
    assert.deepEqual(after, changed);
    const { skills } = valueIn(await as("owner").project("local-demo", never));
    assert.equal(skills.find((one) => one.slug === slug)?.approvalState, "approved");
  });

  it("create a project, and install, suspend and restore a skill", async () => {
    const made = valueIn(await as("owner").createProject("Another one", never));
    assert.deepEqual([made.slug, made.name], ["another-one", "Another one"]);
    const install = valueIn(await as("owner").install(made.slug, "text-stats", "1.0.0", never));
    assert.deepEqual([install.version, install.approvalState], ["1.0.0", "approved"]);
    const suspend = { status: "suspended", reason: "not needed now" } as const;
    const routes = as("owner");
    valueIn(await routes.setInstallStatus(made.slug, "text-stats", suspend, never));
    const status = async () => valueIn(await routes.project(made.slug, never)).skills[0]?.status;
    assert.equal(await status(), "suspended");
    valueIn(await routes.setInstallStatus(made.slug, "text-stats", { status: "installed" }, never));
    assert.equal(await status(), "installed");
  });
});
