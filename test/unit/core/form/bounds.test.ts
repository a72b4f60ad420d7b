import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { editForm } from "../../../../src/core/form/editForm";
import { type FormField, isGroup, type ShownFields } from "../../../../src/core/form/formField";
import { readForm } from "../../../../src/core/form/readForm";
import { testableSchema } from "../../../../src/core/schema/read/testableSchema";
import { english } from "../../../../src/core/text/language";
import { revealHidden } from "../../../../src/core/text/plainText";
import { hostileTexts } from "../../../webview/hostileTexts";

const formOf = (schema: unknown, text: string, shown: ShownFields = {}) =>
  readForm(testableSchema(schema), { text, unread: {} }, shown, english);
const fieldsOf = ({ control }: FormField) => (isGroup(control) ? control.fields : []);
const names = Array.from({ length: 25_000 }, (_, at) => `member${at}`);

describe("a form", () => {
  it("shows some of 25,000 members, counts the rest, and lays out at most 400 at once", () => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: "integer" }]));
    const text = JSON.stringify(Object.fromEntries(names.map((name, at) => [name, at])));
    for (const [shown, expected] of [
      [{}, 50],
      [{ "": 25_000 }, 400],
    ] as const) {
      const { root } = formOf({ type: "object", properties }, text, shown);
      assert.ok(isGroup(root.control));
      assert.deepEqual(
        [root.control.fields.length, root.control.more],
        [expected, 25_000 - expected],
      );
    }
  });

  it("opens groups down to the second level below the payload, and closes deeper and missing ones", () => {
    const nested = (depth: number): object =>
      depth === 0 ? { type: "string" } : { type: "object", properties: { a: nested(depth - 1) } };
    const schema = { ...nested(4), properties: { a: nested(3), b: nested(1) } };
    const { root } = formOf(schema, '{"a":{"a":{"a":{"a":"x"}}}}');
    const isOpen = (field: FormField | undefined) =>
      field !== undefined && isGroup(field.control) ? field.control.isOpen : undefined;
    const [first, missing] = fieldsOf(root);
    const [second] = first === undefined ? [] : fieldsOf(first);
    const [third] = second === undefined ? [] : fieldsOf(second);
    assert.deepEqual([root, first, second, third, missing].map(isOpen), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("chooses a control by the number and length of what may be entered", () => {
    const words = (count: number) => names.slice(0, count);
    const list = (count: number) => ({ type: "array", items: { enum: words(count) } });
    for (const [schema, value, kind] of [
      [{ enum: words(300) }, "", "choice"],
      [{ enum: words(301), type: "string" }, "", "lines"],
      [list(20), [], "choices"],
      [list(21), [], "list"],
      [{ type: "string", maxLength: 100 }, "", "line"],
      [{ type: "string", maxLength: 101 }, "", "lines"],
    ] as const) {
      const form = formOf({ properties: { a: schema } }, JSON.stringify({ a: value }));
      const [{ control } = form.root] = fieldsOf(form.root);
      assert.equal(control.kind === "text" ? control.input : control.kind, kind);
    }
  });

  it("offers at most five suggestions for a value", () => {
    const schema = { properties: { a: { type: "string", examples: names.slice(0, 8) } } };
    const [field] = fieldsOf(formOf(schema, '{"a":""}').root);
    assert.equal(field?.suggestions.length, 5);
  });

  it("shows the start of a value of 1 MB, and sends at most the page's limit of all values", () => {
    const long = formOf(
      { properties: { a: { type: "string" } } },
      `{"a":"${"x".repeat(1_000_000)}"}`,
    );
    const [field] = fieldsOf(long.root);
    assert.equal(field?.control.kind, "long");
    assert.ok(JSON.stringify(long).length < 5_000);
    const many = Array.from({ length: 40 }, () => "x".repeat(90_000));
    const all = formOf({ type: "array", items: { type: "string" } }, JSON.stringify(many));
    assert.ok(JSON.stringify(all).length < 600_000);
  });

  it("shows a sentence instead of fields for a text that is no JSON or too long", () => {
    assert.match(formOf(true, "{ // mine\n}").note, /not JSON/);
    assert.match(formOf(true, `"${"x".repeat(2_000_001)}"`).note, /too long/);
  });

  it("shows hostile names, titles and values as text without hidden characters", () => {
    for (const text of [...hostileTexts, "__proto__", "constructor"]) {
      const schema = { properties: JSON.parse(`{${JSON.stringify(text)}: {"title": ""}}`) };
      const payload = `{${JSON.stringify(text)}: ${JSON.stringify(text)}}`;
      const [field] = fieldsOf(formOf(schema, payload).root);
      assert.equal(field?.label, revealHidden(text));
    }
  });

  it("changes only the edited value in the text", () => {
    const text =
      '{\r\n  "n" : 1.50e0,"__proto__": [1e400, "\\u0041"],\r\n\t"a":  "old" , "b": {}\r\n}\r\n';
    const schema = testableSchema({ properties: { a: { type: "string" } } });
    const edit = { what: "write", pointer: "/a", text: "new" } as const;
    const { text: edited } = editForm(schema, { text, unread: {} }, edit);
    assert.equal(edited, text.replace('"old"', '"new"'));
  });
});
