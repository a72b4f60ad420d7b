import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { clientFor, never } from "../../../fixtures/registries/clientFor";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";

const everything = { text: "", filters: {} };
const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_0123456789abcdef";
const statuses = [301, 302, 303, 307, 308];

describe("a redirect", () => {
  let registry: TestRegistry;
  let elsewhere: TestRegistry;
  let client: RegistryClient;

  beforeEach(async () => {
    registry = await startTestRegistry({});
    elsewhere = await startTestRegistry({ "**": { body: [] } });
    client = clientFor(registry.baseUrl);
  });

  afterEach(async () => {
    client.close();
    await registry.close();
    await elsewhere.close();
  });

  const redirect = (location: string, status = 302) =>
    registry.answer("**", { status, headers: { location } });

  describe("of an invocation", () => {
    const targets: readonly (readonly [string, (port: number) => string, RegExp])[] = [
      [
        "to the same origin",
        () => "/v1/runtime/invoke2",
        /redirected the invocation to http:\/\/127\.0\.0\.1:\d+\. /,
      ],
      [
        "to another port",
        (port) => `http://127.0.0.1:${port}/`,
        / to http:\/\/127\.0\.0\.1:\d+\. /,
      ],
      ["to another host", () => "https://evil.example/path?q", / to https:\/\/evil\.example\. /],
      ["without a scheme", () => "//evil.example/path", / to http:\/\/evil\.example\. /],
      [
        "with a user name",
        () => "https://127.0.0.1@evil.example/",
        / to https:\/\/evil\.example\. /,
      ],
      ["to a script", () => "javascript:alert(1)", / to javascript:\. /],
      ["to nothing readable", () => "http://[", / to an unreadable address\. /],
    ];
    for (const [name, target, words] of targets) {
      it(`${name} is not followed, and its origin is named`, async () => {
        for (const status of statuses) {
          redirect(target(elsewhere.port), status);
          const outcome = await client.invoke(call, key, never);
          assert.ok(outcome.kind === "refused", JSON.stringify(outcome));
          assert.equal(outcome.reason, "redirected");
          assert.equal(outcome.status, status);
          assert.match(outcome.message ?? "", words);
        }
        assert.equal(registry.requests.length, statuses.length);
        assert.equal(elsewhere.connections(), 0);
      });
    }

    it("does not reveal a key in its address", async () => {
      redirect(`https://${key.replace("_", "-")}.example/${key}`, 307);
      const outcome = await client.invoke(call, key, never);
      assert.ok(!JSON.stringify(outcome).includes(key));
    });
  });

  describe("of a public route", () => {
    for (const status of statuses) {
      it(`is followed to the same origin: ${status}`, async () => {
        redirect("/moved?a=1", status);
        registry.answer("/moved", ({ query }) =>
          query.get("a") === "1" ? { body: { skills: [{ slug: "abc" }] } } : { status: 404 },
        );
        const page = await client.search(everything, undefined, never);
        assert.ok(page.ok && page.value.skills[0]?.slug === "abc", JSON.stringify(page));
      });
    }

    it("is followed three times at most", async () => {
      redirect("/again");
      assert.deepEqual(await client.search(everything, undefined, never), {
        ok: false,
        failure: { kind: "redirected", target: registry.baseUrl },
      });
      assert.equal(registry.requests.length, 4);
    });

    const targets: readonly (readonly [string, (port: number) => string])[] = [
      ["another port", (port) => `http://127.0.0.1:${port}/v1/skills/search`],
      ["another name of the same machine", (port) => `http://localhost:${port}/`],
      ["another host", (port) => `//evil.example:${port}/`],
      ["https on the same port", (port) => `https://127.0.0.1:${port}/`],
    ];
    for (const [name, target] of targets) {
      it(`is not followed to ${name}`, async () => {
        redirect(target(elsewhere.port));
        const page = await client.search(everything, undefined, never);
        assert.deepEqual(page, {
          ok: false,
          failure: {
            kind: "redirected",
            target: new URL(target(elsewhere.port), registry.baseUrl).origin,
          },
        });
        assert.equal(registry.requests.length, 1);
        assert.equal(elsewhere.connections(), 0);
      });
    }

    it("is not followed if the registry put a key into it", async () => {
      redirect(`/v1?echo=${encodeURIComponent(key)}`);
      registry.answer("/v1/runtime/invoke", { body: { status: "success", output: 1 } });
      await client.invoke(call, key, never);
      const page = await client.search(everything, undefined, never);
      assert.ok(!page.ok && page.failure.kind === "redirected");
      assert.equal(registry.requests.length, 2);
    });
  });
});
