import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import * as vscode from "vscode";
import { eventually } from "../eventually";
import { problemsOfActiveEditor } from "../payloads";
import { useWindow } from "../window/useWindow";

describe("Inputs that a folder keeps", () => {
  const window = useWindow();

  async function open(name: string): Promise<void> {
    const [file] = await vscode.workspace.findFiles(`**/${name}.skill-input.json`);
    assert.ok(file !== undefined);
    await vscode.window.showTextDocument(file);
  }

  it("are bound and checked when they are opened", async () => {
    await open("csv-profile.orders");
    await window.statusBarItem("csv-profile: valid").waitFor();
    await open("text-stats.slow-reader");
    await window.statusBarItem("text-stats: 1 problem").waitFor();
    await eventually("the problem", () => problemsOfActiveEditor().join() === "minimum 5");
  });
});
