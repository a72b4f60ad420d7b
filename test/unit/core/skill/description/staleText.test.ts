import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { staleText } from "../../../../../src/core/skill/description/describeSkill";
import { english } from "../../../../../src/core/text/language";
import { localNoon } from "../../../../fixtures/localNoon";

describe("staleText", () => {
  it("gives its age and the reason, on one line", () => {
    const words = staleText(
      { kind: "errorAnswer", status: 500, message: "a\n\u202Eb" },
      localNoon("1970-01-01"),
      english,
    );
    assert.match(words, /^From Jan 1, 1970.*; refresh failed\. .*HTTP 500.*: a \\u202Eb/);
  });
});
