import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import {
  type ForeignRegistry,
  startForeignRegistry,
} from "../../fixtures/registries/foreignRegistry";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { useEditor } from "../useEditor";
import { TabInputTextDiff } from "../vscode/values";

describe("The page of a skill", () => {
  const editor = useEditor();

  /** Opens a skill, and waits until its page shows it. */
  const open = async (address: string) => {
    await editor.run("openSkill", address);
    const page = await editor.page();
    await editor.until("the skill", () => page.shown?.kind === "ready");
    return page;
  };
  const shown = (page: Awaited<ReturnType<typeof open>>) => {
    assert.ok(page.shown?.kind === "ready");
    return page.shown;
  };

  it("It may load its script, and nothing else of the extension", async () => {
    const { panel } = await open("text-stats");
    const [, script = ""] = /<script [^>]*src="([^"]+)"/.exec(panel.html) ?? [];
    const [root, ...more] = panel.options.localResourceRoots ?? [];
    assert.deepEqual(more, []);
    assert.match(root?.path ?? "", /\/dist\/page$/);
    assert.equal(decodeURI(new URL(script).pathname), `${root?.path}/skillPage.js`);
  });

  it("It has the name of its skill from the start, even if it was never visible", async () => {
    await (await editor.view("skills")).draw();
    const slugs = ["redact-pii", "text-stats", "no-such-skill"];
    const rows = slugs.map((slug) => ({ kind: "skill", skill: { slug } }));
    await editor.run("openSkill", rows[0], rows);
    assert.deepEqual(
      editor.parts.tabs.panels.map(({ title }) => title),
      ["Redact personal data", "Text statistics", "no-such-skill"],
    );
    assert.deepEqual(editor.parts.tabs.panels[1]?.messages, []);
  });

  it("It reports that a sample without obstacles can be invoked, before the first invocation", async () => {
    for (const slug of ["text-stats", "sql-format", "redact-pii", "json-diff", "csv-profile"]) {
      const page = await open(slug);
      await editor.until(`yes of ${slug}`, () => shown(page).run.kind === "yes");
    }
    for (const slug of ["vault-rotate", "draft-writer", "status-notice"]) {
      const page = await open(slug);
      await editor.until(`no of ${slug}`, () => shown(page).run.kind === "no");
    }
  });

  it("It compares two versions in words, and their manifests side by side, read-only", async () => {
    const page = await open("csv-profile");
    const pair = { before: "1.0.0", after: "2.0.0" };
    page.send({ type: "compareVersions", ...pair });
    const compared = await editor.until("the difference", () => {
      const { compared } = shown(page);
      return compared?.kind === "ready" && compared;
    });
    assert.deepEqual([compared.before, compared.after], ["1.0.0", "2.0.0"]);
    page.send({ type: "diffManifests", ...pair });
    const input = await editor.until("the diff editor", () => {
      const shownNow = editor.parts.tabs.active?.input;
      return shownNow instanceof TabInputTextDiff && shownNow;
    });
    const documents = await Promise.all(
      [input.original, input.modified].map((uri) => editor.parts.documents.get(uri)),
    );
    assert.deepEqual(
      documents.map(({ uri }) => uri.scheme),
      ["skill-manifest", "skill-manifest"],
    );
    assert.deepEqual(
      documents.map((document) => JSON.parse(document.getText()).version),
      ["1.0.0", "2.0.0"],
    );
  });

  it("It opens manifest and schemas as JSON with clear names", async () => {
    for (const [what, part, member] of [
      ["manifest", "manifest", "inputSchema"],
      ["inputSchema", "input-schema", "properties"],
      ["outputSchema", "output-schema", "properties"],
    ] as const) {
      const page = await open("csv-profile");
      page.send({ type: "openText", what });
      const { document } = await editor.until(`the ${what}`, () => editor.parts.tabs.activeEditor);
      assert.match(document.uri.path, new RegExp(`/csv-profile@[\\d.]+\\.${part}\\.json$`));
      assert.deepEqual([document.uri.scheme, document.languageId], ["skill-manifest", "json"]);
      assert.ok(member in JSON.parse(document.getText()));
      await editor.tidy();
    }
  });

  it("It opens a schema that refers to another document as text of a language that fetches nothing", async () => {
    const schema = { $schema: "http://127.0.0.1:9/schema.json", properties: { a: {} } };
    const registry = await startSchemaRegistry({ lure: schema });
    await editor.connectTo(registry);
    const page = await open("lure");
    page.send({ type: "openText", what: "inputSchema" });
    const { document } = await editor.until("the schema", () => editor.parts.tabs.activeEditor);
    assert.equal(document.languageId, "jsonl");
    assert.deepEqual(JSON.parse(document.getText()), schema);
    await editor.connectTo();
    await registry.close();
  });

  it("It opens a schema as the registry in use has it, even if the same one of another registry is open", async () => {
    for (const minimum of [1, 2]) {
      const registry = await startSchemaRegistry({ same: { minimum } });
      await editor.connectTo(registry);
      const page = await open("same");
      page.send({ type: "openText", what: "inputSchema" });
      await editor.until("its schema", () => {
        const text = editor.parts.tabs.activeEditor?.document.getText() ?? "";
        return text.includes(`"minimum": ${minimum}`);
      });
      await editor.connectTo();
      await registry.close();
    }
  });

  it("It opens another version in the open page, marks in its tab that the project runs another, and opens that", async () => {
    const page = await open("csv-profile");
    const panels = editor.parts.tabs.panels.length;
    await open("csv-profile@1.0.0");
    await editor.until("the version", () => shown(page).skill.version === "1.0.0");
    assert.equal(editor.parts.tabs.panels.length, panels);
    await editor.until("the version in the tab", () => page.panel.title === "CSV profile@1.0.0");
    const { versionNote } = shown(page).skill;
    assert.deepEqual(
      [versionNote?.text, versionNote?.latest],
      ["The project local-demo runs version 2.0.0, and no other.", "2.0.0"],
    );
    page.send({ type: "selectVersion", version: "2.0.0" });
    await editor.until("the newest", () => shown(page).skill.version === "2.0.0");
    await editor.until("the name alone", () => page.panel.title === "CSV profile");
  });

  it("It reports a missing skill or version", async () => {
    await editor.run("openSkill", "no-such-skill");
    const gone = await editor.page();
    await editor.until("that it is gone", () => gone.shown?.kind === "gone");
    await editor.run("openSkill", "text-stats@9.9.9");
    const other = await editor.page();
    await editor.until("that it is not there", () => /gone|failed/.test(other.shown?.kind ?? ""));
  });

  it("It notes that its registry returned another version than the requested one", async () => {
    const registry = await startForeignRegistry({ dialect: "camel", detail: "full" });
    await editor.connectTo(registry);
    await editor.run("openSkill", "word-tally@9.9.9");
    const page = await editor.page("Word Tally");
    await page.shows(/^This registry returned .* instead of version 9\.9\.9\.$/m);
    await editor.connectTo();
    await registry.close();
  });

  const follow = (path: string) =>
    editor.parts.uriHandler?.handleUri(
      editor.vscode.Uri.parse(`vscode://skill-registry.skill-registry/skill/${path}`),
    );

  it("It opens from a link, which can do nothing else", async () => {
    const { parts } = editor;
    await follow("json-diff");
    await (await editor.page("JSON diff")).shows("json-diff");
    await follow("..%2F..%2Fv1");
    await editor.notification("Invalid skill link.");
    assert.equal(parts.tabs.all.length, 1);
  });

  it("A link with a payload opens a new document that is checked and not sent", async () => {
    const payload = encodeURIComponent('{"text": "a&b=c#d + 100%", "topWords": 1e400}');
    await follow(`text-stats?payload=${payload}`);
    assert.ok(editor.document.isUntitled);
    assert.match(await editor.checked(), /text-stats@1\.0\.0: 2 problems/);
    assert.equal(
      editor.document.getText(),
      '{\n  "text": "a&b=c#d + 100%",\n  "topWords": 1e400\n}\n',
    );
    assert.deepEqual(
      editor.parts.tabs.all.map(({ label }) => label),
      ["Text statistics", "text-stats.skill-input.json"],
    );
    assert.equal(editor.output, "");
  });

  it("A link opens no payload for which the editor would send a request", async () => {
    const payload = '{"$schema":"http://10.0.0.1/","text":"a","$schema":"https://x.example"}';
    await follow(`text-stats?payload=${encodeURIComponent(payload)}`);
    assert.equal(editor.document.getText(), '{\n  "text": "a"\n}\n');
    (await editor.notification("left out because the editor would download it: http://10")).close();
  });

  it("A payload is copied as such a link, which opens it as it was typed", async () => {
    const typed = '{ "text": "a&b=c#d + 100% – ü", "topWords": 1e400 }';
    await editor.newPayload("text-stats", typed);
    await editor.chooseAction("Copy Link");
    const link = editor.parts.machine.clipboard;
    assert.match(
      link,
      /^vscode:\/\/skill-registry\.skill-registry\/skill\/text-stats@1\.0\.0\?payload=%7B%22text%22%3A/,
    );
    await editor.tidy();
    await editor.parts.uriHandler?.handleUri(editor.vscode.Uri.parse(link));
    assert.equal(
      editor.document.getText(),
      '{\n  "text": "a&b=c#d + 100% – ü",\n  "topWords": 1e400\n}\n',
    );
    const copying = editor.run("copyAs");
    await editor.choose("Link with Payload");
    await copying;
    assert.equal(editor.parts.machine.clipboard, link);
  });

  it("A payload with a credential, or too long, is copied as no link", async () => {
    for (const [text, why] of [
      [`ghp_${"aB3".repeat(12)}`, "appears to contain a credential"],
      ["ü".repeat(2000), "too long for a link"],
    ] as const) {
      await editor.newPayload("text-stats", JSON.stringify({ text }));
      await editor.chooseAction("Copy Link");
      (await editor.notification(why)).close();
      assert.equal(editor.parts.machine.clipboard, "");
    }
  });

  it("A payload whose credential is removed during copying is not copied as a link", async () => {
    const text = `ghp_${"aB3".repeat(12)}`;
    const { uri } = await editor.newPayload("text-stats", JSON.stringify({ text }));
    const copying = editor.vscode.commands.executeCommand(
      "skillRegistry.editor.copyPayloadLink",
      uri,
    );
    editor.write('{"text": "a"}');
    await copying;
    (await editor.notification("appears to contain a credential")).close();
    assert.equal(editor.parts.machine.clipboard, "");
  });

  it("A link neither overwrites an open payload nor opens the same one twice", async () => {
    const written = await editor.newPayload("text-stats", '{"text": "mine"}');
    for (const _ of [1, 2]) await follow('text-stats?payload={"text":"theirs"}');
    assert.equal(written.getText(), '{"text": "mine"}');
    assert.equal(editor.parts.tabs.all.length, 3);
  });

  it("A link with a truncated, too long or unbound payload opens none", async () => {
    await follow('text-stats?payload={"text": "a');
    await editor.notification("The payload of this link is not valid JSON.");
    await follow(`text-stats?payload="${"a".repeat(8000)}"`);
    await editor.notification("The payload of this link is too long");
    assert.equal(editor.parts.tabs.all.length, 0);
    await follow("no-such-skill?payload={}");
    assert.deepEqual(
      editor.parts.tabs.all.map(({ label }) => label),
      ["no-such-skill"],
    );
  });
});

describe("The page of a skill whose registry dies", () => {
  const editor = useEditor();

  it("It stays, with its time and the missing parts", async () => {
    const registry = await startForeignRegistry({ dialect: "snake", detail: "full" });
    await editor.connectTo(registry);
    await editor.run("openSkill", "word-tally");
    const page = await editor.page("Word Tally");
    await page.shows("Not provided by this registry.");
    await page.shows("No Project Key is kept for this registry.");
    await registry.close();
    await editor.run("refresh");
    await page.shows(/^From .* refresh failed\. No server is listening/m);
    assert.equal(page.shown?.kind, "ready");
  });
});

describe("The page of a slowly loading skill", () => {
  const editor = useEditor();
  let registry: ForeignRegistry;
  let respond: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    respond = resolve;
  });
  before(async () => {
    registry = await startForeignRegistry({ dialect: "camel" });
    registry.answer("/v1/skills/word-tally", ({ passOn }) => released.then(passOn));
    await editor.connectTo(registry);
  });
  after(() => registry.close());

  it("It reports whether the skill can be invoked, by the facts known when it arrives", async () => {
    void editor.run("openSkill", "word-tally");
    await registry.heard(({ path }) => path === "/v1/skills/word-tally");
    const set = editor.run("setProjectKey");
    await editor.answer(registry.projectKey);
    await set;
    respond();
    const page = await editor.page();
    await editor.until("that there is a key", () => {
      const { shown } = page;
      return shown?.kind === "ready" && !shown.run.needsKey;
    });
  });
});

describe("Skills side by side", () => {
  const editor = useEditor();
  const compare = async (slugs: readonly string[]) => {
    void editor.run("compareSkills", slugs);
    const page = await editor.page(/^Compare/);
    await isCompared(page, ...slugs);
    return page;
  };
  const isCompared = (page: Awaited<ReturnType<typeof editor.page>>, ...slugs: readonly string[]) =>
    editor.until(`${slugs} compared`, () => {
      const { shown } = page;
      return (
        shown?.kind === "comparison" && shown.comparison && shown.slugs.join() === slugs.join()
      );
    });

  it("They are shown for a list of slugs, with their differences marked", async () => {
    const page = await compare(["text-stats", "vault-rotate"]);
    assert.equal(page.panel.title, "Compare: text-stats, vault-rotate");
    const { shown } = page;
    assert.ok(shown?.kind === "comparison");
    const rows = shown.comparison?.groups.flatMap(({ rows }) => rows) ?? [];
    const level = rows.find(({ label }) => label === "Permission level");
    assert.equal(level?.differs, true);
    assert.match(JSON.stringify(level), /Low permissions.*High permissions/);
  });

  it("They are added from a searchable list, and removed", async () => {
    const page = await compare(["text-stats", "vault-rotate"]);
    page.send({ type: "compareWith" });
    const pick = await editor.pick("CSV profile");
    pick.type("csv-profile");
    await editor.choose("CSV profile");
    await isCompared(page, "text-stats", "vault-rotate", "csv-profile");
    page.send({ type: "removeSkill", slug: "text-stats" });
    await isCompared(page, "vault-rotate", "csv-profile");
  });

  it("They start from a skill's page", async () => {
    await editor.run("openSkill", "sql-format");
    const opened = await editor.page("Format SQL");
    await editor.until("the skill", () => opened.shown?.kind === "ready");
    opened.send({ type: "runCommand", command: "compareSkills" });
    const pick = await editor.pick("JSON diff");
    pick.type("json-diff");
    await editor.choose("JSON diff");
    await isCompared(await editor.page(/^Compare/), "sql-format", "json-diff");
  });
});
