import { BlockList, isIP } from "node:net";
import { parseUrl } from "../../core/text/parseUrl";
import type { NetworkSettings } from "../networkSettings";

/** A proxy that tunnels connections with CONNECT. */
export interface ProxyAddress {
  /** Whether the connection to the proxy itself is encrypted. */
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The value of Proxy-Authorization. Never display it. */
  readonly authorization?: string;
}

/** A proxy that connects by SOCKS 5 and resolves host names itself. */
export interface SocksAddress {
  readonly hostname: string;
  readonly port: number;
  /** Both are empty if the address has no credentials. Never display them. */
  readonly username: string;
  readonly password: string;
}

/**
 * The route to a host. `unset`: no setting names a proxy, so the system decides. `unusable`: the configured proxy
 * cannot be used.
 */
type ProxyRoute =
  | { readonly kind: "direct" }
  | { readonly kind: "unset" }
  | { readonly kind: "proxy"; readonly proxy: ProxyAddress }
  | { readonly kind: "socks"; readonly proxy: SocksAddress }
  | {
      readonly kind: "unusable";
      readonly detail: "INVALID_ADDRESS" | "UNSUPPORTED_SCHEME" | "INVALID_AUTHORIZATION";
    };

/**
 * Chooses the route to a host like the editor: `http.proxy` takes precedence over the environment, and loopback is
 * always direct. A proxy that cannot be used is a failure; it is never bypassed.
 */
export function proxyFor(hostname: string, port: number, network: NetworkSettings): ProxyRoute {
  if (network.proxySupport === "off") return { kind: "direct" };
  if (isBypassed(hostname, port, bypassRules(network))) return { kind: "direct" };
  const address = network.proxy.trim() || proxyFromEnvironment(network.environment);
  return address === "" ? { kind: "unset" } : readProxy(address, network.proxyAuthorization);
}

function proxyFromEnvironment(environment: NetworkSettings["environment"]): string {
  // The editor's order, which falls back to http_proxy for https as well.
  for (const name of ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"]) {
    const value = environment[name]?.trim();
    if (value) return value;
  }
  return "";
}

/** Returns the setting's rules, or the environment's if it has none. Like the editor, never combines them. */
function bypassRules({ noProxy, environment }: NetworkSettings): readonly string[] {
  if (noProxy.length > 0) return noProxy;
  return (environment["no_proxy"] || environment["NO_PROXY"] || "").split(/[\s,]+/);
}

/** Reads a proxy's address. `authorization` takes precedence over the credentials in the address. */
function readProxy(address: string, authorization: string): ProxyRoute {
  const withScheme = address.includes("://") ? address : `http://${address}`;
  const url = parseUrl(withScheme);
  if (url === undefined) return { kind: "unusable", detail: "INVALID_ADDRESS" };
  if (/^socks5?h?:$/.test(url.protocol)) return readSocks(url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { kind: "unusable", detail: "UNSUPPORTED_SCHEME" };
  }
  const secure = url.protocol === "https:";
  const proxy = {
    secure,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 443 : 80),
  };
  const credentials = authorization.trim() || basicAuthorization(url);
  if (credentials === "") return { kind: "proxy", proxy };
  // Any other character could end the header field and start another one.
  if (!/^[\x20-\x7e]+$/.test(credentials))
    return { kind: "unusable", detail: "INVALID_AUTHORIZATION" };
  return { kind: "proxy", proxy: { ...proxy, authorization: credentials } };
}

function readSocks({ hostname, port, username, password }: URL): ProxyRoute {
  if (hostname === "") return { kind: "unusable", detail: "INVALID_ADDRESS" };
  const proxy = {
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || 1080,
    username: decoded(username),
    password: decoded(password),
  };
  return { kind: "socks", proxy };
}

function basicAuthorization({ username, password }: URL): string {
  if (username === "" && password === "") return "";
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns whether a host is reached without the proxy. Loopback always is. Rules are `*`, `host`, `.domain`, `*.domain`
 * (each also with `:port`), an address, or a range such as `10.0.0.0/8`.
 */
function isBypassed(hostname: string, port: number, rules: readonly string[]): boolean {
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

/**
 * The timeout of the system's lookup. A PAC script that resolves names can be slow, but one that hangs must leave time
 * to connect.
 */
const timeoutMs = 10_000;

/**
 * Finds the route to a host by the system's settings, including a PAC file: the first usable entry. Like the editor,
 * connects directly if the system offers no lookup or times out.
 */
export async function systemProxy(
  hostname: string,
  port: number,
  {
    resolveSystemProxy,
    proxyAuthorization,
  }: Pick<NetworkSettings, "resolveSystemProxy" | "proxyAuthorization">,
  signal: AbortSignal,
  maxMs = timeoutMs,
): Promise<ProxyRoute> {
  if (resolveSystemProxy === undefined) return { kind: "unset" };
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const end = AbortSignal.any([signal, AbortSignal.timeout(maxMs)]);
  const answer = await orEmptyText(end, resolveSystemProxy(`https://${host}:${port}/`));
  return readAnswer(answer, proxyAuthorization);
}

function readAnswer(answer: string, authorization: string): ProxyRoute {
  const entries = answer.split(";").map((entry) => entry.trim().split(/\s+/));
  for (const [type = "", target = ""] of entries) {
    switch (type.toUpperCase()) {
      case "DIRECT":
        return { kind: "unset" };
      case "PROXY":
      case "HTTP":
        return readProxy(`http://${target}`, authorization);
      case "HTTPS":
        return readProxy(`https://${target}`, authorization);
      case "SOCKS":
      case "SOCKS5":
        return readProxy(`socks5://${target}`, authorization);
    }
  }
  const hasOther = entries.some(([type]) => /^SOCKS/i.test(type ?? ""));
  return hasOther ? { kind: "unusable", detail: "UNSUPPORTED_SCHEME" } : { kind: "unset" };
}

/** Resolves to an empty text if the signal fires first or the answer fails. */
function orEmptyText(signal: AbortSignal, answer: Promise<string>): Promise<string> {
  return new Promise((resolve) => {
    const stop = () => resolve("");
    answer.then(resolve, stop).finally(() => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
