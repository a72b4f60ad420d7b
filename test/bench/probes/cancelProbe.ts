// Runs in an extension host. Follows the orders (HostOrder) that the measurement sends as requests, and does nothing
// else, so that it takes no time of the measured host. Writes its own address and the browser's to the file in
// SKILL_REGISTRY_PROBE_FILE, as {address, browser}.
import { writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { startRecordingServer } from "../../fixtures/network/recordingServer";
import type { HostOrder } from "./measuredHost";

/** Takes orders until it is told to end. */
export async function run(): Promise<void> {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const server = await startRecordingServer(({ body }, response) => {
    const order = JSON.parse(body) as HostOrder;
    const answer = (error?: unknown) => {
      const answered = {
        endedAt: Date.now(),
        ...(error !== undefined && { error: String(error) }),
      };
      response.end(JSON.stringify(answered), order.kind === "end" ? end : undefined);
    };
    follow(order).then(() => answer(), answer);
  });
  const told = { address: server.baseUrl, browser: process.env["SKILL_REGISTRY_TEST_CDP"] };
  await writeFile(process.env["SKILL_REGISTRY_PROBE_FILE"] ?? "", JSON.stringify(told));
  await ended;
  await server.close();
}

async function follow(order: HostOrder): Promise<void> {
  switch (order.kind) {
    case "command":
      await vscode.commands.executeCommand(order.name, ...order.args);
      return;
    case "set":
      await vscode.workspace
        .getConfiguration("skillRegistry")
        .update(order.name, order.value, true);
      return;
    case "write":
      return write(order.text);
    case "wait": {
      const location = vscode.ProgressLocation.Notification;
      const shown = { location, title: order.title, cancellable: true };
      await vscode.window.withProgress(
        shown,
        (_, token) => new Promise<void>((end) => token.onCancellationRequested(() => end())),
      );
      return;
    }
    case "print":
      console.log(`${process.env["SKILL_REGISTRY_TEST_MARK"] ?? ""}${order.text}`);
      return;
    case "end":
      return;
  }
}

async function write(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error("There is no input to write into.");
  const { document } = editor;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  await editor.edit((edit) => edit.replace(whole, JSON.stringify({ text })));
}
