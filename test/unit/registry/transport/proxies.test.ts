import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import { inspect } from "node:util";
import { after, afterEach, before, describe, it } from "mocha";
import type { NetworkSettings, RegistryClient } from "../../../../src/registry/registryClient";
import { makeAuthority } from "../../../fixtures/network/certificates";
import {
  type ConnectProxy,
  type ConnectProxyOptions,
  startConnectProxy,
} from "../../../fixtures/network/connectProxy";
import { clientFor, never, plainNetwork } from "../../../fixtures/registries/clientFor";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";

const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_0123456789abcdef";
const authority = makeAuthority();
const host = "registry.example";

describe("a proxy", () => {
  let folder = "";
  let registry: TestRegistry;
  const askedFor = new Set<string>();
  let proxy: ConnectProxy | undefined;
  let client: RegistryClient | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "proxies-"));
    await writeFile(join(folder, "extra.pem"), authority.cert);
    const tls: TlsOptions = {
      ...authority.issue([host, "127.0.0.1"]),
      SNICallback: (name, answer) => {
        askedFor.add(name);
        answer(null);
      },
    };
    registry = await startTestRegistry(
      { "**": { body: { status: "success", output: 1 } } },
      { tls },
    );
  });

  after(async () => {
    await registry.close();
    await rm(folder, { recursive: true });
  });

  afterEach(async () => {
    client?.close();
    await proxy?.close();
  });

  /** Opens a client of `https://registry.example`, a name that only the proxy can reach. */
  async function open(
    options: Partial<ConnectProxyOptions>,
    network: (proxyPort: number) => Partial<NetworkSettings>,
    baseUrl = `https://${host}:${registry.port}`,
  ) {
    proxy = await startConnectProxy({ targetPort: registry.port, ...options });
    const settings = network(proxy.port);
    const environment = {
      NODE_EXTRA_CA_CERTS: join(folder, "extra.pem"),
      ...settings.environment,
    };
    client = clientFor(baseUrl, { network: { ...plainNetwork, ...settings, environment } });
    return { proxy, client };
  }

  const ways: readonly (readonly [string, (port: number) => Partial<NetworkSettings>])[] = [
    ["http.proxy", (port) => ({ proxy: `http://127.0.0.1:${port}` })],
    ["HTTPS_PROXY", (port) => ({ environment: { HTTPS_PROXY: `http://127.0.0.1:${port}` } })],
    ["https_proxy", (port) => ({ environment: { https_proxy: `http://127.0.0.1:${port}/` } })],
    ["HTTP_PROXY", (port) => ({ environment: { HTTP_PROXY: `http://127.0.0.1:${port}` } })],
    [
      "an address without a scheme",
      (port) => ({ environment: { HTTPS_PROXY: `127.0.0.1:${port}` } }),
    ],
    [
      "http.proxy before the environment",
      (port) => ({
        proxy: `http://127.0.0.1:${port}`,
        environment: { HTTPS_PROXY: "http://127.0.0.1:1" },
      }),
    ],
  ];
  for (const [name, network] of ways) {
    it(`is used if it is set by ${name}`, async () => {
      const { proxy, client } = await open({}, network);
      const outcome = await client.invoke(call, key, never);
      assert.equal(outcome.kind, "success", JSON.stringify(outcome));
      const [head = "", ...more] = proxy.heads;
      assert.deepEqual(more, []);
      assert.ok(head.startsWith(`CONNECT ${host}:${registry.port} HTTP/1.1\r\n`), head);
      // The key is inside the tunnel.
      assert.ok(!head.includes(key));
      assert.deepEqual([...askedFor], [host]);
    });
  }

  it("gets its own credentials, and no others", async () => {
    const { client } = await open({ credentials: "us er:p@ss" }, (port) => ({
      proxy: `http://us%20er:p%40ss@127.0.0.1:${port}`,
    }));
    const outcome = await client.invoke(call, key, never);
    assert.equal(outcome.kind, "success", JSON.stringify(outcome));
    assert.ok(
      registry.requests.every(({ headers }) => headers["proxy-authorization"] === undefined),
    );
  });

  it("gets the value of http.proxyAuthorization", async () => {
    const { client } = await open({ credentials: "user:pass" }, (port) => ({
      proxy: `http://127.0.0.1:${port}`,
      proxyAuthorization: `Basic ${Buffer.from("user:pass").toString("base64")}`,
    }));
    const outcome = await client.invoke(call, key, never);
    assert.equal(outcome.kind, "success", JSON.stringify(outcome));
  });

  it("of the system is used if no other is set", async () => {
    const asked: string[] = [];
    const { proxy, client } = await open({}, (port) => ({
      resolveSystemProxy: async (url) => {
        asked.push(url);
        return `PROXY 127.0.0.1:${port}; DIRECT`;
      },
    }));
    const outcome = await client.invoke(call, key, never);
    assert.equal(outcome.kind, "success", JSON.stringify(outcome));
    assert.deepEqual(asked, [`https://${host}:${registry.port}/`]);
    assert.equal(proxy.heads.length, 1);
  });

  const named: readonly (readonly [string, (port: number) => Partial<NetworkSettings>])[] = [
    ["http.proxy", (port) => ({ proxy: `http://127.0.0.1:${port}` })],
    ["the environment", (port) => ({ environment: { https_proxy: `http://127.0.0.1:${port}` } })],
    ["http.noProxy", () => ({ noProxy: ["*"] })],
    ["http.proxySupport off", () => ({ proxySupport: "off" })],
  ];
  for (const [name, network] of named) {
    it(`of the system is not looked up if ${name} decides`, async () => {
      const { client } = await open({}, (port) => ({
        ...network(port),
        resolveSystemProxy: () => assert.fail("asked"),
      }));
      const outcome = await client.invoke(call, key, never);
      const failure = outcome.kind === "notSent" ? outcome.failure : undefined;
      // Without a proxy, the host does not exist.
      if (failure?.kind === "unreachable") assert.equal(failure.cause, "name");
      else assert.equal(outcome.kind, "success", JSON.stringify(outcome));
      assert.ok(failure === undefined || !("withoutProxy" in failure));
    });
  }

  it("is suggested if none is named and nothing can be reached", async () => {
    const { client } = await open({}, () => ({ resolveSystemProxy: async () => "DIRECT" }));
    const outcome = await client.invoke(call, key, never);
    assert.ok(outcome.kind === "notSent" && outcome.failure.kind === "unreachable");
    assert.equal(outcome.failure.withoutProxy, true);
    assert.equal(outcome.failure.cause, "name");
  });

  it("that requires credentials is reported, without a password", async () => {
    const { client } = await open({ credentials: "user:right" }, (port) => ({
      proxy: `http://user:hunter2@127.0.0.1:${port}`,
    }));
    const outcome = await client.invoke(call, key, never);
    assert.deepEqual(outcome, {
      kind: "notSent",
      failure: { kind: "unreachable", cause: "proxy", detail: "407" },
    });
    assert.ok(!inspect([outcome, client], { depth: 9, showHidden: true }).includes("unter2"));
  });

  it("can be used over TLS, by name and with its certificate checked", async () => {
    const names: string[] = [];
    const tls: TlsOptions = {
      ...authority.issue(["localhost"]),
      SNICallback: (name, answer) => {
        names.push(name);
        answer(null);
      },
    };
    const { client } = await open({ tls }, (port) => ({ proxy: `https://localhost:${port}` }));
    const outcome = await client.invoke(call, key, never);
    assert.equal(outcome.kind, "success", JSON.stringify(outcome));
    assert.deepEqual(names, ["localhost"]);
  });

  it("with a foreign certificate is rejected", async () => {
    const tls = makeAuthority().issue(["127.0.0.1"]);
    const { proxy, client } = await open({ tls }, (port) => ({
      proxy: `https://user:pass@127.0.0.1:${port}`,
    }));
    assert.deepEqual(await client.invoke(call, key, never), {
      kind: "notSent",
      failure: { kind: "unreachable", cause: "proxy", detail: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" },
    });
    assert.deepEqual(proxy.heads, []);
  });

  it("with a foreign certificate is accepted if http.proxyStrictSSL is off", async () => {
    const tls = makeAuthority().issue(["127.0.0.1"]);
    const { client } = await open({ tls }, (port) => ({
      proxy: `https://127.0.0.1:${port}`,
      strictSSL: false,
    }));
    const outcome = await client.invoke(call, key, never);
    assert.equal(outcome.kind, "success", JSON.stringify(outcome));
  });

  it("that never stops sending is disconnected", async () => {
    const { proxy, client } = await open(
      { answer: `HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(10_000)}`, keepsOpen: true },
      (port) => ({ proxy: `http://127.0.0.1:${port}` }),
    );
    assert.deepEqual(await client.invoke(call, key, never), {
      kind: "notSent",
      failure: { kind: "unreachable", cause: "proxy", detail: "EMSGSIZE" },
    });
    await proxy.quiet();
  });

  const refusals: readonly (readonly [string, Partial<ConnectProxyOptions>, string])[] = [
    ["returns 403", { answer: "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n" }, "403"],
    ["returns 502", { answer: "HTTP/1.0 502 Bad Gateway\r\n\r\n<html>" }, "502"],
    ["closes the connection", { answer: "" }, "ECONNRESET"],
    [
      "closes the connection within its response",
      { answer: "HTTP/1.1 200 OK\r\nVia:" },
      "ECONNRESET",
    ],
    ["responds in place of the registry", { answer: "HTTP/1.1 200 OK\r\n\r\nHello" }, "EPROTO"],
    ["is no proxy", { answer: "220 mail.example ESMTP\r\n\r\n" }, "0"],
  ];
  for (const [name, options, detail] of refusals) {
    it(`that ${name} is reported`, async () => {
      const { client } = await open(options, (port) => ({ proxy: `http://127.0.0.1:${port}` }));
      assert.deepEqual(await client.invoke(call, key, never), {
        kind: "notSent",
        failure: { kind: "unreachable", cause: "proxy", detail },
      });
    });
  }

  const unusable: readonly (readonly [string, string, string])[] = [
    ["nobody answers", "http://127.0.0.1:1", "ECONNREFUSED"],
    ["SOCKS 4", "socks4://127.0.0.1:1080", "UNSUPPORTED_SCHEME"],
    ["no address", "http://", "INVALID_ADDRESS"],
  ];
  for (const [name, address, detail] of unusable) {
    it(`that cannot be used is not bypassed: ${name}`, async () => {
      const { client } = await open({}, () => ({ proxy: address }));
      const before = registry.connections();
      assert.deepEqual(await client.invoke(call, key, never), {
        kind: "notSent",
        failure: { kind: "unreachable", cause: "proxy", detail },
      });
      assert.equal(registry.connections(), before);
    });
  }

  it("that dies during the response leaves the outcome unknown", async () => {
    // The handshake receives about 900 bytes, so the cut is in the response.
    const long = await startTestRegistry(
      { "**": { body: { output: "x".repeat(100_000) } } },
      { tls: authority.issue([host]) },
    );
    const { client } = await open(
      { targetPort: long.port, cutAfterBytes: 20_000 },
      (port) => ({ proxy: `http://127.0.0.1:${port}` }),
      `https://${host}:${long.port}`,
    );
    const outcome = await client.invoke(call, key, never);
    assert.ok(outcome.kind === "outcomeUnknown", JSON.stringify(outcome));
    assert.equal(outcome.failure.kind, "connectionLost");
    assert.equal(long.requests.length, 1);
    await long.close();
  });

  it("that never responds is given up at the timeout", async () => {
    const { proxy, client: unused } = await open({ isSilent: true }, () => ({}));
    unused.close();
    client = clientFor(`https://${host}:${registry.port}`, {
      network: { ...plainNetwork, proxy: `http://127.0.0.1:${proxy.port}` },
      invokeTimeoutSeconds: 0.3,
    });
    assert.deepEqual(await client.invoke(call, key, never), {
      kind: "notSent",
      failure: { kind: "timeout", seconds: 0.3 },
    });
  });

  const bypasses: readonly (readonly [string, Partial<NetworkSettings>])[] = [
    ["loopback", {}],
    ["http.proxySupport off", { proxySupport: "off" }],
  ];
  for (const [name, changes] of bypasses) {
    it(`is not used for ${name}`, async () => {
      const { proxy, client } = await open(
        {},
        (port) => ({ proxy: `http://127.0.0.1:${port}`, ...changes }),
        `https://127.0.0.1:${registry.port}`,
      );
      const outcome = await client.invoke(call, key, never);
      assert.equal(outcome.kind, "success", JSON.stringify(outcome));
      assert.deepEqual(proxy.heads, []);
    });
  }
});
