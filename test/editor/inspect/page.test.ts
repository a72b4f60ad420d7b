import { strict as assert } from "node:assert";
import type { ServerResponse } from "node:http";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { startRecordingServer } from "../../fixtures/network/recordingServer";
import { startForeignRegistry } from "../../fixtures/registries/foreignRegistry";
import { foreignSkills } from "../../fixtures/registries/foreignSkills";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

describe("The page of a skill", () => {
  const window = useWindow({ steps: true });

  const open = (...address: unknown[]) =>
    vscode.commands.executeCommand("skillRegistry.openSkill", ...address);
  const heading = (name: string | RegExp) =>
    window.webview.getByRole("heading", { name, level: 1 }).waitFor();
  const tab = (name: RegExp) => window.webview.getByRole("tab", { name });
  /** A page's head and tabs are there before they can be used. */
  const usable = async (name: string) => {
    await heading(name);
    await window.webview.locator("vscode-panels:defined").waitFor();
  };

  const chosen = (name: RegExp) => window.webview.getByRole("tab", { name, selected: true });
  /** Opens what a tab shows in an editor. */
  const openInEditor = async (place: string) => {
    await tab(new RegExp(`^${place}`)).click();
    const view = window.webview.locator(`#${place.toLowerCase()}-view`);
    await view.getByRole("button", { name: /^Open in editor/ }).click();
  };

  it("compares the version that is shown with the one before it, in words", async () => {
    await open("csv-profile");
    await usable("CSV profile");
    await tab(/^Versions/).click();
    await window.webview.getByRole("heading", { name: "What changed" }).waitFor();
    await window.webview.locator(".change").first().waitFor();
    const before = window.webview.locator("#version-before");
    const versions = await before.locator("option").allInnerTexts();
    assert.equal(versions.length, 3);
    assert.equal(await before.inputValue(), versions[1]);
    await before.selectOption(versions[2] ?? "");
    await eventually("the older version", async () => (await before.inputValue()) === versions[2]);
    await window.webview.locator(".change").first().waitFor();
  });

  it("opens both manifests side by side, read-only", async () => {
    await window.webview.getByRole("button", { name: "Compare manifests" }).click();
    const input = await eventually("the diff editor", () => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff && shown;
    });
    assert.deepEqual(
      [input.original.scheme, input.modified.scheme],
      ["skill-manifest", "skill-manifest"],
    );
    const [old, now] = await Promise.all(
      [input.original, input.modified].map((uri) => vscode.workspace.openTextDocument(uri)),
    );
    const versionOf = (document: vscode.TextDocument | undefined) =>
      JSON.parse(document?.getText() ?? "{}").version;
    assert.notEqual(versionOf(old), versionOf(now));
    assert.equal(vscode.workspace.fs.isWritableFileSystem("skill-manifest"), undefined);
  });

  it("opens manifest and schemas as read-only JSON whose name says what they are", async () => {
    const wanted = {
      Manifest: ["manifest", "inputSchema"],
      Input: ["input-schema", "properties"],
      Output: ["output-schema", "properties"],
    } as const;
    for (const [place, [part, member]] of Object.entries(wanted)) {
      await open("csv-profile");
      await usable("CSV profile");
      await openInEditor(place);
      const document = await eventually(`the ${part} in an editor`, () => {
        const shown = vscode.window.activeTextEditor?.document;
        return shown?.fileName.endsWith(`.${part}.json`) && shown;
      });
      const label = new RegExp(`^csv-profile@[\\d.]+\\.${part}\\.json$`);
      await eventually("its tab", () => label.test(labelOfTab()));
      assert.deepEqual([document.uri.scheme, document.languageId], ["skill-manifest", "json"]);
      const text = document.getText();
      assert.ok(member in JSON.parse(text));
      await vscode.commands.executeCommand("type", { text: "x" });
      assert.equal(document.getText(), text);
    }
    await open("csv-profile");
    await tab(/^Versions/).click();
  });

  it("opens a schema that names a document elsewhere as text of which nothing is fetched", async () => {
    const elsewhere = await startRecordingServer((_request, response) => response.end("{}"));
    window.atEnd(() => elsewhere.close());
    const schema = { $schema: `${elsewhere.baseUrl}/schema.json`, properties: { a: {} } };
    const registry = await startSchemaRegistry({ lure: schema });
    window.atEnd(() => registry.close());
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.connect", ""));
    await vscode.commands.executeCommand("skillRegistry.connect", registry.baseUrl);
    await open("lure");
    await usable("lure");
    await openInEditor("Input");
    const document = await eventually("the schema in an editor", () => {
      const shown = vscode.window.activeTextEditor?.document;
      return shown?.uri.scheme === "skill-manifest" && shown;
    });
    assert.equal(document.languageId, "jsonl");
    assert.deepEqual(JSON.parse(document.getText()), schema);
    assert.deepEqual(elsewhere.requests, []);
    await vscode.commands.executeCommand("skillRegistry.connect", "");
    await open("csv-profile");
    await usable("CSV profile");
    await tab(/^Versions/).click();
  });

  it("keeps tab and versions while it is hidden", async () => {
    await open("csv-profile");
    await window.webview.getByRole("heading", { name: "What changed" }).waitFor();
    await chosen(/^Versions/).waitFor();
  });

  it("opens at a version, in the page that is open", async () => {
    await open("csv-profile@1.0.0");
    await window.webview.getByText("csv-profile@1.0.0", { exact: true }).waitFor();
    await chosen(/^Versions/).waitFor();
    const after = window.webview.locator("#version-after");
    await eventually("the pair that follows", async () => (await after.inputValue()) === "1.1.0");
  });

  it("says that a version is not the newest, in its tab too, and opens the newest", async () => {
    await eventually("the version in the tab", () => labelOfTab() === "CSV profile@1.0.0");
    await window.webview.getByText("Version 1.0.0 is not the newest.").waitFor();
    assert.equal(await window.webview.getByText("Review:").count(), 0);
    await window.webview.getByRole("button", { name: "Open 2.0.0" }).click();
    await window.webview.getByText("csv-profile@2.0.0", { exact: true }).waitFor();
    await tab(/^Overview/).click();
    await window.webview.getByText("Review: Approved").waitFor();
    await eventually("the name alone in the tab", () => labelOfTab() === "CSV profile");
  });

  it("says that a skill is not there, and that a version is not", async () => {
    await open("no-such-skill");
    await heading("no-such-skill is not in this registry");
    await open("text-stats@9.9.9");
    await heading(/^text-stats (could not be read|is not in this registry)$/);
  });

  it("opens from a link, which can do nothing else", async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await window.runCommand("Developer: Open URL");
    await window.answer("vscode://skill-registry.skill-registry/skill/json-diff");
    await window.pressInDialog("to open this URI", "Open");
    await heading("JSON diff");
    await window.runCommand("Developer: Open URL");
    await window.answer("vscode://skill-registry.skill-registry/skill/..%2F..%2Fv1");
    await window.pressInDialog("to open this URI", "Open");
    await window.notification("Invalid skill link.").waitFor();
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
  });
});

describe("The page of a skill whose registry dies", () => {
  const window = useWindow();

  it("stays, says since when it stands, and what was not given", async () => {
    const registry = await startForeignRegistry({ dialect: "snake", detail: "full" });
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.connect", ""));
    await vscode.commands.executeCommand("skillRegistry.connect", registry.baseUrl);
    await vscode.commands.executeCommand("skillRegistry.openSkill", "word-tally");
    await window.webview.getByRole("heading", { name: "Word Tally", level: 1 }).waitFor();
    await window.webview.getByText("Not provided by this registry.").first().waitFor();
    await window.webview.getByText("No Project Key is kept for this registry.").waitFor();
    await registry.close();
    await vscode.commands.executeCommand("skillRegistry.refresh");
    await window.webview.getByText(/^From .* refresh failed\. No server is listening/).waitFor();
    await window.webview.getByRole("heading", { name: "Word Tally", level: 1 }).waitFor();
  });
});

describe("The page of a skill that takes long to read", () => {
  const window = useWindow();

  it("says whether it can be run by what is known when it comes", async () => {
    const held: ServerResponse[] = [];
    const registry = await startForeignRegistry({
      dialect: "camel",
      intercept: ({ path }, response) => {
        if (path === "/v1/skills/word-tally") held.push(response);
        return held.includes(response);
      },
    });
    await window.connectTo(registry);
    await vscode.commands.executeCommand("skillRegistry.openSkill", "word-tally");
    await eventually("the question", () => held.length > 0);
    const set = vscode.commands.executeCommand("skillRegistry.setProjectKey");
    await window.answer(registry.projectKey);
    await set;
    for (const response of held) response.end(JSON.stringify(foreignSkills[0]?.manifest));
    await window.webview.getByRole("button", { name: "Check Now" }).waitFor();
    assert.equal(await window.webview.getByText("No Project Key is kept").count(), 0);
  });
});

describe("Skills side by side", () => {
  const window = useWindow({ steps: true });

  const heading = (name: string) =>
    window.webview.getByRole("heading", { name, level: 1 }).waitFor();
  const checked = (label: string) =>
    window.quickPickRow(label).locator("[role=checkbox][aria-checked=true]").waitFor();

  it("are shown for a list of slugs, with their differences marked", async () => {
    const slugs = ["text-stats", "vault-rotate"];
    await vscode.commands.executeCommand("skillRegistry.compareSkills", slugs);
    await heading("Compare 2 skills");
    const level = window.webview.getByRole("row", { name: /^Permission level differs/ });
    await level.waitFor();
    assert.match(await level.innerText(), /Low permissions[\s\S]*High permissions/);
    await eventually(
      "the names in the tab",
      () => labelOfTab() === "Compare: text-stats, vault-rotate",
    );
  });

  it("are added from a list that searches, and removed", async () => {
    await window.webview.getByRole("button", { name: "Add a skill…" }).click();
    await window.typeIntoQuickInput("csv-profile");
    // What is checked while the answer comes is not checked in the list that it brings.
    await window.quickPickRow("CSV profile").waitFor();
    await window.quickPickRow("JSON diff").waitFor({ state: "detached" });
    await window.choose("CSV profile");
    await checked("CSV profile");
    await window.page.keyboard.press("Enter");
    await heading("Compare 3 skills");
    await window.webview.getByRole("button", { name: "Remove Text statistics" }).click();
    await heading("Compare 2 skills");
  });

  it("keep what is chosen while they are hidden", async () => {
    await window.webview.getByLabel("Differences only").check();
    await vscode.commands.executeCommand("skillRegistry.openSkill", "text-stats");
    await heading("Text statistics");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await heading("Compare 2 skills");
    await window.webview
      .locator("label:has(input:checked)", { hasText: "Differences only" })
      .waitFor();
  });

  it("start from a skill's page", async () => {
    await vscode.commands.executeCommand("skillRegistry.openSkill", "sql-format");
    await window.webview.getByText("sql-format@", { exact: false }).first().waitFor();
    await window.webview.getByRole("button", { name: "Compare with…" }).click();
    // Its name takes the place of its slug as soon as it is known.
    await window.quickInput.getByText("sql-format").first().waitFor();
    await window.typeIntoQuickInput("json-diff");
    // The answer to the text replaces the first list, where this skill stands too.
    await window.quickPickRow("JSON diff").waitFor();
    await window.quickPickRow("Text statistics").waitFor({ state: "detached" });
    await window.choose("JSON diff");
    await checked("JSON diff");
    await window.page.keyboard.press("Enter");
    await heading("Compare 2 skills");
  });
});

function labelOfTab(): string {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? "";
}
