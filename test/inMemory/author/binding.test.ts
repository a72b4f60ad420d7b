import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "mocha";
import { startForeignRegistry } from "../../fixtures/registries/foreignRegistry";
import { plainManifest, startManifestRegistry } from "../../fixtures/registries/manifestRegistry";
import { useEditor } from "../useEditor";
import { DiagnosticSeverity } from "../vscode/enums";
import { Uri } from "../vscode/values";

const moveToVersion = "skillRegistry.editor.moveToVersion";

describe("The binding of a payload", () => {
  const editor = useEditor();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "skill-inputs-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  let connected: { close(): unknown } | undefined;
  /** Connects to a registry until the test ends. */
  async function connectTo(registry: { baseUrl: string; close(): unknown }): Promise<void> {
    connected = registry;
    await editor.connectTo(registry);
  }
  afterEach(async () => {
    if (connected === undefined) return;
    await editor.connectTo();
    await connected.close();
    connected = undefined;
  });

  const marked = () => editor.parts.languages.problems(editor.document.uri);

  it("A payload keeps its version, shows the changes of a newer one, and moves on request", async () => {
    const { uri } = await editor.newPayload("csv-profile");
    await editor.run(moveToVersion, uri, "1.1.0");
    editor.write('{"text": "a,b\\n1,2"}');
    assert.match(await editor.checked(), /csv-profile@1\.1\.0: valid/);
    const news = await editor.until("the news", () =>
      marked().find(({ code }) => code === "version"),
    );
    assert.equal(news.severity, DiagnosticSeverity.Information);
    assert.match(news.message, /Removed text/);
    assert.match(news.message, /Added csv/);
    const offered = (await editor.lenses()).map(({ command }) => command?.title);
    assert.equal(offered[1], "More… (the project runs 2.0.0)");
    const moved = editor.chooseAction(/The project runs 2\.0\.0: what differs/);
    await editor.pick(/Removed text/);
    await editor.choose(/Update to 2\.0\.0/);
    await moved;
    assert.match(await editor.checked(), /csv-profile@2\.0\.0: 2 problems/);
    await editor.until("no news", () => !editor.problems.some((one) => /^version/.test(one)));
    assert.deepEqual(editor.problems, ['additionalProperties "text"', "required {"]);
    const lenses = (await editor.lenses()).map(({ command }) => command?.title ?? "");
    assert.ok(!lenses.some((title) => title.includes("new version")), lenses.join());
  });

  it("A file bound only by its name follows the project's version", async () => {
    const manifest = plainManifest("follower");
    const registry = await startManifestRegistry({ follower: manifest });
    await connectTo(registry);
    const path = join(folder, "follower.skill-input.json");
    await writeFile(path, "{}");
    await editor.vscode.window.showTextDocument(Uri.file(path));
    assert.match(await editor.checked(), /follower@1\.0\.0: valid/);
    Object.assign(manifest, { version: "2.0.0" });
    await editor.run("refresh");
    await editor.status(/follower@2\.0\.0: valid/);
    assert.deepEqual(editor.problems, []);
  });

  it("A binding follows a renamed folder, in both halves of a split editor", async () => {
    await mkdir(join(folder, "in"));
    await writeFile(join(folder, "in", "one.json"), '{"text": 5}');
    const before = Uri.file(join(folder, "in", "one.json"));
    await editor.vscode.window.showTextDocument(before);
    await editor.run("bindPayload", "text-stats");
    assert.match(await editor.checked(), /text-stats@.*: 1 problem/);
    await editor.vscode.window.showTextDocument(before, { viewColumn: 2 });
    const edit = new editor.vscode.WorkspaceEdit();
    edit.renameFile(Uri.file(join(folder, "in")), Uri.file(join(folder, "out")));
    await editor.vscode.workspace.applyEdit(edit);
    const now = Uri.file(join(folder, "out", "one.json"));
    for (const viewColumn of [1, 2]) {
      const { document } = await editor.vscode.window.showTextDocument(now, { viewColumn });
      assert.equal(document.uri.path, now.path);
      assert.match(await editor.checked(), /text-stats@.*: 1 problem/);
      assert.deepEqual(editor.problems, ["type 5"]);
    }
    assert.deepEqual(editor.parts.languages.problems(before), []);
  });

  it("A payload is not sent to another version if the registry knows only its newest", async () => {
    const registry = await startForeignRegistry({ dialect: "camel", detail: "full" });
    await connectTo(registry);
    const { uri } = await editor.newPayload("word-tally");
    await editor.run(moveToVersion, uri, "1.0.0");
    await editor.status(/word-tally@1\.0\.0: not checked/);
    await editor.until("the news", () => /^version/.test(editor.problems[0] ?? ""));
    assert.equal(editor.problems.length, 1, editor.problems.join());
    await editor.run("invoke");
    const notice = await editor.notification(/instead of word-tally 1\.0\.0/);
    assert.match(notice.buttons.join(), /^Update Payload to /);
    notice.close();
    const posts = registry.requests.filter(({ path }) => path === "/v1/runtime/invoke");
    assert.deepEqual(posts, []);
    const moved = editor.chooseAction(/New version/);
    await editor.choose(/Update to/);
    await moved;
    assert.match(await editor.checked(), /word-tally@.*: valid/);
  });

  it("A file belongs to the skill of its whole name, with dots and capitals; a label is asked about", async () => {
    const slugs = ["acme", "acme.csv-clean", "CSV_Clean"];
    const registry = await startManifestRegistry(
      Object.fromEntries(slugs.map((slug) => [slug, plainManifest(slug)])),
    );
    await connectTo(registry);
    const open = async (name: string) => {
      const path = join(folder, `${name}.skill-input.json`);
      await writeFile(path, "{}");
      await editor.vscode.window.showTextDocument(Uri.file(path));
      return editor.checked();
    };
    assert.match(await open("acme.csv-clean"), /acme\.csv-clean@1\.0\.0: valid/);
    assert.match(await open("CSV_Clean.2"), /CSV_Clean@1\.0\.0: valid/);
    assert.match(await open("acme.other"), /^acme: valid/);
    const invoked = editor.run("invoke");
    const dialog = await editor.dialog("Send this payload to acme?");
    assert.match(dialog.text, /The file is named after acme\.other/);
    dialog.press("Cancel");
    await invoked;
    assert.ok(registry.requests.every(({ method }) => method === "GET"));
  });

  it("A payload is filled from its skill's schema, or a message says that there is no such skill", async () => {
    const document = await editor.newPayload("csv-profile", "{}");
    const filled = editor.run("fillPayload");
    await editor.choose("All properties");
    await filled;
    assert.notEqual(document.getText(), "{}");
    const path = join(folder, "no-such-skill.skill-input.json");
    await writeFile(path, "{}");
    await editor.vscode.window.showTextDocument(Uri.file(path));
    const told = editor.run("fillPayload");
    const notice = await editor.notification(/no skill “no-such-skill”/);
    assert.ok(notice.buttons.includes("Bind to Another Skill…"), notice.buttons.join());
    notice.close();
    await told;
  });

  it("A document of another scheme is recognized by its name", async () => {
    const files = new Map([["/remote/text-stats.skill-input.json", '{"text": 5}']]);
    const provider = editor.vscode.workspace.registerFileSystemProvider("far-away", {
      onDidChangeFile: () => ({ dispose: () => undefined }),
      readFile: ({ path }: { path: string }) => new TextEncoder().encode(files.get(path)),
    } as never);
    await editor.vscode.window.showTextDocument(
      Uri.parse("far-away:/remote/text-stats.skill-input.json"),
    );
    assert.match(await editor.checked(), /text-stats@.*: 1 problem/);
    assert.deepEqual(editor.problems, ["type 5"]);
    provider.dispose();
  });

  it("An earlier version of a payload in a Git diff is no payload", async () => {
    const earlier = { readFile: () => Buffer.from('{"text": 5}') };
    const { registerFileSystemProvider } = editor.vscode.workspace;
    const provider = { onDidChangeFile: () => ({ dispose: () => undefined }), ...earlier };
    const git = registerFileSystemProvider("git", provider as never, { isReadonly: true });
    const uri = Uri.parse("git:/remote/text-stats.skill-input.json?HEAD");
    await editor.vscode.window.showTextDocument(uri);
    assert.deepEqual(await editor.lenses(), []);
    assert.deepEqual(editor.problems, []);
    git.dispose();
  });
});
