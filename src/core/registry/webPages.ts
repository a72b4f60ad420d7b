import { parseUrl } from "../text/parseUrl";
import { httpsUrl, isLoopbackName } from "./registryOrigin";

/** A page of a registry's web application. */
export type WebPage =
  | { readonly kind: "skill"; readonly slug: string }
  | { readonly kind: "project"; readonly slug: string }
  | { readonly kind: "login" };

/**
 * Returns the origin of a registry's web application: the one that may read its responses
 * (`Access-Control-Allow-Origin`), with https, or http on this machine. Undefined for `*`, `null` and anything else.
 */
export function readWebOrigin(allowed: string | undefined): string | undefined {
  const url = allowed === undefined || allowed.length > 300 ? undefined : parseUrl(allowed);
  if (allowed === undefined || url === undefined) return undefined;
  const { origin, protocol, hostname } = url;
  // An origin has neither a path nor credentials.
  if (origin !== allowed.replace(/\/$/, "").toLowerCase()) return undefined;
  return protocol === "https:" || (protocol === "http:" && isLoopbackName(hostname))
    ? origin
    : undefined;
}

/**
 * Returns the address of a page. If the web application's address is unknown, returns the registry's own; undefined if
 * a browser may not open that.
 */
export function webPageAddress(
  { origin, webOrigin }: { readonly origin: string; readonly webOrigin?: string | undefined },
  page: WebPage,
): string | undefined {
  if (webOrigin === undefined) return httpsUrl(origin);
  switch (page.kind) {
    case "skill":
      return `${webOrigin}/skills/${encodeURIComponent(page.slug)}`;
    case "project":
      return `${webOrigin}/dashboard/projects/${encodeURIComponent(page.slug)}`;
    case "login":
      return `${webOrigin}/login`;
  }
}
