import { strict as assert } from "node:assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import { keyNeedles } from "../../fixtures/keyForms";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";
import { Memory } from "../vscode/machine";

const written = '{ "text": "{{greeting}} you." }';
const environments = {
  format: 1,
  environments: {
    staging: { registry: "built-in", values: { greeting: "Hello to" } },
    production: { registry: "built-in", values: { greeting: 7 } },
    elsewhere: { registry: "https://registry.invalid", values: { greeting: "No" } },
  },
};
const files = {
  ".skill-registry/environments.json": JSON.stringify(environments),
  "text-stats.skill-input.json": written,
};

describe("The environments of a folder", () => {
  const folder = useFolder(files);
  const workspaceState = new Memory();
  const editor = useEditor(() => ({ folders: [folder.path], workspaceState }));

  async function show(): Promise<void> {
    await editor.vscode.window.showTextDocument(folder.uri("text-stats.skill-input.json"));
    await editor.checked();
  }
  async function connect(name: RegExp): Promise<void> {
    const connecting = editor.run("connect");
    await editor.choose(name);
    await connecting;
  }
  async function use(name: RegExp): Promise<void> {
    await connect(name);
    await editor.checked();
  }
  const problems = () =>
    editor.vscode.languages
      .getDiagnostics(folder.uri("text-stats.skill-input.json"))
      .map(({ message }) => message);

  it("Before one is chosen, a declared placeholder is an error, and nothing is sent", async () => {
    await show();
    assert.match(problems().join(), /Choose an environment, such as staging/);
    await editor.run("invoke");
    await editor.notification(/Not sent: the payload for text-stats has a problem/);
  });

  it("The list offers them by name with their registry, before all others", async () => {
    const connecting = editor.run("connect");
    const pick = await editor.pick("staging");
    assert.match(
      pick.text,
      /staging \| built-in[\s\S]*production \| built-in[\s\S]*elsewhere \| https/,
    );
    pick.hide();
    await connecting;
  });

  it("The payload is checked and sent with the chosen values, and the record names the environment", async () => {
    await show();
    await use(/^staging/);
    assert.deepEqual(problems(), []);
    await editor.run("invoke");
    const [record] = await recordsOf(editor);
    assert.equal(record?.environment, "staging");
    assert.equal(await folder.read("text-stats.skill-input.json"), written);
  });

  it("A form checks, names and sends the values of the environment, also after a change of it", async () => {
    const before = (await recordsOf(editor)).length;
    await editor.run("openSkill", "text-stats");
    const page = await editor.page("Text statistics");
    await editor.until("the skill", () => page.shown?.kind === "ready");
    type Sent = { type: string; revision?: number; problems?: { all: readonly object[] } };
    const part = () =>
      (page.panel.messages as readonly Sent[]).findLast(({ type }) => type === "form");
    const found = (message: RegExp) => () => message.test(JSON.stringify(part()?.problems?.all));
    page.send({ type: "readForm" });
    await editor.until("the form", () => part()?.problems !== undefined);
    const edit = { what: "write", pointer: "/text", text: "{{greeting}}" } as const;
    page.send({ type: "editForm", edit, revision: 1 });
    await editor.until("the value", found(/greeting is \\"Hello to\\" in staging/));
    await connect(/^production/);
    await editor.until("the problem", found(/"pointer":"\/text","message":"Must be/));
    await connect(/^staging/);
    await editor.until("the value again", found(/"pointer":"\/text","message":"greeting is/));
    page.send({ type: "invokeForm" });
    const trial = () => (page.shown?.kind === "ready" ? page.shown.trials.form : undefined);
    const ended = await editor.until("the end", () => trial()?.kind !== "running" && trial());
    assert.match(JSON.stringify(ended), /"characters\D*8\b/);
    const [record, ...others] = await recordsOf(editor);
    assert.equal(others.length, before);
    assert.equal(record?.environment, "staging");
  });
});

describe("A secret of an environment", () => {
  const canary = "canarys3cret9f27";
  const secret = { registry: "built-in", secrets: ["token"] };
  const folder = useFolder({
    ".skill-registry/environments.json": JSON.stringify({
      format: 1,
      environments: { staging: secret },
    }),
    "text-stats.skill-input.json": '{ "text": "{{token}}" }',
  });
  const editor = useEditor(() => ({
    folders: [folder.path],
    settings: { "skillRegistry.history.keepTexts": "always" },
  }));
  const uri = () => folder.uri("text-stats.skill-input.json");

  it("It is set when it is missing, sent, and shown nowhere", async () => {
    await editor.vscode.window.showTextDocument(uri());
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await connecting;
    await editor.checked();
    const [problem] = editor.vscode.languages.getDiagnostics(uri());
    assert.match(problem?.message ?? "", /The secret token has no value in staging/);
    const setting = editor.run("skillRegistry.editor.setSecret", uri(), "token");
    await editor.answer(canary);
    await setting;
    assert.match(await editor.checked(), /: valid$/);
    await editor.run("invoke");
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.environment, record?.status], ["staging", "success"]);
    assert.ok(!editor.screen.includes("s3cret"), editor.screen);
  });

  it("It appears in no file, log, message, document, page or clipboard after an invocation", async () => {
    const seen: string[] = [];
    const look = () => {
      const { documents, machine, tabs } = editor.parts;
      seen.push(editor.screen, machine.clipboard);
      for (const document of documents.open) seen.push(document.getText());
      for (const { html, messages } of tabs.panels) seen.push(html, JSON.stringify(messages));
    };
    await editor.vscode.window.showTextDocument(uri());
    await editor.checked();
    for (const format of ["cURL", "fetch"]) {
      const copied = editor.run("copyAs");
      await editor.choose(format);
      await copied;
      look();
    }
    await editor.run("skillRegistry.editor.showSent", uri());
    look();
    await editor.run("copyReport");
    look();
    const [record] = await recordsOf(editor);
    await editor.run("openInvocation", { id: record?.id });
    look();
    await editor.run("openOutput", { id: record?.id });
    look();
    const exported = editor.run("exportInvocations");
    await editor.chooseFile(join(editor.parts.machine.folder, "all.jsonl"));
    (await editor.notification(/exported/)).close();
    await exported;
    const entries = await readdir(editor.parts.machine.folder, {
      recursive: true,
      withFileTypes: true,
    });
    for (const entry of entries.filter((one) => one.isFile())) {
      seen.push(await readFile(join(entry.parentPath, entry.name), "latin1"));
    }
    assert.ok(seen.join().includes("{{token}}"));
    for (const needle of keyNeedles(canary)) {
      assert.ok(!seen.some((text) => text.includes(needle)), needle);
    }
  });
});

describe("The environments of an untrusted folder", () => {
  const folder = useFolder(files);
  const editor = useEditor(() => ({ folders: [folder.path], isTrusted: false }));

  it("They are not offered", async () => {
    const connecting = editor.run("connect");
    const pick = await editor.pick("Built-in registry");
    assert.doesNotMatch(pick.text, /staging/);
    pick.hide();
    await connecting;
  });
});

describe("Environments of several folders with the same names", () => {
  const payload = "text-stats.skill-input.json";
  const text = '{ "text": "{{greeting}} {{token}}" }';
  const filesWith = (greeting: string) => {
    const staging = { registry: "built-in", values: { greeting }, secrets: ["token"] };
    return {
      ".skill-registry/environments.json": JSON.stringify({ format: 1, environments: { staging } }),
      [payload]: text,
    };
  };
  const first = useFolder(filesWith("one two"));
  const second = useFolder(filesWith("three"));
  const none = useFolder({ [payload]: text });
  const editor = useEditor(() => ({ folders: [first.path, second.path, none.path] }));
  const check = async (folder: typeof first) => {
    await editor.vscode.window.showTextDocument(folder.uri(payload));
    return editor.checked();
  };

  it("Give a payload only the values and secrets of its own folder", async () => {
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await connecting;
    const set = editor.run("skillRegistry.editor.setSecret", first.uri(payload), "token");
    await editor.answer("canarys3cret9f27");
    await set;
    assert.match(await check(second), /: 1 problem$/);
    const [problem] = editor.vscode.languages.getDiagnostics(second.uri(payload));
    assert.match(problem?.message ?? "", /The secret token has no value in staging/);
    for (const [folder, words] of [
      [first, 3],
      [none, 2],
    ] as const) {
      assert.match(await check(folder), /: valid$/);
      await editor.run("invoke");
      assert.match(editor.output, new RegExp(`"words": ${words}`));
    }
    const [ofNone, ofFirst] = await recordsOf(editor);
    assert.deepEqual([ofNone?.environment, ofFirst?.environment], [undefined, "staging"]);
  });
});

describe("An environment whose file later names another registry", () => {
  const folder = useFolder(files);
  const workspaceState = new Memory();
  const editor = useEditor(() => ({ folders: [folder.path], workspaceState }));

  it("It has no values until it is chosen again, and the window stays connected", async () => {
    const uri = folder.uri("text-stats.skill-input.json");
    await editor.vscode.window.showTextDocument(uri);
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await connecting;
    assert.match(await editor.checked(), /: valid$/);
    const moved = { ...environments.environments.staging, registry: "https://moved.invalid" };
    const file = { format: 1, environments: { staging: moved } };
    await folder.write(".skill-registry/environments.json", JSON.stringify(file));
    assert.match(await editor.checked(), /: 1 problem$/);
    const [problem] = editor.vscode.languages.getDiagnostics(uri);
    assert.match(problem?.message ?? "", /is for https:\/\/moved\.invalid, which is not in use/);
    assert.deepEqual(workspaceState.get("place"), { address: "", environment: "staging" });
  });
});

describe("A broken environments file", () => {
  const broken = `{
  "format": 1,
  "environments": {
    "staging": { "registry": "http://staging.example.com", "values": { "greeting": 1 } }
  }
}`;
  const folder = useFolder({ ...files, ".skill-registry/environments.json": broken });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("It is reported with its line at each placeholder, and marked in its own editor", async () => {
    const uri = folder.uri("text-stats.skill-input.json");
    await editor.vscode.window.showTextDocument(uri);
    assert.match(await editor.checked(), /: 1 problem$/);
    const [problem] = editor.vscode.languages.getDiagnostics(uri);
    assert.match(
      problem?.message ?? "",
      /environments\.json, line 4: environments\.staging\.registry: Use https/,
    );
    const file = folder.uri(".skill-registry/environments.json");
    await editor.vscode.window.showTextDocument(file);
    const [marked] = await editor.until("its mark", () => {
      const found = editor.vscode.languages.getDiagnostics(file);
      return found.length > 0 && found;
    });
    assert.equal(marked?.range.start.line, 3);
  });
});
