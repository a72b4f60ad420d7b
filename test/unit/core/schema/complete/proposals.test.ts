import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { explanationAt } from "../../../../../src/core/schema/complete/explanation";
import type { Proposal } from "../../../../../src/core/schema/complete/proposal";
import { proposalsAt } from "../../../../../src/core/schema/complete/proposals";
import { testableSchema } from "../../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../../src/core/text/language";

/** Separate from the brace, so that it is the same in a string and in a template. */
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

/** Returns the proposals at `|` in a text. */
function at(marked: string, of: JsonValue = schema): readonly Proposal[] {
  const offset = marked.indexOf("|");
  return proposalsAt(testableSchema(of), marked.replace("|", ""), offset, english);
}

const labels = (proposals: readonly Proposal[]) => proposals.map(({ label }) => label);

describe("completion in a payload", () => {
  it("considers at most 500 branches", () => {
    const last = { properties: { last: {} } };
    const proposed = (count: number) =>
      labels(
        at("{|}", { anyOf: [...Array.from({ length: count }, () => ({ minItems: 1 })), last] }),
      );
    assert.deepEqual([proposed(499), proposed(500)], [["last"], []]);
  });

  it("proposes each of 200 allowed values", () => {
    const values = Array.from({ length: 200 }, (_, index) => `value ${index}`);
    const proposed = labels(at('{"a": |}', { properties: { a: { enum: values } } }));
    assert.deepEqual(
      proposed,
      values.map((value) => JSON.stringify(value)),
    );
  });

  it("proposes property names with their descriptions, required ones first", () => {
    const proposals = at("{|}");
    assert.deepEqual(labels(proposals), ["mode", "verbose", "shape", "options"]);
    assert.equal(proposals[1]?.documentation, "Say more.\nboolean");
  });

  it("leaves out existing names, also inside a string", () => {
    assert.deepEqual(labels(at('{"mode": "fast", "v|"}')), ["verbose", "shape", "options"]);
  });

  it("proposes values", () => {
    const proposals = at('{"mode": |}');
    assert.deepEqual(labels(proposals).slice(0, 2), ['"fast"', '"exact"']);
    assert.deepEqual(labels(at('{"verbose": |}')), ["true", "false"]);
    assert.equal(proposals[2]?.snippet, `"\\$(trash) \\${dollar}{TM_FILENAME\\}"`);
  });

  it("proposes the properties of the chosen branch", () => {
    assert.deepEqual(labels(at('{"shape": {"kind": "box", |}}')), ["width"]);
  });

  it("fills all required properties of an object at once", () => {
    const property = at("{|}").find(({ label }) => label === "options");
    assert.equal(property?.snippet, `"options": {\n\t"level": ${dollar}{1:3}\n}`);
    const [whole] = at("|");
    assert.equal(whole?.label, "{ mode }");
    assert.equal(whole?.snippet, `{\n\t"mode": "${dollar}{1:fast}"\n}`);
  });

  it("writes a colon after a name, unless there is one", () => {
    const any = { properties: { any: {} } };
    const snippets = (marked: string) => at(marked, any).map(({ snippet }) => snippet);
    assert.deepEqual(snippets("{|}"), ['"any": $1']);
    assert.deepEqual(snippets('{| "b": 1}'), ['"any": $1,']);
    assert.deepEqual(snippets('{"a|": 1}'), ['"any"']);
  });

  it("completes list items, and combined schemas", () => {
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
    const found = (marked: string) => labels(at(marked, lists));
    assert.deepEqual(found('{"steps": [|]}'), ['{ op: "add", path }', '{ op: "move", from }']);
    assert.deepEqual(found('{"steps": [{"op": |}]}'), ['"add"', '"move"']);
    assert.deepEqual(found('{"steps": [{"op": "move", |}]}'), ["from"]);
    const config = at("{|}", lists).find(({ label }) => label === "config");
    assert.equal(
      config?.snippet,
      `"config": {\n\t"name": "${dollar}{1}",\n\t"extra": ${dollar}{2}\n}`,
    );
  });

  it("offers a start if a value has several forms, after known values", () => {
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
    const found = (marked: string) => labels(at(marked, forms));
    assert.deepEqual(found('{"title": |}'), ['""']);
    assert.deepEqual(found('{"title": "|"}'), []);
    assert.deepEqual(found('{"on": |}'), ['"push"', "[]", "{}"]);
    assert.deepEqual(found('{"labels": [|]}'), ["{ name }", '""']);
    assert.deepEqual(found('{"months": |}'), ["1"]);
  });

  it("distinguishes branches by their constants, and adds shared properties", () => {
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
    const method = at('{"method": |}', branches);
    assert.deepEqual(labels(method), ['{ type: "card", amount }', '{ type: "cash", amount }']);
    assert.equal(method[1]?.snippet, `{\n\t"type": "cash",\n\t"amount": ${dollar}{1:1}\n}`);
    assert.deepEqual(labels(at('{"mail": |}', branches)), ["{ to, text }", "{ to, html }"]);
  });

  it("knows properties that match a pattern", () => {
    const job: JsonValue = { required: ["steps"], properties: { steps: { type: "array" } } };
    const jobs: JsonValue = { patternProperties: { "^(a+)+$": job }, additionalProperties: false };
    assert.deepEqual(labels(at('{"aa": |}', jobs)), ["{ steps }"]);
    assert.deepEqual(labels(at('{"aa": {|}}', jobs)), ["steps"]);
  });

  it("lists all values at an existing one, and replaces it between its quotes", () => {
    const proposals = at('{"mode": "fast|", "verbose": true}');
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
      at('{"verbose": true|}').map(({ filterText }) => filterText),
      ["true", "true"],
    );
  });

  it("writes a space after a colon", () => {
    assert.equal(at('{"mode":|}')[0]?.snippet, ' "fast"');
  });

  it("lists at most 500", () => {
    const names = Array.from({ length: 800 }, (_, index): [string, JsonValue] => [`p${index}`, {}]);
    const proposals = at("{|}", { properties: Object.fromEntries(names) });
    assert.equal(proposals.length, 500);
  });

  it("ignores a schema that the payload names", () => {
    const text = '{"$schema": "https://example.com/x.json", |}';
    assert.deepEqual(labels(at(text)), ["mode", "verbose", "shape", "options"]);
  });

  it("explains keys and values", () => {
    const text = '{"mode": "fast", "options": {"level": 1}}';
    const explain = (offset: number) =>
      explanationAt(testableSchema(schema), text, offset, english);
    const key = explain(3);
    assert.deepEqual([key?.start, key?.end], [1, 7]);
    assert.match(key?.texts.join() ?? "", /How \[x\]\(command:y\) to do it\./);
    const level = explain(text.indexOf("level"));
    assert.deepEqual(level?.texts, ["Default: 3"]);
    assert.equal(explain(8), undefined);
  });
});
