import { strict as assert } from "node:assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "mocha";
import {
  plainManifest,
  skillPath,
  startManifestRegistry,
} from "../../fixtures/registries/manifestRegistry";
import type { TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";
import { Selection, Uri } from "../vscode/values";

const text = { type: "string" };
const inputs = {
  count: { type: "object", properties: { text }, required: ["text"] },
  // Written as many APIs publish a request body.
  ticket: {
    $ref: "#/$defs/Ticket",
    $defs: {
      Ticket: {
        type: "object",
        properties: { text, priority: { $ref: "#/$defs/Priority" } },
        required: ["text", "priority"],
        additionalProperties: false,
      },
      Priority: text,
    },
  },
  table: { type: "object", properties: { rows: text }, required: ["rows"] },
};

describe("Which Skill Takes This?", () => {
  const editor = useEditor();
  let folder: string;
  let registry: TestRegistry;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "any-json-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function connect(manifests: Parameters<typeof startManifestRegistry>[0]): Promise<void> {
    registry = await startManifestRegistry(manifests);
    await editor.connectTo(registry);
  }
  const connectToThree = () =>
    connect(
      Object.fromEntries(
        Object.entries(inputs).map(([slug, inputSchema]) => [
          slug,
          plainManifest(slug, { inputSchema }),
        ]),
      ),
    );
  afterEach(async () => {
    await editor.connectTo();
    await registry.close();
  });

  async function open(name: string, written: string): Promise<void> {
    const path = join(folder, name);
    await writeFile(path, written);
    await editor.vscode.window.showTextDocument(Uri.file(path));
  }
  async function rows(): Promise<readonly string[]> {
    const { items } = await editor.pick(/Fits|Needs/);
    return items.map(({ label, detail }) => `${label}: ${detail}`);
  }
  const find = () => editor.run("findSkillForJson");

  it("lists skills for a file, matching ones first, and binds the file to the choice", async () => {
    await connectToThree();
    await open("any.json", '{"text": "Hello"}');
    const finding = find();
    assert.deepEqual(await rows(), ["count: Fits", "ticket: Needs priority: string"]);
    const { items, placeholder } = await editor.pick();
    assert.equal(placeholder, "1 of 3 skills take this");
    assert.match(items[0]?.description ?? "", /low permissions.*1\.0\.0/);
    await editor.choose("ticket");
    await finding;
    assert.equal(editor.document.uri.path, join(folder, "any.json"));
    assert.match(await editor.checked(), /ticket@1\.0\.0: 1 problem/);
    assert.ok(registry.requests.every(({ method, body }) => method === "GET" && body === ""));
  });

  it("opens a selection as a payload of the choice and keeps the document", async () => {
    await connectToThree();
    await open("notes.md", 'Try {"rows": "a"} or another.');
    const shown = editor.vscode.window.activeTextEditor;
    assert.ok(shown);
    shown.selection = new Selection(0, 4, 0, 17);
    const finding = find();
    assert.deepEqual(await rows(), ["table: Fits"]);
    await editor.choose("table");
    await finding;
    assert.equal(editor.document.getText(), '{"rows": "a"}\n');
    assert.match(await editor.checked(), /table@1\.0\.0: valid/);
  });

  it("opens copied JSON as a payload if no JSON is visible", async () => {
    await connectToThree();
    editor.parts.machine.clipboard = '  {"text": "Hello"}';
    const finding = find();
    await editor.choose("count");
    await finding;
    assert.equal(editor.document.getText(), '{"text": "Hello"}\n');
    assert.match(await editor.checked(), /count@1\.0\.0: valid/);
  });

  it("takes the JSON out of a copied line of a log, and shows what it took", async () => {
    await connectToThree();
    editor.parts.machine.clipboard = "12:01 sent {'text': 'Hello'} in 3 ms";
    const finding = find();
    const { placeholder } = await editor.pick(/Fits|Needs/);
    assert.match(placeholder ?? "", / · Taken from the text: \{"text": "Hello"\}$/);
    await editor.choose("count");
    await finding;
    assert.equal(editor.document.getText(), '{"text": "Hello"}\n');
  });

  it("prefers visible JSON in a document of another language to copied JSON", async () => {
    await connectToThree();
    editor.parts.machine.clipboard = '{"rows": "a"}';
    await open("pasted.txt", '{"text": "Hello"}');
    const finding = find();
    assert.deepEqual(await rows(), ["count: Fits", "ticket: Needs priority: string"]);
    await editor.choose("count");
    await finding;
    assert.equal(editor.document.getText(), '{"text": "Hello"}\n');
    await open("greeting.txt", "Hello");
    const copied = find();
    assert.deepEqual(await rows(), ["table: Fits"]);
    await editor.leave();
    await copied;
  });

  it("reports invalid JSON, and sends the registry nothing", async () => {
    await connectToThree();
    const before = registry.requests.length;
    await open("broken.json", '{\n  "text": "a",\n  "b": one\n}');
    await find();
    await editor.notification(/This is not valid JSON\. Line 3: /);
    await open("empty.json", " ");
    await find();
    await editor.notification(/There is no JSON here/);
    await open("long.json", `"${"a".repeat(1_000_000)}"`);
    await find();
    await editor.notification(/This text is too long/);
    assert.equal(registry.requests.length, before);
  });

  it("reports that no skill accepts it", async () => {
    await connectToThree();
    await open("other.json", "[1]");
    await find();
    await editor.notification("No skill takes this as it is (3 checked)");
  });

  it("can be canceled at a slow registry, and shows its progress", async () => {
    await connectToThree();
    registry.answer(skillPath("table"), "never");
    await open("slow.json", '{"text": "Hello"}');
    const finding = find();
    (await editor.progress(/Which Skill Takes This\?: 2 of 3 skills/)).cancel();
    await finding;
    assert.doesNotMatch(editor.screen, /quick input|Fits/);
  });

  it("reads at most fifty skills, reports that more exist, and reads those on request", async () => {
    const schema = { inputSchema: inputs.count };
    const slugs = Array.from({ length: 60 }, (_, index) => `skill-${index}`);
    await connect(Object.fromEntries(slugs.map((slug) => [slug, plainManifest(slug, schema)])));
    await editor.newPayload("skill-59");
    await open("many.json", '{"text": "Hello"}');
    const placeholderAndRequests = async () => {
      const before = registry.requests.length;
      const finding = find();
      const { placeholder } = await editor.pick("skill-0");
      await editor.leave();
      await finding;
      const paths = registry.requests.slice(before).map(({ path }) => path);
      return { placeholder, asked: paths.filter((path) => path.includes("skill-")) };
    };
    const first = await placeholderAndRequests();
    assert.equal(first.placeholder, "51 of 51 checked skills take this; more exist");
    assert.equal(first.asked.length, 50);
    assert.ok(first.asked.every((path) => !path.includes("skill-59")));
    const second = await placeholderAndRequests();
    assert.equal(second.placeholder, "60 of 60 skills take this");
    assert.equal(second.asked.length, 9);
    await editor.run("refresh");
    const { asked } = await placeholderAndRequests();
    // The open payload itself reads its skill again.
    assert.equal(asked.filter((path) => !path.includes("skill-59")).length, 50);
  });

  it("shows the names in a registry's schema as plain text on one line", async () => {
    const hostile = "$(pass) a\n\u202eb";
    const properties = { text, [hostile]: text };
    const inputSchema = { ...inputs.ticket, properties, required: ["text", hostile] };
    await connect({ odd: plainManifest("odd", { inputSchema }) });
    await open("odd.json", '{"text": "Hello"}');
    const finding = find();
    const [row = ""] = await rows();
    assert.match(row, /Needs /);
    assert.doesNotMatch(row, /\$\(pass\)|\n|\u202e/);
    await editor.leave();
    await finding;
  });
});

describe("Use as Payload…", () => {
  const editor = useEditor({ settings: { "skillRegistry.history.keepTexts": "always" } });

  it("lists the skills that accept an output, names the missing properties of others, and opens it for the choice", async () => {
    await editor.newPayload("redact-pii", '{"text": "Mail ana@example.org"}');
    const invoked = editor.run("invoke");
    await editor.press("Invoke redact-pii", "Invoke");
    await invoked;
    const used = editor.run("useAsPayload");
    await editor.pick("Use as Payload");
    await editor.choose(/redact-pii/);
    const { items } = await editor.pick("No skill takes this as it is");
    const [first] = items;
    assert.match(`${first?.label}: ${first?.detail}`, /^\S.*: \S/);
    await editor.choose("Text statistics");
    await used;
    assert.match(editor.document.getText(), /^\{"text": ?"Mail \S+"/);
    assert.match(await editor.checked(), /text-stats@.*: 2 problems/);
  });
});
