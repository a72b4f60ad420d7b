import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { NetworkSettings } from "../../../src/registry/networkSettings";
import { proxyFor } from "../../../src/registry/transport/proxyFor";
import { plainNetwork } from "../../fixtures/clientFor";

const proxy = "http://proxy.example:3128";

describe("proxyFor", () => {
  const direct: readonly (readonly [string, Partial<NetworkSettings>, string?])[] = [
    ["nothing is set", { proxy: "" }],
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
    ["a range holds it", { noProxy: ["10.0.0.0/8"] }, "10.1.2.3"],
    ["a range of IPv6 holds it", { noProxy: ["fd00::/8"] }, "fd12::1"],
    ["its address is named", { noProxy: ["10.1.2.3"] }, "10.1.2.3"],
    ["its IPv6 address is named", { noProxy: ["[fd12::1]"] }, "fd12::1"],
  ];
  for (const [name, changes, hostname = "registry.example"] of direct) {
    it(`goes directly where ${name}`, () => {
      const way = proxyFor(hostname, 8443, { ...plainNetwork, proxy, ...changes });
      assert.deepEqual(way, { kind: "direct" });
    });
  }

  const through: readonly (readonly [string, readonly string[], string?])[] = [
    ["another host is named", ["example.org"]],
    ["a host with the same end is named", ["stry.example"]],
    ["another port is named", ["registry.example:443"]],
    ["a range does not hold it", ["10.0.0.0/8"], "11.0.0.1"],
    ["a range makes no sense", ["10.0.0.0/99", "x/8", "10.0.0.0/", "/"], "10.0.0.1"],
    ["an address has the same end", ["2.3"], "10.1.2.3"],
    ["a rule is empty", ["", " "]],
  ];
  for (const [name, noProxy, hostname = "registry.example"] of through) {
    it(`goes through the proxy where ${name}`, () => {
      const way = proxyFor(hostname, 8443, { ...plainNetwork, proxy, noProxy });
      assert.deepEqual(way, {
        kind: "proxy",
        proxy: { secure: false, hostname: "proxy.example", port: 3128 },
      });
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
