import { strict as assert } from "node:assert";
import { beforeEach, describe, it } from "mocha";
import type * as vscode from "vscode";
import { recordsOf } from "../records";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const payload = "text-stats.skill-input.json";
const environmentsFile = ".skill-registry/environments.json";

describe("Placeholders in a payload", () => {
  const canary = "canarys3cret9f27";
  const folder = useFolder({
    [environmentsFile]: `${JSON.stringify(
      {
        format: 1,
        environments: {
          staging: { registry: "built-in", values: { greeting: "Hello" }, secrets: ["token"] },
          production: { registry: "built-in", values: { greeting: "Hi", name: "Ann" } },
        },
      },
      undefined,
      2,
    )}\n`,
    [payload]: '{ "text": "{{greeting}} {{name}} {{token}}" }',
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));
  const uri = () => folder.uri(payload);

  beforeEach(async () => {
    await editor.vscode.window.showTextDocument(uri());
    await editor.checked();
  });

  async function use(name: RegExp): Promise<void> {
    const connecting = editor.run("connect");
    await editor.choose(name);
    await connecting;
  }
  async function hover(word: string): Promise<string> {
    const { document } = editor;
    const position = document.positionAt(document.getText().indexOf(word) + 1);
    const hovers = await editor.parts.languages.hoversAt(document, position);
    return hovers
      .flatMap(({ contents }) => contents.map((one) => (one as { value: string }).value))
      .join();
  }
  async function completions(text: string): Promise<readonly vscode.CompletionItem[]> {
    const { document } = editor;
    const position = document.positionAt(document.getText().indexOf(text) + text.length);
    return (await editor.parts.languages.completionsAt(
      document,
      position,
    )) as readonly vscode.CompletionItem[];
  }
  const texts = async () => (await editor.lenses()).map(({ command }) => command?.title);

  it("They are completed inside their braces by the declared names, with their values", async () => {
    await use(/^staging/);
    await editor.checked();
    const items = await completions("{{gree");
    assert.deepEqual(
      items.map(({ label, detail }) => [label, detail]),
      [
        ["{{greeting}}", 'greeting is "Hello" in staging.'],
        ["{{name}}", "staging has no value for name."],
        ["{{token}}", "The secret token has no value in staging."],
      ],
    );
    const [first] = items;
    assert.ok(first);
    const { replacing } = first.range as { readonly replacing: vscode.Range };
    assert.deepEqual([replacing.start.character, replacing.end.character], [11, 23]);
    assert.deepEqual(
      (await completions('{ "te')).filter(({ label }) => String(label).includes("{{")),
      [],
    );
  });

  it("They get a value through a question, which only adds it to the file", async () => {
    const before = await folder.read(environmentsFile);
    const setting = editor.takeAction("Set Value of name…");
    await editor.answer("Bob");
    await setting;
    const after = await folder.read(environmentsFile);
    assert.equal(after.replace(',\n        "name": "Bob"', ""), before);
    await editor.checked();
  });

  it("A word that no environment declares is only a hint, whose fix declares it", async () => {
    const { document } = editor;
    const written = document.getText();
    editor.write('{ "text": "{{motto}}" }');
    assert.match(await editor.checked(), /: valid$/);
    const before = await folder.read(environmentsFile);
    const declaring = editor.takeAction("Declare “motto”…");
    await editor.answer("Onward");
    await declaring;
    const after = await folder.read(environmentsFile);
    assert.equal(after.replace(',\n        "motto": "Onward"', ""), before);
    await editor.checked();
    assert.match(await hover("{{motto"), /motto is \\"Onward\\" in staging/);
    editor.write(written);
    await editor.checked();
  });

  it("They get a secret through a question, which is sent and hovered without its value", async () => {
    const setting = editor.takeAction("Set Secret token…");
    await editor.answer(canary);
    await setting;
    assert.match(await editor.checked(), /: valid$/);
    assert.match(await hover("{{token"), /token is a secret of staging/);
    assert.match(await hover("{{greeting"), /greeting is \\"Hello\\" in staging/);
  });

  it("They are counted in the lens, which shows the sent text beside them, with dots for secrets", async () => {
    assert.deepEqual((await texts()).slice(-2), ["staging", "3 values"]);
    await editor.pressLens("3 values");
    const shown = () =>
      editor.parts.documents.open.find((one) => one.uri.scheme === "skill-sent")?.getText();
    assert.equal(await editor.until("the text", shown), '{ "text": "Hello Bob ••••" }');
    await editor.vscode.window.showTextDocument(uri());
    await use(/^production/);
    await editor.until("the other place", () => shown()?.includes("no value for token"));
  });

  it("An empty answer removes a secret", async () => {
    await use(/^staging/);
    assert.match(await editor.checked(), /: valid$/);
    const setting = editor.run("skillRegistry.editor.setSecret", uri(), "token");
    await editor.answer("");
    await setting;
    assert.match(await editor.checked(), /: 1 problem$/);
    assert.ok(!editor.screen.includes(canary));
  });
});

describe("A credential in a payload", () => {
  const credential = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c";
  const folder = useFolder({
    [payload]: `{ "text": "Bearer ${credential}" }`,
    ".skill-registry/notes.txt": "",
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("It moves into a secret: the name is declared, the value stored, and the placeholder written and sent", async () => {
    await editor.vscode.window.showTextDocument(folder.uri(payload));
    await editor.checked();
    const moving = editor.takeAction("Move to a Secret…");
    const input = await editor.input("Name of the secret");
    assert.equal(input.value, "text");
    await editor.answer("apiKey");
    await moving;
    assert.equal(editor.document.getText(), '{ "text": "Bearer {{apiKey}}" }');
    const file = JSON.parse(await folder.read(environmentsFile));
    assert.deepEqual(file.environments, {
      default: { registry: "built-in", secrets: ["apiKey"] },
    });
    assert.match(await editor.checked(), /: valid$/);
    await editor.run("invoke");
    const [record] = await recordsOf(editor);
    assert.deepEqual([record?.environment, record?.status], ["default", "success"]);
    assert.ok(!editor.screen.includes(credential));
  });
});

describe("A credential that is about to move into a secret", () => {
  const text = '{ "text": "Bearer sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c" }';
  const withSecrets = (...secrets: readonly string[]) =>
    JSON.stringify({
      format: 1,
      environments: { staging: { registry: "built-in", ...(secrets.length > 0 && { secrets }) } },
    });
  const folder = useFolder({ [payload]: text, [environmentsFile]: withSecrets() });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  async function move(): Promise<void> {
    await editor.vscode.window.showTextDocument(folder.uri(payload));
    await editor.checked();
    await editor.takeAction("Move to a Secret…");
  }
  const storedSecrets = async () =>
    (await editor.parts.machine.secrets.keys()).filter((one) =>
      one.startsWith("environmentSecret:"),
    );
  const isStill = async () => {
    await editor.notification("so the credential is where it was");
    assert.equal(editor.document.getText(), text);
    for (const notice of editor.parts.notices) notice.close();
  };

  it("Stays if a secret with the chosen name is declared during the question", async () => {
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await connecting;
    const moving = move();
    await editor.input("Name of the secret");
    await folder.write(environmentsFile, withSecrets("apiKey"));
    await editor.answer("apiKey");
    await moving;
    await isStill();
    assert.deepEqual(await storedSecrets(), []);
  });

  it("Stays, without a stored value, if the editor rejects the change of the declarations", async () => {
    const { documents } = editor.parts;
    const moving = move();
    await editor.input("Name of the secret");
    const apply = documents.apply.bind(documents);
    documents.apply = async () => false;
    await editor.answer("another");
    await editor.notification(/could not be saved/);
    documents.apply = apply;
    await moving;
    await isStill();
    assert.deepEqual(await storedSecrets(), []);
  });

  it("Stays if the editor rejects the change of the payload", async () => {
    const { documents } = editor.parts;
    const moving = move();
    await editor.input("Name of the secret");
    const apply = documents.apply.bind(documents);
    const isPayload = ([uri]: readonly [{ readonly path: string }, unknown]) =>
      uri.path.endsWith(payload);
    documents.apply = async (edit) => !edit.entries().some(isPayload) && apply(edit);
    await editor.answer("third");
    await moving;
    documents.apply = apply;
    await isStill();
  });
});
