import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, it } from "mocha";
import type { RegistryClient } from "../../../../src/registry/registryClient";
import { Connector } from "../../../../src/registry/transport/connector";
import { Trust } from "../../../../src/registry/transport/trust";
import { type Certificate, makeAuthority } from "../../../fixtures/network/certificates";
import { startConnectProxy } from "../../../fixtures/network/connectProxy";
import { clientFor, never, plainNetwork } from "../../../fixtures/registries/clientFor";
import { startTestRegistry, type TestRegistry } from "../../../fixtures/registries/testRegistry";

const call = { skillSlug: "text-stats", version: "", inputText: "{}" };
const key = "skh_0123456789abcdef";
const authority = makeAuthority();

describe("a registry's certificate", () => {
  let server: TestRegistry | undefined;
  let client: RegistryClient | undefined;
  let folder: string | undefined;

  async function open(certificate: Certificate, extra?: string) {
    const success = { body: { status: "success", output: 1 } };
    server = await startTestRegistry({ "**": success }, { tls: certificate });
    const environment: Record<string, string> = {};
    if (extra !== undefined) {
      folder = await mkdtemp(join(tmpdir(), "certificates-"));
      environment["NODE_EXTRA_CA_CERTS"] = join(folder, "extra.pem");
      await writeFile(join(folder, "extra.pem"), extra);
    }
    client = clientFor(server.baseUrl, { network: { ...plainNetwork, environment } });
    return { server, client };
  }

  afterEach(async () => {
    client?.close();
    await server?.close();
    if (folder !== undefined) await rm(folder, { recursive: true });
    folder = undefined;
  });

  const refused: readonly (readonly [string, Certificate, string | undefined, string])[] = [
    [
      "of an unknown authority",
      authority.issue(["127.0.0.1"]),
      undefined,
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
    [
      "of another authority than the trusted one",
      authority.issue(["127.0.0.1"]),
      makeAuthority().cert,
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
    ["that has expired", authority.issue(["127.0.0.1"], -1), authority.cert, "CERT_HAS_EXPIRED"],
    [
      "of another host",
      authority.issue(["registry.example"]),
      authority.cert,
      "ERR_TLS_CERT_ALTNAME_INVALID",
    ],
  ];
  for (const [name, certificate, extra, detail] of refused) {
    it(`is rejected, and nothing is sent: one ${name}`, async () => {
      const { server, client } = await open(certificate, extra);
      assert.deepEqual(await client.invoke(call, key, never), {
        kind: "notSent",
        failure: { kind: "unreachable", cause: "certificate", detail },
      });
      assert.deepEqual(server.requests, []);
    });
  }

  it("is accepted from an authority in NODE_EXTRA_CA_CERTS", async () => {
    const { client } = await open(authority.issue(["127.0.0.1"]), authority.cert);
    const outcome = await client.invoke(call, key, never);
    assert.equal(outcome.kind, "success", JSON.stringify(outcome));
  });

  it("is checked even if http.proxyStrictSSL is off", async () => {
    const { server, client } = await open(authority.issue(["127.0.0.1"]));
    client.close();
    const lax = clientFor(server.baseUrl, { network: { ...plainNetwork, strictSSL: false } });
    const outcome = await lax.invoke(call, key, never);
    lax.close();
    assert.ok(outcome.kind === "notSent");
    assert.deepEqual(server.requests, []);
  });

  it("is checked even if NODE_TLS_REJECT_UNAUTHORIZED is 0", async () => {
    const { server, client } = await open(authority.issue(["127.0.0.1"]));
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const outcome = await client.invoke(call, key, never);
      assert.ok(outcome.kind === "notSent");
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    assert.deepEqual(server.requests, []);
  });

  it("is accepted from an authority of the operating system, read on demand", async () => {
    const { server } = await open(authority.issue(["127.0.0.1"]));
    let reads = 0;
    const trust = new Trust(plainNetwork, () => {
      reads += 1;
      return [authority.cert];
    });
    for (const _ of [1, 2]) {
      const socket = await new Promise((resolve, reject) => {
        const target = { hostname: "127.0.0.1", protocol: "https:", port: String(server.port) };
        new Connector(plainNetwork, trust, 20).connect(target, (error, opened) =>
          error === null ? resolve(opened.destroy()) : reject(error),
        );
      });
      assert.ok(socket);
    }
    assert.equal(reads, 1);
    // The first connection is rejected and tried again; the second succeeds at once.
    assert.equal(server.connections(), 3);
  });

  it("of a proxy is accepted from an authority of the operating system", async () => {
    const { server } = await open(authority.issue(["registry.example"]));
    const tls = authority.issue(["127.0.0.1"]);
    const proxy = await startConnectProxy({ targetPort: server.port, tls });
    const network = { ...plainNetwork, proxy: `https://127.0.0.1:${proxy.port}` };
    const connector = new Connector(network, new Trust(plainNetwork, () => [authority.cert]), 20);
    const target = { hostname: "registry.example", protocol: "https:", port: String(server.port) };
    const failure = await new Promise((resolve) =>
      connector.connect(target, (...[error, socket]) => {
        socket?.destroy();
        resolve(error);
      }),
    );
    assert.equal(failure, null);
    await proxy.close();
  });

  it("does not read the operating system's list for an expired certificate", async () => {
    const { server } = await open(authority.issue(["127.0.0.1"], -1), authority.cert);
    let reads = 0;
    const environment = { NODE_EXTRA_CA_CERTS: join(folder ?? "", "extra.pem") };
    const trust = new Trust({ ...plainNetwork, environment }, () => {
      reads += 1;
      return [];
    });
    const failure = await new Promise((resolve) => {
      const target = { hostname: "127.0.0.1", protocol: "https:", port: String(server.port) };
      new Connector(plainNetwork, trust, 20).connect(target, (...[error]) => resolve(error));
    });
    assert.ok(failure instanceof Error && failure.name === "NotConnected");
    assert.equal(reads, 0);
  });

  it("is rejected without a crash if the extra file is no certificate", async () => {
    const { client } = await open(authority.issue(["127.0.0.1"]), "nonsense");
    const outcome = await client.invoke(call, key, never);
    assert.ok(outcome.kind === "notSent", JSON.stringify(outcome));
  });
});
