import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import type { RegistryClient } from "../../../src/registry/registryClient";
import { clientFor, never } from "../../fixtures/registries/clientFor";
import { valueIn } from "./workspace/resultParts";

describe("the embedded registry", () => {
  let registry: LocalRegistry;
  let client: RegistryClient;

  before(async () => {
    registry = await startLocalRegistry();
    client = clientFor(registry.baseUrl);
  });

  after(async () => {
    client.close();
    await registry.close();
  });

  function invoke(skillSlug: string, inputText: string, key = registry.projectKey) {
    return client.invoke({ skillSlug, version: "", inputText }, key, never);
  }

  it("lists every skill with version, publisher, state and level", async () => {
    const page = valueIn(await client.search({ text: "", filters: {} }, undefined, never));
    assert.equal(page.skills.length, 12);
    assert.equal(page.total, 12);
    for (const skill of page.skills) {
      assert.ok(skill.version && skill.publisher?.name, skill.slug);
      assert.ok(skill.verificationStatus && skill.permissionLevel && skill.runtimeType, skill.slug);
    }
    assert.ok(page.facets?.task && page.facets.runtime && page.facets.verification);
  });

  it("accepts several values of one filter", async () => {
    const filters = { permissionProfile: ["medium", "high"] };
    const page = valueIn(await client.search({ text: "", filters }, undefined, never));
    assert.deepEqual(page.ignoredFilters, []);
    const levels = new Set(page.skills.map((skill) => skill.permissionLevel));
    assert.deepEqual([...levels].sort(), ["high", "medium"]);
  });

  it("shows every part of every skill", async () => {
    const page = valueIn(await client.search({ text: "", filters: {} }, undefined, never));
    for (const { slug } of page.skills) {
      const detail = valueIn(await client.skill(slug, undefined, never));
      assert.equal(detail.unanswered, undefined, slug);
      assert.ok(detail.summary.publisher && detail.summary.verificationStatus, slug);
      assert.ok(detail.inputSchema && detail.outputSchema && detail.permissions, slug);
      assert.ok(detail.runtime?.type && detail.prices && detail.feedback, slug);
    }
  });

  it("runs a skill", async () => {
    const outcome = await invoke("text-stats", '{"text":"to be or not to be"}');
    assert.ok(outcome.kind === "success", JSON.stringify(outcome));
    assert.ok(outcome.invocationId);
    assert.ok(outcome.outputText.startsWith("{"));
  });

  const gates: readonly (readonly [string, string, string, string])[] = [
    ["market-data", "{}", "refused", "payment"],
    ["vault-rotate", "{}", "refused", "policy"],
    ["draft-writer", "{}", "refused", "policy"],
    ["no-such-skill", "{}", "refused", "policy"],
    ["status-notice", "{}", "refused", "policy"],
    ["flaky-fetch", '{"url":"https://example.com/"}', "skillError", ""],
  ];
  for (const [slug, inputText, kind, reason] of gates) {
    it(`distinguishes the responses of ${slug}`, async () => {
      const outcome = await invoke(slug, inputText);
      assert.equal(outcome.kind, kind, JSON.stringify(outcome));
      if (outcome.kind === "refused") assert.equal(outcome.reason, reason, JSON.stringify(outcome));
      if (outcome.kind === "skillError") assert.ok(outcome.invocationId);
    });
  }

  it("rejects another key", async () => {
    const outcome = await invoke("text-stats", '{"text":"a"}', "skh_somebody_elses");
    assert.ok(outcome.kind === "refused");
    assert.equal(outcome.reason, "unauthorized");
  });

  it("limits the rate and names the limit", async () => {
    for (let count = 0; count < 3; count += 1) await invoke("burst-limited", "{}");
    const outcome = await invoke("burst-limited", "{}");
    assert.ok(outcome.kind === "refused", JSON.stringify(outcome));
    assert.equal(outcome.reason, "rateLimit");
    assert.equal(outcome.policy?.rateLimit?.limit, 3);
  });
});
