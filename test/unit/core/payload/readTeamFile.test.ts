import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { readTeamFile } from "../../../../src/core/payload/readTeamFile";
import { english } from "../../../../src/core/text/language";

describe("readTeamFile", () => {
  const format = { schema: { type: "object", required: ["a"] }, maxLength: 10 };
  const messagesOf = (text: string, schema = {}) => {
    const read = readTeamFile(text, { ...format, ...schema }, english);
    return read.ok ? read.value : read.problems.map(({ message }) => message);
  };

  it("reads a file of the maximum length, and none that is longer", () => {
    assert.deepEqual(messagesOf('{"a": 123}'), { a: 123 });
    assert.deepEqual(messagesOf('{"a": 1234}'), [
      "This file is too large: at most 10 characters are read.",
    ]);
  });

  it("returns no value of a file with a problem", () => {
    assert.deepEqual(messagesOf('{"b":1}'), ['"a" is missing.']);
  });

  it("throws for a schema of ours that is no schema, instead of taking any file", () => {
    assert.throws(() => messagesOf("{}", { schema: 5 }), /A schema of ours is no schema/);
  });
});
