import { strict as assert } from "node:assert";
import { after, afterEach, before, describe, it } from "mocha";
import type { JsonObject } from "../../../src/core/json/jsonValue";
import { testControllerId } from "../../../src/host/ids";
import type { RecordedRequest } from "../../fixtures/network/recordingServer";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { foreignSkills } from "../../fixtures/registries/foreignSkills";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import type { MemoryController } from "../vscode/testing";
import { cases, isInvocation, suite, suitesOf } from "./suiteFiles";

const inputOf = ({ body }: RecordedRequest) => JSON.stringify(JSON.parse(body).input);

describe("A suite in an editor", () => {
  const folder = useFolder({
    "words.skill-suite.json": suite("text-stats"),
    "other.skill-suite.json": suite("text-stats"),
  });
  const outside = useFolder({ "outside.skill-suite.json": suite("text-stats") });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("It has a button at each case before the Test Explorer was opened, and one for all in its title", async () => {
    const { controllers } = editor.parts;
    const tests = await editor.until("the entry", () => controllers.get(testControllerId));
    assert.equal(tests.items.size, 0);
    await editor.vscode.window.showTextDocument(folder.uri("words.skill-suite.json"));
    await tests.isTold("two words");
    assert.equal(tests.find("two words")?.range?.start.line, 5);
    assert.ok(editor.titleActions.includes("Run Suite…"));
  });

  it("The button in its title runs it even if another suite is active", async () => {
    await editor.vscode.window.showTextDocument(folder.uri("words.skill-suite.json"));
    await editor.vscode.window.showTextDocument(folder.uri("other.skill-suite.json"));
    const running = editor.run("runSuite", folder.uri("words.skill-suite.json"));
    await editor.pick("Run Suite: words");
    await editor.leave();
    await running;
  });

  it("A message asks to open its folder if it is in no open folder", async () => {
    await editor.vscode.window.showTextDocument(outside.uri("outside.skill-suite.json"));
    await editor.run("runSuite");
    await editor.notification("This suite is not in an open folder. Open its folder");
  });

  it("An earlier version of it, from Git, has no button in its title", async () => {
    const { window, workspace } = editor.vscode;
    const provider = {
      onDidChangeFile: () => ({ dispose: () => undefined }),
      readFile: () => Buffer.from(suite("text-stats")),
    };
    const git = workspace.registerFileSystemProvider("git", provider as never);
    const file = folder.uri("words.skill-suite.json");
    await window.showTextDocument(file.with({ scheme: "git", query: "HEAD" }));
    assert.ok(!editor.titleActions.includes("Run Suite…"));
    await window.showTextDocument(file);
    assert.ok(editor.titleActions.includes("Run Suite…"));
    git.dispose();
  });

  it("A suite that was never saved has no button in its title", async () => {
    const { window } = editor.vscode;
    const file = folder.uri("new.skill-suite.json");
    await window.showTextDocument(file.with({ scheme: "untitled" }));
    assert.ok(!editor.titleActions.includes("Run Suite…"));
  });
});

describe("A suite that is open when its window starts", () => {
  const folder = useFolder({ "words.skill-suite.json": suite("text-stats") });
  const editor = useEditor(() => ({
    folders: [folder.path],
    open: [folder.uri("words.skill-suite.json")],
  }));

  it("Its cases have their buttons though nothing was opened since", async () => {
    const { controllers } = editor.parts;
    const tests = await editor.until("the entry", () => controllers.get(testControllerId));
    await tests.isTold("two words");
  });
});

describe("A run of all tests before the Test Explorer was opened", () => {
  const one = (name: string) => suite("text-stats", [{ name, payload: {} }]);
  const folder = useFolder({
    "open.skill-suite.json": one("of the open suite"),
    "closed.skill-suite.json": one("of the closed suite"),
    "text-stats.saved.skill-input.json": '{"text": 1}',
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("It includes every file of the folder, though an open suite is listed already", async () => {
    const { controllers } = editor.parts;
    await editor.vscode.window.showTextDocument(folder.uri("open.skill-suite.json"));
    const tests = await editor.until("the entry", () => controllers.get(testControllerId));
    await tests.isTold("of the open suite");
    assert.equal(tests.find("of the closed suite"), undefined);
    const { results } = await tests.run("Check Offline");
    assert.deepEqual(results.map((line) => line.replace(/:.*/, "")).sort(), [
      "failed of the closed suite",
      "failed of the open suite",
      "failed text-stats.saved",
    ]);
  });
});

describe("The suites of a folder in the Test Explorer", () => {
  const folder = useFolder({ "words.skill-suite.json": suite("text-stats") });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("They are checked offline by default, and invoked by another profile after a question with the cost", async () => {
    const tests = await suitesOf(editor);
    assert.deepEqual(
      tests.profiles.map(({ label, isDefault }) => [label, isDefault]),
      [
        ["Check Offline", true],
        ["Test Run, Not Billed", false],
        ["Invoke Live", false],
      ],
    );
    const { results } = await tests.run("Check Offline");
    assert.deepEqual(results, [
      "skipped two words",
      "passed no text",
      "skipped three words",
      "failed wrong payload: The payload is not valid: Must be a string, not a number. (type)",
    ]);
    const three = tests.find("three words");
    assert.ok(three !== undefined);
    const running = tests.run("Invoke Live", three);
    const question = await editor.dialog("Run the cases by invoking their skills?");
    assert.match(question.text, /1 invocation, free\./);
    question.press("Invoke All");
    const { results: live, output } = await running;
    assert.deepEqual(live, ["failed three words: Expected 2 at /words; it is 3."]);
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.skillSlug, record?.status], ["text-stats", "success"]);
    assert.match(output, new RegExp(`text-stats: success, .* · ${record?.invocationId}`));
  });

  it("They appear below their skill, with its saved payloads, which are checked but never invoked", async () => {
    const tests = await suitesOf(editor);
    const { files } = editor.parts;
    const payload = folder.uri("text-stats.saved.skill-input.json");
    await files.write(payload, Buffer.from('{"text": "a"}'));
    const skill = tests.items.get("text-stats");
    assert.ok(skill !== undefined);
    assert.equal(tests.items.size, 1);
    assert.deepEqual(
      [...skill.children].map(([, { label, tags }]) => [label, tags.length]),
      [
        ["words", 1],
        ["text-stats.saved", 0],
      ],
    );
    assert.deepEqual(
      tests.profiles.map(({ tag }) => tag?.id),
      [undefined, "cases", "cases"],
    );
    const { results } = await tests.run("Check Offline", skill);
    assert.ok(results.includes("passed text-stats.saved"), results.join());
    assert.ok(results.includes("passed no text"), results.join());
    const running = tests.run("Invoke Live", skill);
    await editor.press("Run the cases by invoking their skills?", "Cancel");
    assert.doesNotMatch((await running).results.join(), /saved/);
    await files.remove(payload);
    await files.write(folder.uri("words.skill-suite.json"), Buffer.from(suite("json-diff")));
    await editor.until("its new skill", () => tests.find("words")?.parent?.id === "json-diff");
    assert.equal(tests.items.get("text-stats"), undefined);
    await files.write(folder.uri("words.skill-suite.json"), Buffer.from(suite("text-stats")));
    await editor.until("its skill", () => tests.find("words")?.parent?.id === "text-stats");
  });

  it("They can be run in the project after signing in, without changing the cases", async () => {
    const tests = await suitesOf(editor);
    const three = tests.find("three words");
    assert.ok(three !== undefined);
    const running = tests.run("Test Run, Not Billed", three);
    const question = await editor.dialog("Run the cases in the project?");
    assert.match(question.text, /1 test run, not billed\./);
    question.press("Run All");
    await editor.choose("developer@local.example");
    assert.deepEqual((await running).results, [
      "failed three words: Expected 2 at /words; it is 3.",
    ]);
    await editor.run("signOut");
  });

  it("A file that is no suite has an error, and has its cases once it is fixed", async () => {
    const tests = await suitesOf(editor);
    const { files } = editor.parts;
    const other = folder.uri("other.skill-suite.json");
    await files.write(other, Buffer.from("{"));
    await tests.isTold("other");
    assert.match(String(tests.find("other")?.error), /is missing at the end/);
    await files.write(other, Buffer.from(suite("text-stats", cases.slice(0, 1))));
    await editor.until("its case", () => tests.find("other")?.children.size === 1);
    assert.equal(tests.find("other")?.error, undefined);
    await files.remove(other);
    assert.equal(tests.find("other"), undefined);
  });
});

describe("Suites that are sent to a registry", () => {
  const inLatin1 = { name: "not UTF-8", payloadFile: "latin1.json" };
  const text = suite("word-tally", [...cases, inLatin1]);
  const two = ["asked for first", "asked for later"].map((name) => ({
    name,
    payload: { text: name },
  }));
  const folder = useFolder({
    "words.skill-suite.json": text,
    "latin1.json": Buffer.from('{"text":"Müller"}', "latin1"),
    "two.skill-suite.json": suite("word-tally", two),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const changing = foreignSkills[0]?.manifest as JsonObject;
  const outputSchema = changing["outputSchema"] ?? null;
  let registry: ForeignRegistry;
  let tests: MemoryController;
  /** How many requests came before the test. */
  let earlier = 0;

  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel", prices: true });
    await editor.connectTo(registry);
    const set = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await set;
    tests = await suitesOf(editor);
  });
  afterEach(() => {
    registry.restore();
    changing["outputSchema"] = outputSchema;
    earlier = registry.requests.length;
  });
  after(() => registry.close());

  const requests = () => registry.requests.slice(earlier);
  const sent = () => requests().filter(isInvocation).map(inputOf);
  const run = (label: string, ...labels: readonly string[]) =>
    tests.run(
      label,
      ...labels.map((one) => tests.find(one) ?? assert.fail(`There is no test ${one}.`)),
    );
  const agree = async (count: RegExp) => {
    const question = await editor.dialog("Run the cases by invoking their skills?");
    assert.match(question.text, count);
    question.press("Invoke All");
  };

  it("They send nothing without consent", async () => {
    const running = run("Invoke Live", "words");
    await editor.press("Run the cases by invoking their skills?", "Cancel");
    const all = [...cases, inLatin1].map(({ name }) => `skipped ${name}`);
    assert.deepEqual((await running).results, all);
    assert.deepEqual(sent(), []);
  });

  it("They report a different output at the expected value in the suite", async () => {
    const body = { invocationId: "1", status: "success", version: "2.1.0", output: { words: 2.5 } };
    registry.answer("/v1/runtime/invoke", { body });
    const running = run("Invoke Live", "words");
    await agree(/4 invocations/);
    await editor.press("Invoke word-tally@2.1.0?", "Invoke");
    const { messages, results } = await running;
    assert.deepEqual(sent(), ['{"text":"Good morning"}', '{"text":"a b c"}']);
    assert.equal(results[1], "passed no text");
    const lineOf = (part: string) => text.slice(0, text.lastIndexOf(part)).split("\n").length - 1;
    assert.deepEqual(
      messages
        .slice(1)
        .map(({ message: { message, expectedOutput, actualOutput, location } }) => [
          message,
          expectedOutput,
          actualOutput,
          location?.range.start.line,
        ]),
      [
        ["Expected 2 at /words; it is 2.5.", "2", "2.5", lineOf('"/words"')],
        [
          "The payload is not valid: Must be a string, not a number. (type)",
          undefined,
          undefined,
          lineOf('"payload"'),
        ],
        ["latin1.json could not be read.", undefined, undefined, lineOf('"payloadFile"')],
      ],
    );
  });

  it("They send nothing more to a skill that changed during a long run", async () => {
    registry.answer("/v1/runtime/invoke", ({ passOn }) => {
      changing["outputSchema"] = { type: "string" };
      editor.clock.sleep(5 * 60_000);
      return passOn();
    });
    const running = run("Invoke Live", "two");
    await agree(/2 invocations/);
    const { results } = await running;
    assert.equal(results[0], "passed asked for first");
    assert.match(
      results[1] ?? "",
      /^errored asked for later: .*it changed at the registry after it was agreed to/,
    );
    assert.equal(sent().length, 1);
  });
});
