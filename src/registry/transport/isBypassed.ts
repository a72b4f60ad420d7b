import { BlockList, isIP } from "node:net";

/**
 * Tells whether a host is reached without the proxy: loopback always, else by the rules `*`, `host`,
 * `.domain`, `*.domain` (each also with `:port`), an address, or a range such as `10.0.0.0/8`.
 */
export function isBypassed(hostname: string, port: number, rules: readonly string[]): boolean {
  const host = hostname.toLowerCase();
  return isLoopback(host) || rules.some((rule) => matches(rule.trim().toLowerCase(), host, port));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function matches(rule: string, host: string, port: number): boolean {
  if (rule === "") return false;
  if (rule === "*") return true;
  if (rule.includes("/")) return isInRange(rule, host);
  const [, name = rule, wantedPort] = /^(.*?)(?::(\d+))?$/.exec(isIP(rule) === 6 ? "" : rule) ?? [];
  if (wantedPort !== undefined && Number(wantedPort) !== port) return false;
  const bare = (name || rule).replace(/^\*?\./, "").replace(/^\[|\]$/g, "");
  return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
}

function isInRange(rule: string, host: string): boolean {
  const [network = "", bits = ""] = rule.split("/");
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits)) return false;
  const prefix = Number(bits);
  if (prefix > (family === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  const name = family === 4 ? "ipv4" : "ipv6";
  range.addSubnet(network, prefix, name);
  return range.check(host, name);
}
