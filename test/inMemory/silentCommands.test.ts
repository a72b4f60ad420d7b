import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import manifest from "../../package.json";
import words from "../../package.nls.json";
import { useEditor } from "./useEditor";

/** The commands without a visible effect on the screen in memory, each with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  showOutput: "it shows a panel of the editor",
};

/** The commands whose result is a list: choosing from it is no question. */
const listing = ["showAgents"];

/**
 * The menus of rows, editors and files. Only without an argument does a command from one of them, or from no menu, ask
 * which thing is meant.
 */
const menusOfThings = ["view/item/context", "editor/title", "editor/context", "explorer/context"];
const ofThings = new Set(
  Object.entries(manifest.contributes.menus).flatMap(([menu, entries]) =>
    entries
      .filter(
        (entry) => menusOfThings.includes(menu) || ("when" in entry && entry.when === "false"),
      )
      .map(({ command }) => command),
  ),
);

describe("A command that writes into a folder", () => {
  const editor = useEditor();
  for (const [command, why] of [
    ["reviewSkill", "Open a folder first: reviews are kept in it, for the whole team."],
    ["addCiWorkflow", "Open a folder first: the workflow is saved in it."],
  ] as const) {
    it(`${command} explains why it needs a folder if none is open, and opens one`, async () => {
      let opened = 0;
      const opening = editor.vscode.commands.registerCommand("vscode.openFolder", () => {
        opened += 1;
      });
      await editor.run(command);
      await editor.press(why, "Open Folder…");
      await editor.until("a folder to be opened", () => opened === 1);
      opening.dispose();
    });
  }
});

describe("A command with nothing open", () => {
  const editor = useEditor();

  for (const { command } of manifest.contributes.commands) {
    const name = command.replace("skillRegistry.", "");
    if (name in elsewhere) continue;
    const title = (words as Record<string, string>)[`command.${name}`] ?? "";
    it(`${name} ends with something visible, and its title “${title}” ends with “…” if it asks`, async () => {
      for (const view of ["skills", "invocations", "project"] as const) await editor.view(view);
      await editor.tidy();
      const before = editor.screen;
      void editor.run(name);
      await editor.until("anything new", () => editor.screen !== before);
      const { notices, quickInputs } = editor.parts;
      const asks =
        quickInputs.current !== undefined || notices.some(({ kind }) => kind === "dialog");
      if (title.endsWith("…")) assert.ok(asks || notices.length > 0, editor.screen);
      else assert.ok(!asks || ofThings.has(command) || listing.includes(name), editor.screen);
    });
  }
});
