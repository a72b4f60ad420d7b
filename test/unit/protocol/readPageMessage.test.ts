import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { readPageMessage } from "../../../src/protocol/readPageMessage";

describe("readPageMessage", () => {
  const defined: unknown[] = [
    { type: "ready" },
    { type: "find" },
    { type: "openPayload" },
    { type: "readProject" },
    { type: "runCommand", command: "copyAs" },
    { type: "retry" },
    { type: "runAction", action: "connect" },
    { type: "viewSchema", side: "output" },
    { type: "newPayload", example: 0 },
    { type: "invokeExample", example: 1 },
    { type: "cancelTrial", trial: 1 },
    { type: "runTrialAction", trial: 1, action: 2 },
    { type: "openResult", trial: 1, what: "record" },
    { type: "openExample", example: 1, side: "output" },
    { type: "selectVersion", version: "1.2.3" },
    { type: "compareVersions", before: "1.0.0", after: "2.0.0" },
    { type: "diffManifests", before: "1.0.0", after: "2.0.0" },
    { type: "openSkill", slug: "text-stats" },
    { type: "compareWith" },
    { type: "runCommand", command: "setProjectKey" },
    { type: "runCommand", command: "reviewSkill" },
    { type: "runCommand", command: "allowAgents" },
    { type: "removeSkill", slug: "text-stats" },
    { type: "openLink", url: "https://tabular.example/" },
    { type: "copy", what: "manifest" },
    { type: "copy", what: "inputSchema" },
    { type: "openText", what: "manifest" },
    { type: "openRecord", id: "00001700000000-0a1b2c3d" },
    { type: "copyTable", text: "Day\tCost\n" },
    { type: "saveChart", file: "cost-by-day.svg", text: "<svg/>" },
  ];
  for (const message of defined) {
    it(`reads ${JSON.stringify(message)}`, () =>
      assert.deepEqual(readPageMessage(message), message));
  }

  const dropped: [string, unknown][] = [
    ["nothing", undefined],
    ["null", null],
    ["a text", "find"],
    ["a list", [{ type: "find" }]],
    ["a function", () => "find"],
    ["an empty object", {}],
    ["an unknown type", { type: "removeProjectKey" }],
    ["a type with the name of an object's own member", { type: "toString" }],
    ["a type that is no text", { type: ["find"] }],
    ["a type that would send something", { type: "invoke" }],
    ["a further member", { type: "openPayload", version: "1.0.0" }],
    ["many further members", Object.fromEntries([...Array(100_000).keys()].map((n) => [n, n]))],
    ["a member called __proto__", JSON.parse('{"type":"find","__proto__":{"a":1}}')],
    ["a member called constructor", JSON.parse('{"type":"newPayload","constructor":0}')],
    ["an inherited type", Object.create({ type: "openPayload" })],
    ["another prototype", Object.assign(Object.create({}), { type: "openPayload" })],
    ["a symbol beside it", { type: "find", [Symbol("x")]: 1 }],
    ["a command of no page", { type: "runCommand", command: "removeProjectKey" }],
    ["a missing value", { type: "copy" }],
    ["a schema of nothing", { type: "viewSchema", side: "toString" }],
    ["an unknown action", { type: "runAction", action: "sendAgain" }],
    ["a value that cannot be copied", { type: "copy", what: "projectKey" }],
    ["a record outside the folder", { type: "openRecord", id: "../../00001700000000-0a1b" }],
    ["a chart for another folder", { type: "saveChart", file: "../a.svg", text: "a" }],
    ["a chart that is a program", { type: "saveChart", file: "a.exe", text: "a" }],
    ["the slug to be opened as text", { type: "openText", what: "slug" }],
    ["half a pair of versions", { type: "compareVersions", before: "1.0.0" }],
    ["a pair and a third version", { type: "diffManifests", before: "1", after: "2", slug: "a" }],
    ["a pair with an empty version", { type: "diffManifests", before: "", after: "2" }],
    ["a negative example", { type: "newPayload", example: -1 }],
    ["no example to invoke", { type: "invokeExample" }],
    ["a payload to invoke", { type: "invokeExample", example: 0, input: {} }],
    ["an action by its name", { type: "runTrialAction", trial: 0, action: "sendAgain" }],
    ["a result that there is not", { type: "openResult", trial: 0, what: "toString" }],
    ["half an example", { type: "newPayload", example: 0.5 }],
    ["an example that is a text", { type: "newPayload", example: "0" }],
    ["an example far out", { type: "newPayload", example: 1e9 }],
    ["an empty version", { type: "selectVersion", version: "" }],
    ["a version of a megabyte", { type: "selectVersion", version: "1".repeat(1_000_000) }],
    ["a version that is an object", { type: "selectVersion", version: { length: 1 } }],
    ["a slug of a megabyte", { type: "openSkill", slug: "a".repeat(1_000_000) }],
    ["an address of a megabyte", { type: "openLink", url: `https://a/${"a".repeat(1_000_000)}` }],
    ...[
      "http://a",
      "javascript:alert(1)",
      "command:a",
      "file:///a",
      "data:,a",
      "vscode://a",
      "a",
    ].map((url): [string, unknown] => [`the address ${url}`, { type: "openLink", url }]),
  ];
  for (const [what, message] of dropped) {
    it(`drops ${what}`, () => assert.equal(readPageMessage(message), undefined));
  }

  it("reads only defined messages, whatever arrives", () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withSymbolKeys: true } as object),
        (value) => {
          const message = readPageMessage(value);
          if (message !== undefined) assert.deepEqual(readPageMessage(message), message);
        },
      ),
    );
  });
});
