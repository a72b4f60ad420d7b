import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { readFeedback } from "../../../../src/registry/decode/readSkillDetail";

describe("readFeedback", () => {
  const entries: [what: string, entry: JsonValue, expected: object | undefined][] = [
    [
      "everything, in the gateway's names",
      {
        rating: 4,
        title: "Good",
        body: "Text",
        useCase: "Imports",
        publisherResponseBody: "Thanks",
        publisherRespondedAt: "2026-11-02T10:00:00.000Z",
        publisherResponderDisplayName: "Ann",
      },
      { rating: 4, title: "Good", text: "Text", useCase: "Imports", reply: "Thanks" },
    ],
    [
      "everything, in snake case and with a reply of its own",
      { title: "Good", use_case: "Imports", reply: { text: "Thanks", createdAt: "2026-01-01" } },
      { title: "Good", text: "", useCase: "Imports", reply: "Thanks" },
    ],
    ["stars alone", { rating: 5 }, { rating: 5, text: "" }],
    ["a title alone", { title: "Fine" }, { title: "Fine", text: "" }],
    ["a use case alone, which rates nothing", { useCase: "Imports" }, undefined],
    ["a reply that is no text", { rating: 1, reply: ["x"] }, { rating: 1, text: "" }],
  ];
  for (const [what, entry, expected] of entries) {
    it(`reads ${what}`, () => {
      const read = readFeedback({ feedback: [entry] });
      assert.deepEqual(read?.entries, expected === undefined ? [] : [expected]);
    });
  }

  it("truncates long texts", () => {
    const long = "x".repeat(1_000_000);
    const entry = { title: long, body: long, useCase: long, reply: long, author: long };
    assert.ok(JSON.stringify(readFeedback({ feedback: [entry] })).length < 12_000);
  });
});
