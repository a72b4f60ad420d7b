import * as https from "node:https";
import * as vscode from "vscode";
import type { NetworkSettings } from "../../registry/networkSettings";
import { ownSetting } from "../settingRows";

/**
 * Reads the editor's own network settings for the transport. Uses the user's settings, never a folder's, which could
 * send a proxy's password elsewhere. An invalid value counts as unset.
 */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  const own = <Value>(name: string, isUsable: (value: unknown) => value is Value) =>
    ownSetting(http.inspect(name), isUsable);
  const text = (name: string) => own(name, isText) ?? "";
  return {
    proxy: text("proxy"),
    noProxy: (own("noProxy", isList) ?? []).filter(isText),
    proxySupport: readSupport(text("proxySupport")),
    strictSSL: own("proxyStrictSSL", isSwitch) !== false,
    proxyAuthorization: text("proxyAuthorization"),
    systemCertificates: own("systemCertificates", isSwitch) !== false,
    environment: process.env,
    resolveSystemProxy: askEditorForProxy,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isSwitch(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function readSupport(value: string): NetworkSettings["proxySupport"] {
  return value === "off" || value === "on" || value === "fallback" ? value : "override";
}

/**
 * Asks the editor which proxy its own requests to an address would use, by its settings, the environment and the
 * system's settings, including a PAC file. Returns the format of such a file (`PROXY host:port; DIRECT`); empty if the
 * editor cannot be asked. Opens no connection.
 */
export async function askEditorForProxy(url: string): Promise<string> {
  const request = unsentRequest();
  const { agent } = request as { readonly agent?: Partial<EditorAgent> };
  if (typeof agent?.resolver !== "function") return "";
  const answer = await agent.resolver(request, {}, url);
  return typeof answer === "string" ? answer : "";
}

/**
 * The agent that the editor gives every request of an extension (package @vscode/proxy-agent, class PacProxyAgent). It
 * is not part of the editor's API, so nothing may depend on it.
 */
interface EditorAgent {
  resolver(request: unknown, options: object, url: string): Promise<unknown>;
}

/** Creates a request that gets the editor's agent but reaches no server, since its name lookup fails. */
function unsentRequest(): unknown {
  const lookup: NonNullable<https.RequestOptions["lookup"]> = (_name, _options, done) =>
    done(new Error("not wanted"), []);
  const request = https.request({ hostname: "localhost", lookup });
  request.on("error", () => undefined).destroy();
  return request;
}
