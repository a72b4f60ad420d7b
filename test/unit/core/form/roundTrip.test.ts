import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { findPlaceholders } from "../../../../src/core/environment/placeholders";
import { editForm } from "../../../../src/core/form/editForm";
import {
  type FormDraft,
  type FormEdit,
  type FormField,
  isGroup,
  type ShownFields,
} from "../../../../src/core/form/formField";
import { readForm } from "../../../../src/core/form/readForm";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import {
  type TestableSchema,
  testableSchema,
} from "../../../../src/core/schema/read/testableSchema";
import { samplePayload } from "../../../../src/core/schema/sample/samplePayload";
import { english } from "../../../../src/core/text/language";
import { catalog } from "../../../../src/localRegistry/catalog/catalog";
import { publicSchemas } from "../../../fixtures/realSchemas";

/** Opens the fields around a pointer and those right below it. */
function shownAround(pointer: string): ShownFields {
  const isAround = (one: string) => pointer === one || pointer.startsWith(`${one}/`);
  return new Proxy({}, { get: (_, one) => (isAround(String(one)) ? 1000 : 0) });
}

/** A draft and the visible part of its form. The form is read once for all values of a group. */
class ShownDraft {
  readonly #forms = new Map<string, ReadonlyMap<string, FormField>>();

  constructor(
    private readonly schema: TestableSchema,
    readonly draft: FormDraft,
  ) {}

  /** Returns the field of a pointer; undefined if the form does not show it. */
  fieldAt(pointer: string): FormField | undefined {
    const field = this.#around(pointer.slice(0, pointer.lastIndexOf("/"))).get(pointer);
    return field !== undefined && isGroup(field.control)
      ? this.#around(pointer).get(pointer)
      : field;
  }

  #around(pointer: string): ReadonlyMap<string, FormField> {
    const known = this.#forms.get(pointer);
    if (known !== undefined) return known;
    const fields = new Map<string, FormField>();
    const gather = (field: FormField) => {
      fields.set(field.pointer, field);
      fieldsOf(field).forEach(gather);
    };
    gather(readForm(this.schema, this.draft, shownAround(pointer), english).root);
    this.#forms.set(pointer, fields);
    return fields;
  }
}

/** Copies a payload from one form into another, field by field, as a person would. */
class Copyist {
  readonly #original: ShownDraft;
  #copy: ShownDraft;

  constructor(
    private readonly schema: TestableSchema,
    text: string,
    start: string,
  ) {
    this.#original = new ShownDraft(schema, { text, unread: {} });
    this.#copy = new ShownDraft(schema, { text: start, unread: {} });
  }

  get draft(): FormDraft {
    return this.#copy.draft;
  }

  edit(edit: FormEdit): void {
    const draft = editForm(this.schema, this.draft, edit);
    if (draft.text !== this.draft.text) this.#copy = new ShownDraft(this.schema, draft);
  }

  seen(pointer: string): FormField | undefined {
    return this.#copy.fieldAt(pointer);
  }

  copy(pointer: string): void {
    const field = this.#original.fieldAt(pointer);
    if (field === undefined) return;
    const { unions, control, isSet, isRequired } = field;
    if (!isSet) {
      if (this.seen(pointer)?.canRemove) this.edit({ what: "remove", pointer });
      return;
    }
    for (const [union, { chosen: branch }] of unions.entries()) {
      const here = this.seen(pointer);
      const isOther = here?.unions[union]?.chosen !== branch;
      if (branch >= 0 && isOther) this.edit({ what: "branch", pointer, union, branch });
    }
    if (isGroup(control)) {
      this.copyGroup(field);
      return;
    }
    if (control.kind === "fixed") {
      if (this.seen(pointer)?.isSet !== true) this.edit({ what: "add", pointer });
    } else if (control.kind === "choice") {
      this.edit({ what: "write", pointer, text: String(control.chosen) });
    } else if (control.kind === "choices") {
      if (this.seen(pointer)?.isSet !== true) this.edit({ what: "add", pointer });
      for (const index of control.options.keys()) {
        this.edit({ what: "choose", pointer, index, isChosen: false });
      }
      for (const index of control.chosen) {
        this.edit({ what: "choose", pointer, index, isChosen: true });
      }
    } else if (control.text === "") {
      // Emptying an optional text removes it, so an empty one is added.
      this.edit({ what: "add", pointer });
      if (isRequired) this.edit({ what: "write", pointer, text: "" });
    } else {
      this.edit({ what: "write", pointer, text: control.text });
    }
  }

  private copyGroup(field: FormField): void {
    const { pointer, control } = field;
    const wanted = fieldsOf(field);
    if (this.seen(pointer)?.isSet !== true) this.edit({ what: "add", pointer });
    const count = () => fieldsOf(this.seen(pointer)).length;
    if (control.kind === "list") {
      for (let missing = wanted.length - count(); missing > 0; missing -= 1) {
        this.edit({ what: "add", pointer });
      }
      for (let at = count() - 1; at >= wanted.length; at -= 1) {
        this.edit({ what: "remove", pointer: `${pointer}/${at}` });
      }
    }
    const named = new Set(fieldsOf(this.seen(pointer)).map((one) => one.pointer));
    for (const one of wanted) {
      if (one.isSet && !named.has(one.pointer)) {
        const name = one.pointer.slice(pointer.length + 1);
        this.edit({
          what: "addMember",
          pointer,
          name: name.replaceAll("~1", "/").replaceAll("~0", "~"),
        });
      }
      this.copy(one.pointer);
    }
    const kept = new Set(wanted.map((one) => one.pointer));
    for (const one of fieldsOf(this.seen(pointer))) {
      if (one.isSet && !kept.has(one.pointer)) this.edit({ what: "remove", pointer: one.pointer });
    }
  }
}

function fieldsOf(field: FormField | undefined): readonly FormField[] {
  const { control } = field ?? {};
  return control !== undefined && isGroup(control) ? control.fields : [];
}

/** Returns the copy made field by field, and the payload itself. */
function copied(schema: JsonValue, value: JsonValue): [copy: unknown, original: unknown] {
  const read = testableSchema(schema);
  const text = JSON.stringify(value, undefined, 2);
  const start = Array.isArray(value) ? "[]" : "{}";
  const copyist = new Copyist(read, text, start);
  copyist.copy("");
  assert.deepEqual(copyist.draft.unread, {});
  return [JSON.parse(copyist.draft.text), value];
}

/** Returns the sample for a schema, with its required or all members. */
function sampleOf(schema: JsonValue, mode: "minimal" | "full"): JsonValue {
  return samplePayload(testableSchema(schema), { mode }, english).value as JsonValue;
}

describe("a form into which a payload is copied field by field", () => {
  for (const { slug, releases } of catalog) {
    it(`reproduces each sample and example of ${slug}`, () => {
      const [{ manifest, examples }] = releases;
      const { inputSchema } = manifest;
      const samples = [sampleOf(inputSchema, "minimal"), sampleOf(inputSchema, "full")];
      for (const value of [...samples, ...examples.map(({ input }) => input)]) {
        const [copy, original] = copied(inputSchema, value);
        assert.deepEqual(copy, original);
      }
    });
  }

  it("reproduces a sample with all members of each public schema", function () {
    const tools = publicSchemas();
    if (tools.length === 0) this.skip();
    const failed: string[] = [];
    for (const [name, inputSchema] of tools) {
      // The sample with all members contains that with the required ones.
      const [copy, original] = copied(inputSchema, sampleOf(inputSchema, "full"));
      const [left, right] = [JSON.stringify(copy), JSON.stringify(original)];
      try {
        assert.deepEqual(copy, original);
      } catch {
        failed.push(`${name}: ${left} for ${right}`.slice(0, 4000));
      }
    }
    assert.deepEqual(failed, []);
  });
});

describe("a value that is typed unchanged into a form", () => {
  const properties = { text: { type: "string" }, number: { type: "number" }, any: {} };
  const schema = testableSchema({ type: "object", properties });
  const text = '{"text": "a\\u0041", "number": 1.00, "any": {"b":1.0}}';
  const draft = { text, unread: {} };
  for (const [pointer, typed] of [
    ["/text", "aA"],
    ["/number", "1.00"],
    ["/any", '{\n  "b": 1.0\n}'],
  ] as const) {
    it(`keeps its spelling: ${pointer}`, () => {
      assert.equal(editForm(schema, draft, { what: "write", pointer, text: typed }).text, text);
    });
  }
});

describe("a switch to another alternative in a form", () => {
  it("keeps the members that fit, with all digits of their numbers", () => {
    const branchOf = (kind: string) => ({
      type: "object",
      required: ["kind"],
      properties: {
        kind: { const: kind },
        id: { type: "integer" },
        price: { type: "number" },
        [kind]: { type: "string" },
      },
      additionalProperties: false,
    });
    const schema = testableSchema({ oneOf: [branchOf("card"), branchOf("bank")] });
    const text = '{"kind": "card", "id": 9007199254740993, "price": 1.00, "card": "x"}';
    const edit: FormEdit = { what: "branch", pointer: "", union: 0, branch: 1 };
    const now = editForm(schema, { text, unread: {} }, edit).text;
    assert.deepEqual(
      now.replaceAll(/\s+/g, " "),
      '{ "kind": "bank", "id": 9007199254740993, "price": 1.00 }',
    );
  });
});

describe("a form", () => {
  const items = { type: "string", title: "Tag", examples: ["new", "old", ["no text"]] };
  const schema = testableSchema({ properties: { tags: { type: "array", items } } });
  const draft = { text: '{"tags": ["x", "y"]}', unread: {} };
  const shown = new ShownDraft(schema, draft);

  it("writes the suggestion that is clicked, and offers no lists or objects", () => {
    const pointer = "/tags/1";
    assert.deepEqual(shown.fieldAt(pointer)?.suggestions, ['"new"', '"old"']);
    const { text } = editForm(schema, draft, { what: "suggest", pointer, index: 1 });
    assert.deepEqual(JSON.parse(text), { tags: ["x", "old"] });
  });

  it("writes values of the schema as text, without placeholders", () => {
    const value = "{{token}}";
    const values = testableSchema({
      properties: { one: { enum: [value, "b"] }, two: { default: value, examples: [`${value}!`] } },
    });
    const edits: readonly FormEdit[] = [
      { what: "write", pointer: "/one", text: "0" },
      { what: "default", pointer: "/two" },
      { what: "add", pointer: "/two" },
      { what: "suggest", pointer: "/two", index: 0 },
    ];
    for (const edit of edits) {
      const { text } = editForm(values, { text: "{}", unread: {} }, edit);
      assert.match(text, /token/);
      assert.deepEqual(findPlaceholders(text, new Set(["token"])), [], text);
    }
  });

  it("numbers the items of a list, whose title they share", () => {
    const labels = ["/tags/0", "/tags/1"].map((pointer) => shown.fieldAt(pointer)?.label);
    assert.deepEqual(labels, ["[0]", "[1]"]);
  });
});

describe("an empty text where a choice belongs, in a form", () => {
  const fruit = { enum: ["apple", "pear"] };
  const schema = testableSchema({
    type: "object",
    properties: { one: fruit, many: { type: "array", items: fruit } },
    required: ["one"],
  });
  const draft = { text: '{"one": "", "many": [""]}', unread: {} };
  const read = (one: FormDraft) => fieldsOf(readForm(schema, one, {}, english).root);

  it("is a choice that nothing is chosen in", () => {
    const options = ["apple", "pear"];
    const controls = read(draft).map(({ control }) => control);
    assert.deepEqual(controls, [
      { kind: "choice", options, chosen: -1 },
      { kind: "choices", options, chosen: [] },
    ]);
  });

  it("has no fact that its check boxes state themselves", () => {
    const many = { type: "array", items: fruit, uniqueItems: true, minItems: 1 };
    const unique = testableSchema({ type: "object", properties: { many } });
    const { root } = readForm(unique, { text: "{}", unread: {} }, {}, english);
    assert.deepEqual(fieldsOf(root)[0]?.facts, ["at least one item"]);
  });

  it("is replaced by what is chosen", () => {
    const first = editForm(schema, draft, { what: "write", pointer: "/one", text: "1" });
    const choose = { what: "choose", pointer: "/many", index: 0, isChosen: true } as const;
    const second = editForm(schema, first, choose);
    assert.deepEqual(JSON.parse(second.text), { one: "pear", many: ["apple"] });
  });
});
