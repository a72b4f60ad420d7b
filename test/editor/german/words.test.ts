import { strict as assert } from "node:assert";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { useWindow } from "../window/useWindow";

describe("In a German window", () => {
  const window = useWindow({ steps: true });
  before(() => {
    assert.equal(vscode.env.language, "de");
  });

  it("views and the list of skills speak German", async () => {
    await window.openContainer("Skill Registry");
    await window
      .treeRow(/^Text statistics, verifiziert, geringe Berechtigungen, .*Plainworks/)
      .waitFor();
    await window.view("Aufrufe").getByText("Ihre Aufrufe erscheinen hier").waitFor();
  });

  it("commands are found by their German titles, and ask in German", async () => {
    await window.runCommand("Skill Registry: Mit Registry verbinden…");
    await window.quickInput.getByPlaceholder("Registry auswählen").waitFor();
    await window.quickInput.getByText("Eingebaute Registry").waitFor();
    await window.leaveQuickInput();
  });

  it("the page of a skill is German, for screen readers too", async () => {
    const heading = window.webview.getByRole("heading", { name: "Text statistics", level: 1 });
    await window.pressUntil(window.treeRow(/^Text statistics/), heading);
    for (const words of [
      "Verifiziert",
      "Verwendet das Netzwerk nicht",
      "in der eingebauten Registry",
    ]) {
      await window.webview.getByText(words).filter({ visible: true }).first().waitFor();
    }
    assert.equal(await window.webview.locator("html").getAttribute("lang"), "de");
    const lens = window.codeLens(/text-stats\S* aufrufen/);
    await window.pressUntil(window.webview.getByRole("button", { name: "Payload öffnen" }), lens);
  });
});
