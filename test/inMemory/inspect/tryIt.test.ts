import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import type { FormEdit } from "../../../src/core/form/formField";
import type { FormPart } from "../../../src/protocol/pageMessages";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

describe("The form on the page of a skill", () => {
  const editor = useEditor();
  const open = async (slug: string, title: string) => {
    await editor.run("openSkill", slug);
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

  it("invokes the payload that it holds, and the result stands below it", async () => {
    const { page, edit, trial } = await open("text-stats", "Text statistics");
    const written = { what: "write", pointer: "/text", text: "One two three." } as const;
    assert.deepEqual((await edit(written)).problems?.all, []);
    page.send({ type: "invokeForm" });
    const ended = await editor.until("its end", () => trial()?.kind === "ended" && trial());
    assert.match(ended.output?.text ?? "", /"words": 3/);
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.skillSlug, record?.caller?.kind], ["text-stats", "person"]);
  });

  it("shows a problem at its field by the check of an editor, and sends nothing that is invalid", async () => {
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

  it("invokes nothing while what a field shows is not in the payload", async () => {
    const { page, edit, trial } = await open("json-diff", "JSON diff");
    const { problems } = await edit({ what: "write", pointer: "/before", text: "{ no" });
    assert.equal(problems?.all[0]?.pointer, "/before");
    page.send({ type: "invokeForm" });
    await edit({ what: "write", pointer: "/before", text: "{}" });
    assert.equal(trial(), undefined);
  });

  it("opens as JSON exactly what it holds", async () => {
    const { page, edit } = await open("status-notice", "Status notice");
    await edit({ what: "write", pointer: "/service", text: "Billing" });
    page.send({ type: "openForm" });
    const document = await editor.until("the payload", () => {
      const shown = editor.parts.tabs.activeEditor?.document;
      return shown?.uri.scheme === "untitled" && shown.getText() !== "" && shown;
    });
    assert.equal(JSON.parse(document.getText()).service, "Billing");
  });
});
