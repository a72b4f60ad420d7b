import { before, describe, it } from "mocha";
import { dataFolder } from "./dataFolder";
import { eventually } from "./eventually";
import { filesWith } from "./filesWith";
import { openSecondWindow, type SecondWindow } from "./secondWindow";
import { useWindow } from "./useWindow";

describe("An input that was never saved", () => {
  const window = useWindow();
  let second: SecondWindow;
  before(async function () {
    // A desktop window cannot be opened from here.
    if (process.env["SKILL_REGISTRY_TEST_EDITOR"] === "desktop") return this.skip();
    second = await openSecondWindow(window);
  });

  it("has its text and its skill after the window was loaded anew", async () => {
    await second.newPayload("Text statistics", "text-stats");
    await second.replaceText('{ "text": "typed and never saved" }');
    await second.statusBarItem(/text-stats@1\.0\.0: valid/).waitFor();
    // The editor keeps what is not saved a moment after it was typed, and asks before that.
    await eventually("what the editor keeps", async () => {
      const files = await filesWith(dataFolder(), ["typed and never saved"]);
      return files.some((path) => path.includes("Backups"));
    });
    // Inputs of other windows that were closed come back with it, and stand before it.
    const tab = second.page.locator(".tab.active").first();
    const name = await tab.getAttribute("data-resource-name");
    await second.reload();
    await second.page.locator(`.tab[data-resource-name="${name}"]`).click();
    await second.editor.getByText("typed and never saved").waitFor();
    await second.statusBarItem(/text-stats@1\.0\.0: valid/).waitFor();
  });
});
