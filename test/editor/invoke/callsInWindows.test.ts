import { strict as assert } from "node:assert";
import type { ServerResponse } from "node:http";
import { before, beforeEach, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { eventually } from "../eventually";
import { openPayload, writeValidInput } from "../payloads";
import { needsDialogs } from "../window/needsDialogs";
import type { Screen } from "../window/screen";
import { openSecondWindow, type SecondWindow } from "../window/secondWindow";
import { useWindow } from "../window/useWindow";

describe("Two windows that invoke at the same moment", () => {
  const window = useWindow({ steps: true });
  let second: SecondWindow;
  let registry: ForeignRegistry;
  const held: ServerResponse[] = [];

  before(async function () {
    needsDialogs(this);
    registry = await startForeignRegistry({
      dialect: "camel",
      intercept: ({ method, body }, response) => {
        if (method === "POST" && body.includes("held")) held.push(response);
        return held.includes(response);
      },
    });
    await window.set("skillRegistry.history.keepTexts", "always");
    await window.connectTo(registry);
    await openPayload(window, "word-tally");
    await writeValidInput(window, '{ "text": "first" }');
    await window.runCommand("Skill Registry: Invoke Skill");
    await window.pressInDialog("Invoke word-tally@2.1.0?", "Invoke");
    await window.answer(registry.projectKey);
    await eventually("the first call", () => posts().length === 1);
    // It has the key and the consent of the first one.
    second = await openSecondWindow(window);
    await second.newPayload("Word Tally", "word-tally");
  });
  beforeEach(() => window.tidy());

  /** Waits until a window has so many invocations in its list, each of which has ended well. */
  async function listsSuccesses(screen: Screen, count: number): Promise<void> {
    await screen.openContainer("Skill Registry");
    const rows = screen
      .view("Invocations")
      .getByRole("treeitem", { name: /^word-tally@2\.1\.0, success/ });
    await eventually(`${count} rows`, async () => (await rows.count()) === count);
  }

  const posts = () => registry.requests.filter(({ method }) => method === "POST");

  /** Writes a text into both windows' inputs and starts both invocations. */
  async function invokeInBoth(first: string, other: string): Promise<void> {
    await openPayload(window, "word-tally");
    await Promise.all([
      writeValidInput(window, JSON.stringify({ text: first })),
      second.replaceText(JSON.stringify({ text: other })),
    ]);
    await second.statusBarItem(/: valid/).waitFor();
    const title = "Skill Registry: Invoke Skill";
    await Promise.all([window.runCommand(title), second.runCommand(title)]);
  }

  it("send one invocation where it is the same, and the other window says so", async () => {
    await invokeInBoth("held", "held");
    const already = /is already being invoked with this payload/;
    await Promise.any([window, second].map((screen) => screen.notification(already).waitFor()));
    // The window that sends it still writes its record by then.
    await eventually("the invocation", () => held.length > 0);
    assert.equal(posts().length, 2);
    assert.equal(held.length, 1);
    const body = { invocationId: "held-1", status: "success", output: { words: 1 } };
    held.pop()?.end(JSON.stringify(body));
    await listsSuccesses(window, 2);
  });

  it("send both where they differ, and both list all of them", async () => {
    await invokeInBoth("one two", "one two three");
    await eventually("both calls", () => posts().length === 4);
    for (const screen of [window, second]) await listsSuccesses(screen, 4);
  });
});
