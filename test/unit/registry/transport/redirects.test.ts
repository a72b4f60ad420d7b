import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { httpAnswer, type RawServer, startRawServer } from "../../../fixtures/network/rawServer";
import { clientFor, never } from "../../../fixtures/registries/clientFor";

const everything = { text: "", filters: {} };
const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_0123456789abcdef";
const statuses = [301, 302, 303, 307, 308];

describe("a redirect", () => {
  let registry: RawServer;
  let elsewhere: RawServer;
  let client: RegistryClient;
  let answer: (request: string) => Buffer;

  beforeEach(async () => {
    registry = await startRawServer((socket, request) => socket.write(answer(request)));
    elsewhere = await startRawServer((socket) => socket.write(httpAnswer(200, "[]")));
    client = clientFor(registry.baseUrl);
  });

  afterEach(async () => {
    client.close();
    await registry.close();
    await elsewhere.close();
  });

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
          answer = () => httpAnswer(status, "", { location: target(elsewhere.port) });
          const outcome = await client.invoke(call, key, never);
          assert.ok(outcome.kind === "refused", JSON.stringify(outcome));
          assert.equal(outcome.reason, "redirected");
          assert.equal(outcome.status, status);
          assert.match(outcome.message ?? "", words);
        }
        assert.equal(registry.requests.length, statuses.length);
        assert.equal(elsewhere.connections, 0);
      });
    }

    it("does not name a key that stands in it", async () => {
      answer = () =>
        httpAnswer(307, "", { location: `https://${key.replace("_", "-")}.example/${key}` });
      const outcome = await client.invoke(call, key, never);
      assert.ok(!JSON.stringify(outcome).includes(key));
    });
  });

  describe("of a public route", () => {
    for (const status of statuses) {
      it(`is followed to the same origin: ${status}`, async () => {
        answer = (request) =>
          request.includes("/moved?a=1")
            ? httpAnswer(200, '{"skills":[{"slug":"abc"}]}')
            : httpAnswer(status, "", { location: "/moved?a=1" });
        const page = await client.search(everything, undefined, never);
        assert.ok(page.ok && page.value.skills[0]?.slug === "abc", JSON.stringify(page));
      });
    }

    it("is followed three times and no more", async () => {
      answer = () => httpAnswer(302, "", { location: "/again" });
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
        answer = () => httpAnswer(302, "", { location: target(elsewhere.port) });
        const page = await client.search(everything, undefined, never);
        assert.deepEqual(page, {
          ok: false,
          failure: {
            kind: "redirected",
            target: new URL(target(elsewhere.port), registry.baseUrl).origin,
          },
        });
        assert.equal(registry.requests.length, 1);
        assert.equal(elsewhere.connections, 0);
      });
    }

    it("is not followed with a key the registry put into it", async () => {
      answer = (request) =>
        request.startsWith("POST")
          ? httpAnswer(200, '{"status":"success","output":1}')
          : httpAnswer(302, "", { location: `/v1?echo=${encodeURIComponent(key)}` });
      await client.invoke(call, key, never);
      const page = await client.search(everything, undefined, never);
      assert.ok(!page.ok && page.failure.kind === "redirected");
      assert.equal(registry.requests.length, 2);
    });
  });
});
