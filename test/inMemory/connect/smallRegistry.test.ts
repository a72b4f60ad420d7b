import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { useEditor } from "../useEditor";
import { projectSays } from "../workspace/project";

describe("A registry without accounts", () => {
  const editor = useEditor();
  let registry: ForeignRegistry;
  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
  });
  after(() => registry.close());

  it("Is not connected to by an address of another scheme, and the list says why", async () => {
    const connecting = editor.run("connect");
    const pick = await editor.pick();
    pick.type("ftp://x");
    await editor.until("the reason", () =>
      /ftp:\/\/x \| Start the address with https/.test(pick.text),
    );
    pick.hide();
    await connecting;
  });

  it("Is said to have none where somebody signs in, and in the view of projects", async () => {
    await editor.connectTo(registry);
    const signingIn = editor.run("signIn");
    await editor.answer(`shub_user_${"a".repeat(40)}`);
    const input = await editor.input("This registry has no accounts to sign in to.");
    input.leave();
    await signingIn;
    await projectSays(editor, "This registry has no sign-in and no projects.");
  });

  it("Asks without a word about a key that is not there, and shows the output while it asks what to keep", async () => {
    await editor.newPayload("word-tally", '{ "text": "one" }');
    const invoked = editor.run("invoke");
    const question = await editor.dialog("Invoke word-tally@2.1.0?");
    assert.doesNotMatch(question.text, /Project Key/);
    question.press("Invoke");
    await editor.answer(registry.projectKey);
    await invoked;
    await editor.notification(/^Keep the payloads and outputs/);
    const output = await editor.until("the output", () =>
      editor.vscode.window.visibleTextEditors
        .map(({ document }) => document)
        .find(({ uri }) => uri.scheme === "skill-output"),
    );
    const lenses = await editor.parts.languages.lensesOf(output as never);
    const titles = lenses.map(({ command }) => command?.title);
    // A narrow editor cuts the end of the line.
    assert.deepEqual(titles.slice(0, -1), ["Copy", "Save as Test"]);
  });
});
