import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import type { Locator } from "playwright-core";
import * as vscode from "vscode";
import type { RecordingServer } from "../../fixtures/recordingServer";
import { startSchemaRegistry } from "../../fixtures/schemaRegistry";
import { eventually } from "../eventually";
import { connectWindow, type EditorWindow } from "../window";

const schemas = {
  "csv-profile": { required: ["csv"], properties: { csv: { type: "string" } } },
  "text-stats": { properties: { wordsPerMinute: { type: "integer", minimum: 50 } } },
};
const valid = "csv-profile.orders.skill-input.json";
const invalid = "text-stats.slow-reader.skill-input.json";

describe("Saved inputs in the Test Explorer", () => {
  let window: EditorWindow;
  let server: RecordingServer;
  let root: vscode.Uri;
  before(async () => {
    server = await startSchemaRegistry(schemas, ["silent-skill"]);
    window = await connectWindow();
    await window.tidy();
    await vscode.commands.executeCommand("skillRegistry.connect", server.baseUrl);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder !== undefined);
    root = folder;
    await vscode.commands.executeCommand("workbench.view.testing.focus");
  });
  after(async () => {
    await vscode.commands.executeCommand("skillRegistry.connect", "");
    await server.close();
    await window.tidy();
    await window.disconnect();
  });

  const run = (command: string) => vscode.commands.executeCommand(command);
  const file = (name: string) => vscode.Uri.joinPath(root, "inputs", name);
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(file(name), Buffer.from(text));
  /** The row of an input, as it is told: "name (Passed)", "name (Failed), outdated result". */
  const row = (name: string, state = ""): Locator =>
    window.page
      .locator(".test-explorer .monaco-list-row")
      .and(window.page.locator(`[aria-label*="${name}"][aria-label*="${state}"]`));
  const labels = () =>
    window.page
      .locator(".test-explorer .monaco-list-row")
      .evaluateAll((rows) => rows.map((one) => one.getAttribute("aria-label") ?? ""));

  it("stand below their skills", async () => {
    await run("testing.refreshTests");
    await row("csv-profile").first().waitFor();
    await run("testing.expandAll").then(undefined, () => undefined);
    console.log(await labels());
    await row(valid).waitFor();
    await row(invalid).waitFor();
  });

  it("are valid or not, without anything being called", async () => {
    await run("testing.runAll");
    await row(valid, "Passed").waitFor();
    await row(invalid, "Failed").waitFor();
    console.log(await labels());
    assert.deepEqual(
      server.requests.filter(({ method }) => method !== "GET"),
      [],
    );
  });

  it("tell what is wrong at its place", async () => {
    await vscode.window.showTextDocument(file(invalid));
    await run("testing.goToNextMessage");
    const peek = window.page.locator(".peekview-widget, .test-message-inline-content");
    await peek.filter({ hasText: /50/ }).first().waitFor();
    const { selection } = vscode.window.activeTextEditor ?? {};
    console.log(JSON.stringify(selection));
    await window.picture("suite-message");
    await run("closeReferenceSearch").then(undefined, () => undefined);
  });

  it("are outdated when they change, and judged anew", async () => {
    await write(invalid, '{"wordsPerMinute": 60}');
    await row(invalid, "outdated").waitFor();
    await run("testing.runAll");
    await row(invalid, "Passed").waitFor();
    assert.equal(await row(invalid, "outdated").count(), 0);
  });

  it("come and go with their files", async () => {
    await write("csv-profile.other.skill-input.json", '{"csv": 1}');
    await row("csv-profile.other").waitFor();
    await vscode.workspace.fs.delete(file("csv-profile.other.skill-input.json"));
    await row("csv-profile.other").waitFor({ state: "detached" });
  });

  it("are not found under node_modules", async () => {
    const hidden = vscode.Uri.joinPath(root, "node_modules", "x", "csv-profile.skill-input.json");
    await vscode.workspace.fs.writeFile(hidden, Buffer.from("{}"));
    await write("csv-profile.seen.skill-input.json", '{"csv": ""}');
    await row("csv-profile.seen").waitFor();
    assert.equal(await row("node_modules").count(), 0);
  });

  it("say that their skill is not known", async () => {
    await write("no-such-skill.skill-input.json", "{}");
    await row("no-such-skill.skill-input.json").waitFor();
    await run("testing.runAll");
    await row("no-such-skill.skill-input.json", "Errored").waitFor();
    await row(valid, "Passed").waitFor();
    await vscode.workspace.fs.delete(file("no-such-skill.skill-input.json"));
    await row("no-such-skill").first().waitFor({ state: "detached" });
  });

  it("follow what they are bound to", async () => {
    await vscode.window.showTextDocument(file(valid));
    await run("skillRegistry.unbindPayload");
    await row(valid).waitFor({ state: "detached" });
    await vscode.commands.executeCommand("skillRegistry.bindPayload", "text-stats");
    await row(valid).waitFor();
  });

  it("end at once when somebody cancels, whatever the registry does", async () => {
    await write("silent-skill.skill-input.json", "{}");
    await row("silent-skill.skill-input.json").waitFor();
    const finished = run("testing.runAll");
    await eventually("the question", () =>
      server.requests.some(({ path }) => path.includes("silent-skill")),
    );
    await run("testing.cancelRun");
    await finished;
    await eventually("nothing is running", async () =>
      (await labels()).every((label) => !/Running|Queued/.test(label)),
    );
    console.log(await labels());
    await vscode.workspace.fs.delete(file("silent-skill.skill-input.json"));
  });

  it("are outdated with another registry, and say that it does not answer", async () => {
    const gone = await startSchemaRegistry({});
    await gone.close();
    await vscode.commands.executeCommand("skillRegistry.connect", gone.baseUrl);
    await row(invalid, "outdated").waitFor();
    await run("testing.runAll");
    await row(invalid, "Errored").waitFor();
    await vscode.commands.executeCommand("skillRegistry.connect", server.baseUrl);
  });

  it("go with their folder", async () => {
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(root, "inputs"), { recursive: true });
    await run("testing.runAll").then(undefined, () => undefined);
    await row(invalid).waitFor({ state: "detached" });
  });
});
