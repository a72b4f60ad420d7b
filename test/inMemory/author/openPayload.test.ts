import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("Open Payload with saved payloads in the folder", () => {
  const file = (name: string) => `inputs/${name}.skill-input.json`;
  const folder = useFolder({
    [file("csv-profile.orders")]: '{ "csv": "a,b" }',
    [file("text-stats.first")]: '{ "text": "First." }',
    [file("text-stats.second")]: '{ "text": "Second." }',
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const name = () => editor.document.uri.path.split("/").at(-1);

  it("The only saved payload of a skill is opened, or a new one if there is none", async () => {
    await editor.run("openPayload", "csv-profile");
    assert.equal(name(), "csv-profile.orders.skill-input.json");
    await editor.run("openPayload", "json-diff");
    assert.equal(editor.document.isUntitled, true);
  });

  it("Several saved payloads of a skill are offered, the last invoked first, and a new one", async () => {
    await editor.vscode.window.showTextDocument(folder.uri(file("text-stats.second")));
    await editor.checked();
    const invoked = editor.run("invoke");
    await editor.press("Send this payload to text-stats?", "Invoke text-stats");
    await invoked;
    await editor.tidy();
    const opening = editor.run("openPayload", "text-stats");
    const pick = await editor.pick("text-stats.second");
    assert.match(pick.text, /text-stats\.second[\s\S]*text-stats\.first[\s\S]*New Payload/);
    pick.choose(/text-stats\.first/);
    pick.accept();
    await opening;
    assert.equal(name(), "text-stats.first.skill-input.json");
    const again = editor.run("openPayload", "text-stats");
    await editor.choose("New Payload");
    await again;
    assert.equal(editor.document.isUntitled, true);
  });

  it("On a page of another version, the payload is of that version, and others are only offered", async () => {
    const openOnPage = async (version: string) => {
      await editor.run("openSkill", `csv-profile@${version}`);
      const page = await editor.page(/^CSV profile/);
      const isShown = () => page.shown?.kind === "ready" && page.shown.skill.version === version;
      await editor.until(version, isShown);
      page.send({ type: "openPayload" });
    };
    const active = () => editor.vscode.window.activeTextEditor?.document;
    await openOnPage("1.1.0");
    const pick = await editor.pick("New Payload");
    assert.match(pick.text, /New Payload[\s\S]*csv-profile\.orders[\s\S]*csv-profile@2\.0\.0/);
    await editor.choose("New Payload");
    await editor.until("a new payload", () => active()?.isUntitled);
    assert.match(await editor.checked(), /^csv-profile@1\.1\.0/);
    const { uri } = editor.document;
    await openOnPage("2.0.0");
    await editor.until("the saved payload", () =>
      active()?.uri.path.endsWith("/csv-profile.orders.skill-input.json"),
    );
    await openOnPage("1.1.0");
    await editor.until("the new payload", () => `${active()?.uri}` === `${uri}`);
    assert.equal(editor.parts.quickInputs.current, undefined);
  });

  it("Save proposes the folder of the last saved payload", async () => {
    const draft = await editor.newPayload("json-diff");
    assert.equal(draft.uri.path, folder.uri("json-diff.skill-input.json").path);
    await editor.parts.documents.saveAs(draft, folder.uri("inputs/json-diff.skill-input.json"));
    await editor.tidy();
    const next = await editor.newPayload("slow-report");
    assert.equal(next.uri.path, folder.uri("inputs/slow-report.skill-input.json").path);
  });
});
