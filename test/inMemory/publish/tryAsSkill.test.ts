import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const manifestOf = (entrypoint: string, changes: object = {}) =>
  JSON.stringify({
    schemaVersion: "0.1",
    name: "word-count",
    displayName: "Word count",
    version: "1.0.0",
    description: "Counts the words of a text, for agents that write to a limit.",
    tags: ["text"],
    runtime: { type: "http", entrypoint },
    permissions: { network: false, browser: false, filesystem: "none", secrets: [] },
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    outputSchema: { type: "object", properties: { words: { type: "integer" } } },
    examples: [{ input: { text: "two words" } }, { input: { text: 2 } }],
    ...changes,
  });

const open = async (editor: ReturnType<typeof useEditor>, file: ReturnType<typeof useFolder>) => {
  await editor.vscode.window.showTextDocument(file.uri("skillhub.json"));
  await editor.run("tryAsSkill");
  const page = await editor.page("Word count");
  await editor.until("the page", () => page.shown?.kind === "ready");
  const trial = (name: "form" | number) =>
    page.shown?.kind === "ready" ? page.shown.trials[name] : undefined;
  return {
    page,
    trial,
    ended: (name: "form" | number, word: string, message = /^/) =>
      editor.until(`${word} ${message}`, () => {
        const shown = trial(name);
        return shown?.word === word && message.test(shown.message) && shown;
      }),
  };
};

describe("A manifest whose code is on this machine", () => {
  const folder = useFolder({});
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let code: TestRegistry;

  before(async () => {
    code = await startTestRegistry({ "/words": { body: { words: 2 } } });
    await folder.write("skillhub.json", manifestOf(`${code.baseUrl}/words`));
  });
  after(() => code.close());

  it("is invoked from its page with its example, and the output appears, recorded as a trial", async () => {
    const { page, ended } = await open(editor, folder);
    await page.shows(`“Invoke” sends the payload to ${code.baseUrl}/words on this machine`);
    page.send({ type: "readForm" });
    page.send({ type: "invokeForm" });
    const trial = await ended("form", "Trial of a manifest, success");
    assert.deepEqual([trial.output?.text, trial.message], ['{\n  "words": 2\n}', ""]);
    assert.equal(trial.isUnrecorded, true);
    const [request, ...others] = code.requests;
    assert.deepEqual([request?.method, request?.path, others], ["POST", "/words", []]);
    assert.deepEqual(JSON.parse(request?.body ?? ""), { input: { text: "two words" } });
    assert.equal(request?.headers["authorization"], undefined);
    assert.deepEqual(await recordsOf(editor), []);
    const view = await editor.view("invocations");
    const group = await editor.row("invocations", /^Trials on This Machine 1$/);
    assert.equal(group.item.contextValue, "trials");
    await editor.run("filterInvocations", { kind: "testRun" });
    await editor.until("no trial", () => view.row(/^Trials/) === undefined);
    await editor.run("clearInvocationFilter");
    page.send({ type: "openResult", trial: "form", what: "output" });
    const shown = await editor.until("the output", () => {
      const document = editor.parts.tabs.activeEditor?.document;
      return document?.uri.scheme === "skill-output" && document;
    });
    assert.deepEqual(JSON.parse(shown.getText()), { words: 2 });
  });

  it("gets no payload that its schema rejects", async () => {
    const { page, ended } = await open(editor, folder);
    const before = code.requests.length;
    page.send({ type: "invokeExample", example: 1 });
    await ended(1, "Not sent", /has a problem/);
    assert.equal(code.requests.length, before);
  });

  it("is told when its output does not fit its schema", async () => {
    code.answer("/words", { body: { words: "two" } });
    const { page, ended } = await open(editor, folder);
    page.send({ type: "invokeExample", example: 0 });
    const fault = /output of word-count does not match the output schema/;
    assert.match(
      (await ended(0, "Trial of a manifest, success", fault)).output?.text ?? "",
      /"two"/,
    );
  });

  it("can be canceled while it runs", async () => {
    const asked = new Promise<void>((resolve) => {
      code.answer("/words", () => {
        resolve();
        return "never";
      });
    });
    const { page, ended } = await open(editor, folder);
    page.send({ type: "invokeExample", example: 0 });
    await asked;
    page.send({ type: "cancelTrial", trial: 0 });
    await ended(0, "Trial of a manifest, outcome unknown", /may have run/);
  });

  it("has its trials deleted apart from invocations", async () => {
    const view = await editor.view("invocations");
    const deleting = editor.run("deleteInvocation");
    await editor.choose(/^Trials on This Machine/);
    await editor.press(/^Delete \d+ trials\?/, "Delete");
    await deleting;
    await editor.until("no trial", () => view.row(/^Trials/) === undefined);
  });

  it("is told that nothing answers, and what to do", async () => {
    await code.close();
    const { page, ended } = await open(editor, folder);
    page.send({ type: "invokeExample", example: 0 });
    const { message } = await ended(0, "Trial of a manifest, not sent", /./);
    assert.equal(message, `Nothing answers at ${code.baseUrl}. Start your skill, then try again.`);
  });
});

describe("A manifest in an untrusted folder", () => {
  const folder = useFolder({});
  const editor = useEditor(() => ({ folders: [folder.path], isTrusted: false }));
  let code: TestRegistry;

  before(async () => {
    code = await startTestRegistry({ "/words": { body: { words: 2 } } });
    await folder.write("skillhub.json", manifestOf(`${code.baseUrl}/words`));
  });
  after(() => code.close());

  it("sends nothing to this machine until the folder is trusted", async () => {
    const { page } = await open(editor, folder);
    await page.shows("Nothing can be invoked on this page.");
    page.send({ type: "invokeExample", example: 0 });
    await editor.notification(/which cannot be invoked/);
    assert.deepEqual(code.requests, []);
    editor.parts.isTrusted = true;
    editor.parts.trusted.fire();
    await page.shows(/“Invoke” sends the payload/);
  });
});
