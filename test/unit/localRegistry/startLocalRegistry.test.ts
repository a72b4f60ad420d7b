import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";

describe("startLocalRegistry", () => {
  const running: LocalRegistry[] = [];
  const start = async (options = {}) => {
    const registry = await startLocalRegistry(options);
    running.push(registry);
    return registry;
  };
  afterEach(async () => {
    await Promise.all(running.splice(0).map((registry) => registry.close()));
  });

  it("listens on 127.0.0.1 and makes a new key at each start", async () => {
    const [one, two] = [await start(), await start()];
    assert.match(one.baseUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(one.projectKey, /^skh_[0-9a-f]{64}$/);
    assert.notEqual(one.projectKey, two.projectKey);
  });

  it("uses a given key", async () => {
    assert.equal((await start({ projectKey: "skh_test" })).projectKey, "skh_test");
  });

  it("rejects if the port is taken", async () => {
    const { baseUrl } = await start();
    await assert.rejects(startLocalRegistry({ port: Number(new URL(baseUrl).port) }), {
      code: "EADDRINUSE",
    });
  });

  it("answers nothing after closing", async () => {
    const registry = await startLocalRegistry();
    await registry.close();
    await assert.rejects(fetch(`${registry.baseUrl}/health`));
  });
});
