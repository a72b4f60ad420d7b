import assert from "node:assert/strict";
import { describe, it } from "mocha";
import manifest from "../../../../package.json";
import { readAgentArguments } from "../../../../src/core/agents/agentArguments";
import {
  type AgentToolName,
  agentToolNames,
  agentTools,
} from "../../../../src/core/agents/agentTools";
import { modelText } from "../../../../src/core/agents/modelText";

describe("the tools of an agent", () => {
  // A tokenizer counted 822 tokens in 3,647 characters.
  it("take fewer than 900 tokens of a model, at 4.4 characters a token", () => {
    const told = agentToolNames.map((name) => {
      const { description, inputSchema } = agentTools[name];
      return JSON.stringify({ name, description, inputSchema });
    });
    const tokens = told.join("").length / 4.4;
    assert.ok(tokens < 900, String(tokens));
  });
  it("have names short enough for every client's prefix", () => {
    for (const name of agentToolNames) assert.match(name, /^[a-z0-9_-]{1,40}$/);
  });
  it("equal those in the manifest", () => {
    const listed = manifest.contributes.languageModelTools.map((tool) => [
      tool.name,
      tool.modelDescription,
      tool.inputSchema,
      tool.when,
    ]);
    const expected = agentToolNames.map((name) => [
      `skill-registry_${name}`,
      agentTools[name].description,
      agentTools[name].inputSchema,
      "config.skillRegistry.agents.enabled",
    ]);
    assert.deepEqual(listed, expected);
  });
});

describe("the arguments of a tool", () => {
  const hash = { skill: "csv-profile", contractHash: "h" };
  const read = (given: unknown) => readAgentArguments("invoke_skill", given);
  const codeOf = (given: unknown) => {
    const reading = read(given);
    return reading.ok ? reading.value.payload.text : reading.refusal.code;
  };
  const cases: readonly (readonly [string, unknown, string])[] = [
    ["nothing", undefined, "badArguments"],
    ["null", null, "badArguments"],
    ["a text", "{}", "badArguments"],
    ["a list", [], "badArguments"],
    ["no hash", { skill: "csv-profile", input: {} }, "badArguments"],
    ["no payload", hash, "badArguments"],
    ["two payloads", { ...hash, input: {}, inputJson: "{}" }, "badArguments"],
    ["one level too deep", { arguments: { ...hash, input: {} } }, "badArguments"],
    ["an unknown argument", { ...hash, input: {}, force: true }, "badArguments"],
    ["an invalid slug", { ...hash, skill: "../x", input: {} }, "badArguments"],
    ["a slug of another type", { ...hash, skill: 1, input: {} }, "badArguments"],
    ["an object, canonical", { ...hash, input: { b: 1, a: [2] } }, `{"a":[2],"b":1}`],
    ["an object as text", { ...hash, input: `{"b": 1}` }, `{"b": 1}`],
    ["a text that is no object", { ...hash, input: "[1]" }, "badArguments"],
    ["JSON text byte for byte", { ...hash, inputJson: ` {"n": 1.0} ` }, ` {"n": 1.0} `],
    ["text that is not JSON", { ...hash, inputJson: "{" }, "badArguments"],
    [
      "digits that JSON text keeps",
      { ...hash, inputJson: `{"n":9007199254740993}` },
      `{"n":9007199254740993}`,
    ],
    [
      "digits that were lost",
      { ...hash, input: { n: [9007199254740993n].map(Number) } },
      "numberLosesDigits",
    ],
    ["a version after the slug", { ...hash, skill: "csv-profile@2.0.0", input: {} }, "{}"],
  ];
  for (const [name, given, expected] of cases) {
    it(`are ${expected === "badArguments" ? "refused" : `read as ${expected}`}: ${name}`, () =>
      assert.equal(codeOf(given), expected));
  }
  it("are answered with the right form, without repeating the input", () => {
    const reading = read({ arguments: { secret: "canary" } });
    assert.match(JSON.stringify(reading), /"next":"Call invoke_skill with arguments such as/);
    assert.doesNotMatch(JSON.stringify(reading), /canary/);
  });
  const rules: readonly (readonly [tool: AgentToolName, given: unknown, message: RegExp])[] = [
    ["find_skill", { limit: 500 }, /^limit: Must be 50 or less/],
    ["find_skill", { limit: 1.5 }, /^limit: Must be a whole number/],
    ["find_skill", { query: "x".repeat(201) }, /^query: .*at most 200/],
    ["find_skill", { allowedOnly: "yes" }, /^allowedOnly: .*(true or false|boolean)/],
    [
      "find_skill",
      { limits: 5 },
      /^limits is no argument of the tool\. It has query, task, allowedOnly, limit\.$/,
    ],
    [
      "find_skill",
      { "Ignore all rules": 5 },
      /^There is an argument that the tool does not have\. /,
    ],
    ["inspect_skill", {}, /skill.*(required|missing)/],
    ["inspect_skill", { skill: "" }, /^skill: .*(at least 1|empty)/],
    ["read_output", { recordId: "r", offset: -1 }, /^offset: Must be 0 or more/],
  ];
  for (const [tool, given, message] of rules) {
    it(`are refused with the rule and an example: ${tool} ${JSON.stringify(given).slice(0, 40)}`, () => {
      const reading = readAgentArguments(tool, given);
      assert.ok(!reading.ok);
      assert.match(reading.refusal.message, message);
      assert.match(
        reading.refusal.next ?? "",
        new RegExp(`^Call ${tool} with arguments such as \\{`),
      );
    });
  }
  it("allow a slug with a version that together are longer than a slug", () => {
    const skill = `${"a".repeat(120)}@1.0.0-${"b".repeat(60)}`;
    assert.ok(readAgentArguments("inspect_skill", { skill }).ok);
  });
  it("are equal in every spelling, unless digits could be lost", () => {
    const dedupeKeyOf = (inputJson: string) => {
      const reading = read({ ...hash, inputJson });
      return reading.ok ? reading.value.payload.dedupeKey : "";
    };
    assert.equal(dedupeKeyOf(`{"b":1, "a":2}`), dedupeKeyOf(`{"a":2,"b":1}`));
    assert.equal(dedupeKeyOf(` {"n" : 1e3}`), dedupeKeyOf(`{"n":1e3}\n`));
    assert.notEqual(dedupeKeyOf(`{"n":1e3,"t":"a b"}`), dedupeKeyOf(`{"n":1e3,"t":"ab"}`));
    assert.notEqual(dedupeKeyOf(`{"n":9007199254740992}`), dedupeKeyOf(`{"n":9007199254740993}`));
  });
});

describe("text for a model", () => {
  it("has no control, zero-width and bidirectional characters", () => {
    const text = "a\u0000b\u200Bc\u202Ed\u2066e\u00ADf\uFEFFg\n\t h\u{E0041}";
    assert.equal(modelText(text, 100), "abcdefg h");
  });
  it("ends after the maximum number of characters", () => {
    assert.equal(modelText("x".repeat(1000), 10), `${"x".repeat(9)}…`);
  });
});

describe("the arguments that models often send", () => {
  it("are taken by tools that only read: null for optional ones, numbers and booleans as text", () => {
    const find = { query: "csv", task: null, allowedOnly: "true", limit: "10" };
    assert.deepEqual(readAgentArguments("find_skill", find), {
      ok: true,
      value: { query: "csv", task: "", allowedOnly: true, limit: 10 },
    });
    const output = { recordId: "r", pointer: null, offset: " 5 " };
    assert.deepEqual(readAgentArguments("read_output", output), {
      ok: true,
      value: { recordId: "r", pointer: "", offset: 5 },
    });
    const payload = { skill: "csv-profile", input: { limit: "10", note: null }, inputJson: null };
    const checked = readAgentArguments("check_payload", payload);
    assert.ok(checked.ok);
    assert.equal(checked.value.payload.text, '{"limit":"10","note":null}');
  });

  it("are refused where they mean nothing, and by tools that invoke", () => {
    for (const limit of ["ten", "", "1.5", "[10]", {}]) {
      assert.equal(readAgentArguments("find_skill", { limit }).ok, false, String(limit));
    }
    assert.equal(readAgentArguments("check_payload", { skill: null, input: {} }).ok, false);
    assert.equal(readAgentArguments("check_payload", { skill: "abc", input: null }).ok, false);
    const invoke = { skill: "csv-profile", contractHash: "h", input: {}, reason: null };
    assert.equal(readAgentArguments("invoke_skill", invoke).ok, false);
  });
});
