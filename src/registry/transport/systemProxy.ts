import type { NetworkSettings } from "../networkSettings";
import { type ProxyRoute, readProxy } from "./proxyFor";

/** A script that looks up names can be slow; one that hangs must leave time to connect. */
const timeoutMs = 10_000;

/**
 * Finds the way that the system's settings, a PAC file among them, lead to a host: the first entry
 * of the answer that can be used. Directly where nobody can be asked, or no answer comes in time, as
 * the editor itself does.
 */
export async function systemProxy(
  hostname: string,
  port: number,
  { askSystem, proxyAuthorization }: Pick<NetworkSettings, "askSystem" | "proxyAuthorization">,
  signal: AbortSignal,
  patience = timeoutMs,
): Promise<ProxyRoute> {
  if (askSystem === undefined) return { kind: "unset" };
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const end = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const answer = await until(end, askSystem(`https://${host}:${port}/`));
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

/** Resolves to an empty answer where the signal fires first, or there is none. */
function until(signal: AbortSignal, answer: Promise<string>): Promise<string> {
  return new Promise((resolve) => {
    const stop = () => resolve("");
    answer.then(resolve, stop).finally(() => signal.removeEventListener("abort", stop));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
