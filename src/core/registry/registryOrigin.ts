import { type LocalizableText, l10nText } from "../text/language";
import { parseUrl } from "../text/parseUrl";

/** A normalized registry address. */
interface RegistryOrigin {
  /** Scheme, host, port and path prefix, without a slash at the end. Routes are appended to it. */
  readonly baseUrl: string;
  /** Scheme, host in punycode and port: the scope of a Project Key. */
  readonly origin: string;
}

/** A normalized address, or what to do about an unusable one. */
type OriginReading =
  | { readonly ok: true; readonly value: RegistryOrigin }
  | { readonly ok: false; readonly problem: LocalizableText };

/**
 * Parses a registry's base URL: `https:` anywhere, `http:` on this machine only, without user name, password, query and
 * fragment. Lower-cases, drops trailing dots, slashes and default ports, and converts international names to punycode.
 * Drops a final `/v1`, with which documents name an address: every route begins with it.
 */
export function readRegistryOrigin(text: string): OriginReading {
  const trimmed = text.trim();
  if (trimmed === "")
    return problem(l10nText("Enter the registry's address, such as https://example.com."));
  if (trimmed.length > 2000)
    return problem(l10nText("This address is too long. Check what was pasted."));
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(trimmed)) {
    return problem(
      l10nText("Remove the spaces, backslashes and invisible characters from the address."),
    );
  }
  if (!/^https?:\/\//i.test(trimmed)) {
    return problem(l10nText("Start the address with https:// (or http:// for this machine)."));
  }
  const url = parseUrl(trimmed);
  return url === undefined
    ? problem(l10nText("This is not a complete address. Enter one such as https://example.com."))
    : readUrl(url);
}

/**
 * Parses an address typed into a quick pick, even without its scheme. Another scheme is a problem. Undefined for words,
 * which search the list instead.
 */
export function readTypedAddress(text: string): OriginReading | undefined {
  const typed = text.trim();
  if (/^(?:https?:|[a-z][a-z\d+.-]*:\/\/)/i.test(typed)) return readRegistryOrigin(typed);
  const [, host = ""] = /^([\p{L}\p{N}_.-]+|\[[\da-f:]+\])(?::\d*)?(?:\/.*)?$/iu.exec(typed) ?? [];
  const isThisMachine = isLoopbackName(host.toLowerCase());
  if (!isThisMachine && !/[^.]\.[^.]/.test(host)) return undefined;
  return readRegistryOrigin(`${isThisMachine ? "http" : "https"}://${typed}`);
}

function readUrl(url: URL): OriginReading {
  if (url.username !== "" || url.password !== "") {
    return problem(
      l10nText(
        "Remove the user name and password from the address; set the Project Key separately.",
      ),
    );
  }
  if (url.search !== "" || url.hash !== "") {
    return problem(
      l10nText("Remove everything from the first ? or # on; only the base address is needed."),
    );
  }
  const hostname = url.hostname.replace(/\.+$/, "");
  if (hostname === "") return problem(l10nText("Enter the registry's host name after https://."));
  url.hostname = hostname;
  if (url.protocol === "http:" && !isLoopbackName(hostname)) {
    return problem(
      l10nText("Use https:// for this registry; http:// is safe on this machine only."),
    );
  }
  const baseUrl = `${url.origin}${url.pathname.replace(/(?:\/+v1)?\/*$/, "")}`;
  return { ok: true, value: { baseUrl, origin: url.origin } };
}

/** Returns whether a host name is this machine's. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function problem(message: LocalizableText): OriginReading {
  return { ok: false, problem: message };
}

/**
 * Reads an address that may be opened: https, no credentials. Returns it normalized (host in punycode), or
 * undefined.
 */
export function httpsUrl(text: string | undefined): string | undefined {
  const url = text === undefined || text.length > 2048 ? undefined : parseUrl(text);
  const mayBeOpened = url?.protocol === "https:" && url.username === "" && url.password === "";
  return mayBeOpened ? url.href : undefined;
}
