import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { startFromExamples } from "../../../../src/core/manifest/manifestStarts";
import { newManifestSnippet } from "../../../../src/core/manifest/newManifest";
import { startsIn } from "../../../../src/core/manifest/otherKinds";

const schema = { type: "object", properties: { text: { type: "string" } } };

describe("what a new manifest can be started from", () => {
  it("is a tool of the Model Context Protocol, or each of a list", () => {
    const tool = { name: "count", title: "Count", description: "Counts.", inputSchema: schema };
    const start = {
      name: "count",
      displayName: "Count",
      description: "Counts.",
      inputSchema: schema,
    };
    assert.deepEqual(startsIn(tool), [start]);
    assert.deepEqual(startsIn({ tools: [tool, { name: "broken" }, 1] }), [start]);
  });

  it("is each operation of an OpenAPI document, with its parameters, body and references", () => {
    const json = (schema: JsonValue) => ({ content: { "application/json": { schema } } });
    const item = { $ref: "#/components/schemas/Item" };
    const document = {
      openapi: "3.0.0",
      servers: [{ url: "https://api.example/v1/" }],
      paths: {
        "/items/{id}": {
          parameters: [{ $ref: "#/components/parameters/id" }],
          put: {
            summary: "Change",
            parameters: [
              { name: "dry", in: "query", schema: { type: "boolean" } },
              { name: "X-Trace", in: "header", schema: { type: "string" } },
            ],
            requestBody: { $ref: "#/components/requestBodies/item" },
            responses: { 404: json({ type: "string" }), 200: json({ type: "array", items: item }) },
          },
        },
        "/items": { get: { responses: {} } },
      },
      components: {
        parameters: { id: { name: "id", in: "path", required: true, schema: { type: "string" } } },
        requestBodies: { item: json(item) },
        schemas: {
          Item: { type: "object", required: ["name"], properties: { name: {}, parent: item } },
        },
      },
    };
    const parent = { $ref: "#/$defs/Item" };
    const inner = { type: "object", required: ["name"], properties: { name: {}, parent } };
    assert.deepEqual(JSON.parse(JSON.stringify(startsIn(document))), [
      {
        name: "PUT /items/{id}",
        displayName: "Change",
        entrypoint: "https://api.example/v1/items/{id}",
        inputSchema: {
          type: "object",
          properties: { id: { type: "string" }, dry: { type: "boolean" }, name: {}, parent },
          required: ["id", "name"],
          $defs: { Item: inner },
        },
        outputSchema: { type: "array", items: parent, $defs: { Item: inner } },
      },
      { name: "GET /items", entrypoint: "https://api.example/v1/items" },
    ]);
  });

  it("writes OpenAPI's nullable values as values that may be null", () => {
    const a = { type: "string", enum: ["b"], nullable: true };
    const properties = { a, c: { $ref: "#/components/schemas/C", nullable: true }, nullable: a };
    const content = { "application/json": { schema: { type: "object", properties } } };
    const [start] = startsIn({
      openapi: "3.0.3",
      paths: { "/a": { post: { requestBody: { content } } } },
      components: { schemas: { C: { type: "integer", nullable: false } } },
    });
    const either = { type: ["string", "null"], enum: ["b", null] };
    assert.deepEqual(start?.inputSchema, {
      type: "object",
      properties: {
        a: either,
        c: { anyOf: [{ $ref: "#/$defs/C" }, { type: "null" }] },
        nullable: either,
      },
      $defs: { C: { type: "integer" } },
    });
  });

  it("is nothing in another document", () => {
    for (const other of [
      [],
      1,
      {},
      { name: "a", version: "1" },
      { openapi: "3.0.0" },
      { swagger: "2.0", paths: {} },
    ]) {
      assert.deepEqual(startsIn(other), []);
    }
  });

  it("is a payload and an output, or one of them", () => {
    assert.deepEqual(Object.keys(startFromExamples({ a: 1 }, undefined)), ["inputSchema"]);
    assert.deepEqual(Object.keys(startFromExamples({ a: 1 }, [])), ["inputSchema", "outputSchema"]);
  });

  it("leaves tab stops in a manifest only where nothing is known, and its texts as they are", () => {
    const snippet = newManifestSnippet("a-b", {
      description: "Costs $1 {x}\uE000",
      entrypoint: "https://x",
    });
    assert.match(snippet, /"displayName": "A b"/);
    assert.match(snippet, /"description": "Costs \\\$1 \{x\\\}"/);
    assert.match(snippet, /"tags": \[\n\t\t"\$1"\n\t\]/);
    assert.match(snippet, /"entrypoint": "https:\/\/x"/);
  });
});
