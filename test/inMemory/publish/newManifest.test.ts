import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import packageJson from "../../../package.json";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("New Skill Manifest…", () => {
  const folder = useFolder({});
  const editor = useEditor(() => ({ folders: [folder.path] }));

  /** Makes a manifest with this name, and returns the end of its path and its text. */
  async function made(name: string, start = () => editor.choose("Empty Manifest")) {
    void editor.run("newManifest");
    await editor.answer(name);
    await start();
    await editor.until("a manifest", () =>
      editor.vscode.window.activeTextEditor?.document.getText().includes(`"${name}"`),
    );
    const { uri } = editor.document;
    return uri.path.slice(folder.uri("").path.replace(/\/$/, "").length);
  }

  it("is under File > New File… too", () => {
    const commands = packageJson.contributes.menus["file/newFile"].map(({ command }) => command);
    assert.deepEqual(commands, ["skillRegistry.newManifest"]);
  });

  it("opens one with only what the publisher must write left to do", async () => {
    assert.equal(await made("word-count"), "/skillhub.json");
    assert.equal(editor.document.isUntitled, true);
    const manifest = JSON.parse(editor.document.getText()) as Record<string, unknown>;
    assert.equal(manifest["displayName"], "Word count");
    assert.equal(manifest["description"], "");
  });

  const manifestNow = () => JSON.parse(editor.document.getText()) as Record<string, unknown>;
  const forget = async () => {
    editor.parts.documents.close(editor.document);
    await editor.run("workbench.action.closeAllEditors");
  };

  it("takes its schemas from the payload and the output of an invocation", async () => {
    await editor.newPayload("text-stats", '{"text": "One two."}');
    await editor.run("invoke");
    await forget();
    await made("word-count", async () => {
      await editor.choose("Invocation…");
      await editor.choose(/^text-stats@/);
    });
    const { inputSchema, outputSchema } = manifestNow();
    assert.deepEqual(inputSchema, {
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
    });
    assert.match(JSON.stringify(outputSchema), /"words":\{"type":"integer"\}/);
    await forget();
  });

  it("takes what is there from a payload, a tool or an operation in a file", async () => {
    const write = (name: string, value: object | string) =>
      editor.vscode.workspace.fs.writeFile(
        folder.uri(name),
        new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)),
      );
    await write("payload.json", { count: 1 });
    await write("tool.json", {
      name: "t",
      description: "Costs $1.",
      inputSchema: { type: "object" },
    });
    await write(
      "api.yaml",
      "openapi: 3.1.0\nservers:\n- url: https://api.example\npaths:\n  /a: {get: {}, post: {}}\n",
    );
    const from = async (file: string, ...choices: readonly string[]) => {
      await made("word-count", async () => {
        for (const choice of ["JSON or YAML File…", file, ...choices]) await editor.choose(choice);
      });
      const found = manifestNow();
      await forget();
      return found;
    };
    assert.match(JSON.stringify((await from("payload.json"))["inputSchema"]), /"count"/);
    assert.equal((await from("tool.json"))["description"], "Costs $1.");
    assert.deepEqual((await from("api.yaml", "POST /a"))["runtime"], {
      type: "http",
      entrypoint: "https://api.example/a",
    });
    await write("card.json", { name: "A", capabilities: {}, skills: [] });
    const started = editor.run("newManifest");
    await editor.answer("word-count");
    for (const choice of ["JSON or YAML File…", "card.json"]) await editor.choose(choice);
    await started;
    await editor.notification(/^This is an agent card\./);
  });

  it("opens another in a folder of its own, and overwrites none", async () => {
    const bytes = new TextEncoder().encode("{}");
    await editor.vscode.workspace.fs.writeFile(folder.uri("skillhub.json"), bytes);
    assert.equal(await made("line-count"), "/line-count/skillhub.json");
    const text = editor.document.getText();
    void editor.run("newManifest");
    await editor.answer("line-count");
    await editor.notice("line-count has a manifest already, which is shown.");
    assert.equal(editor.document.getText(), text);
  });
});
