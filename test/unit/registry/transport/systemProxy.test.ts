import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { NetworkSettings } from "../../../../src/registry/networkSettings";
import { systemProxy } from "../../../../src/registry/transport/proxyFor";
import { never } from "../../../fixtures/registries/clientFor";

function wayOf(resolveSystemProxy: NetworkSettings["resolveSystemProxy"], maxMs?: number) {
  const network = {
    proxyAuthorization: "Bearer x",
    ...(resolveSystemProxy && { resolveSystemProxy }),
  };
  return systemProxy("registry.example", 8443, network, never, maxMs);
}

const through = (hostname: string, port: number, secure = false) => ({
  kind: "proxy",
  proxy: { secure, hostname, port, authorization: "Bearer x" },
});

const socks = {
  kind: "socks",
  proxy: { hostname: "s.example", port: 1080, username: "", password: "" },
};

describe("the proxy of the system's settings", () => {
  const answers: readonly (readonly [string, object])[] = [
    ["PROXY p.example:3128", through("p.example", 3128)],
    ["PROXY p.example:3128; DIRECT", through("p.example", 3128)],
    ["proxy [::1]:3128 ;", through("::1", 3128)],
    ["HTTP p.example:8080", through("p.example", 8080)],
    ["HTTPS p.example", through("p.example", 443, true)],
    ["SOCKS5 s.example:1080; PROXY p.example:3128", socks],
    ["socks s.example", socks],
    ["SOCKS4 s.example:1080; PROXY p.example:3128", through("p.example", 3128)],
    ["SOCKS4 s.example:1080", { kind: "unusable", detail: "UNSUPPORTED_SCHEME" }],
    ["SOCKS4 s.example:1080; DIRECT", { kind: "unset" }],
    ["DIRECT; PROXY p.example:3128", { kind: "unset" }],
    ["PROXY", { kind: "unusable", detail: "INVALID_ADDRESS" }],
    ["", { kind: "unset" }],
    ["something new", { kind: "unset" }],
  ];
  for (const [answer, way] of answers) {
    it(`is read from ${JSON.stringify(answer)}`, async () => {
      assert.deepEqual(await wayOf(async () => answer), way);
    });
  }

  it("is looked up by the whole address", async () => {
    const asked: string[] = [];
    const resolveSystemProxy = async (url: string) => {
      asked.push(url);
      return "DIRECT";
    };
    await wayOf(resolveSystemProxy);
    await systemProxy("fd12::1", 443, { resolveSystemProxy, proxyAuthorization: "" }, never);
    assert.deepEqual(asked, ["https://registry.example:8443/", "https://[fd12::1]:443/"]);
  });

  it("is none if the lookup is impossible, fails or never ends", async () => {
    assert.deepEqual(await wayOf(undefined), { kind: "unset" });
    assert.deepEqual(await wayOf(() => Promise.reject(new Error("no"))), { kind: "unset" });
    assert.deepEqual(await wayOf(() => new Promise(() => undefined), 1), { kind: "unset" });
  });

  it("is not awaited after the connection is given up", async () => {
    const given = AbortSignal.abort();
    const network = {
      proxyAuthorization: "",
      resolveSystemProxy: () => new Promise<string>(() => undefined),
    };
    assert.deepEqual(await systemProxy("registry.example", 443, network, given), { kind: "unset" });
  });
});
