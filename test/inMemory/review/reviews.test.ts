import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { describe, it } from "mocha";
import { parse } from "yaml";
import { version } from "../../../package.json";
import { writeTeamFile } from "../../../src/core/review/files/reviewFiles";
import { firstPolicy } from "../../../src/core/review/newReview";
import { testControllerId } from "../../../src/host/ids";
import { startForeignRegistry } from "../../fixtures/registries/foreignRegistry";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("A folder without reviews", () => {
  const folder = useFolder();
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("shows the policy that its first review creates, once", async () => {
    const review = async (slug: string) => {
      const reviewing = editor.run("reviewSkill", slug);
      (await editor.pick("[x] safe-to-try")).accept();
      (await editor.input("What did you check?")).pressButton("Back");
      (await editor.pick("[x] safe-to-try")).accept();
      await editor.input("What did you check?");
      await editor.answer("Schemas read.");
      await editor.input("Anyone who sees the file can read it.");
      await editor.answer("Ann <ann@example.com>");
      await reviewing;
    };
    await review("text-stats");
    await editor.notification(/every skill used in .* must now be reviewed for safe-to-try\.$/);
    const policy = JSON.parse(await folder.read(".skill-registry/policy.json"));
    assert.deepEqual(policy.require, ["safe-to-try"]);
    await editor.tidy();
    await review("json-diff");
    assert.doesNotMatch(editor.screen, /must now be reviewed/);
  });
});

describe("A skill with more required criteria than others", () => {
  const policy = { ...firstPolicy(), skills: { "text-stats": { require: ["customer-facing"] } } };
  const folder = useFolder({ ".skill-registry/policy.json": writeTeamFile(policy) });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("gets those in its first review, with the reviewer's name", async () => {
    const reviewing = editor.run("reviewSkill", "text-stats");
    const pick = await editor.pick("[x] customer-facing");
    assert.match(pick.text, /\[ \] safe-to-try/);
    pick.accept();
    await editor.input("What did you check?");
    await editor.answer("");
    await editor.input("Anyone who sees the file can read it.");
    await editor.answer("");
    await editor.input("Enter a name.");
    await editor.answer("Ann <ann@example.com>");
    await reviewing;
    const [review] = JSON.parse(await folder.read(".skill-registry/reviews.json")).reviews;
    assert.deepEqual(review.criteria, ["customer-facing"]);
    assert.equal(review.who, "Ann <ann@example.com>");
    assert.equal(Object.hasOwn(review, "notes"), false);
  });
});

describe("A workflow for CI", () => {
  const folder = useFolder({ "package.json": '{"type":"module"}' });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  /** Runs the workflow's command with a name as a CI machine does, with the package that npx would install. */
  function runCommand(name: string) {
    const { jobs, env } = parse(editor.document.getText());
    const npx = `npx --yes skill-registry-cli@${version} `;
    const command: string = jobs[name].steps.find(({ run }: { run?: string }) =>
      run?.startsWith(`${npx}${name}`),
    ).run;
    return spawnSync(command.replace(npx, `node "${resolve("dist/cli.js")}" `), {
      cwd: folder.path,
      env: { PATH: process.env["PATH"], CI: "true", ...env },
      shell: true,
      encoding: "utf8",
    });
  }

  it("runs the command line of this version, and adds nothing to the repository", async () => {
    const add = async () => {
      const adding = editor.run("addCiWorkflow");
      await editor.choose("GitHub Actions");
      await adding;
    };
    await add();
    assert.deepEqual(await readdir(folder.path), ["package.json"]);
    const nothing = runCommand("check");
    assert.deepEqual([nothing.status, nothing.stdout], [4, ""], nothing.stderr);
    const cases = [{ name: "one", payload: { text: "One." } }];
    const suite = JSON.stringify({ format: 1, skill: "text-stats", cases });
    await folder.write("a.skill-suite.json", suite);
    const tested = runCommand("test");
    assert.equal(tested.status, 0, tested.stderr);
    assert.match(editor.document.getText(), /SKILL_REGISTRY_URL: "built-in"/);
  });
});

describe("An unreviewed skill", () => {
  const folder = useFolder({ ".skill-registry/policy.json": writeTeamFile(firstPolicy()) });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("is asked about once per window", async () => {
    await editor.newPayload("text-stats", '{ "text": "One." }');
    const first = editor.run("invoke");
    await editor.press(/is not reviewed in this workspace/, "Invoke Unreviewed");
    await first;
    editor.write('{ "text": "Two." }');
    await editor.run("invoke");
    const records = await recordsOf(editor);
    assert.deepEqual(
      records.map(({ status }) => status),
      ["success", "success"],
    );
  });
});

describe("Labelled payloads of a folder", () => {
  const names = Array.from({ length: 30 }, (_, at) => `word-tally.case-${at}x.skill-input.json`);
  const folder = useFolder(Object.fromEntries(names.map((name) => [name, "{}"])));
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("appear below their skill without a request", async () => {
    const registry = await startForeignRegistry({ dialect: "camel" });
    await editor.connectTo(registry);
    const asked = () => registry.requests.filter(({ path }) => path.includes("word-tally")).length;
    const before = asked();
    const { controllers } = editor.parts;
    const controller = await editor.until("the entry", () => controllers.get(testControllerId));
    await controller.open();
    const [skill, ...others] = [...controller.items].map(([, item]) => item);
    assert.deepEqual([skill?.id, skill?.children.size, others], ["word-tally", 30, []]);
    assert.equal(asked(), before);
    await registry.close();
  });
});
