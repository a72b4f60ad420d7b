import { strict as assert } from "node:assert";
import { describe, it } from "mocha";
import type * as vscode from "vscode";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const environmentsFile = ".skill-registry/environments.json";
const declared = {
  format: 1,
  environments: {
    staging: { registry: "built-in", values: { customer: "c-17" }, secrets: ["token", "api-key"] },
    production: { registry: "built-in", values: { customer: "c-1", other: 1 }, secrets: ["token"] },
  },
};
const suite = {
  format: 1,
  skill: "text-stats",
  cases: [
    { name: "{{customer}} is no payload", payload: { text: "{{customer}}" } },
    { name: "in a file", payloadFile: "case.json" },
  ],
};
const files = {
  [environmentsFile]: JSON.stringify(declared, undefined, 2),
  "text-stats.skill-input.json": '{ "text": "{{customer}}, {{token}}", "{{customer}}": 1 }',
  "text-stats.token.skill-input.json": '{ "text": "{{token}}" }',
  "tests/text-stats.skill-suite.json": JSON.stringify(suite),
  "tests/case.json": '{ "text": "For {{customer}}." }',
  "package.json": '{ "name": "{{customer}}" }',
};

describe("The name of a value", () => {
  const canary = "canarys3cret9f27";
  const folder = useFolder(files);
  const other = useFolder(files);
  const editor = useEditor(() => ({ folders: [folder.path, other.path] }));
  const open = async (path: string) =>
    (await editor.vscode.window.showTextDocument(folder.uri(path))).document;
  /** Returns a position within the first occurrence of a text. */
  const at = (document: vscode.TextDocument, text: string) =>
    document.positionAt(document.getText().indexOf(text) + 2);
  const placesOf = async (found: Promise<readonly vscode.Location[]>) =>
    Promise.all(
      (await found).map(async ({ uri, range }) => {
        const text = await editor.vscode.workspace.openTextDocument(uri);
        const file = uri.path.slice(folder.path.length + 1);
        return `${file}:${range.start.line + 1} ${text.getText(range)}`;
      }),
    );
  const uses = [
    "tests/case.json:1 customer",
    "tests/text-stats.skill-suite.json:1 customer",
    "text-stats.skill-input.json:1 customer",
  ];
  const languages = () => editor.parts.languages;
  const rename = async (path: string, text: string, to: string) => {
    const document = await open(path);
    const edit = await languages().renamed(document as never, at(document, text), to);
    await editor.parts.documents.apply(edit as unknown as vscode.WorkspaceEdit);
    return edit;
  };
  /** Waits until the new name is saved, which happens after the values of secrets have moved to it. */
  const isSaved = async () => {
    const document = await open(environmentsFile);
    await editor.until("the saved names", () => !document.isDirty);
  };
  const stored = async () => {
    const { secrets } = editor.parts.machine;
    const keys = (await secrets.keys()).toSorted();
    return Promise.all(keys.map(async (key) => [key, (await secrets.get(key)) ?? ""] as const));
  };
  const use = async (name: RegExp) => {
    const connecting = editor.run("connect");
    await editor.choose(name);
    await connecting;
  };

  it("It leads from a placeholder to its value in each environment, or in the one in use", async () => {
    const document = await open("text-stats.skill-input.json");
    const find = () => placesOf(languages().definitionsAt(document as never, at(document, "{{c")));
    const [first, second] = [`${environmentsFile}:7 customer`, `${environmentsFile}:17 customer`];
    assert.deepEqual(await find(), [first, second]);
    await use(/^production/);
    assert.deepEqual(await find(), [second]);
  });

  it("It leads from its file to all placeholders of its folder, in payloads, suites and their files", async () => {
    const document = await open(environmentsFile);
    const find = (includesIt: boolean) =>
      placesOf(languages().referencesAt(document as never, at(document, '"customer"'), includesIt));
    assert.deepEqual((await find(false)).toSorted(), uses);
    assert.equal((await find(true)).length, uses.length + 2);
  });

  it("It does not count as a name in a property name, in other JSON or without a declaration", async () => {
    const reason = /Only the name of a value or a secret/;
    for (const [path, text, expected] of [
      ["text-stats.skill-input.json", '"{{customer}}": 1', reason],
      ["tests/text-stats.skill-suite.json", "payloadFile", /Only the name of a case, a value, or/],
      ["package.json", "{{customer}}", /^Error: Nothing can be renamed here\.$/],
      [environmentsFile, "registry", reason],
      [environmentsFile, "staging", reason],
    ] as const) {
      const document = await open(path);
      await assert.rejects(
        languages().renamed(document as never, at(document, text), "client"),
        expected,
      );
    }
  });

  it("It cannot become an invalid name, one that exists, or one that a payload has as plain text", async () => {
    const refuse = async (text: string, to: string, reason: RegExp) => {
      const document = await open("text-stats.skill-input.json");
      await assert.rejects(languages().renamed(document as never, at(document, text), to), reason);
    };
    await refuse("{{customer", "a b", /begins with a letter/);
    await refuse("{{customer", "__proto__", /begins with a letter/);
    await refuse("{{customer", "token", /declared already/);
    await refuse("{{token", "API_KEY", /Another secret is read from SKILL_REGISTRY_SECRET_API_KEY/);
    await folder.write("plain.skill-input.json", '{ "text": "{{client}}" }');
    await refuse(
      "{{customer",
      "client",
      /plain\.skill-input\.json has \{\{client\}\} as plain text/,
    );
    await folder.write("plain.skill-input.json", "{}");
  });

  it("It is renamed in the file and in all placeholders by one edit", async () => {
    const edit = await rename("text-stats.skill-input.json", "{{customer", "client");
    assert.deepEqual(
      edit
        .entries()
        .map(([uri]) => uri.path.slice(folder.path.length + 1))
        .toSorted(),
      [environmentsFile, ...new Set(uses.map((use) => use.replace(/:.*/, "")))].toSorted(),
    );
    assert.equal(
      (await open("text-stats.skill-input.json")).getText(),
      '{ "text": "{{client}}, {{token}}", "{{customer}}": 1 }',
    );
    await isSaved();
    assert.equal(
      await folder.read(environmentsFile),
      JSON.stringify(declared, undefined, 2).replaceAll("customer", "client"),
    );
    assert.equal(
      await other.read("text-stats.skill-input.json"),
      files["text-stats.skill-input.json"],
    );
    assert.equal(await other.read(environmentsFile), files[environmentsFile]);
  });

  it("A secret keeps its values when it is renamed and when that is undone, without showing any", async () => {
    const payload = "text-stats.token.skill-input.json";
    for (const name of [/^staging/, /^production/]) {
      await use(name);
      const uri = folder.uri(payload);
      const setting = editor.run("skillRegistry.editor.setSecret", uri, "token");
      await editor.answer(`${canary}${name.source}`);
      await setting;
    }
    const before = await stored();
    await rename(environmentsFile, '"token"', "mailToken");
    await isSaved();
    await open(payload);
    assert.match(await editor.checked(), /: valid$/);
    const now = await stored();
    assert.deepEqual(
      now.map(([, value]) => value).toSorted(),
      before.map(([, value]) => value).toSorted(),
    );
    assert.notDeepEqual(now, before);
    await use(/^staging/);
    assert.match(await editor.checked(), /: valid$/);
    const document = await open(environmentsFile);
    editor.parts.documents.replace(
      document as never,
      document.getText().replaceAll("mailToken", "token"),
    );
    await isSaved();
    assert.deepEqual(await stored(), before);
    assert.ok(!editor.screen.includes("s3cret"), editor.screen);
  });

  it("A secret that cannot be read keeps its old name, and a message says so", async () => {
    const { secrets } = editor.parts.machine;
    const before = await stored();
    const { get } = secrets;
    secrets.get = () => Promise.reject(new Error("No keyring."));
    try {
      await rename(environmentsFile, '"token"', "mailToken");
      await isSaved();
    } finally {
      secrets.get = get;
    }
    const message = /^The value of mailToken in \w+ could not be stored under its new name/;
    (await editor.notification(message)).close();
    assert.deepEqual(await stored(), before);
  });
});
