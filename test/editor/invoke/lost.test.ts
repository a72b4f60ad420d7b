import { strict as assert } from "node:assert";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { before, describe, it } from "mocha";
import * as vscode from "vscode";
import { InvocationStore } from "../../../src/engine/invocationStore";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { storageFolder } from "../record/storageFolder";
import { needsDialogs } from "../window/needsDialogs";
import { outputText } from "../window/outputText";
import { useWindow } from "../window/useWindow";

describe("An invocation whose answer never comes", () => {
  const window = useWindow({ steps: true });
  let registry: ForeignRegistry;
  let lose: ((response: ServerResponse) => void) | undefined;

  before(async function () {
    needsDialogs(this);
    registry = await startForeignRegistry({
      dialect: "camel",
      intercept: ({ method }, response) => {
        if (method !== "POST" || lose === undefined) return false;
        lose(response);
        return true;
      },
    });
    await window.set("skillRegistry.history.keepTexts", "never");
    await window.connectTo(registry);
  });

  const newest = async () => {
    const store = new InvocationStore(join(storageFolder(), "invocations"));
    return (await store.list(1)).records[0];
  };

  it("begins with one that is answered, and is recorded with its project", async () => {
    await openPayload(window, "word-tally");
    await writeValidInput(window, '{ "text": "answered" }');
    const call = vscode.commands.executeCommand("skillRegistry.invoke");
    await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
    await window.answer(registry.projectKey);
    await call;
    const record = await eventually("the record", newest);
    assert.deepEqual([record.status, record.projectSlug], ["success", "far-project"]);
    assert.ok(Number.isInteger(record.durationMs));
    await window.set("skillRegistry.invokeTimeoutSeconds", 1);
  });

  const losses: readonly (readonly [string, (response: ServerResponse) => void])[] = [
    ["the gateway never answers", () => undefined],
    [
      "the gateway goes away in the middle",
      (response) => {
        response.writeHead(200, { "content-length": "99" }).flushHeaders();
        response.write('{"status":', () => response.destroy());
      },
    ],
  ];
  for (const [name, loss] of losses) {
    it(`is recorded as unknown within the time allowed: ${name}`, async () => {
      await openPayload(window, "word-tally");
      await writeValidInput(window, `{ "text": "${name}" }`);
      lose = loss;
      const startedAt = Date.now();
      await vscode.commands.executeCommand("skillRegistry.invoke");
      const record = await eventually("the record", newest);
      assert.ok(record.startedAt >= startedAt);
      assert.equal(record.status, "outcome unknown");
      // By the limit that was set, not by the usual one of two minutes.
      assert.ok(record.durationMs < 60_000, String(record.durationMs));
      // Neither an earlier success nor "running" stands there.
      await window.statusBarItem(/word-tally: outcome unknown/).waitFor();
    });
  }

  it("stands in the log as an error, with the address", async () => {
    await vscode.commands.executeCommand("skillRegistry.showLog");
    const line = `[error] POST ${registry.baseUrl}/v1/runtime/invoke: outcome unknown`;
    await eventually("the error", () => outputText().includes(line));
  });
});
