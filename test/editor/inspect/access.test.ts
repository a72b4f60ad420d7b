import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { isWholeSuite } from "../../fixtures/wholeSuite";
import { eventually } from "../eventually";
import { someOf } from "../someOf";
import { useWindow } from "../window/useWindow";
import { axeViolations, beyondSides, readPage, runByKeys, tabTo } from "./openPage";

const isOldest = process.env.SKILL_REGISTRY_TEST_EDITOR === "oldest";

/** Maps the class that the editor gives a page to its theme. */
const themes = {
  "vscode-dark": isOldest ? "Default Dark Modern" : "Dark Modern",
  "vscode-light": isOldest ? "Default Light Modern" : "Light Modern",
  "vscode-high-contrast": "Default High Contrast",
  "vscode-high-contrast-light": "Default High Contrast Light",
};

const tabs = ["Overview", "Input", "Output", "Examples", "Versions", "Manifest"];

describe("The accessible page of a skill", () => {
  const window = useWindow();

  const press = (key: string) => window.page.keyboard.press(key);

  it("is opened from its row and used by keyboard alone", async () => {
    const { page } = window;
    // In VS Code 1.110, a list that is filled after it was focused loses the focus.
    await vscode.commands.executeCommand("workbench.view.extension.skillRegistry");
    await window.treeRow(/^Text statistics/).waitFor();
    await runByKeys(
      window,
      "Focus on Skills View",
      window.view("Skills").locator(":focus").first(),
    );
    await press("Home");
    const row = page.locator(".sidebar .monaco-list-row.focused");
    await eventually("the skill's row", async () => {
      const names = await row.evaluateAll((all) => all.map((each) => each.ariaLabel ?? ""));
      if (names.some((name) => name.startsWith("Text statistics"))) return true;
      await press("ArrowDown");
      return false;
    });
    const heading = window.webview.getByRole("heading", { name: "Text statistics", level: 1 });
    // While the editor redraws the rows, the old ones ignore clicks.
    await eventually("the skill's page", async () => {
      await press("Enter");
      return heading.waitFor({ timeout: 4_000 }).then(
        () => true,
        () => false,
      );
    });
    await window.webview.locator("vscode-panels:defined").waitFor();
    await press("ControlOrMeta+1");
    await tabTo(window, "Open Payload");
    await press("Enter");
    await eventually("the new input", () =>
      vscode.window.activeTextEditor?.document.fileName.includes("text-stats"),
    );
  });

  const sizes = {
    "in a column of 300 pixels": { width: 348, height: 800, deviceScaleFactor: 1 },
    // The size of the editor area in a window of 1280 by 800 at double zoom.
    "at 200 %": { width: 640, height: 400, deviceScaleFactor: 2 },
  };
  // Unit tests look at every page in both sizes.
  for (const [where, size] of someOf(sizes, [])) {
    it(`is complete ${where}`, async () => {
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      await vscode.commands.executeCommand("workbench.action.closeSidebar");
      const session = await window.page.context().newCDPSession(window.page);
      try {
        await session.send("Emulation.setDeviceMetricsOverride", { ...size, mobile: false });
        await vscode.commands.executeCommand("skillRegistry.openSkill", "csv-profile");
        await window.webview.getByRole("heading", { name: "CSV profile", level: 1 }).waitFor();
        await window.webview.locator("vscode-panels:defined").waitFor();
        await eventually(`a page of at most ${size.width - 40} pixels`, async () => {
          return (await readPage(window, () => innerWidth)) <= size.width - 40;
        });
        for (const tab of tabs) {
          await window.webview.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
          if (tab === "Versions") await window.webview.locator(".change").first().waitFor();
          assert.deepEqual(await beyondSides(window), [], tab);
        }
        await window.picture(`page-${size.width}`);
        const slugs = ["csv-profile", "vault-rotate", "draft-writer", "json-diff"];
        await vscode.commands.executeCommand("skillRegistry.compareSkills", slugs);
        await window.webview.getByRole("heading", { name: "Compare 4 skills" }).waitFor();
        await window.webview.getByRole("table").waitFor();
        assert.deepEqual(await beyondSides(window), [], "comparison");
        await window.picture(`comparison-${size.width}`);
      } finally {
        await session.send("Emulation.clearDeviceMetricsOverride");
        await session.detach();
      }
    });
  }

  // Unit tests look at all tabs and pages, in the colors of each theme.
  for (const [kind, theme] of someOf(themes, ["vscode-high-contrast-light"])) {
    it(`passes axe in ${theme}`, async () => {
      const settings = vscode.workspace.getConfiguration("workbench");
      const before = settings.inspect("colorTheme")?.globalValue;
      try {
        await vscode.commands.executeCommand("workbench.action.closeAllEditors");
        await vscode.commands.executeCommand("skillRegistry.openSkill", "csv-profile");
        await window.webview.getByRole("heading", { name: "CSV profile", level: 1 }).waitFor();
        await window.webview.locator("vscode-panels:defined").waitFor();
        // The open page adopts the new theme.
        await settings.update("colorTheme", theme, vscode.ConfigurationTarget.Global);
        await window.webview.locator(`body.${kind}`).waitFor();
        await eventually("the theme's colors", async () => {
          const { seen, meant } = await readPage(window, toolkitColors);
          assert.deepEqual(seen, meant);
          return true;
        });
        for (const tab of isWholeSuite() ? tabs : ["Overview", "Versions"]) {
          await window.webview.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
          if (tab === "Versions") await window.webview.locator(".change").first().waitFor();
          assert.deepEqual(await axeViolations(window), [], tab);
        }
        await window.picture(`page-${kind}`);
        const slugs = ["csv-profile", "vault-rotate", "draft-writer"];
        await vscode.commands.executeCommand("skillRegistry.compareSkills", slugs);
        await window.webview.getByRole("heading", { name: "Compare 3 skills" }).waitFor();
        await window.webview.getByRole("table").waitFor();
        assert.deepEqual(await axeViolations(window), [], "comparison");
        await window.picture(`comparison-${kind}`);
      } finally {
        await settings.update("colorTheme", before, vscode.ConfigurationTarget.Global);
      }
    });
  }
});

/** Runs in the page. Returns the colors of the toolkit's elements, and the colors that the theme defines for them. */
function toolkitColors(): Record<"seen" | "meant", string[]> {
  const probe = document.body.appendChild(document.createElement("i"));
  const meant = (name: string) => {
    probe.style.color = `var(--vscode-${name}, transparent)`;
    return getComputedStyle(probe).color;
  };
  const style = (selector: string) => getComputedStyle(document.querySelector(selector) ?? probe);
  const colors = {
    seen: [
      style("#try-form").backgroundColor,
      style("#try-form").color,
      style("vscode-button[appearance=secondary]").backgroundColor,
      style("vscode-button[appearance=secondary]").color,
      style("vscode-panel-tab[aria-selected=true]").color,
      style("vscode-panel-tab[aria-selected=false]").color,
    ],
    meant: [
      meant("button-background"),
      meant("button-foreground"),
      meant("button-secondaryBackground"),
      meant("button-secondaryForeground"),
      meant("panelTitle-activeForeground"),
      meant("panelTitle-inactiveForeground"),
    ],
  };
  probe.remove();
  return colors;
}
