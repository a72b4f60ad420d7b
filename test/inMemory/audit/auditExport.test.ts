import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import type * as vscode from "vscode";
import { httpAnswer, type RawServer, startRawServer } from "../../fixtures/network/rawServer";
import { useEditor } from "../useEditor";

describe("The audit export of a window", () => {
  let collector: RawServer;
  let arrived: () => void = () => undefined;
  before(async () => {
    collector = await startRawServer((socket) => {
      socket.write(httpAnswer(200, "{}"));
      if (collector.requests.length === 2) arrived();
    });
  });
  after(() => collector.close());
  const editor = useEditor(() => ({ settings: {} }));

  /** Produces a refusal of an agent. */
  async function refuse(): Promise<void> {
    const options = {
      input: { skill: "text-stats", contractHash: "x", input: { text: "PAYLOAD-MARKER" } },
      toolInvocationToken: {} as vscode.ChatParticipantToolToken,
    } as vscode.LanguageModelToolInvocationOptions<object>;
    await editor.vscode.lm.invokeTool("skill-registry_invoke_skill", options);
  }

  it("It sends nothing until the user turns it on, and then also refusals of agents", async () => {
    editor.set("skillRegistry.audit.otlpEndpoint", collector.baseUrl);
    await refuse();
    assert.deepEqual(collector.requests, []);
    editor.set("skillRegistry.audit.export", "otlp");
    const done = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await refuse();
    await done;
    const all = collector.requests.join("\n");
    assert.equal(collector.requests.length, 2);
    assert.match(all, /"eventName":"skill_registry.refusal"/);
    assert.match(all, /"notAllowed"/);
    assert.doesNotMatch(all, /MARKER/);
  });

  it("Its address is in the report without possible secrets", async () => {
    editor.set("skillRegistry.audit.otlpEndpoint", "https://me:SECRET@collector.example/?k=SECRET");
    await editor.run("copyReport");
    const report = editor.parts.machine.clipboard;
    assert.match(report, /https:\/\/collector\.example/);
    assert.doesNotMatch(report, /SECRET/);
  });
});
