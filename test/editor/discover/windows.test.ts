import { after, before, describe } from "mocha";
import * as vscode from "vscode";
import { itInWholeSuite } from "../../fixtures/wholeSuite";
import type { Screen } from "../window/screen";
import { openSecondWindow, type SecondWindow } from "../window/secondWindow";
import { useWindow } from "../window/useWindow";

describe("The Skills view in two windows", () => {
  const window = useWindow();
  let second: SecondWindow;

  before(async function () {
    // A desktop window cannot be opened from here.
    if (process.env["SKILL_REGISTRY_TEST_EDITOR"] === "desktop") return this.skip();
    await window.openContainer("Skill Registry");
    await window.treeRow(/^JSON diff/).waitFor();
    second = await openSecondWindow(window);
    await second.treeRow(/^JSON diff/).waitFor();
  });
  after(() => vscode.commands.executeCommand("skillRegistry.removeFavorite", "json-diff"));

  itInWholeSuite("show a favorite of the other window once this one has the focus", async () => {
    await leave(window);
    try {
      await second.chooseFromMenu(second.treeRow(/^JSON diff/), "Add to Favorites");
    } finally {
      await comeBack(window);
    }
    await window.treeRow(/^JSON diff, .*, favorite$/).waitFor();
  });
});

/** Makes the window behave as if it had lost the focus, since in a headless browser all pages have it. */
async function leave({ page }: Screen): Promise<void> {
  await page.evaluate(() => {
    document.hasFocus = () => false;
    window.dispatchEvent(new Event("blur"));
  });
}

/** Makes the window behave as if it had the focus again. */
async function comeBack({ page }: Screen): Promise<void> {
  await page.evaluate(() => {
    document.hasFocus = () => true;
    window.dispatchEvent(new Event("focus"));
  });
}
