import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import { describeSkill } from "../../../src/core/skill/description/describeSkill";
import { english } from "../../../src/core/text/language";
import type { RegistryClient } from "../../../src/registry/registryClient";
import { clientFor, never } from "../../fixtures/registries/clientFor";
import {
  type ForeignRegistry,
  type ForeignRegistryOptions,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { valueIn } from "./workspace/resultParts";

const everything = { text: "", filters: {} };

describe("a foreign registry", () => {
  let registry: ForeignRegistry | undefined;
  let client: RegistryClient | undefined;

  async function open(options: ForeignRegistryOptions) {
    registry = await startForeignRegistry(options);
    client = clientFor(registry.baseUrl);
    return { registry, client };
  }

  afterEach(async () => {
    client?.close();
    await registry?.close();
  });

  for (const dialect of ["camel", "snake"] as const) {
    for (const envelope of ["skills", "items", "results", "data", "array", "nested"] as const) {
      it(`lists its skills: ${dialect}, ${envelope}`, async () => {
        const { client } = await open({ dialect, envelope });
        const page = valueIn(await client.search(everything, undefined, never));
        assert.deepEqual(
          page.skills.map(({ slug, version, verificationStatus, permissionLevel, runtimeType }) =>
            [slug, version, verificationStatus, permissionLevel, runtimeType].join(" "),
          ),
          [
            "word-tally 2.1.0 verified low http",
            "area-convert 2.1.0 submitted medium mcp",
            "ledger-close 2.1.0 deprecated high local",
          ],
        );
        const [first] = page.skills;
        assert.equal(first?.displayName, "Word Tally");
        assert.deepEqual(first?.numbers, { installs: 12, calls: 3456, successRate: 0.98 });
        assert.equal(first?.updatedAt, Date.UTC(2026, 10, 20, 9, 0, 7, 924));
        assert.equal(first?.publisher, undefined);
      });
    }

    it(`shows a skill from its manifest and the sources beside it: ${dialect}`, async () => {
      const { client } = await open({ dialect, publishers: true, prices: true, feedback: true });
      const detail = valueIn(await client.skill("ledger-close", undefined, never));
      assert.equal(detail.summary.verificationStatus, "deprecated");
      assert.equal(detail.summary.publisher?.name, "Far Away Works");
      assert.equal(detail.summary.publisher?.verified, true);
      assert.deepEqual(detail.permissions, {
        network: true,
        browser: false,
        filesystem: "write",
        secretCount: 2,
        secretNames: [],
      });
      assert.deepEqual(detail.prices, [
        { billingModel: "per_call", unitAmountCents: 3, currency: "EUR", status: "active" },
      ]);
      assert.equal(detail.feedback?.averageRating, 4.5);
      assert.equal(detail.feedback?.entries[0]?.rating, 5);
      assert.deepEqual(detail.examples, [{ name: "First", input: { month: "2026-10" } }]);
      assert.equal(detail.unanswered, undefined);
    });

    it(`shows a skill from a detail of its own: ${dialect}`, async () => {
      const { client } = await open({ dialect, detail: "nested" });
      const detail = valueIn(await client.skill("word-tally", undefined, never));
      assert.equal(detail.reviewState, "approved");
      assert.equal(detail.reviewedAt, Date.UTC(2026, 10, 19, 8));
      assert.equal(detail.summary.publisher?.name, "Far Away Works");
      assert.equal(detail.versions[0]?.changes, "Faster.");
      assert.equal(detail.manifest["name"], "word-tally");
      assert.deepEqual([detail.prices, detail.feedback], [undefined, undefined]);
    });

    it(`runs a skill: ${dialect}`, async () => {
      const { client, registry } = await open({ dialect });
      const call = { skillSlug: "word-tally", version: "", inputText: '{ "text": "a b c" }' };
      const outcome = await client.invoke(call, registry.projectKey, never);
      assert.ok(outcome.kind === "success", outcome.kind);
      assert.match(outcome.invocationId ?? "", /^inv:/);
      assert.equal(outcome.outputText, '{"words":3}');
      assert.equal(outcome.projectSlug, "far-project");
      assert.equal(outcome.amountCents, 3);
      assert.equal(outcome.billable, true);
      assert.equal(outcome.acceptedNotRun, false);
    });
  }

  it("provides the rows' publishers from the list of publishers, requested once", async () => {
    const { client, registry } = await open({ dialect: "camel", publishers: true });
    const page = valueIn(await client.search(everything, undefined, never));
    assert.deepEqual(
      page.skills.map((skill) => skill.publisher?.name),
      ["Far Away Works", "Far Away Works", "Far Away Works"],
    );
    await client.search(everything, undefined, never);
    await client.skill("word-tally", undefined, never);
    const asked = registry.requests.filter((request) => request.path.startsWith("/v1/publishers"));
    assert.equal(asked.length, 1);
  });

  it("lists all skills of a publisher, and the number of others", async () => {
    const others = Array.from({ length: 12 }, (_, index) => ({ slug: `other-${index}` }));
    const cutOff: unknown[] = [];
    const known = async (skills: readonly JsonObject[], publicSkillCount: number) => {
      const publisher = { slug: "far", skills: [...skills], metrics: { publicSkillCount } };
      const { client, registry } = await open({ dialect: "camel" });
      registry.answer("/v1/publishers", { body: { publishers: [publisher] } });
      const detail = valueIn(await client.skill("ledger-close", undefined, never));
      cutOff.push(detail.cutOffPublishers);
      const place = { registry: { name: "far", builtIn: false }, now: 0, language: english };
      const shown = describeSkill(detail, place).publisher;
      client.close();
      await registry.close();
      return shown && [shown.otherSkills.length, shown.moreSkills];
    };
    const own = { slug: "ledger-close" };
    assert.deepEqual(await known([...others, own], 13), [12, 0]);
    assert.deepEqual(await known([...others.slice(1), own], 13), [11, 1]);
    assert.equal(await known(others, 13), undefined);
    // Only a skill that no publisher lists may belong to one whose list is cut off.
    assert.deepEqual(cutOff, [undefined, undefined, [{ name: "far", slug: "far" }]]);
  });

  it("is asked for more publishers than it lists by default", async () => {
    const { client, registry } = await open({ dialect: "camel", publishers: true });
    await client.skill("ledger-close", undefined, never);
    const paths = registry.requests.map(({ path }) => path);
    assert.ok(paths.includes("/v1/publishers?limit=100"), paths.join("\n"));
  });

  it("has rows and skills marked as samples if it is the sample registry", async () => {
    const { registry } = await open({ dialect: "camel", prices: true });
    for (const isSample of [true, false]) {
      const told = clientFor(registry.baseUrl, { isSample });
      const { skills } = valueIn(await told.search(everything, undefined, never));
      const { summary } = valueIn(await told.skill("word-tally", undefined, never));
      const marks = [...skills, summary].map((skill) => skill.isSample === true);
      assert.deepEqual(new Set(marks), new Set([isSample]));
      told.close();
    }
  });

  it("has no prices, feedback or publishers if it has no routes for them", async () => {
    const { client } = await open({ dialect: "camel" });
    const detail = valueIn(await client.skill("word-tally", undefined, never));
    assert.equal(detail.unanswered, undefined);
    const { prices, feedback, summary } = detail;
    assert.deepEqual([prices, feedback, summary.publisher], [undefined, undefined, undefined]);
  });

  it("reports a missing skill", async () => {
    const { client } = await open({ dialect: "camel" });
    const missing = await client.skill("no-such-skill", undefined, never);
    assert.deepEqual(missing, {
      ok: false,
      failure: { kind: "notFound", message: "Nothing here." },
    });
  });

  it("is asked for a requested version", async () => {
    const { client, registry } = await open({ dialect: "camel" });
    await client.skill("word-tally", "1.0.0-rc.1+a", never);
    const paths = registry.requests.map((request) => request.path);
    assert.ok(paths.includes("/v1/skills/word-tally?version=1.0.0-rc.1%2Ba"), paths.join("\n"));
  });

  it("continues to the next page with the registry's own cursor", async () => {
    const { client, registry } = await open({ dialect: "camel", pageSize: 2, facets: true });
    const first = valueIn(await client.search(everything, undefined, never));
    assert.equal(first.total, 3);
    assert.deepEqual(first.facets?.task?.[0], { value: "content", count: 1 });
    const second = valueIn(await client.search(everything, first.nextCursor, never));
    assert.deepEqual(
      second.skills.map((skill) => skill.slug),
      ["ledger-close"],
    );
    assert.equal(second.nextCursor, undefined);
    const paths = registry.requests.map((request) => request.path);
    assert.ok(paths.includes("/v1/skills/search?limit=100&cursor=2"), paths.join("\n"));
  });

  it("sends each filter in both spellings", async () => {
    const { client, registry } = await open({ dialect: "camel" });
    const filters = {
      task: ["content"],
      runtime: ["http"],
      verification: ["verified"],
      permissionProfile: ["low"],
    };
    const page = valueIn(await client.search({ text: " tally ", filters }, undefined, never));
    assert.deepEqual(
      page.skills.map((skill) => skill.slug),
      ["word-tally"],
    );
    const asked = new URL(registry.requests[0]?.path ?? "", registry.baseUrl).searchParams;
    assert.deepEqual(Object.fromEntries(asked), {
      q: "tally",
      category: "content",
      task: "content",
      runtimeType: "http",
      runtime: "http",
      verificationStatus: "verified",
      verification: "verified",
      permissionLevel: "low",
      permissionProfile: "low",
      limit: "100",
    });
  });

  it("gets the key only on the runtime route", async () => {
    const { client, registry } = await open({ dialect: "camel", publishers: true });
    await client.invoke(
      { skillSlug: "word-tally", version: "", inputText: "{}" },
      registry.projectKey,
      never,
    );
    await client.search({ text: "word", filters: {} }, undefined, never);
    await client.skill("word-tally", undefined, never);
    const carriers = registry.requests.filter((request) =>
      JSON.stringify(request).includes(registry.projectKey),
    );
    assert.deepEqual(
      carriers.map(({ method, path }) => `${method} ${path}`),
      ["POST /v1/runtime/invoke"],
    );
    assert.ok(registry.requests.length > 5);
    for (const { headers } of registry.requests) assert.equal(headers.cookie, undefined);
  });
});
