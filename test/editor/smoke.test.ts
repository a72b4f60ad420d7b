import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "./eventually";
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

  it("cuts no name of a view and no button in a narrow side bar", async () => {
    const { page } = window;
    const sideBar = page.locator(".part.sidebar");
    /** Drags the edge of the side bar. Resolves to the width that it had. */
    const setWidth = async (width: number) => {
      const box = await sideBar.boundingBox();
      assert.ok(box !== null);
      await page.mouse.move(box.x + box.width, 300);
      await page.mouse.down();
      await page.mouse.move(box.x + width, 300, { steps: 3 });
      await page.mouse.up();
      return box.width;
    };
    await window.openContainer("Skill Registry");
    await vscode.commands.executeCommand("skillRegistry.project.focus");
    await window.view("Project").getByRole("button", { name: "Sign In" }).waitFor();
    const before = await setWidth(200);
    window.atEnd(() => setWidth(before));
    await eventually("a narrow side bar", async () => {
      const box = await sideBar.boundingBox();
      return box !== null && box.width < 210;
    });
    // The icons of a view are shown while the pointer is on it.
    await window.pointAt(window.view("Skills").locator(".pane-header"));
    const cut = await page.locator(".sidebar .pane").evaluateAll((panes) =>
      panes.flatMap((pane) => {
        const name = pane.querySelector("h3.title");
        const end = pane.querySelector(".pane-body")?.getBoundingClientRect().bottom ?? 0;
        const buttons = [...pane.querySelectorAll(".monaco-button")];
        return [
          ...(name !== null && name.scrollWidth > name.clientWidth ? [name.textContent] : []),
          ...buttons
            .filter((button) => button.getBoundingClientRect().bottom > end)
            .map((button) => button.textContent),
        ];
      }),
    );
    assert.deepEqual(cut, []);
  });
});
