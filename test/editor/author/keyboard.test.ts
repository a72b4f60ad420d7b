import { strict as assert } from "node:assert";
import { after, before, beforeEach, describe, it } from "mocha";
import * as vscode from "vscode";
import type { JsonValue } from "../../../src/core/text/json";
import { apiSchemas } from "../../fixtures/apiSchemas";
import type { RecordingServer } from "../../fixtures/recordingServer";
import { startSchemaRegistry } from "../../fixtures/schemaRegistry";
import { eventually } from "../eventually";
import { openPayload } from "../payloads";
import { connectWindow, type EditorWindow } from "../window";
import { builtInInputs } from "./builtInInputs";
import { keyboardInputs } from "./keyboardInputs";
import { Typist } from "./typist";

/** What the other tests switch off to have what they type, and most people have. */
const usualSettings = [
  "autoClosingBrackets",
  "autoClosingQuotes",
  "autoSurround",
  "autoIndent",
  "acceptSuggestionOnEnter",
];

const registries = {
  "the built-in registry": { schemas: undefined, inputs: builtInInputs },
  "public interfaces": { schemas: apiSchemas, inputs: keyboardInputs },
};

for (const [whose, { schemas, inputs }] of Object.entries(registries)) {
  describe(`Writing inputs for the schemas of ${whose} with the keyboard alone`, () => {
    let window: EditorWindow;
    let server: RecordingServer | undefined;
    const settings = new Map<string, unknown>();
    before(async () => {
      server = schemas && (await startSchemaRegistry(schemas));
      window = await connectWindow();
      await window.tidy();
      await vscode.commands.executeCommand("skillRegistry.connect", server?.baseUrl ?? "");
      const editor = vscode.workspace.getConfiguration("editor");
      for (const name of usualSettings) {
        settings.set(name, editor.inspect(name)?.globalValue);
        await editor.update(name, undefined, vscode.ConfigurationTarget.Global);
      }
    });
    beforeEach(() => window.tidy());
    after(async () => {
      const editor = vscode.workspace.getConfiguration("editor");
      for (const [name, value] of settings) {
        await editor.update(name, value, vscode.ConfigurationTarget.Global);
      }
      await vscode.commands.executeCommand("skillRegistry.connect", "");
      await server?.close();
      await window.tidy();
      await window.disconnect();
    });

    for (const [slug, { write, value }] of Object.entries(inputs)) {
      it(`${slug}: is valid after fewer keys than its text has signs`, async () => {
        await openPayload(window, slug);
        const typist = new Typist(window);
        await typist.press("Control+a");
        await typist.press("Delete");
        await eventually("nothing", () => typist.text === "");
        await write(typist);
        await eventually(`what is meant, after ${typist.presses} keys`, () =>
          isSame(typist.text, value),
        );
        await window.statusBarItem(new RegExp(`${slug}@.*: valid`)).waitFor();
        const signs = JSON.stringify(value).length;
        assert.ok(typist.presses < signs, `${typist.presses} keys for ${signs} signs`);
      });
    }
  });
}

function isSame(text: string, value: JsonValue): boolean {
  try {
    assert.deepEqual(JSON.parse(text), value);
    return true;
  } catch {
    return false;
  }
}
