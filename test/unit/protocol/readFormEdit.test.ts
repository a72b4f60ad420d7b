import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readPageMessage } from "../../../src/protocol/readPageMessage";

const pointer = "/a/0";

describe("a page's change of a form", () => {
  const read = (edit: unknown) => readPageMessage({ type: "editForm", edit, revision: 1 });
  const defined: readonly object[] = [
    { what: "write", pointer: "", text: "" },
    { what: "suggest", pointer, index: 0 },
    { what: "branch", pointer, union: 0, branch: 1 },
    { what: "choose", pointer, index: 0, isChosen: true },
    { what: "add", pointer },
    { what: "default", pointer },
    { what: "remove", pointer },
    { what: "addMember", pointer, name: "__proto__" },
  ];
  for (const edit of defined) {
    it(`is read if valid: ${JSON.stringify(edit)}`, () =>
      assert.deepEqual(read(edit), { type: "editForm", edit, revision: 1 }));
  }

  const dropped: readonly (readonly [string, unknown])[] = [
    ["of an unknown kind", { what: "toString", pointer }],
    ["with a member too many", { what: "add", pointer, text: "" }],
    ["with a member too few", { what: "write", pointer }],
    ["at an invalid pointer", { what: "add", pointer: "a" }],
    ["at a pointer that is too long", { what: "add", pointer: `/${"a".repeat(4000)}` }],
    ["with a text that is too long", { what: "write", pointer, text: "a".repeat(1_000_001) }],
    ["with an invalid index", { what: "suggest", pointer, index: -1 }],
    ["with a name that is empty", { what: "addMember", pointer, name: "" }],
    ["that is a list", [{ what: "add", pointer }]],
    ["with another prototype", Object.assign(Object.create({ what: "add" }), { pointer })],
  ];
  for (const [words, edit] of dropped) {
    it(`is dropped ${words}`, () => assert.equal(read(edit), undefined));
  }
});
