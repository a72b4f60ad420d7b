import { strict as assert } from "node:assert";
import { rm, writeFile } from "node:fs/promises";
import { describe, it } from "mocha";
import { writeTeamFile } from "../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../src/core/review/newReview";
import { testControllerId } from "../../../src/host/ids";
import type { MemoryEditor } from "../memoryEditor";
import type { MemoryTree } from "../screen/views";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { TreeItemCollapsibleState } from "../vscode/enums";

const review = {
  kind: "violation",
  skill: "text-stats",
  who: "Ann",
  when: "2026-01-01T00:00:00Z",
  notes: "Not ours.",
  version: "0.0.1",
};
const suite = (skill: string) =>
  writeTeamFile({ format: 1, skill, cases: [{ name: "one", payload: { text: "One." } }] });
const files = {
  "inputs/text-stats.first.skill-input.json": '{ "text": "One." }',
  "tests/text-stats.skill-suite.json": suite("text-stats"),
  ".skill-registry/policy.json": writeTeamFile(firstPolicy()),
  ".skill-registry/reviews.json": writeTeamFile({ format: 1, reviews: [review] }),
};

/** Returns the rows below a skill's row. */
function below(view: MemoryTree, label: RegExp): readonly string[] {
  const row = view.row(label);
  const rest = row === undefined ? [] : view.rows.slice(view.rows.indexOf(row) + 1);
  const end = rest.findIndex(({ depth }) => depth <= (row?.depth ?? 0));
  return rest.slice(0, end < 0 ? undefined : end).map((one) => one.label);
}

/** Opens the row of a skill once it can be opened. */
async function openRow(editor: MemoryEditor, label: RegExp): Promise<MemoryTree> {
  const view = await editor.view("skills");
  const row = await editor.until(`${label} with files`, () => {
    const found = view.row(label);
    return found?.item.collapsibleState === TreeItemCollapsibleState.Collapsed && found;
  });
  await view.fold(row, true);
  return view;
}

describe("A skill's row with files of the folder", () => {
  const folder = useFolder(files);
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const skill = /^Text statistics /;
  const paths = [
    "inputs/text-stats.first.skill-input.json",
    "tests/text-stats.skill-suite.json",
    ".skill-registry/reviews.json",
  ];

  it("It lists payloads, suites and reviews; a skill without any has no rows below", async () => {
    const view = await openRow(editor, skill);
    await editor.until("three files", () => below(view, skill).length === 3);
    assert.deepEqual(below(view, skill), paths);
    const other = (await editor.row("skills", /^JSON diff /)).item.collapsibleState;
    assert.equal(other, TreeItemCollapsibleState.None);
  });

  it("A row opens its file", async () => {
    const { item } = await editor.row("skills", paths[1] ?? "");
    const uri = folder.uri(paths[1] ?? "");
    assert.equal(item.command?.command, "vscode.open");
    assert.deepEqual(item.command?.arguments?.map(String), [String(uri)]);
  });

  it("The row of a suite runs it, as the Test Explorer does", async () => {
    const running = editor.runOnRow("skills", paths[1] ?? "", "Run Suite…");
    const levels = await editor.pick("Check Offline");
    assert.match(levels.text, /Invoke Live/);
    levels.choose("Check Offline");
    levels.accept();
    await running;
    const tests = editor.parts.controllers.get(testControllerId);
    assert.deepEqual(tests?.runs.at(-1)?.results, ["skipped one"]);
    await editor.run("runSuite");
    await editor.notification("No suite is open.");
  });

  it("Rows appear and disappear with files", async () => {
    const uri = folder.uri("inputs/text-stats.second.skill-input.json");
    await editor.parts.files.write(uri, new TextEncoder().encode("{}"));
    const view = await editor.view("skills");
    const has = () => below(view, skill).some((label) => label.includes("second"));
    await editor.until("the new payload", has);
    await editor.parts.files.remove(uri);
    await editor.until("its end", () => !has());
    const moved = new TextEncoder().encode(suite("json-diff"));
    await editor.parts.files.write(folder.uri(paths[1] ?? ""), moved);
    await openRow(editor, /^JSON diff /);
    assert.deepEqual(below(view, /^JSON diff /), [paths[1]]);
  });
});

describe("A typed client of a skill", () => {
  const header = (slug: string) => `# skill-registry: ${slug}@1.0.0 contract unknown\n`;
  const folder = useFolder({
    ...files,
    "src/json_diff.py": header("json-diff"),
    "src/csv-profile.ts": "export const csv = 1;\n",
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("It counts as use of the skill, which is marked as not reviewed, and appears below it", async () => {
    await editor.row("skills", /^JSON diff .*not reviewed/);
    const view = await openRow(editor, /^JSON diff /);
    assert.deepEqual(below(view, /^JSON diff /), ["src/json_diff.py"]);
    assert.doesNotMatch(view.text, /^CSV profile .*not reviewed/m);
  });

  it("It is followed as it appears and disappears", async () => {
    const uri = folder.uri("src/sql-format.ts");
    const text = header("sql-format").replace("#", "//");
    await editor.parts.files.write(uri, new TextEncoder().encode(text));
    await editor.row("skills", /^Format SQL .*not reviewed/);
    await editor.parts.files.remove(uri);
    const view = await editor.view("skills");
    await editor.until("no mark", () => !/^Format SQL .*not reviewed/m.test(view.text));
  });
});

describe("A payload below a skill", () => {
  const name = "text-stats.skill-input.json";
  const folder = useFolder({ [name]: '{ "text": "One." }' });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("Its row reports that the file is gone, even without an event", async () => {
    await openRow(editor, /^Text statistics /);
    const { element } = await editor.row("skills", name);
    const uri = folder.uri(name);
    const text = await editor.vscode.workspace.fs.readFile(uri);
    await rm(uri.fsPath);
    await editor.run("invoke", element);
    await editor.notification("text-stats.skill-input.json no longer exists.");
    await writeFile(uri.fsPath, text);
  });

  it("It is invoked from its row, and shown", async () => {
    await openRow(editor, /^Text statistics /);
    const { element } = await editor.row("skills", name);
    await editor.run("invoke", element);
    assert.ok(editor.document.uri.path.endsWith(name));
    assert.match(editor.output, /"words": 1/);
  });
});

describe("An untrusted folder", () => {
  const folder = useFolder(files);
  const editor = useEditor(() => ({ folders: [folder.path], isTrusted: false }));

  it("None of its files appear below a skill, though a saved payload can be opened", async () => {
    await editor.row("skills", /^Text statistics /);
    // This command finds the saved payloads.
    await editor.run("openPayload", "text-stats");
    assert.match(editor.document.fileName, /text-stats.*\.skill-input\.json$/);
    const view = await editor.view("skills");
    // The group of practice skills is collapsed.
    const skills = view.rows.filter(({ label }) => !label.startsWith("Practice"));
    const states = skills.map(({ item }) => item.collapsibleState);
    assert.ok(!states.includes(TreeItemCollapsibleState.Collapsed), view.text);
  });
});

describe("The payloads of a folder", () => {
  const ofOther = "deep/word-tally.skill-input.json";
  const ofListed = "text-stats.skill-input.json";
  const folder = useFolder({ [ofListed]: '{ "text": "One." }', [ofOther]: "{}" });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const openGroup = async () => {
    const group = await editor.row("skills", /^Payloads /);
    const view = await editor.view("skills");
    await view.fold(group, true);
    return view;
  };

  it("They appear together, even those of skills that are not in the list", async () => {
    const view = await openGroup();
    assert.deepEqual(below(view, /^Payloads /), [ofOther, ofListed]);
    const { item } = await editor.row("skills", ofOther);
    assert.equal(item.description, "word-tally");
    assert.deepEqual(item.command?.arguments?.map(String), [String(folder.uri(ofOther))]);
  });

  it("A payload is invoked from there, and shown", async () => {
    await openGroup();
    await editor.runOnRow("skills", ofListed, "Invoke Skill");
    assert.ok(editor.document.uri.path.endsWith(ofListed));
    assert.match(editor.output, /"words": 1/);
  });

  it("They can be opened if the list failed, and disappear during a search", async () => {
    await editor.run("connect", "http://127.0.0.1:9");
    const view = await openGroup();
    assert.deepEqual(below(view, /^Payloads /), [ofOther, ofListed]);
    await editor.run("connect", "");
    await editor.row("skills", /^Text statistics /);
    await editor.run("search", "text");
    await editor.until("no payloads", () => view.row(/^Payloads /) === undefined);
  });
});
