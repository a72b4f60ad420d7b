import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { readNetworkSettings } from "../../../src/host/connect/readNetworkSettings";
import { useWindow } from "../window/useWindow";

describe("A folder with settings of the extension", () => {
  const window = useWindow();

  it("cannot choose the registry", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder !== undefined);
    const file = vscode.Uri.joinPath(folder, ".vscode/settings.json");
    assert.match(
      Buffer.from(await vscode.workspace.fs.readFile(file)).toString(),
      /127\.0\.0\.1:9/,
    );
    await window.openContainer("Skill Registry");
    await window.treeRow(/^Text statistics/).waitFor();
  });

  it("cannot choose the proxy or trusted certificates", () => {
    const { proxy, proxySupport, systemCertificates } = readNetworkSettings();
    assert.deepEqual([proxy, proxySupport, systemCertificates], ["", "override", true]);
  });
});
