import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../../src/core/json/jsonValue";
import { assertHolds, demo, install, policies, projects, withWorkspace } from "../withWorkspace";

describe("a project's installs and policies", () => {
  const { test, ask } = withWorkspace();
  const invoke = async (skillSlug: string, input: JsonObject) => {
    const { status, json } = await test.invoke({ skillSlug, input });
    return [status, (json as JsonObject)["code"]];
  };
  const notice = { service: "Shop", state: "resolved", message: "All well." };
  const approve = { approvalRequired: false, monthlyBudgetCents: 0 };

  it("run a high skill after an owner's approval, until the policy is written without it", async () => {
    const policy = `PUT ${policies}/status-notice`;
    assert.deepEqual(await invoke("status-notice", notice), [403, "skill_not_approved"]);
    const { json } = await ask("owner", policy, approve);
    assertHolds(json, {
      policy: { approvalRequired: false, approvedAt: "2026-11-20T10:00:00.000Z" },
    });
    assert.deepEqual(await invoke("status-notice", notice), [200, undefined]);
    // A row without the approval resets it to the default, even from a developer.
    await ask("developer", policy, { rateLimitPerMinute: 5 });
    assert.deepEqual(await invoke("status-notice", notice), [403, "skill_not_approved"]);
    // A new install removes an approval as well.
    await ask("owner", policy, approve);
    await ask("developer", `POST ${install}`, { skillSlug: "status-notice" });
    assert.deepEqual(await invoke("status-notice", notice), [403, "skill_not_approved"]);
  });

  it("are suspended, restored and removed", async () => {
    const reason = "for the test";
    const set = (status: string) =>
      ask("owner", `PUT ${install}/json-diff/status`, { status, reason });
    const input = { before: 1, after: 1 };
    for (const status of ["suspended", "removed"]) {
      assertHolds((await set(status)).json, { install: { status } });
      assert.deepEqual(await invoke("json-diff", input), [403, "install_not_active"]);
    }
    await ask("developer", `POST ${install}`, { skillSlug: "json-diff" });
    assert.deepEqual(await invoke("json-diff", input), [200, undefined]);
  });

  it("return the pinned manifest without redaction", async () => {
    const { json } = await ask("developer", `GET ${install}`);
    const { installedSkills } = json as { installedSkills: JsonObject[] };
    const find = (slug: string) => installedSkills.find((one) => one["skillSlug"] === slug);
    assertHolds(find("redact-pii"), { version: "1.1.0", manifest: { version: "1.1.0" } });
    assertHolds(find("vault-rotate"), {
      manifest: { permissions: { secrets: ["VAULT_TOKEN", "NOTIFY_TOKEN"] } },
    });
  });

  it("write a whole policy: missing members return to the manifest's default", async () => {
    await ask("owner", `PUT ${policies}/slow-report`, {
      rateLimitPerMinute: 7,
      allowNetwork: false,
    });
    const { json } = await ask("owner", `PUT ${policies}/slow-report`, { monthlyBudgetCents: 5 });
    assertHolds(json, {
      policy: { monthlyBudgetCents: 5, rateLimitPerMinute: 60, allowNetwork: true },
    });
  });

  it("run a test that is not billed and counts in the same rate window", async () => {
    const run = (skillSlug: string) =>
      ask("developer", `POST ${demo}/runtime/test`, { skillSlug, input: { text: "a" } });
    const { status, json } = await run("redact-pii");
    assert.equal(status, 200);
    assertHolds(json, { mode: "console_test", billable: false, amountCents: 0, status: "success" });
    for (let time = 0; time < 3; time += 1) await run("burst-limited");
    assert.deepEqual(await invoke("burst-limited", {}), [403, "rate_limit_exceeded"]);
  });

  it("keep the newest 25 invocations", async () => {
    for (let time = 0; time < 26; time += 1) await invoke("text-stats", { text: "a" });
    await invoke("nothing-here", {});
    await invoke("text-stats", {});
    const { json } = await ask("owner", `GET ${projects}/local-demo`);
    const { recentInvocations } = (json as { project: { recentInvocations: JsonObject[] } })
      .project;
    assert.equal(recentInvocations.length, 25);
    assert.deepEqual(
      recentInvocations
        .slice(0, 2)
        .map((one) => [one["skillSlug"], one["status"], one["errorCode"]]),
      [
        ["text-stats", "error", "runtime_http_error"],
        [null, "blocked", "skill_not_installed"],
      ],
    );
  });
});

describe("a project's update inbox", () => {
  const { test, ask } = withWorkspace();
  const inbox = async () => {
    const { json } = await ask("developer", `GET ${demo}/update-inbox`);
    return (json as { updates: Record<string, string>[] }).updates;
  };

  it("has two rows for every version, even for an installed, older or draft one", async () => {
    const rows = (await inbox()).map((one) => [
      one["skillSlug"],
      one["eventType"],
      one["currentVersion"],
      one["targetVersion"],
      one["adoptionState"],
    ]);
    const of = (slug: string) => rows.filter(([skillSlug]) => skillSlug === slug);
    const csv = (version: string) => ["csv-profile", "new_version", "2.0.0", version, "ready"];
    assert.deepEqual(
      of("csv-profile"),
      ["2.0.0", "2.0.0", "1.1.0", "1.1.0", "1.0.0", "1.0.0"].map(csv),
    );
    const redact = (version: string, state: string) => {
      return ["redact-pii", "new_version", "1.1.0", version, state];
    };
    assert.deepEqual(of("redact-pii"), [
      redact("2.1.0", "awaiting_review"),
      redact("2.0.0", "ready"),
      redact("2.0.0", "ready"),
      redact("1.1.0", "ready"),
      redact("1.1.0", "ready"),
    ]);
    const events = rows.filter(([, eventType]) => eventType !== "new_version");
    assert.deepEqual(
      events.map(([slug, type, , version, state]) => [slug, type, version, state]).sort(),
      [
        ["flaky-fetch", "deprecated", null, "not_version_update"],
        ["slow-report", "incident", null, "not_version_update"],
      ],
    );
  });

  it("moves the pin when an update is adopted, and removes only its row", async () => {
    const isRow = (one: Record<string, string>) =>
      one["skillSlug"] === "redact-pii" && one["targetVersion"] === "2.0.0";
    const update = (await inbox()).find(isRow);
    const route = `PUT ${demo}/update-inbox/${update?.["id"]}/action`;
    await ask("developer", route, { status: "acknowledged", note: "soon" });
    const noted = (await inbox()).find((one) => one["id"] === update?.["id"]);
    assert.deepEqual([noted?.["actionStatus"], noted?.["actionNote"]], ["acknowledged", "soon"]);
    const { json } = await ask("developer", route, { status: "adopted" });
    assertHolds(json, { action: { adoptedVersion: "2.0.0", adoptionApprovalState: "approved" } });
    const input = { text: "a" };
    const answer = await test.invoke({ skillSlug: "redact-pii", version: "2.0.0", input });
    assert.equal(answer.status, 200);
    assert.equal((await inbox()).filter(isRow).length, 1);
  });

  it("adopts neither a draft nor an update of a removed skill", async () => {
    const updates = await inbox();
    const adopt = (slug: string) => {
      const update = updates.find((one) => one["skillSlug"] === slug);
      return ask("owner", `PUT ${demo}/update-inbox/${update?.["id"]}/action`, {
        status: "adopted",
      });
    };
    assert.deepEqual((await adopt("redact-pii")).json, {
      error: "Only approved skill versions can be adopted by a project.",
    });
    const removal = { status: "removed", reason: "for the test" };
    await ask("owner", `PUT ${install}/csv-profile/status`, removal);
    assert.deepEqual((await adopt("csv-profile")).json, {
      error: "Removed skills must be reinstalled before adopting updates.",
    });
  });

  it("removes a handled event, and keeps the pin", async () => {
    const isEvent = (one: Record<string, string>) => one["eventType"] === "incident";
    const event = (await inbox()).find(isEvent);
    const route = `PUT ${demo}/update-inbox/${event?.["id"]}/action`;
    const { json } = await ask("developer", route, { status: "adopted" });
    assertHolds(json, { action: { adoptedVersion: null } });
    const rows = await inbox();
    assert.equal(rows.find(isEvent), undefined);
    const slow = rows.find((one) => one["skillSlug"] === "slow-report");
    assert.equal(slow?.["currentVersion"], event?.["currentVersion"]);
  });

  it("adopts an older version, which moves the pin back", async () => {
    const isOld = (one: Record<string, string>) =>
      one["skillSlug"] === "redact-pii" && one["targetVersion"] === "1.1.0";
    const update = (await inbox()).find(isOld);
    const route = `PUT ${demo}/update-inbox/${update?.["id"]}/action`;
    assertHolds((await ask("owner", route, { status: "adopted" })).json, {
      action: { adoptedVersion: "1.1.0" },
    });
  });
});
