import { strict as assert } from "node:assert";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "mocha";
import type { FormEdit } from "../../../src/core/form/formField";
import type { FormPart } from "../../../src/protocol/pageMessages";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

describe("The form on the page of a skill", () => {
  const editor = useEditor();
  const open = async (slug: string, title: string) => {
    await editor.run("openSkill", slug);
    return shownForm(title);
  };
  const untitled = () =>
    editor.until("the payload", () => {
      const shown = editor.parts.tabs.activeEditor?.document;
      return shown?.uri.scheme === "untitled" && shown.getText() !== "" && shown;
    });
  const shownForm = async (title: string | RegExp) => {
    const page = await editor.page(title);
    await editor.until("the skill", () => page.shown?.kind === "ready");
    const part = () =>
      (page.panel.messages as { type: string }[]).findLast(({ type }) => type === "form") as
        | FormPart
        | undefined;
    const trial = () => (page.shown?.kind === "ready" ? page.shown.trials.form : undefined);
    const checked = (revision: number) =>
      editor.until("the form", () => {
        const shown = part();
        return shown?.revision === revision && shown.problems !== undefined && shown;
      });
    let revision = 0;
    const edit = (edit: FormEdit) => {
      revision += 1;
      page.send({ type: "editForm", edit, revision });
      return checked(revision);
    };
    page.send({ type: "readForm" });
    await checked(0);
    return { page, edit, trial, part };
  };

  it("invokes its payload, and the result appears below it", async () => {
    const { page, edit, trial, part } = await open("text-stats", "Text statistics");
    const written = { what: "write", pointer: "/text", text: "One two three." } as const;
    assert.deepEqual((await edit(written)).problems?.all, []);
    page.send({ type: "invokeForm" });
    const ended = await editor.until("its end", () => trial()?.kind === "ended" && trial());
    assert.match(ended.output?.text ?? "", /"words": 3/);
    assert.equal(trial()?.payload, part()?.payload);
    await edit({ ...written, text: "Four." });
    assert.notEqual(trial()?.payload, part()?.payload);
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.skillSlug, record?.caller?.kind], ["text-stats", "person"]);
  });

  it("shows the texts of an output separately, and saves one as a file", async () => {
    const { page, trial } = await open("sql-format", "Format SQL");
    page.send({ type: "invokeForm" });
    const { parts } = await editor.until("its end", () => trial()?.kind === "ended" && trial());
    assert.deepEqual([parts[0]?.name, parts[0]?.image], ["sql", undefined]);
    page.send({ type: "saveTrialPart", trial: "form", part: 0 });
    const folder = await mkdtemp(join(tmpdir(), "skill-page-"));
    const target = join(folder, "a.sql");
    await editor.chooseFile(target);
    await editor.status(/Saved as a\.sql/);
    assert.equal(await readFile(target, "utf8"), parts[0]?.text?.text);
    await rm(folder, { recursive: true });
  });

  it("shows a problem at its field as an editor would, and sends nothing invalid", async () => {
    const { page, edit, trial } = await open("burst-limited", "Short codes, three a minute");
    const before = (await recordsOf(editor)).length;
    const { problems } = await edit({ what: "write", pointer: "/length", text: "99" });
    assert.deepEqual(
      problems?.all.map(({ pointer }) => pointer),
      ["/length"],
    );
    page.send({ type: "invokeForm" });
    await editor.until("why not", () => trial()?.kind === "notSent");
    assert.equal((await recordsOf(editor)).length, before);
  });

  it("invokes nothing while a field contains a value that is not in the payload", async () => {
    const { page, edit, trial, part } = await open("json-diff", "JSON diff");
    const { problems } = await edit({ what: "write", pointer: "/before", text: "{ no" });
    assert.equal(problems?.all[0]?.pointer, "/before");
    page.send({ type: "invokeForm" });
    await editor.until("the field", () => part()?.focus === "/before");
    await edit({ what: "write", pointer: "/before", text: "{}" });
    assert.equal(trial(), undefined);
  });

  it("opens exactly its payload as JSON", async () => {
    const { page, edit } = await open("status-notice", "Status notice");
    await edit({ what: "write", pointer: "/service", text: "Billing" });
    page.send({ type: "openForm" });
    const document = await untitled();
    assert.equal(JSON.parse(document.getText()).service, "Billing");
  });

  it("opens from the button of a row in the list", async () => {
    await editor.runOnRow("skills", "JSON diff", "Try Skill");
    const page = await editor.page("JSON diff");
    await editor.until("the form", () =>
      (page.panel.messages as { type: string }[]).some(({ type }) => type === "tryIt"),
    );
  });

  it("edits a payload for the version that it is bound to, not for the version of the open page", async () => {
    const link = 'skill/csv-profile@1.0.0?payload={"text":"a,b"}';
    const uri = editor.vscode.Uri.parse(`vscode://skill-registry.skill-registry/${link}`);
    await editor.parts.uriHandler?.handleUri(uri);
    const { document } = editor;
    await editor.run("openSkill", "csv-profile@2.0.0");
    await editor.page("CSV profile");
    await editor.run("editAsForm", document.uri);
    const { part } = await shownForm("CSV profile@1.0.0");
    await editor.until("its payload", () => JSON.stringify(part()?.form).includes("a,b"));
  });

  it("refuses a payload with a comment, which a form would lose", async () => {
    await editor.newPayload("text-stats", '{ // mine\n "text": "a" }');
    await editor.run("editAsForm");
    await editor.notification("This payload is not valid JSON.");
    assert.equal(editor.parts.tabs.panels.length, 0);
  });
});
