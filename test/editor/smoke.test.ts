import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { useWindow } from "./window/useWindow";

describe("The extension in a window", () => {
  const window = useWindow();

  it("is installed and activates", async () => {
    const extension = vscode.extensions.getExtension("skill-registry.skill-registry");
    assert(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
    // A run against the package must not test files of this repository.
    const folder = process.env.SKILL_REGISTRY_TEST_INSTALLED_IN;
    if (folder !== undefined) assert(extension.extensionPath.startsWith(folder));
  });

  it("keeps the editor from forwarding the built-in registry's port, and no other port", () => {
    const ports = vscode.workspace.getConfiguration("remote").get("portsAttributes");
    assert.deepEqual(ports, {
      "443": { protocol: "https" },
      "8443": { protocol: "https" },
      "29170-29269": { onAutoForward: "ignore" },
    });
  });

  it("shows its view container when its icon is pressed", async () => {
    await window.openContainer("Skill Registry");
    await window.page.locator(".sidebar .title", { hasText: /Skill Registry/i }).waitFor();
  });

  it("offers its commands in the palette", async () => {
    await window.openPalette("Skill Registry: Refresh");
    await window.quickPickRow("Skill Registry: Refresh").waitFor();
    await window.leaveQuickInput();
  });
});
