import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { useEditor } from "./useEditor";

interface Step {
  readonly id: string;
  readonly description: string;
  readonly completionEvents: readonly string[];
}

describe("The walkthrough", () => {
  const editor = useEditor();

  it("Its first step is ticked by what its own button opens", async () => {
    const words = JSON.parse(readFileSync("package.nls.json", "utf8"));
    const { contributes } = JSON.parse(readFileSync("package.json", "utf8"));
    const [step] = contributes.walkthroughs[0].steps as readonly Step[];
    const button = /\(command:([\w.]+)\)/.exec(words[step?.description.slice(1, -1) ?? ""])?.[1];
    assert.ok(step !== undefined && button !== undefined);
    const isTicked = () =>
      step.completionEvents.some((event) => {
        const [, key = "", value] = /^onContext:(\S+) == (\S+)$/.exec(event) ?? [];
        return editor.parts.commands.keys.get(key) === value;
      });
    assert.equal(isTicked(), false);
    const ticked = editor.until("the tick", isTicked);
    const pressed = editor.run(button);
    (await editor.pick("Text statistics")).leave();
    await pressed;
    await ticked;
  });
});
