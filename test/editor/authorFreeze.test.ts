import { strict as assert } from "node:assert";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, before, beforeEach, describe, it } from "mocha";
import * as vscode from "vscode";
import { hostileSchemas } from "../fixtures/hostileSchemas";
import type { RecordingServer } from "../fixtures/recordingServer";
import { startSchemaRegistry } from "../fixtures/schemaRegistry";
import { eventually } from "./eventually";
import { connectWindow, type EditorWindow } from "./window";

/** Far below what somebody notices while typing, and far above what a busy machine does by itself. */
const longestHoldMs = 400;
/** A second for the answer, and what the window takes to show it on a busy machine. */
const longestAnswerMs = 2500;

const calm = { calm: { properties: { a: { type: "string" } } } };

describe("Typing against schemas that mean harm", () => {
  let window: EditorWindow;
  let server: RecordingServer;
  const corpus = hostileSchemas("http://127.0.0.1:9");
  before(async () => {
    const schemas = Object.entries(corpus).map(([slug, { schema }]) => [slug, schema]);
    server = await startSchemaRegistry({ ...Object.fromEntries(schemas), ...calm });
    window = await connectWindow();
    await window.tidy();
    await vscode.commands.executeCommand("skillRegistry.connect", server.baseUrl);
  });
  beforeEach(() => window.tidy());
  after(async () => {
    await vscode.commands.executeCommand("skillRegistry.connect", "");
    await server.close();
    await window.tidy();
    await window.disconnect();
  });

  async function open(slug: string): Promise<vscode.TextDocument> {
    await vscode.commands.executeCommand("skillRegistry.newPayload", slug);
    const editor = await eventually(`an input for ${slug}`, () => {
      const active = vscode.window.activeTextEditor;
      return active?.document.fileName.includes(`${slug}.`) && active;
    });
    await window
      .statusBarItem(new RegExp(`${slug}@1.0.0: (${Object.values(words).join("|")})`))
      .waitFor();
    return editor.document;
  }

  for (const [slug, { text, says }] of Object.entries(corpus)) {
    it(`${slug}: ${says}, and the editor goes on`, async () => {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const document = await open(slug);
      const start = performance.now();
      await window.replaceText(text);
      await window.statusBarItem(new RegExp(`${slug}@1.0.0: ${words[says]}`)).waitFor();
      const took = performance.now() - start;
      await askForHelp(document);
      delay.disable();
      await open("calm");
      await window.replaceText('{"a": 1}');
      await window.statusBarItem("calm@1.0.0: 1 problem").waitFor();
      const held = delay.max / 1e6;
      console.log(
        `      answered after ${Math.round(took)} ms, held for ${Math.round(held)} ms at most`,
      );
      assert.ok(took < longestAnswerMs, `answered after ${took} ms`);
      assert.ok(held < longestHoldMs, `held for ${held} ms`);
    });
  }

  it("asks nobody but the registry, and it for skills alone", () => {
    const other = server.requests.filter(({ path }) => !path.startsWith("/v1/"));
    assert.deepEqual(other, []);
    assert.ok(server.requests.length >= Object.keys(corpus).length);
  });
});

const words = { valid: "valid", invalid: "\\d+ problem", unchecked: "not checked" } as const;

/** Completion and hover at a key and at a value: both answer, with something or with nothing. */
async function askForHelp(document: vscode.TextDocument): Promise<void> {
  const text = document.getText();
  for (const offset of [2, text.length - 1]) {
    const at = document.positionAt(offset);
    for (const kind of ["Completion", "Hover"]) {
      const command = `vscode.execute${kind}${kind === "Hover" ? "Provider" : "ItemProvider"}`;
      await vscode.commands.executeCommand(command, document.uri, at);
    }
  }
}
