import * as vscode from "vscode";
import { ownSetting } from "../../core/settings/ownSetting";
import type { NetworkSettings } from "../../registry/networkSettings";
import { askEditorForProxy } from "./askEditorForProxy";

/**
 * Reads the editor's own network settings, which the transport follows: the user's, never a folder's,
 * which could send a proxy's password elsewhere. What is no proper value counts as not set.
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
    askSystem: askEditorForProxy,
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
