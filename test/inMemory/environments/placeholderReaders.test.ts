import { strict as assert } from "node:assert";
import { beforeEach, describe, it } from "mocha";
import type * as vscode from "vscode";
import { openTestStore, startSame } from "../../fixtures/machineStore";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const environmentsFile = ".skill-registry/environments.json";
const fileOf = (staging: object) =>
  JSON.stringify({ format: 1, environments: { staging: { registry: "built-in", ...staging } } });

describe("A payload with placeholders, outside of its editor", () => {
  const canary = "canarys3cret9f27";
  const folder = useFolder({
    [environmentsFile]: fileOf({
      values: { greeting: "one two three", top: 3 },
      secrets: ["token"],
    }),
    "text-stats.skill-input.json": '{ "text": "{{greeting}} {{token}}" }',
    "plain.json": '{ "csv": "a,b", "samples": "{{top}}" }',
  });
  const editor = useEditor(() => ({
    folders: [folder.path],
    showsRealTime: true,
    settings: { "skillRegistry.history.keepTexts": "always" },
  }));
  const payload = () => folder.uri("text-stats.skill-input.json");

  async function show(): Promise<string> {
    await editor.vscode.window.showTextDocument(payload());
    return editor.checked();
  }
  beforeEach(async () => {
    if ((await show()).endsWith("valid")) return;
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await connecting;
    const setting = editor.run("skillRegistry.editor.setSecret", payload(), "token");
    await editor.answer(canary);
    await setting;
    assert.match(await editor.checked(), /: valid$/);
  });

  for (const format of ["cURL", "cURL (PowerShell)", "cURL (cmd)", "fetch", "Python"]) {
    it(`is copied as ${format} with its values, but only the names of its secrets`, async () => {
      const copied = editor.run("copyAs");
      await editor.choose(format);
      await copied;
      const { clipboard } = editor.parts.machine;
      assert.match(clipboard, /one two three/);
      assert.match(clipboard, /\{\{token\}\}/);
      assert.ok(!clipboard.includes("s3cret"), clipboard);
      await editor.status(/Also replace \{\{token\}\} in the copied text/);
    });
  }

  it("is linked with its values, but only the names of its secrets", async () => {
    await editor.chooseAction("Copy Link");
    const { clipboard } = editor.parts.machine;
    const link = decodeURIComponent(clipboard);
    assert.match(link, /one two three \{\{token\}\}/);
    assert.ok(!link.includes("s3cret"), link);
  });

  it("finds the skills that accept its values", async () => {
    await editor.vscode.window.showTextDocument(folder.uri("plain.json"));
    const finding = editor.run("findSkillForJson");
    const pick = await editor.pick("CSV");
    assert.match(pick.placeholder ?? "", /^1 of /);
    pick.hide();
    await finding;
  });

  it("is repeated with new values only after a question that announces them", async () => {
    await editor.run("invoke");
    const [first] = await recordsOf(editor);
    assert.equal(first?.environment, "staging");
    const same = editor.run("rerunInvocation", { id: first?.id });
    await same;
    assert.equal((await recordsOf(editor)).length, 2);
    const changed = fileOf({ values: { greeting: "four", top: 3 }, secrets: ["token"] });
    await folder.write(environmentsFile, changed);
    const again = editor.run("rerunInvocation", { id: first?.id });
    await editor.press("The values of this payload have changed since", "Cancel");
    await again;
    assert.equal((await recordsOf(editor)).length, 2);
  });

  it("is sent with the changed values if the button of an older notice sends it again", async () => {
    const { storage } = editor.parts.machine;
    const { store, close } = openTestStore(storage);
    const inputText = `{ "text": "four ${canary}" }`;
    const same = { registry: "built-in", skillSlug: "text-stats", version: "1.0.0", inputText };
    await startSame(store, same, 3_600_000);
    await editor.run("invoke");
    const notice = await editor.notification(/is already being invoked with this payload/);
    const changed = fileOf({ values: { greeting: "five six seven", top: 3 }, secrets: ["token"] });
    await folder.write(environmentsFile, changed);
    const before = editor.output;
    notice.press("Invoke Again");
    await editor.until("the result", () => editor.output.length > before.length);
    assert.match(editor.output.slice(before.length), /"words": 4,/);
    await close();
  });

  it("is not copied if another registry is chosen while a question is open", async () => {
    await editor.newPayload(
      "text-stats",
      '{"text":"Bearer sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c"}',
    );
    const { clipboard } = editor.parts.machine;
    const copying = editor.run("copyAsCurl");
    const dialog = await editor.dialog(/appears to contain an API key/);
    await editor.connectTo({ baseUrl: "http://127.0.0.1:9" });
    dialog.press("Copy This Once");
    await copying;
    await editor.notification("Not copied: another registry was chosen meanwhile.");
    assert.equal(editor.parts.machine.clipboard, clipboard);
  });

  it("is not repeated if another registry is chosen while a question is open", async () => {
    const before = await recordsOf(editor);
    const again = editor.run("rerunInvocation", { id: before.at(-1)?.id });
    const dialog = await editor.dialog("The values of this payload have changed since");
    await editor.connectTo({ baseUrl: "http://127.0.0.1:9" });
    dialog.press("Invoke");
    (await editor.notification(/This invocation went to another registry/)).close();
    await again;
    assert.equal((await recordsOf(editor)).length, before.length);
  });

  it("is sent as plain text if an agent invokes with it", async () => {
    const call = async (tool: string, input: object) => {
      const options = {
        input,
        toolInvocationToken: {} as vscode.ChatParticipantToolToken,
      } as vscode.LanguageModelToolInvocationOptions<object>;
      const { content } = await editor.vscode.lm.invokeTool(`skill-registry_${tool}`, options);
      return JSON.parse((content[0] as vscode.LanguageModelTextPart).value);
    };
    const allowed = editor.run("allowAgents", "text-stats");
    await editor.press(/^Allow agents to invoke /, "Without Asking, within Limits");
    await allowed;
    const { contractHash } = await call("inspect_skill", { skill: "text-stats" });
    const input = { text: "{{greeting}}{{token}}" };
    const answer = await call("invoke_skill", { skill: "text-stats", contractHash, input });
    assert.equal(answer.status, "success", JSON.stringify(answer));
    assert.equal(answer.output.characters, input.text.length, JSON.stringify(answer));
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.caller.kind, record?.environment], ["chat", undefined]);
  });
});

describe("Two folders that declare the same names", () => {
  const canaries = { one: "firstS3cret11", other: "otherS3cret22" };
  const filesOf = (greeting: string) => ({
    [environmentsFile]: fileOf({ values: { greeting }, secrets: ["token"] }),
    "text-stats.skill-input.json": '{ "text": "{{greeting}} {{token}}" }',
  });
  const one = useFolder(filesOf("from one"));
  const other = useFolder(filesOf("from the other"));
  const editor = useEditor(() => ({ folders: [one.path, other.path] }));

  async function sent(folder: typeof one): Promise<string | undefined> {
    const payload = folder.uri("text-stats.skill-input.json");
    await editor.vscode.window.showTextDocument(payload);
    await editor.checked();
    await editor.run("skillRegistry.editor.showSent", payload);
    const isOfPayload = ({ uri }: { readonly uri: vscode.Uri }) =>
      uri.scheme === "skill-sent" && decodeURIComponent(uri.query).includes(folder.path);
    return editor.parts.documents.open.find(isOfPayload)?.getText();
  }

  it("They each have their own values and secrets", async () => {
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await connecting;
    const payload = one.uri("text-stats.skill-input.json");
    await editor.vscode.window.showTextDocument(payload);
    await editor.checked();
    const setting = editor.run("skillRegistry.editor.setSecret", payload, "token");
    await editor.answer(canaries.one);
    await setting;
    assert.equal(await sent(one), '{ "text": "from one ••••" }');
    assert.match((await sent(other)) ?? "", /The secret token has no value in staging/);
  });
});

describe("A payload outside of the folders that declare names", () => {
  const folder = useFolder({ [environmentsFile]: fileOf({ values: { greeting: "Hi" } }) });
  const elsewhere = useFolder({ "text-stats.skill-input.json": '{ "text": "{{greeting}}" }' });
  const editor = useEditor(() => ({ folders: [folder.path, elsewhere.path] }));

  it("It is plain text: nothing is replaced, and it is valid", async () => {
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await connecting;
    const payload = elsewhere.uri("text-stats.skill-input.json");
    await editor.vscode.window.showTextDocument(payload);
    assert.match(await editor.checked(), /: valid$/);
    await editor.run("invoke");
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.status, record?.environment], ["success", undefined]);
  });
});
