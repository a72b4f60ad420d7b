import { strict as assert } from "node:assert";
import { after, before, describe, it } from "mocha";
import { hostileSchemas } from "../../fixtures/hostileSchemas";
import { startSchemaRegistry } from "../../fixtures/registries/schemaRegistry";
import { startTestRegistry, type TestRegistry } from "../../fixtures/registries/testRegistry";
import { useEditor } from "../useEditor";

const calm = { calm: { properties: { a: { type: "string" } } } };

/** A schema that never ends, and one that names an address; unit tests of the thread try all. */
const cases = ["pattern-of-value", "remote-reference"] as const;

describe("Payloads for hostile schemas", () => {
  const editor = useEditor();
  let server: TestRegistry;
  let elsewhere: TestRegistry;
  let corpus: ReturnType<typeof hostileSchemas>;
  before(async () => {
    elsewhere = await startTestRegistry({ "**": { body: "true" } });
    corpus = hostileSchemas(elsewhere.baseUrl);
    const schemas = Object.entries(corpus).map(([slug, { schema }]) => [slug, schema]);
    server = await startSchemaRegistry({ ...Object.fromEntries(schemas), ...calm });
    await editor.connectTo(server);
  });
  after(async () => {
    await server.close();
    await elsewhere.close();
  });

  const textFor = (slug: string) => corpus[slug]?.text ?? assert.fail(`There is no ${slug}.`);

  for (const slug of cases) {
    it(`A payload for ${slug} is not checked, and completion and hover end`, async () => {
      const text = textFor(slug);
      const document = await editor.newPayload(slug, text);
      assert.match(await editor.checked(), new RegExp(`${slug}@1\\.0\\.0: not checked`));
      for (const offset of [2, text.length - 1]) {
        const at = document.positionAt(offset);
        await editor.parts.languages.completionsAt(document, at);
        await editor.parts.languages.hoversAt(document, at);
      }
    });
  }

  it("A payload for a normal schema is checked as usual beside them", async () => {
    const stuck = await editor.newPayload("calm", '{"a": 1}');
    assert.match(await editor.checked(), /calm@1\.0\.0: 1 problem/);
    assert.equal(stuck.isClosed, false);
  });

  it("Problems of a text that changed before its check ended are not shown", async () => {
    const { uri } = await editor.newPayload("pattern-of-value", "{}");
    const shown: unknown[] = [];
    const subscription = editor.vscode.languages.onDidChangeDiagnostics(() => {
      shown.push(...editor.parts.languages.problems(uri).map(({ code }) => code));
    });
    editor.write(textFor("pattern-of-value"));
    editor.write('{"a": 1, "a": 1}');
    assert.match(await editor.checked(), /pattern-of-value@1\.0\.0: 1 problem/);
    subscription.dispose();
    assert.deepEqual(new Set(shown), new Set(["json"]));
  });

  it("Requests go only to the registry, and only for skills", () => {
    assert.deepEqual(
      server.requests.filter(({ path }) => !path.startsWith("/v1/")),
      [],
    );
    assert.deepEqual(elsewhere.requests, []);
    assert.ok(server.requests.length >= cases.length);
  });
});
