import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

describe("Connecting a window to another registry", () => {
  let registry: ForeignRegistry;
  let asked = 0;
  let answerList: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answerList = resolve;
  });
  const environmentsFile = ".skill-registry/environments.json";
  const folder = useFolder({ "notes.txt": "" });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  before(async () => {
    const list = async ({ passOn }: { passOn: () => Promise<{ body: string }> }) => {
      asked += 1;
      if (asked > 1) await isAnswered;
      return { body: (await passOn()).body };
    };
    registry = await startForeignRegistry({ dialect: "camel" }, {});
    registry.answer("/v1/skills/search", list as never);
    const environments = {
      staging: { registry: registry.baseUrl, values: { greeting: "Hi" } },
      local: { registry: "built-in" },
      gone: { registry: "https://registry.invalid" },
    };
    await folder.write(environmentsFile, JSON.stringify({ format: 1, environments }));
  });
  after(() => registry.close());

  const labels = async () => (await editor.view("skills")).rows.map(({ label }) => label);

  it("A registry that does not respond leaves the window unchanged, with a reason", async () => {
    await editor.row("skills", /^Text statistics/);
    const connecting = editor.run("connect");
    await editor.choose(/^gone/);
    await editor.press("Use the registry https://registry.invalid in this window?", "Use Registry");
    (await editor.notification(/registry\.invalid did not answer as a registry/)).close();
    await connecting;
    assert.match((await editor.view("skills")).description, /^Built-in registry/);
    assert.ok((await labels()).some((one) => one.startsWith("Text statistics")));
  });

  it("While its list loads, a row announces that, and no earlier row remains", async () => {
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await editor.press(/^Use the registry http:/, "Use Registry");
    await editor.row("skills", "Connecting to staging…");
    assert.deepEqual(await labels(), ["Connecting to staging…"]);
    answerList();
    await connecting;
    await editor.row("skills", /^Word Tally/);
    assert.ok(!(await labels()).some((one) => /Connecting|Text statistics/.test(one)));
  });

  it("The header of the list names the environment and the registry", async () => {
    const { host } = new URL(registry.baseUrl);
    const { description } = await editor.view("skills");
    assert.ok(description.startsWith(`staging · ${host}`), description);
  });

  it("The question for consent names the environment and the registry", async () => {
    await editor.newPayload("word-tally", '{ "text": "{{greeting}}" }');
    const invoking = editor.run("invoke");
    const consent = await editor.dialog(/^Invoke word-tally@/);
    assert.match(consent.text, /Sent to: staging, http:\/\/127\.0\.0\.1:\d+\.$/m);
    consent.press("Cancel");
    await invoking;
    const titles = (await editor.lenses()).map(({ command }) => command?.title);
    assert.deepEqual(titles.slice(2, 4), ["staging", "1 value"]);
  });

  it("Switching environments takes two clicks: the lens, and the other environment", async () => {
    await editor.newPayload("word-tally", '{ "text": "{{greeting}}" }');
    await editor.checked();
    const switching = editor.pressLens("staging");
    await editor.choose(/^local/);
    await switching;
    await editor.row("skills", /^Text statistics/);
    assert.match((await editor.view("skills")).description, /^local · Built-in registry/);
  });

  it("Enter connects to a typed address even before the editor shows its row", async () => {
    const connecting = editor.run("connect");
    const pick = await editor.pick(/Select a registry or type its address/);
    pick.type(registry.baseUrl);
    pick.activeItems = [];
    pick.accept();
    await connecting;
    await editor.row("skills", /^Word Tally/);
  });

  it("A used registry is listed with its state, until it is forgotten", async () => {
    const connecting = editor.run("connect");
    const pick = await editor.pick(registry.baseUrl);
    const row = () => pick.row(registry.baseUrl);
    assert.match(row()?.detail ?? "", /^not signed in · no Project Key · Last used on /);
    pick.pressInRow(registry.baseUrl, "Forget");
    await editor.until("the row to go", () => row() === undefined);
    pick.hide();
    await connecting;
  });
});

describe("The projects of two environments of one registry", () => {
  const environments = {
    first: { registry: "built-in", project: "first-one" },
    second: { registry: "built-in", project: "second-one" },
    third: { registry: "built-in", project: "of-nobody" },
  };
  const folder = useFolder({
    ".skill-registry/environments.json": JSON.stringify({ format: 1, environments }),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  async function use(name: RegExp): Promise<void> {
    const connecting = editor.run("connect");
    await editor.choose(name);
    await connecting;
  }
  const project = async () => (await editor.view("project")).description;

  it("Are chosen with their environment, and a missing one is reported", async () => {
    const signing = editor.run("signIn");
    await editor.choose("owner@local.example");
    await signing;
    for (const name of ["First One", "Second One"]) {
      const making = editor.run("newProject");
      await editor.answer(name);
      await making;
    }
    await use(/^first/);
    await editor.until("the first project", async () => (await project()).includes("First One"));
    await use(/^second/);
    await editor.until("the second project", async () => (await project()).includes("Second One"));
    await use(/^third/);
    await editor.notification("The project of-nobody of this environment is not among yours.");
    assert.match(await project(), /Second One/);
  });
});

describe("A skill that was reviewed only at another registry", () => {
  const there = "https://registry.invalid";
  const reviewsFile = ".skill-registry/reviews.json";
  const folder = useFolder({ "text-stats.skill-input.json": '{ "text": "One." }' });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("Has a button on its page that connects to that registry after a person agrees to its address", async () => {
    const reviewing = editor.run("reviewSkill", "text-stats");
    (await editor.pick("safe-to-try")).accept();
    await editor.input("What did you check?");
    await editor.answer("Schemas and permissions.");
    await editor.input("Anyone who sees the file can read it.");
    await editor.answer("Ann");
    await reviewing;
    const reviews = await folder.read(reviewsFile);
    const moved = reviews.replace('"built-in"', JSON.stringify(there));
    await editor.parts.files.write(folder.uri(reviewsFile), Buffer.from(moved));
    await editor.run("openSkill", "text-stats");
    const page = await editor.page("Text statistics");
    await editor.until("its button", () =>
      JSON.stringify(page.panel.messages).includes(`"reviewedAt":"${there}"`),
    );
    page.send({ type: "runCommand", command: "connectToReviewed" });
    const question = await editor.dialog(`Use the registry ${there} in this window?`);
    assert.match(question.text, /The reviews of this repository name it/);
    question.press("Cancel");
  });

  it("Has a quick fix at its review that connects to that registry after the same question", async () => {
    const checking = editor.run("checkReviews");
    const [uri] = await editor.until("its mark", () =>
      editor.parts.languages
        .allProblems()
        .find(([, all]) => all.some(({ code }) => code === "other-registry")),
    );
    await editor.vscode.window.showTextDocument(uri);
    const connecting = editor.takeAction(`Connect to ${there}`);
    await editor.press(`Use the registry ${there} in this window?`, "Use Registry");
    (await editor.notification(/registry\.invalid did not answer/)).close();
    await connecting;
    await checking;
  });
});

describe("A choice of a registry that does not respond yet", () => {
  let slow: TestRegistry;
  let answer: () => void = () => undefined;
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const folder = useFolder({ "notes.txt": "" });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  before(async () => {
    slow = await startTestRegistry({
      "**": async () => {
        await isAnswered;
        return { status: 200, body: { skills: [] } };
      },
    });
    const environments = {
      slow: { registry: slow.baseUrl },
      local: { registry: "built-in" },
    };
    await folder.write(
      ".skill-registry/environments.json",
      JSON.stringify({ format: 1, environments }),
    );
  });
  after(() => slow.close());

  it("Is replaced by a newer choice, even if the registry responds afterwards", async () => {
    const first = editor.run("connect");
    await editor.choose(/^slow/);
    await editor.press(/^Use the registry http:/, "Use Registry");
    await editor.progress(/^Connecting to http:/);
    const second = editor.run("connect");
    await editor.choose(/^local/);
    await second;
    answer();
    await first;
    assert.match((await editor.view("skills")).description, /^local/);
  });
});
