import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const key = `ghp_${"a1B2".repeat(9)}`;
/** A manifest with eight mistakes of eight kinds. */
const mistaken = {
  schemaVersion: "0.1",
  name: "word-count",
  displayName: "Word\u200B count",
  version: "1.0.0",
  description: "TODO: describe",
  tags: ["text"],
  runtime: { type: "http", entrypoint: "https://api.words.dev/{id}" },
  permissions: { network: false, browser: false, filesystem: "none", secrets: [] },
  inputSchema: {
    type: "object",
    propertes: {},
    properties: {
      id: { type: "string", default: key },
      limit: { type: "integer", minimum: 10, maximum: 1 },
      unit: { enum: ["words", "words"] },
    },
    required: ["Id"],
  },
  outputSchema: { type: "object", properties: { words: { type: "integer" } } },
};

describe("The first hour of a publisher", () => {
  const folder = useFolder({});
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let registry: LocalRegistry;

  before(async () => {
    registry = await startLocalRegistry();
    await editor.connectTo(registry);
  });
  after(() => registry.close());

  const versions = async () => {
    const answer = await fetch(`${registry.baseUrl}/v1/publisher/skills/word-count/versions`, {
      headers: { authorization: `Bearer ${registry.userTokens.owner}` },
    });
    const body = (await answer.json()) as { versions: { version: string; status: string }[] };
    return body.versions.map(({ version, status }) => `${version} ${status}`);
  };

  it("begins in an empty folder, and names eight mistakes before anything leaves, and ends with a submission", async () => {
    void editor.runFromPalette("Skill Registry: New Skill Manifest…");
    await editor.answer("word-count");
    await editor.choose("Empty Manifest");
    await editor.until("the manifest", () =>
      editor.vscode.window.activeTextEditor?.document.getText().includes("word-count"),
    );
    assert.ok(editor.titleActions.includes("Save Draft"), editor.titleActions.join());
    editor.write(JSON.stringify(mistaken, undefined, 2));
    await editor.until("the problems", () => editor.problems.length >= 8);
    assert.deepEqual(editor.problems, [
      'hidden "Word\u200B count"',
      'review-filler "TODO: describe"',
      'review-placeholder "https://api.words.dev/{id}"',
      'schema "Id"',
      'schema "words"',
      "schema 10",
      "schema {}",
      `secret ${key}`,
    ]);
    await editor.run("submitSkill");
    await editor.notification("Nothing was sent: the manifest has a problem.");
    assert.deepEqual(await versions(), []);

    const { propertes: _, ...inputSchema } = mistaken.inputSchema;
    const corrected = {
      ...mistaken,
      displayName: "Word count",
      description: "Counts the words of a text, for agents that write to a limit.",
      runtime: { type: "http", entrypoint: "https://api.words.dev/count" },
      inputSchema: {
        ...inputSchema,
        properties: { id: { type: "string" }, limit: { minimum: 1 }, unit: { enum: ["words"] } },
        required: ["id"],
      },
    };
    editor.write(JSON.stringify(corrected, undefined, 2));
    await editor.until("no problem", () => editor.problems.length === 0);
    const saved = editor.run("saveDraft");
    await editor.choose("User Token");
    await editor.answer(registry.userTokens.owner);
    await editor.press("Publish the name word-count?", "Save Draft");
    await saved;
    const submitted = editor.run("submitSkill");
    await editor.press("Submit word-count@1.0.0 for review?", "Submit for Review");
    await submitted;
    assert.deepEqual(await versions(), ["1.0.0 submitted"]);
  });
});
