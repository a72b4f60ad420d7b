import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";
import { PayloadTestItems } from "../../../src/host/suites/payloadTests";
import type { RecordingServer } from "../../fixtures/network/recordingServer";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { eventually } from "../eventually";
import { useWindow } from "../window/useWindow";

const schemas = {
  "csv-profile": { required: ["csv"], properties: { csv: { type: "string" } } },
  "text-stats": { properties: { wordsPerMinute: { type: "integer", minimum: 50 } } },
};
const valid = "csv-profile.orders.skill-input.json";
const invalid = "text-stats.slow-reader.skill-input.json";

describe("Saved payloads in the Test Explorer", () => {
  const window = useWindow({ steps: true });
  let server: RecordingServer;
  let root: vscode.Uri;
  before(async () => {
    server = await startSchemaRegistry(schemas, ["silent-skill"]);
    await window.connectTo(server);
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder !== undefined);
    root = folder;
    // What is bound and deleted here are copies: other tests of this window use the folder's own payloads.
    await vscode.workspace.fs.rename(within("inputs"), kept(), { overwrite: true });
    await vscode.workspace.fs.copy(kept(), payloads());
    // Inputs stay with the version they were opened for, which is another registry's.
    for (const [name, slug] of [
      [valid, "csv-profile"] as const,
      [invalid, "text-stats"] as const,
    ]) {
      await vscode.window.showTextDocument(file(name));
      await vscode.commands.executeCommand("skillRegistry.bindPayload", slug);
    }
    await window.tidy();
    await vscode.commands.executeCommand("workbench.view.testing.focus");
  });

  after(async () => {
    const left = vscode.workspace.fs.delete(payloads(), { recursive: true });
    await left.then(undefined, () => undefined);
    await vscode.workspace.fs.rename(kept(), within("inputs"));
  });

  const within = (name: string) => vscode.Uri.joinPath(root, name);
  const payloads = () => within("payloads");
  const kept = () => vscode.Uri.joinPath(root, "..", "kept-inputs");
  const run = (command: string) => vscode.commands.executeCommand(command);
  const file = (name: string) => vscode.Uri.joinPath(payloads(), name);
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(file(name), Buffer.from(text));
  const rows = () => window.page.locator(".test-explorer .monaco-list-row");
  /** What is told of each row: "name (Passed)", "name (Failed) outdated", which only the icon shows. */
  const labels = () =>
    rows().evaluateAll((all) =>
      all.map((one) => {
        const isOutdated = one.querySelector(".retired") !== null;
        return `${one.getAttribute("aria-label")}${isOutdated ? " outdated" : ""}`;
      }),
    );

  /** Waits until all of `words` are told of an input. */
  const isTold = (name: string, ...words: string[]) =>
    eventually(`${name}: ${words}`, async () => {
      await expand();
      return (await told(name)).some((label) => words.every((word) => label.includes(word)));
    });
  const isGone = (name: string) =>
    eventually(`no ${name}`, async () => {
      await expand();
      return (await told(name)).length === 0;
    });
  const told = async (name: string) =>
    (await labels()).filter((label) => label.includes(name.replace(".skill-input.json", "")));

  async function expand(): Promise<void> {
    const closed = window.page.locator('.test-explorer .monaco-list-row[aria-expanded="false"]');
    // A row that is drawn anew or opens by itself meanwhile is found the next time.
    const options = { timeout: 2_000 };
    if ((await closed.count()) > 0)
      await closed.first().locator(".monaco-tl-twistie").click(options);
  }

  it("stand below their skills", async () => {
    await run("testing.refreshTests");
    await isTold(valid);
    await isTold(invalid);
  });

  it("are valid or not, without anything being invoked", async () => {
    await run("testing.runAll");
    await isTold(valid, "Passed");
    await isTold(invalid, "Failed");
    assert.deepEqual(
      server.requests.filter(({ method }) => method !== "GET"),
      [],
    );
  });

  it("tell what is wrong at its place", async () => {
    await vscode.window.showTextDocument(file(invalid));
    await run("testing.runAll");
    const message = window.editor.locator(".test-error-content-widget");
    await message.filter({ hasText: "50" }).waitFor();
    const line = window.editor.locator(".view-line", { hasText: "wordsPerMinute" });
    await eventually("the message on that line", async () => {
      const [shown, meant] = await Promise.all([message.boundingBox(), line.boundingBox()]);
      return shown && meant && Math.abs(shown.y - meant.y) < meant.height;
    });
  });

  it("are outdated when they change, and judged anew", async () => {
    await write(invalid, '{"wordsPerMinute": 60}');
    await isTold(invalid, "outdated");
    await run("testing.runAll");
    await eventually(`${invalid} passed and up to date`, async () => {
      await expand();
      const labels = (await told(invalid)).join();
      return labels.includes("Passed") && !labels.includes("outdated");
    });
    // A writing that is told of again after it was judged outdates nothing. What is told later comes later.
    await write(invalid, '{"wordsPerMinute": 60}');
    await write("csv-profile.later.skill-input.json", '{"csv": ""}');
    await isTold("csv-profile.later");
    assert.ok(!(await told(invalid)).join().includes("outdated"));
    await vscode.workspace.fs.delete(file("csv-profile.later.skill-input.json"));
    await isGone("csv-profile.later");
  });

  it("come and go with their files", async () => {
    await write("csv-profile.other.skill-input.json", '{"csv": 1}');
    await isTold("csv-profile.other");
    await vscode.workspace.fs.delete(file("csv-profile.other.skill-input.json"));
    await isGone("csv-profile.other");
  });

  it("come when they are opened, where no watcher saw them", async () => {
    const unseen = vscode.Uri.joinPath(root, "unwatched", "csv-profile.unseen.skill-input.json");
    await vscode.workspace.fs.writeFile(unseen, Buffer.from('{"csv": ""}'));
    await vscode.workspace.openTextDocument(unseen);
    await isTold("csv-profile.unseen");
    await vscode.workspace.fs.delete(unseen);
  });

  it("are not found under node_modules", async () => {
    const hidden = vscode.Uri.joinPath(root, "node_modules", "x", "csv-profile.skill-input.json");
    await vscode.workspace.fs.writeFile(hidden, Buffer.from("{}"));
    await write("csv-profile.seen.skill-input.json", '{"csv": ""}');
    await isTold("csv-profile.seen");
    assert.equal(await rows().filter({ hasText: "node_modules" }).count(), 0);
  });

  it("say that their skill is not known", async () => {
    await write("no-such-skill.skill-input.json", "{}");
    await isTold("no-such-skill.skill-input.json");
    await run("testing.runAll");
    await isTold("no-such-skill.skill-input.json", "Errored");
    await isTold(valid, "Passed");
    await vscode.workspace.fs.delete(file("no-such-skill.skill-input.json"));
    await isGone("no-such-skill");
  });

  it("follow what they are bound to", async () => {
    await vscode.window.showTextDocument(file(valid));
    await run("skillRegistry.unbindPayload");
    await isGone(valid);
    await vscode.commands.executeCommand("skillRegistry.bindPayload", "text-stats");
    await isTold(valid);
  });

  it("end at once when somebody cancels, whatever the registry does", async () => {
    await write("silent-skill.skill-input.json", "{}");
    await isTold("silent-skill.skill-input.json");
    const finished = run("testing.runAll");
    await eventually("the question", () =>
      server.requests.some(({ path }) => path.includes("silent-skill")),
    );
    await run("testing.cancelRun");
    await finished;
    await eventually("nothing is running", async () =>
      (await labels()).every((label) => !/Running|Queued/.test(label)),
    );
    await vscode.workspace.fs.delete(file("silent-skill.skill-input.json"));
  });

  it("are outdated with another registry, and say that it does not answer", async () => {
    const gone = await startSchemaRegistry({});
    await gone.close();
    await vscode.commands.executeCommand("skillRegistry.connect", gone.baseUrl);
    await isTold(invalid, "outdated");
    await run("testing.runAll");
    await isTold(invalid, "Errored");
    await vscode.commands.executeCommand("skillRegistry.connect", server.baseUrl);
  });

  it("are put there in slices, and those that are too many are told", async () => {
    const controller = vscode.tests.createTestController("manyInputs", "Many Inputs");
    const bindings = {
      find: ({ path }: vscode.Uri) => ({ slug: path.slice(1) }),
      isSettled: () => true,
    };
    const items = new PayloadTestItems(controller, bindings);
    const uris = Array.from({ length: 5000 }, (_, index) =>
      vscode.Uri.parse(`test:/skill-${index}`),
    );
    let turns = 0;
    const countTurns = () => {
      turns += 1;
      counting = setImmediate(countTurns);
    };
    let counting = setImmediate(countTurns);
    await items.replace(uris, true);
    clearImmediate(counting);
    assert.ok(turns >= 40, `the editor had ${turns} turns`);
    assert.equal(controller.items.size, uris.length + 1);
    const [last] = uris.slice(-1);
    assert.ok(last !== undefined && items.find(last)?.parent?.id === "skill-4999");
    const labels = [...controller.items].map(([, { label }]) => label);
    assert.ok(
      labels.some((label) => label.includes("5,000")),
      "the rest is told",
    );
    const ids = () => [...controller.items].map(([id]) => id);
    await items.replace(uris.slice(0, 1), false);
    assert.deepEqual(ids(), ["skill-0"]);

    const before = items.addresses;
    items.put(last);
    await items.replace([], false, before);
    assert.deepEqual(ids(), ["skill-4999"], "what came meanwhile stays");
    controller.dispose();
  });

  it("go with their folder", async () => {
    await vscode.workspace.fs.delete(payloads(), { recursive: true });
    await run("testing.runAll").then(undefined, () => undefined);
    await isGone(invalid);
  });
});
