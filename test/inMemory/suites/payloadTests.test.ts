import { strict as assert } from "node:assert";
import { rm } from "node:fs/promises";
import { after, before, beforeEach, describe, it } from "mocha";
import { payloadFilePattern, testControllerId } from "../../../src/host/ids";
import type { RecordingServer } from "../../fixtures/network/recordingServer";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import type { MemoryController } from "../vscode/testing";

const schemas = {
  "csv-profile": { required: ["csv"], properties: { csv: { type: "string" } } },
  "text-stats.short": {},
  "text-stats": { properties: { wordsPerMinute: { type: "integer", minimum: 50 } } },
};
const file = (name: string) => `inputs/${name}.skill-input.json`;
const valid = "csv-profile.orders";
const invalid = "text-stats.slow-reader";
const invalidText = '{\n  "wordsPerMinute": 5\n}\n';

describe("The saved payloads of a folder in the Test Explorer", () => {
  const folder = useFolder();
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let registry: RecordingServer;
  let tests: MemoryController;

  before(async () => {
    registry = await startSchemaRegistry(schemas, ["silent-skill"]);
    await editor.connectTo(registry);
  });
  beforeEach(async () => {
    await write(valid, '{"csv": "order,total"}');
    await write(invalid, invalidText);
    const { controllers } = editor.parts;
    tests = await editor.until("the entry", () => controllers.get(testControllerId));
    await tests.open();
  });
  after(() => registry.close());

  const write = (name: string, text: string) =>
    editor.parts.files.write(folder.uri(file(name)), Buffer.from(text));
  const remove = (name: string) => editor.parts.files.remove(folder.uri(file(name)));
  const show = (name: string) => editor.vscode.window.showTextDocument(folder.uri(file(name)));
  const check = () => tests.run("Check Offline");

  it("They appear below their skills", () => {
    assert.equal(tests.text, `csv-profile\n  ${valid}\ntext-stats\n  ${invalid}`);
  });

  it("They pass if they are valid, fail at the place of a problem, and are not invoked", async () => {
    const { results, messages, output } = await check();
    assert.deepEqual(results, [`passed ${valid}`, `failed ${invalid}: Must be 50 or more.`]);
    const { uri, range } = messages[0]?.message.location ?? {};
    assert.equal(uri?.path, folder.uri(file(invalid)).path);
    assert.equal((await editor.parts.documents.get(uri)).getText(range), "5");
    assert.match(output, /^inputs\/csv-profile\.orders\S+ {2}csv-profile@1\.0\.0 {2}valid\r$/m);
    assert.deepEqual(
      registry.requests.filter(({ method }) => method !== "GET"),
      [],
    );
  });

  it("They are outdated when they change, but not by a late event of the same change", async () => {
    await check();
    assert.equal(tests.stateOf(invalid), "failed");
    await write(invalid, '{"wordsPerMinute": 60}');
    await tests.isTold(invalid, "failed, outdated");
    await check();
    assert.equal(tests.stateOf(invalid), "passed");
    editor.parts.files.announce(folder.uri(file(invalid)), "changed");
    await write(valid, "{}");
    await tests.isTold(valid, "passed, outdated");
    assert.equal(tests.stateOf(invalid), "passed");
  });

  it("They are checked whenever their files change, as long as continuous run is on", async () => {
    const stop = await tests.follow("Check Offline");
    await write(invalid, '{"wordsPerMinute": 70}');
    await tests.isTold(invalid, "passed");
    await write(invalid, invalidText);
    await tests.isTold(invalid, "failed");
    stop();
    await write(invalid, '{"wordsPerMinute": 80}');
    await tests.isTold(invalid, "failed, outdated");
  });

  it("They appear and disappear with their files", async () => {
    await write("csv-profile.other", '{"csv": 1}');
    assert.equal(tests.find("csv-profile.other")?.parent?.id, "csv-profile");
    await remove("csv-profile.other");
    assert.equal(tests.find("csv-profile.other"), undefined);
  });

  it("They appear when they are opened, even if no watcher saw them", async () => {
    await folder.write(file("csv-profile.unseen"), '{"csv": ""}');
    assert.equal(tests.find("csv-profile.unseen"), undefined);
    await editor.parts.documents.get(folder.uri(file("csv-profile.unseen")));
    await tests.isTold("csv-profile.unseen");
    await remove("csv-profile.unseen");
  });

  it("They are not found under node_modules, neither by a search nor when they are written", async () => {
    const hidden = folder.uri("node_modules/x/csv-profile.hidden.skill-input.json");
    await editor.parts.files.write(hidden, Buffer.from("{}"));
    assert.doesNotMatch(tests.text, /hidden/);
    await tests.open();
    assert.doesNotMatch(tests.text, /hidden/);
    await editor.parts.files.remove(hidden);
  });

  it("They say that their skill is unknown", async () => {
    await write("no-such-skill", "{}");
    const { results } = await check();
    assert.ok(results.includes("errored no-such-skill: Nothing here."), results.join());
    assert.equal(tests.stateOf(valid), "passed");
    await remove("no-such-skill");
    assert.doesNotMatch(tests.text, /no-such-skill/);
  });

  it("They follow their binding", async () => {
    await show(valid);
    await editor.run("unbindPayload");
    assert.equal(tests.find(valid), undefined);
    await editor.run("bindPayload", "text-stats");
    assert.equal(tests.find(valid)?.parent?.id, "text-stats");
    await editor.run("bindPayload", "csv-profile");
    assert.equal(tests.find(valid)?.parent?.id, "csv-profile");
  });

  it("Their run ends at once when somebody stops it, whatever the registry does", async () => {
    await write("silent-skill", "{}");
    const silent = tests.find("silent-skill");
    assert.ok(silent !== undefined);
    const running = tests.run("Check Offline", silent);
    await registry.heard(({ path }) => path.includes("silent-skill"));
    tests.stop();
    assert.deepEqual((await running).results, ["skipped silent-skill"]);
    await remove("silent-skill");
  });

  it("They are outdated with another registry, and say that it does not respond", async () => {
    await check();
    const gone = await startSchemaRegistry({});
    await gone.close();
    await editor.connectTo(gone);
    assert.equal(tests.stateOf(invalid), "failed, outdated");
    const said = "No server is listening at the registry's address (ECONNREFUSED).";
    assert.deepEqual(
      (await check()).results.toSorted(),
      [valid, invalid].map((name) => `errored ${name}: ${said}`),
    );
    await editor.connectTo(registry);
  });

  it("They move below the skill with the longest name that fits the file once they are open", async () => {
    await write("text-stats.short.2", "{}");
    assert.equal(tests.find("text-stats.short.2")?.parent?.id, "text-stats");
    await show("text-stats.short.2");
    await editor.checked();
    assert.equal(tests.find("text-stats.short.2")?.parent?.id, "text-stats.short");
  });

  it("They disappear with their folder, even without events for its files", async () => {
    await rm(folder.uri("inputs").fsPath, { recursive: true });
    await check();
    assert.equal(tests.text, "");
  });
});

describe("A folder with more payloads than the Test Explorer lists", () => {
  const folder = useFolder();
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("They are added in slices, and those beyond the limit are counted; a file created meanwhile stays", async () => {
    const uris = Array.from({ length: 5001 }, (_, at) =>
      folder.uri(`skill-${at}.skill-input.json`),
    );
    const late = folder.uri("late.skill-input.json");
    const find = (found: typeof uris) => {
      editor.parts.files.find = async (pattern) => (pattern === payloadFilePattern ? found : []);
    };
    find(uris);
    editor.parts.files.announce(late, "created");
    const { controllers } = editor.parts;
    const tests = await editor.until("the entry", () => controllers.get(testControllerId));
    let turns = 0;
    let isTold = false;
    const countTurns = () => {
      if (tests.items.size > 0) turns += 1;
      if (tests.items.size > 1000 && !isTold) {
        isTold = true;
        editor.parts.files.announce(late, "created");
      }
      counting = setImmediate(countTurns);
    };
    let counting = setImmediate(countTurns);
    await tests.open();
    clearImmediate(counting);
    assert.ok(turns >= 40, `the editor had ${turns} turns`);
    assert.equal(tests.items.size, 5000 + 2);
    assert.ok(tests.find("Only the first 5,000 payload files are listed.") !== undefined);
    assert.equal(tests.items.get("late")?.children.size, 1);
    // A file beyond the limit is written.
    for (const uri of uris.slice(-1)) editor.parts.files.announce(uri, "changed");
    assert.equal(tests.items.size, 5000 + 2);

    find(uris.slice(0, 1));
    await tests.open();
    assert.equal(tests.text, "skill-0\n  skill-0");

    const { files } = editor.parts;
    files.find = async (pattern) => {
      files.announce(late, "created");
      return pattern === payloadFilePattern ? uris.slice(0, 1) : [];
    };
    await tests.open();
    assert.equal(tests.text, "skill-0\n  skill-0\nlate\n  late");
  });
});
