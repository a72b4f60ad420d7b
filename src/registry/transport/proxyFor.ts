import type { NetworkSettings } from "../networkSettings";
import { isBypassed } from "./isBypassed";

/** A proxy that carries connections by CONNECT. */
export interface ProxyAddress {
  /** True where the connection to the proxy itself is encrypted. */
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The value of Proxy-Authorization; never shown. */
  readonly authorization?: string;
}

/** How a host is reached. `unusable` is a proxy that was asked for and cannot be used. */
export type Way =
  | { readonly kind: "direct" }
  | { readonly kind: "proxy"; readonly proxy: ProxyAddress }
  | { readonly kind: "unusable"; readonly detail: "INVALID_ADDRESS" | "UNSUPPORTED_SCHEME" };

/**
 * Chooses the way to a host: the `http.proxy` setting before the environment, loopback always
 * directly. A proxy that cannot be used is a failure, never a reason to go past it.
 */
export function proxyFor(hostname: string, port: number, network: NetworkSettings): Way {
  if (network.proxySupport === "off") return { kind: "direct" };
  const address = network.proxy.trim() || proxyFromEnvironment(network.environment);
  if (address === "" || isBypassed(hostname, port, bypassRules(network))) return { kind: "direct" };
  return readProxy(address);
}

function proxyFromEnvironment(environment: NetworkSettings["environment"]): string {
  // In the editor's own order, which falls back to HTTP_PROXY for https as well.
  for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"]) {
    const value = environment[name]?.trim();
    if (value) return value;
  }
  return "";
}

function bypassRules(network: NetworkSettings): readonly string[] {
  const { NO_PROXY, no_proxy } = network.environment;
  return [...network.noProxy, ...(NO_PROXY ?? no_proxy ?? "").split(/[\s,]+/)];
}

function readProxy(address: string): Way {
  const withScheme = address.includes("://") ? address : `http://${address}`;
  if (!URL.canParse(withScheme)) return { kind: "unusable", detail: "INVALID_ADDRESS" };
  const url = new URL(withScheme);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { kind: "unusable", detail: "UNSUPPORTED_SCHEME" };
  }
  const secure = url.protocol === "https:";
  const proxy = {
    secure,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 443 : 80),
  };
  if (url.username === "" && url.password === "") return { kind: "proxy", proxy };
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
  return { kind: "proxy", proxy: { ...proxy, authorization } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
