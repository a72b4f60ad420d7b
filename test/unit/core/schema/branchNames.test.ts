import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readForm } from "../../../../src/core/form/readForm";
import { schemaPathText } from "../../../../src/core/schema/compare/schemaChange";
import { schemaChanges } from "../../../../src/core/schema/compare/schemaChanges";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { schemaOutline } from "../../../../src/core/schema/schemaOutline";
import { english } from "../../../../src/core/text/language";

describe("the name of a branch", () => {
  const branch = (kind: string, more: object = {}, others: object = {}) => ({
    ...{ type: "object", required: ["kind"], ...others },
    properties: { version: { const: 1 }, kind: { const: kind }, ...more },
  });
  const branches = (more: object = {}) => [
    branch("card", more, { title: "By card" }),
    branch("bank", more),
    branch("bank", { ...more, iban: { type: "string" } }),
    { type: "object", properties: { version: { const: 1 }, cash: {}, ...more } },
  ];
  const before = { type: "object", properties: { pay: { oneOf: branches() } } };
  const after = { type: "object", properties: { pay: { oneOf: branches({ note: {} }) } } };
  const names = ["By card", "kind: bank", "kind: bank (3)"];

  it("is the same in a comparison, in a form and in an outline", () => {
    const compared = schemaChanges(before, after).map(({ path }) => schemaPathText(path));
    const outlined = schemaOutline(testableSchema(before), english).children[0]?.children ?? [];
    const draft = { text: '{"pay": {"kind": "card"}}', unread: {} };
    const form = readForm(testableSchema(before), draft, {}, english);
    assert.deepEqual(
      [
        compared.map((path) => /\((.*)\)/.exec(path)?.[1]),
        JSON.stringify(form).match(/"labels":(\[[^\]]*\])/)?.[1],
        outlined.map(({ name }) => name),
        outlined.map(({ description }) => description),
      ],
      [
        [...names, "4"],
        JSON.stringify([...names, "object"]),
        [...names.map((name, index) => `option ${index + 1} of 4: ${name}`), "option 4 of 4"],
        // The title is in the name.
        ["", "", "", ""],
      ],
    );
  });
});
