import { describe, it } from "mocha";
import manifest from "../../package.json";
import { useEditor } from "./useEditor";

/** The commands that the screen in memory shows nothing of, each with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  loadMore: "the palette offers it only while there are more",
  refreshProject: "the palette offers it only for a project that is shown",
  showOutput: "it shows a panel of the editor",
  showLog: "it shows a panel of the editor",
};

describe("A command with nothing open", () => {
  const editor = useEditor();

  for (const { command } of manifest.contributes.commands) {
    const name = command.replace("skillRegistry.", "");
    if (name in elsewhere) continue;
    it(`${name} ends in something that a person sees`, async () => {
      for (const view of ["skills", "invocations", "project"] as const) await editor.view(view);
      await editor.tidy();
      const before = editor.screen;
      void editor.run(name);
      await editor.until("anything new", () => editor.screen !== before);
    });
  }
});
