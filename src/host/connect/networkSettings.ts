import * as vscode from "vscode";
import type { NetworkSettings } from "../../registry/networkSettings";
import { askEditorForProxy } from "./askEditorForProxy";

/** Reads the editor's own network settings, which the transport follows. What is no proper value counts as not set. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  const text = (name: string) => {
    const value = http.get<unknown>(name);
    return typeof value === "string" ? value : "";
  };
  const noProxy = http.get<unknown>("noProxy");
  return {
    proxy: text("proxy"),
    noProxy: Array.isArray(noProxy) ? noProxy.filter((rule) => typeof rule === "string") : [],
    proxySupport: readSupport(text("proxySupport")),
    strictSSL: http.get<unknown>("proxyStrictSSL") !== false,
    proxyAuthorization: text("proxyAuthorization"),
    systemCertificates: http.get<unknown>("systemCertificates") !== false,
    environment: process.env,
    askSystem: askEditorForProxy,
  };
}

function readSupport(value: string): NetworkSettings["proxySupport"] {
  return value === "off" || value === "on" || value === "fallback" ? value : "override";
}
