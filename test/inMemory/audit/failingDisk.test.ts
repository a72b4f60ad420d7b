import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { eventually } from "../../editor/eventually";
import { mountSmallDisk, type SmallDisk } from "../../fixtures/smallDisk";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";

describe("The record on a disk that fails", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "always" } });
  let disk: SmallDisk | undefined;
  let words = 0;

  before(async function () {
    await invoke();
    disk = mountSmallDisk(this, editor.parts.machine.storage, "1m");
  });
  after(() => disk?.unmount());

  const warning = /Invocations cannot be recorded/;
  const isWarned = () => editor.parts.notices.some(({ text }) => warning.test(text));

  /** Invokes, and waits for the block with the ID and the output in the output channel. */
  async function invoke(): Promise<void> {
    words += 1;
    await editor.newPayload("text-stats", JSON.stringify({ text: "word ".repeat(words) }));
    await editor.run("invoke");
    const block = editor.output.split(/^(?=── )/m).at(-1) ?? "";
    assert.match(block, /^── .* {2}text-stats@1\.0\.0 {2}success {2}/);
    assert.match(block, /^Invocation ID: [0-9a-f-]{36}$/m);
    assert.ok(block.includes(`"words": ${words},`), block);
  }

  /** Waits until the view lists so many invocations. */
  async function isListed(count: number): Promise<void> {
    const view = await editor.view("invocations");
    const rows = () => view.rows.filter(({ label }) => label.startsWith("text-stats@"));
    await editor.until(`${count} rows`, () => rows().length === count);
  }

  it("A full disk is reported once; invocations still work and stay listed, and a change is refused with an explanation", async () => {
    await invoke();
    assert.equal((await recordsOf(editor)).length, 1);
    await disk?.fill();
    await invoke();
    (await editor.notification(warning)).close();
    await invoke();
    assert.ok(!isWarned());
    await isListed(3);
    assert.equal((await recordsOf(editor)).length, 1);
    await editor.run("pinInvocation", { id: (await recordsOf(editor))[0]?.id });
    await editor.notification(/Not changed: the folder of the record cannot be written/);
    await editor.pressRow("invocations", /^text-stats@/);
    assert.equal(editor.document.uri.scheme, "skill-output");
    assert.match(editor.document.getText(), new RegExp(`"words": ${words}`));
  });

  it("The whole record is written when there is room again", async () => {
    await disk?.empty();
    await invoke();
    await eventually("all of them", async () => (await recordsOf(editor)).length === 4);
  });

  it("The record is loaded unchanged when the disk is back", async () => {
    disk?.unmount();
    disk = undefined;
    await invoke();
    assert.ok((await recordsOf(editor)).length >= 2);
    const view = await editor.view("invocations");
    await editor.until("the earlier invocation", () => view.rows.length > 2);
  });
});
