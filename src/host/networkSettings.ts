import * as vscode from "vscode";
import type { NetworkSettings } from "../registry/networkSettings";

/** Reads the editor's own network settings, which the transport follows. */
export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  return {
    proxy: http.get<string>("proxy") ?? "",
    noProxy: http.get<string[]>("noProxy") ?? [],
    proxySupport: http.get<NetworkSettings["proxySupport"]>("proxySupport") ?? "override",
    strictSSL: http.get<boolean>("proxyStrictSSL") ?? true,
    environment: process.env,
  };
}
