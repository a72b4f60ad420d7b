import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { after, afterEach, before, describe, it } from "mocha";
import type { NetworkSettings, RegistryClient } from "../../../../src/registry/registryClient";
import { makeAuthority } from "../../../fixtures/network/certificates";
import {
  type SocksProxy,
  type SocksProxyOptions,
  startSocksProxy,
} from "../../../fixtures/network/socksProxy";
import { clientFor, never, plainNetwork } from "../../../fixtures/registries/clientFor";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";

const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_0123456789abcdef";
const authority = makeAuthority();
const host = "registry.example";

describe("a SOCKS proxy", () => {
  let folder = "";
  let registry: TestRegistry;
  let proxy: SocksProxy | undefined;
  let client: RegistryClient | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "socks-"));
    await writeFile(join(folder, "extra.pem"), authority.cert);
    registry = await startTestRegistry(
      { "**": { body: { status: "success", output: 1 } } },
      { tls: authority.issue([host]) },
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

  /** Invokes at `https://registry.example`, a name that only the proxy can reach. */
  async function invokeThrough(
    options: Partial<SocksProxyOptions>,
    network: (proxyPort: number) => Partial<NetworkSettings>,
    invokeTimeoutSeconds = 5,
  ) {
    proxy = await startSocksProxy({ targetPort: registry.port, ...options });
    const settings = network(proxy.port);
    const environment = {
      NODE_EXTRA_CA_CERTS: join(folder, "extra.pem"),
      ...settings.environment,
    };
    client = clientFor(`https://${host}:${registry.port}`, {
      network: { ...plainNetwork, ...settings, environment },
      invokeTimeoutSeconds,
    });
    const outcome = await client.invoke(call, key, never);
    return { asked: proxy.asked, outcome };
  }

  const ways: readonly (readonly [string, (port: number) => Partial<NetworkSettings>])[] = [
    ["http.proxy socks5", (port) => ({ proxy: `socks5://127.0.0.1:${port}` })],
    ["http.proxy socks5h", (port) => ({ proxy: `socks5h://127.0.0.1:${port}` })],
    ["http.proxy socks", (port) => ({ proxy: `socks://127.0.0.1:${port}/` })],
    ["HTTPS_PROXY", (port) => ({ environment: { HTTPS_PROXY: `socks5://127.0.0.1:${port}` } })],
    [
      "the system's",
      (port) => ({ resolveSystemProxy: async () => `SOCKS5 127.0.0.1:${port}; DIRECT` }),
    ],
    [
      "the system's, of an older kind",
      (port) => ({ resolveSystemProxy: async () => `SOCKS 127.0.0.1:${port}` }),
    ],
  ];
  for (const [name, network] of ways) {
    it(`is used, and resolves the name itself: ${name}`, async () => {
      const { asked, outcome } = await invokeThrough({}, network);
      assert.equal(outcome.kind, "success", JSON.stringify(outcome));
      assert.deepEqual(asked, [`${host}:${registry.port}`]);
    });
  }

  it("gets its own credentials, and no others", async () => {
    const { outcome } = await invokeThrough({ credentials: "us er:p@ss" }, (port) => ({
      proxy: `socks5://us%20er:p%40ss@127.0.0.1:${port}`,
    }));
    assert.equal(outcome.kind, "success", JSON.stringify(outcome));
    assert.ok(
      registry.requests.every((request) => !/us er|p@ss|proxy-auth/i.test(JSON.stringify(request))),
    );
  });

  const direct = (port: number) => ({ proxy: `socks5://127.0.0.1:${port}` });
  const refusals: readonly (readonly [
    string,
    Partial<SocksProxyOptions>,
    (port: number) => Partial<NetworkSettings>,
    string,
  ])[] = [
    [
      "does not know the password, which is never shown",
      { credentials: "user:right" },
      (port) => ({ proxy: `socks5://user:hunter2@127.0.0.1:${port}` }),
      "SOCKS5_AUTH_FAILED",
    ],
    ["requires a password", { credentials: "user:right" }, direct, "SOCKS5_AUTH_REJECTED"],
    ["does not allow the host", { reply: 2 }, direct, "SOCKS5_REPLY_2"],
    ["does not reach the host", { reply: 4 }, direct, "SOCKS5_REPLY_4"],
    ["closes the connection", { greeting: [] }, direct, "ECONNRESET"],
    ["is no SOCKS proxy", { greeting: [72, 84, 84, 80] }, direct, "SOCKS5_VERSION"],
    ["is not there", {}, () => ({ proxy: "socks5://127.0.0.1:1" }), "ECONNREFUSED"],
    ["has no address", {}, () => ({ proxy: "socks5://" }), "INVALID_ADDRESS"],
    [
      "is of version 4",
      {},
      (port) => ({ proxy: `socks4://127.0.0.1:${port}` }),
      "UNSUPPORTED_SCHEME",
    ],
  ];
  for (const [name, options, network, detail] of refusals) {
    it(`that ${name} is reported and not bypassed`, async () => {
      const before = registry.connections();
      const { outcome } = await invokeThrough(options, network);
      assert.deepEqual(outcome, {
        kind: "notSent",
        failure: { kind: "unreachable", cause: "proxy", detail },
      });
      assert.equal(registry.connections(), before);
      assert.ok(!inspect([outcome, client], { depth: 9, showHidden: true }).includes("unter2"));
    });
  }

  it("that never responds is given up at the timeout, and its connection closed", async () => {
    const { outcome } = await invokeThrough({ isSilent: true }, direct, 0.3);
    assert.deepEqual(outcome, { kind: "notSent", failure: { kind: "timeout", seconds: 0.3 } });
    await proxy?.quiet();
  });

  it("that rejects has its connection closed from here", async () => {
    const wrong = (port: number) => ({ proxy: `socks5://user:wrong@127.0.0.1:${port}` });
    await invokeThrough({ credentials: "user:right" }, wrong);
    await proxy?.quiet();
  });
});
