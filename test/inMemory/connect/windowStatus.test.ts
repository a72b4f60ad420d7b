import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import { editorCommandIds } from "../../../src/host/ids";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("What a window uses", () => {
  const environments = { staging: { registry: "built-in" } };
  const folder = useFolder({
    ".skill-registry/environments.json": JSON.stringify({ format: 1, environments }),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("Is named in the status bar and listed by a click, and each row changes its own", async () => {
    await editor.row("skills", /^Text statistics/);
    await editor.status("Built-in registry");
    const shown = editor.run(editorCommandIds.showWindow);
    const list = await editor.pick("Environment");
    assert.match(
      list.text,
      /Registry \| Built-in registry[\s\S]*Environment \| not chosen[\s\S]*Account \| not signed in[\s\S]*Project \| not chosen[\s\S]*Project Key \| set/,
    );
    await editor.choose(/^Environment/);
    await editor.choose(/^staging/);
    await shown;
    await editor.status("staging");
  });

  it("Is a project once somebody signs in", async () => {
    const shown = editor.run(editorCommandIds.showWindow);
    await editor.choose(/^Account/);
    await editor.choose("owner@local.example");
    await shown;
    await editor.status("Local Demo");
    const again = editor.run(editorCommandIds.showWindow);
    const list = await editor.pick("Local Demo");
    assert.match(list.text, /Environment \| staging[\s\S]*Account \| owner@local\.example/);
    list.hide();
    await again;
  });
});
