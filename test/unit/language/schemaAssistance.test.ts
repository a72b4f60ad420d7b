import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../src/core/json/jsonValue";
import { assistanceSchema } from "../../../src/core/schema/assistanceSchema";
import { testableSchema } from "../../../src/core/schema/read/testableSchema";
import { english } from "../../../src/core/text/language";
import type { Proposal } from "../../../src/language/languageMessages";
import { SchemaAssistance } from "../../../src/language/schemaAssistance";

/** Apart from the brace, so that a text stays what it is here and in a template. */
const dollar = "$";

const schema: JsonValue = {
  type: "object",
  required: ["mode"],
  properties: {
    verbose: { type: "boolean", description: "Say more." },
    mode: { $ref: "#/$defs/mode", description: "How [x](command:y) to do it." },
    shape: {
      oneOf: [
        {
          properties: { kind: { const: "circle" }, radius: { type: "number" } },
          required: ["kind"],
        },
        { properties: { kind: { const: "box" }, width: { type: "number" } }, required: ["kind"] },
      ],
    },
    options: { type: "object", required: ["level"], properties: { level: { default: 3 } } },
  },
  $defs: { mode: { enum: ["fast", "exact", `$(trash) ${dollar}{TM_FILENAME}`] } },
};

/** Proposals where `|` stands in a text. */
async function at(marked: string, of: JsonValue = schema): Promise<readonly Proposal[]> {
  const offset = marked.indexOf("|");
  return new SchemaAssistance(assistanceSchema(testableSchema(of), english)).proposals(
    marked.replace("|", ""),
    offset,
  );
}

const labels = (proposals: readonly Proposal[]) => proposals.map(({ label }) => label);

describe("SchemaAssistance", () => {
  it("proposes property names with what they mean, the required first", async () => {
    const proposals = await at("{|}");
    assert.deepEqual(labels(proposals), ["mode", "verbose", "shape", "options"]);
    assert.equal(proposals[1]?.documentation, "Say more.\nboolean");
  });

  it("leaves out names that are there, also inside a string", async () => {
    assert.deepEqual(labels(await at('{"mode": "fast", "v|"}')), ["verbose", "shape", "options"]);
  });

  it("proposes values", async () => {
    const proposals = await at('{"mode": |}');
    assert.deepEqual(labels(proposals).slice(0, 2), ['"fast"', '"exact"']);
    assert.deepEqual(labels(await at('{"verbose": |}')), ["true", "false"]);
    assert.equal(proposals[2]?.snippet, `"\\$(trash) \\${dollar}{TM_FILENAME\\}"`);
  });

  it("proposes what the branch that was chosen knows", async () => {
    assert.deepEqual(labels(await at('{"shape": {"kind": "box", |}}')), ["width"]);
  });

  it("fills what is required of an object in one go", async () => {
    const property = (await at("{|}")).find(({ label }) => label === "options");
    assert.equal(property?.snippet, `"options": {\n\t"level": ${dollar}{1:3}\n}`);
    const [whole] = await at("|");
    assert.equal(whole?.label, "{ mode }");
    assert.equal(whole?.snippet, `{\n\t"mode": "${dollar}{1:fast}"\n}`);
  });

  it("writes a colon behind a name of any value, where there is none yet", async () => {
    const any = { properties: { any: {} } };
    const snippets = async (marked: string) =>
      (await at(marked, any)).map(({ snippet }) => snippet);
    assert.deepEqual(await snippets("{|}"), ['"any": $1']);
    assert.deepEqual(await snippets('{| "b": 1}'), ['"any": $1,']);
    assert.deepEqual(await snippets('{"a|": 1}'), ['"any"']);
  });

  it("completes items of lists, and parts that stand together", async () => {
    const lists: JsonValue = {
      properties: {
        steps: { type: "array", items: { $ref: "#/definitions/step" } },
        config: { allOf: [{ $ref: "#/definitions/base" }, { required: ["extra"] }] },
      },
      definitions: {
        step: {
          oneOf: [
            { required: ["op", "path"], properties: { op: { const: "add" }, path: {} } },
            { required: ["op", "from"], properties: { op: { const: "move" }, from: {} } },
          ],
        },
        base: { required: ["name"], properties: { name: { type: "string" } } },
      },
    };
    const found = async (marked: string) => labels(await at(marked, lists));
    assert.deepEqual(await found('{"steps": [|]}'), [
      '{ op: "add", path }',
      '{ op: "move", from }',
    ]);
    assert.deepEqual(await found('{"steps": [{"op": |}]}'), ['"add"', '"move"']);
    assert.deepEqual(await found('{"steps": [{"op": "move", |}]}'), ["from"]);
    const config = (await at("{|}", lists)).find(({ label }) => label === "config");
    assert.equal(
      config?.snippet,
      `"config": {\n\t"name": "${dollar}{1}",\n\t"extra": ${dollar}{2}\n}`,
    );
  });

  it("offers a start where a value has several forms, behind what is known of it", async () => {
    const forms: JsonValue = {
      properties: {
        title: { oneOf: [{ type: "string" }, { type: "integer" }] },
        on: {
          oneOf: [
            { enum: ["push"] },
            { type: "array", items: { enum: ["push"] } },
            { type: "object" },
          ],
        },
        labels: {
          type: "array",
          items: { oneOf: [{ type: "string" }, { required: ["name"] }] },
        },
        months: { type: "integer", minimum: 1 },
      },
    };
    const found = async (marked: string) => labels(await at(marked, forms));
    assert.deepEqual(await found('{"title": |}'), ['""']);
    assert.deepEqual(await found('{"title": "|"}'), []);
    assert.deepEqual(await found('{"on": |}'), ['"push"', "[]", "{}"]);
    assert.deepEqual(await found('{"labels": [|]}'), ["{ name }", '""']);
    assert.deepEqual(await found('{"months": |}'), ["1"]);
  });

  it("tells branches apart by their constants, and adds what stands beside them", async () => {
    const branches: JsonValue = {
      properties: {
        method: {
          oneOf: ["card", "cash"].map((type) => ({
            required: ["type", "amount"],
            properties: { type: { enum: [type] }, amount: { type: "number", minimum: 1 } },
          })),
        },
        mail: {
          required: ["to"],
          properties: { to: { type: "string" }, text: { type: "string" }, html: {} },
          anyOf: [{ required: ["text"] }, { required: ["html"] }],
        },
      },
    };
    const method = await at('{"method": |}', branches);
    assert.deepEqual(labels(method), ['{ type: "card", amount }', '{ type: "cash", amount }']);
    assert.equal(method[1]?.snippet, `{\n\t"type": "cash",\n\t"amount": ${dollar}{1:1}\n}`);
    assert.deepEqual(labels(await at('{"mail": |}', branches)), ["{ to, text }", "{ to, html }"]);
  });

  it("knows what is under a pattern, without trying it", async () => {
    const job: JsonValue = { required: ["steps"], properties: { steps: { type: "array" } } };
    const jobs: JsonValue = { patternProperties: { "^(a+)+$": job }, additionalProperties: false };
    assert.deepEqual(labels(await at('{"build": |}', jobs)), ["{ steps }"]);
    assert.deepEqual(labels(await at('{"build": {|}}', jobs)), ["steps"]);
  });

  it("lists all values where one of them stands, and replaces it between its quotes", async () => {
    const proposals = await at('{"mode": "fast|", "verbose": true}');
    assert.deepEqual(labels(proposals).slice(0, 2), ['"fast"', '"exact"']);
    assert.deepEqual(
      proposals.map(({ filterText }) => filterText),
      ["fast", "fast", "fast"],
    );
    assert.deepEqual(
      [proposals[1]?.snippet, proposals[1]?.start, proposals[1]?.end],
      ["exact", 10, 14],
    );
    assert.deepEqual(
      (await at('{"verbose": true|}')).map(({ filterText }) => filterText),
      ["true", "true"],
    );
  });

  it("writes the space behind a colon", async () => {
    assert.equal((await at('{"mode":|}'))[0]?.snippet, ' "fast"');
  });

  it("lists at most 500", async () => {
    const names = Array.from({ length: 800 }, (_, index): [string, JsonValue] => [`p${index}`, {}]);
    const proposals = await at("{|}", { properties: Object.fromEntries(names) });
    assert.equal(proposals.length, 500);
  });

  it("takes no notice of a schema that the payload names", async () => {
    const text = '{"$schema": "https://example.com/x.json", |}';
    assert.deepEqual(labels(await at(text)), ["mode", "verbose", "shape", "options"]);
  });

  it("explains keys and values", async () => {
    const text = '{"mode": "fast", "options": {"level": 1}}';
    const assistance = new SchemaAssistance(assistanceSchema(testableSchema(schema), english));
    const key = await assistance.explanation(text, 3);
    assert.deepEqual([key?.start, key?.end], [1, 7]);
    assert.match(key?.texts.join() ?? "", /How \[x\]\(command:y\) to do it\./);
    const level = await assistance.explanation(text, text.indexOf("level"));
    assert.deepEqual(level?.texts, ["Default: 3"]);
    assert.equal(await assistance.explanation(text, 8), undefined);
  });
});
