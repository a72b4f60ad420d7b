import * as vscode from "vscode";
import type { NetworkSettings } from "../../registry/networkSettings";
import { askEditorForProxy } from "./askEditorForProxy";

/**
 * Reads the editor's own network settings, which the transport follows: the user's, never a folder's,
 * which could send a proxy's password elsewhere. What is no proper value counts as not set.
 */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  const own = (name: string) => {
    const found = http.inspect<unknown>(name);
    return found?.globalValue ?? found?.defaultValue;
  };
  const text = (name: string) => {
    const value = own(name);
    return typeof value === "string" ? value : "";
  };
  const noProxy = own("noProxy");
  return {
    proxy: text("proxy"),
    noProxy: Array.isArray(noProxy) ? noProxy.filter((rule) => typeof rule === "string") : [],
    proxySupport: readSupport(text("proxySupport")),
    strictSSL: own("proxyStrictSSL") !== false,
    proxyAuthorization: text("proxyAuthorization"),
    systemCertificates: own("systemCertificates") !== false,
    environment: process.env,
    askSystem: askEditorForProxy,
  };
}

function readSupport(value: string): NetworkSettings["proxySupport"] {
  return value === "off" || value === "on" || value === "fallback" ? value : "override";
}
