import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { NetworkSettings } from "../../../../src/registry/networkSettings";
import { proxyFor } from "../../../../src/registry/transport/proxyFor";
import { plainNetwork } from "../../../fixtures/registries/clientFor";

const proxy = "http://proxy.example:3128";

describe("proxyFor", () => {
  const direct: readonly (readonly [string, Partial<NetworkSettings>, string?])[] = [
    ["the support is off", { proxySupport: "off" }],
    ["localhost", {}, "localhost"],
    ["an address of this machine", {}, "127.0.0.53"],
    ["this machine by IPv6", {}, "::1"],
    ["the host is named", { noProxy: ["other.example", "registry.example"] }],
    ["the host is named in capitals", { noProxy: ["Registry.Example"] }],
    ["its domain is named", { noProxy: ["example"] }],
    ["its domain is named with a dot", { noProxy: [".example"] }],
    ["its domain is named with a star", { noProxy: ["*.example"] }],
    ["everything is named", { noProxy: ["*"] }],
    ["host and port are named", { noProxy: ["registry.example:8443"] }],
    ["NO_PROXY names it", { environment: { NO_PROXY: "a.example, registry.example" } }],
    ["no_proxy names it", { environment: { no_proxy: "a.example registry.example" } }],
    [
      "no_proxy names it and NO_PROXY does not",
      { environment: { no_proxy: "registry.example", NO_PROXY: "b" } },
    ],
    ["the host and nothing else is direct", { proxy: "", noProxy: ["registry.example"] }],
    ["a range contains it", { noProxy: ["10.0.0.0/8"] }, "10.1.2.3"],
    ["a range of IPv6 contains it", { noProxy: ["fd00::/8"] }, "fd12::1"],
    ["its address is named", { noProxy: ["10.1.2.3"] }, "10.1.2.3"],
    ["its IPv6 address is named", { noProxy: ["[fd12::1]"] }, "fd12::1"],
    ["its bare IPv6 address is named", { noProxy: ["fd12::1"] }, "fd12::1"],
    ["its IPv6 address and port are named", { noProxy: ["[fd12::1]:8443"] }, "fd12::1"],
  ];
  for (const [name, changes, hostname = "registry.example"] of direct) {
    it(`connects directly if ${name}`, () => {
      const way = proxyFor(hostname, 8443, { ...plainNetwork, proxy, ...changes });
      assert.deepEqual(way, { kind: "direct" });
    });
  }

  const through: readonly (readonly [string, readonly string[], string?])[] = [
    ["another host is named", ["example.org"]],
    ["a host with the same end is named", ["stry.example"]],
    ["another port is named", ["registry.example:443"]],
    ["a range does not contain it", ["10.0.0.0/8"], "11.0.0.1"],
    ["a range is invalid", ["10.0.0.0/99", "x/8", "10.0.0.0/", "/"], "10.0.0.1"],
    ["an address has the same end", ["2.3"], "10.1.2.3"],
    ["a rule is empty", ["", " "]],
  ];
  for (const [name, noProxy, hostname = "registry.example"] of through) {
    it(`uses the proxy if ${name}`, () => {
      const way = proxyFor(hostname, 8443, { ...plainNetwork, proxy, noProxy });
      assert.deepEqual(way, {
        kind: "proxy",
        proxy: { secure: false, hostname: "proxy.example", port: 3128 },
      });
    });
  }

  it("uses only http.noProxy if that is set, as the editor does", () => {
    const way = proxyFor("registry.example", 443, {
      ...plainNetwork,
      proxy,
      noProxy: ["other.example"],
      environment: { NO_PROXY: "*" },
    });
    assert.equal(way.kind, "proxy");
  });

  for (const proxySupport of ["on", "fallback", "override"] as const) {
    it(`uses the proxy if http.proxySupport is ${proxySupport}`, () => {
      const way = proxyFor("registry.example", 443, { ...plainNetwork, proxy, proxySupport });
      assert.equal(way.kind, "proxy");
    });
  }

  it("leaves the choice to the system if nothing is set", () => {
    assert.deepEqual(proxyFor("registry.example", 443, plainNetwork), { kind: "unset" });
  });

  it("reads the environment in the editor's order, after the setting", () => {
    const names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];
    const environment = Object.fromEntries(names.map((name) => [name, `http://${name}.example`]));
    const network = { ...plainNetwork, environment };
    const hosts: string[] = [];
    for (const name of ["none", ...names]) {
      delete environment[name];
      const way = proxyFor("registry.example", 443, network);
      hosts.push(way.kind === "proxy" ? way.proxy.hostname : way.kind);
    }
    assert.deepEqual(hosts, [...names.map((name) => `${name.toLowerCase()}.example`), "unset"]);
    const way = proxyFor("registry.example", 443, {
      ...network,
      proxy,
      environment: { https_proxy: "http://environment.example" },
    });
    assert.ok(way.kind === "proxy" && way.proxy.hostname === "proxy.example");
  });

  const authorizations: readonly (readonly [string, string, string | undefined])[] = [
    ["http://proxy.example", "Bearer abc", "Bearer abc"],
    ["http://user:pass@proxy.example", " Bearer abc ", "Bearer abc"],
    ["http://user:pass@proxy.example", "", "Basic dXNlcjpwYXNz"],
    ["http://proxy.example", "Basic abc\r\nHost: other.example", undefined],
    ["http://proxy.example", "Bäsic", undefined],
  ];
  for (const [address, proxyAuthorization, expected] of authorizations) {
    it(`sends ${address} with http.proxyAuthorization ${JSON.stringify(proxyAuthorization)}: ${expected}`, () => {
      const network = { ...plainNetwork, proxy: address, proxyAuthorization };
      const way = proxyFor("registry.example", 443, network);
      if (way.kind === "proxy") assert.equal(way.proxy.authorization, expected);
      else
        assert.deepEqual(
          [way, expected],
          [{ kind: "unusable", detail: "INVALID_AUTHORIZATION" }, undefined],
        );
    });
  }

  const addresses: readonly (readonly [string, object])[] = [
    ["https://p.example", { secure: true, hostname: "p.example", port: 443 }],
    ["http://[::1]:8080/", { secure: false, hostname: "::1", port: 8080 }],
    ["p.example:8080", { secure: false, hostname: "p.example", port: 8080 }],
    [
      "http://user@p.example",
      { secure: false, hostname: "p.example", port: 80, authorization: "Basic dXNlcjo=" },
    ],
    [
      "http://u%zz:p%40@p.example",
      { secure: false, hostname: "p.example", port: 80, authorization: "Basic dSV6ejpwQA==" },
    ],
  ];
  for (const [address, read] of addresses) {
    it(`reads ${address}`, () => {
      const way = proxyFor("registry.example", 443, { ...plainNetwork, proxy: address });
      assert.deepEqual(way, { kind: "proxy", proxy: read });
    });
  }
});
