import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { writeTeamFile } from "../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../src/core/review/newReview";
import { payloadFilePattern } from "../../../src/host/ids";
import { MemoryFiles } from "../../fixtures/memoryFiles";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { Uri } from "../vscode/values";

const policy = { ".skill-registry/policy.json": writeTeamFile(firstPolicy()) };
const payload = { "text-stats.skill-input.json": '{ "text": "One." }' };

describe("A folder that is the root of its file system", () => {
  const root = Uri.from({ scheme: "memory-files", path: "/" });
  const editor = useEditor({ folders: [root] });

  it("Its files are marked by their whole names when its skills are checked", async () => {
    const files = new MemoryFiles(editor.vscode, { ...policy, ...payload });
    editor.parts.files.provide("memory-files", files, false);
    await editor.run("checkReviews");
    assert.deepEqual(
      editor.parts.languages.allProblems().map(([{ path }]) => path),
      ["/text-stats.skill-input.json"],
    );
    await editor.notification(/^text-stats differs from its review or could not be compared\.$/);
  });
});

describe("A reviewed folder inside a reviewed folder", () => {
  const inner = Object.entries({ ...policy, ...payload }).map(([file, text]) => [
    `inner/${file}`,
    text,
  ]);
  const folder = useFolder({ ...policy, ...Object.fromEntries(inner) });
  const editor = useEditor(() => ({ folders: [folder.path, `${folder.path}/inner`] }));

  it("The findings of both for a file are marked", async () => {
    await editor.run("checkReviews");
    const [[, marks] = [], ...others] = editor.parts.languages.allProblems();
    assert.deepEqual([marks?.length, others.length], [2, 0]);
  });
});

describe("A folder with more payloads than one check reads", () => {
  const folder = useFolder({ ...policy, ...payload });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("It is checked up to the command line's limit of 20,000 files, and a message says so", async () => {
    let limit = 0;
    editor.parts.files.find = async (include, _exclude, most = 0) => {
      if (include !== payloadFilePattern) return [];
      limit = most;
      return Array.from({ length: most }, (_, index) => folder.uri(`${index}/a.skill-input.json`));
    };
    await editor.run("checkReviews");
    assert.equal(limit, 20_001);
    const messages = editor.parts.languages
      .allProblems()
      .flatMap(([, all]) => all.map(({ message }) => message));
    const limitMessage = "Only 20000 payload files and suites were read.";
    assert.ok(
      messages.some((message) => message.startsWith(limitMessage)),
      messages.join("\n"),
    );
  });
});

describe("A workspace of several folders", () => {
  const [first, second] = [useFolder(), useFolder()];
  const editor = useEditor(() => ({ folders: [first.path, second.path] }));
  let registry: ForeignRegistry;
  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    await editor.connectTo(registry);
    const set = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await set;
  });
  after(() => registry.close());

  it("The readiness of a skill looks for the Project Key in each of them", async () => {
    for (const folder of [first, second]) {
      await folder.write("notes.txt", `KEY=${registry.projectKey}`);
      await editor.run("checkReadiness", "word-tally");
      const text = editor.document.getText();
      assert.match(text, /^ {2}no +A file contains the Project Key/m);
      assert.ok(text.includes(`${folder.path.split("/").at(-1)}/notes.txt`), text);
      await folder.write("notes.txt", "");
      await editor.tidy();
    }
    await editor.run("checkReadiness", "word-tally");
    assert.doesNotMatch(editor.document.getText(), /contains the Project Key/);
    // Nobody has signed in.
    assert.match(editor.document.getText(), /Not signed in .*\n +→ Sign In…$/m);
  });
});
