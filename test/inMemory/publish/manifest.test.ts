import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { catalog } from "../../../src/localRegistry/catalog/catalog";
import {
  type LocalRegistry,
  startLocalRegistry,
} from "../../../src/localRegistry/startLocalRegistry";
import { openPromise } from "../../fixtures/openPromise";
import {
  type Answer,
  startTestRegistry,
  type TestRegistry,
} from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { MarkdownString } from "../vscode/values";

const textStats = catalog.find(({ slug }) => slug === "text-stats")?.releases[0].manifest;

/** Returns the manifest of a sample skill, with changes. */
function manifestText(changes: object = {}): string {
  return `${JSON.stringify({ ...textStats, ...changes }, undefined, 2)}\n`;
}

describe("A skillhub.json in an editor", () => {
  const folder = useFolder({
    "skillhub.json": manifestText(),
    "elsewhere/other.json": manifestText({ name: "My Skill" }),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  async function open(changes: object = {}) {
    const document = await editor.vscode.workspace.openTextDocument(folder.uri("skillhub.json"));
    await editor.vscode.window.showTextDocument(document);
    editor.write(manifestText(changes));
    return editor.document;
  }

  const problemsAre = async (...expected: readonly string[]) => {
    const isSame = () => JSON.stringify(editor.problems) === JSON.stringify(expected.toSorted());
    await editor.until(`the problems ${expected}`, isSame);
  };

  it("marks the objections of a registry and of a review, and fixes the unambiguous ones", async () => {
    await open({
      name: "my-new-skill",
      version: "1.0",
      runtime: { type: "http", entrypoint: "http://run.example/words" },
    });
    await problemsAre('version "1.0"', 'review-https "http://run.example/words"');
    await editor.takeAction('Change to "1.0.0"');
    await problemsAre('review-https "http://run.example/words"');
    await editor.takeAction('Change to "https://run.example/words"');
    await problemsAre();
    assert.match(editor.document.getText(), /"https:\/\/run\.example\/words"/);
  });

  it("requires the version for its changes since the approved one", async () => {
    const inputSchema = {
      type: "object",
      properties: { words: { type: "string" } },
      required: ["words"],
    };
    await open({ version: "1.0.1", inputSchema });
    await problemsAre('version-step "1.0.1"');
    await editor.takeAction('Change to "2.0.0"');
    await problemsAre();
  });

  it("has no problem once its text equals the approved version", async () => {
    await open({ description: "x" });
    await editor.until("a problem", () => editor.problems.length > 0);
    editor.write(manifestText());
    await problemsAre();
  });

  it("explains and completes its members", async () => {
    const document = await open();
    const text = document.getText();
    const at = document.positionAt(text.indexOf('"filesystem"') + 2);
    const hovers = await editor.parts.languages.hoversAt(document, at);
    const shown = hovers
      .flatMap(({ contents }) => contents)
      .map((content) => (content instanceof MarkdownString ? content.value : ""))
      .join();
    assert.match(shown, /What the skill does with files/);
    const value = document.positionAt(text.indexOf('"none"') + 1);
    const labels = await editor.parts.languages.completionsAt(document, value);
    assert.deepEqual(
      labels.map(({ label }) => label),
      ['"none"', '"read"', '"write"'],
    );
  });

  it("ignores other JSON", async () => {
    const document = await editor.vscode.workspace.openTextDocument(
      folder.uri("elsewhere/other.json"),
    );
    await editor.vscode.window.showTextDocument(document);
    await open({ tags: [] });
    await editor.until("a problem", () => editor.problems.length > 0);
    assert.deepEqual(editor.parts.languages.problems(document.uri), []);
  });
});

describe("A skillhub.json whose publisher signs out", () => {
  const folder = useFolder({ "skillhub.json": manifestText() });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  let registry: LocalRegistry;
  let shown: TestRegistry;

  before(async () => {
    registry = await startLocalRegistry();
    shown = await startTestRegistry({}, { behind: registry });
    await editor.connectTo(shown);
    const signedIn = editor.run("signIn");
    await editor.choose("User Token");
    await editor.answer(registry.userTokens.owner);
    await signedIn;
  });
  after(() => Promise.all([shown.close(), registry.close()]));

  it("is not marked by the publisher's versions that arrive later", async () => {
    const asked = openPromise<void>();
    const answer = openPromise<Answer>();
    shown.answer("/v1/publisher/skills/text-stats/versions", () => {
      asked.resolve();
      return answer.promise;
    });
    const document = await editor.vscode.workspace.openTextDocument(folder.uri("skillhub.json"));
    await editor.vscode.window.showTextDocument(document);
    await asked.promise;
    await editor.run("signOut");
    const manifest = { ...textStats, version: "9.0.0" };
    answer.resolve({ body: { versions: [{ version: "9.0.0", status: "verified", manifest }] } });
    editor.write(manifestText({ description: "x" }));
    await editor.until("a problem", () => editor.problems.length > 0);
    assert.ok(!editor.problems.join().includes("version-"), editor.problems.join());
  });
});
