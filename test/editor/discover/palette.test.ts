import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { useWindow } from "../window/useWindow";

describe("The palette", () => {
  const window = useWindow();

  it("offers nothing that sends for a title that the palette hides", async () => {
    const extension = vscode.extensions.getExtension("skill-registry.skill-registry");
    assert(extension);
    const { contributes } = extension.packageJSON as Manifest;
    const hidden = contributes.menus.commandPalette.filter(({ when }) => when === "false");
    const titles = contributes.commands
      .filter(({ command }) => hidden.some((entry) => entry.command === command))
      .map(({ title }) => title);
    assert.ok(titles.length > 0);
    for (const title of titles) {
      await window.openPalette(title);
      // Without a match, the editor offers commands with a similar title.
      const end = window.quickInput.getByText(/^(similar commands|No matching commands)$/);
      await end.first().waitFor();
      const offered = await window.quickInput.locator(".label-name").allInnerTexts();
      assert.doesNotMatch(offered.join("\n"), /Skill Registry: (Invoke|Test Run|Rerun)/, title);
      await window.leaveQuickInput();
    }
    await window.openPalette("new payload");
    const [first] = await window.quickInput.locator(".label-name").allInnerTexts();
    assert.equal(first, "Skill Registry: New Payload for Skill…");
    await window.leaveQuickInput();
  });
});

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: {
      readonly commandPalette: readonly { readonly command: string; readonly when: string }[];
    };
  };
}
