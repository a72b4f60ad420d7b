import { strict as assert } from "node:assert";
import type { ServerResponse } from "node:http";
import { before, beforeEach, describe, it } from "mocha";
import * as vscode from "vscode";
import { holdRateClock } from "../../fixtures/holdRateClock";
import type { RecordedRequest } from "../../fixtures/network/recordingServer";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { recordedInvocations, storageFolder } from "../record/storageFolder";
import { needsDialogs } from "../window/needsDialogs";
import { lastBlock } from "../window/outputText";
import { useWindow } from "../window/useWindow";

describe("An invocation that is canceled", () => {
  const window = useWindow({ showsOutput: true });
  let registry: ForeignRegistry;
  let intercept: ((request: RecordedRequest, response: ServerResponse) => boolean) | undefined;
  let inputs = 0;

  before(async function () {
    needsDialogs(this);
    registry = await startForeignRegistry({
      dialect: "camel",
      intercept: (request, response) => intercept?.(request, response) ?? false,
    });
    await window.set("skillRegistry.history.keepTexts", "never");
    // The first invocation makes the folder that is looked into.
    await openPayload(window, "text-stats");
    await vscode.commands.executeCommand("skillRegistry.invoke");
    await window.connectTo(registry);
  });
  beforeEach(async () => {
    intercept = undefined;
    await openPayload(window, "word-tally");
    await writeAnotherInput();
  });

  const calls = () => registry.requests.filter(({ method }) => method === "POST").length;
  /** The output channel takes a moment to show what was written. */
  const lastBlockIs = (words: RegExp) =>
    eventually(`${words} in the last block`, () => words.test(lastBlock()));
  const invoke = () => vscode.commands.executeCommand("skillRegistry.invoke");
  const isPost = ({ method }: RecordedRequest) => method === "POST";

  /** Types an input that no invocation was made with: a trigger for the same one may be a double click. */
  async function writeAnotherInput(): Promise<void> {
    inputs += 1;
    await writeValidInput(window, `{ "text": "call ${inputs}" }`);
  }

  /** Cancels the progress that contains `text`, and waits for the invocation's end. */
  async function cancel(text: RegExp, invocation: Thenable<unknown>): Promise<void> {
    await window.pressInNotification(text, "Cancel");
    await invocation;
    await window.notification(text).waitFor({ state: "detached" });
  }

  /** Does something that must leave neither a request nor a record behind. */
  async function withoutTrace(work: () => Promise<void>): Promise<void> {
    const before = [calls(), await recordedInvocations()];
    await work();
    assert.deepEqual([calls(), await recordedInvocations()], before);
  }

  it("in the question for consent, or for the key, is not sent", async () => {
    await withoutTrace(async () => {
      const asked = invoke();
      await window.pressInDialog("Invoke word-tally@2.1.0?", "Cancel");
      await asked;
      await writeAnotherInput();
      const again = invoke();
      await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
      await window.quickInput.getByText("Project Key for").waitFor();
      await window.leaveQuickInput();
      await again;
    });
    await writeAnotherInput();
    const invocation = invoke();
    await window.answer(registry.projectKey);
    await invocation;
    await lastBlockIs(/success/);
  });

  it("while its skill is read is not sent", async () => {
    intercept = ({ path }) => path.startsWith("/v1/skills/word-tally");
    await vscode.commands.executeCommand("skillRegistry.refresh");
    await withoutTrace(() => cancel(/Checking the payload/, invoke()));
    intercept = undefined;
    await vscode.commands.executeCommand("skillRegistry.refresh");
  });

  it("while another window is at the rate clock is not sent, and can be sent at once", async () => {
    const letGo = await holdRateClock(storageFolder());
    await withoutTrace(() => cancel(/Preparing word-tally/, invoke()));
    await letGo();
    const before = calls();
    await writeAnotherInput();
    await invoke();
    assert.equal(calls(), before + 1);
  });

  it("while the registry thinks has an unknown outcome and was sent once", async () => {
    intercept = isPost;
    const before = calls();
    const invocation = invoke();
    await window.codeLens("■ Cancel").waitFor();
    await window.editorAction("Invoke Skill").waitFor({ state: "detached" });
    await window.openContainer("Skill Registry");
    const row = window.treeRow(/^word-tally@2\.1\.0, running/).first();
    const cancelRow = row.getByRole("button", { name: "Cancel Invocation" });
    await eventually("the button of the row", async () => {
      // A row that moves under the pointer leaves it on another one.
      await window.pointAt(row);
      return cancelRow.waitFor({ timeout: 5_000 }).then(() => true);
    });
    await invoke();
    await window.notification(/word-tally@2\.1\.0 has been running since/).waitFor();
    await window.pressUntil(
      window.editorAction("Cancel Invocation"),
      window.codeLens(/▷ Invoke word-tally/),
    );
    await invocation;
    const unknown = window.notification(/word-tally may have run/);
    await unknown.getByRole("button", { name: "Run Again Anyway" }).waitFor();
    await lastBlockIs(/outcome unknown[\s\S]*Invocation ID: \(none\)/);
    assert.equal(calls(), before + 1);
  });

  it("while its answer arrives has an unknown outcome, with the ID that came", async () => {
    let isSent = false;
    intercept = (request, response) => {
      if (!isPost(request)) return false;
      response.writeHead(200, { "content-type": "application/json" });
      const half = '{"invocationId":"inv-half","status":"success","output":{"rows":[1,2,';
      response.write(half, () => {
        isSent = true;
      });
      return true;
    };
    const call = invoke();
    await eventually("half of the answer", () => isSent);
    await cancel(/Invoking word-tally/, call);
    await lastBlockIs(/outcome unknown[\s\S]*Invocation ID: inv-half/);
  });

  it("while its end is noted has ended, and stands so in the record", async () => {
    let held: ServerResponse | undefined;
    intercept = (request, response) => {
      if (!isPost(request)) return false;
      held = response;
      return true;
    };
    const call = invoke();
    const response = await eventually("the invocation", () => held);
    // A clock that is held keeps an end waiting for some seconds, so that what is pressed then is there before.
    const progress = window.notification(/Invoking word-tally/);
    await progress.getByRole("button", { name: "Cancel" }).waitFor();
    const release = await holdRateClock(storageFolder());
    const answer = '{"invocationId":"inv-end","status":"success","output":1}';
    await new Promise<void>((sent) => response.end(answer, sent));
    await cancel(/Invoking word-tally/, call);
    await release();
    await lastBlockIs(/success[\s\S]*Invocation ID: inv-end/);
    window.atEnd(() => vscode.commands.executeCommand("skillRegistry.clearInvocationFilter"));
    await vscode.commands.executeCommand("skillRegistry.filterInvocations", { text: "inv-end" });
    await window.openContainer("Skill Registry");
    await window.view("Invocations").getByText("“inv-end”").waitFor();
    await window
      .treeRow(/^word-tally@2\.1\.0, success/)
      .first()
      .waitFor();
  });

  it("while it waits for the registry's rate is not sent", async () => {
    intercept = (request, response) => {
      if (!isPost(request)) return false;
      response.writeHead(429, { "retry-after": "45" }).end('{"error":"Slow down."}');
      return true;
    };
    await invoke();
    await withoutTrace(async () => {
      await window.pressInNotification(/word-tally was not run/, "Wait and Send");
      await cancel(/Waiting for the rate limit to send word-tally…: \d+ s/, Promise.resolve());
    });
    await writeAnotherInput();
    await withoutTrace(async () => {
      await invoke();
      await window.pressInNotification(/word-tally was not invoked yet/, "Discard");
    });
  });
});
