import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  readEnvironments,
  secretVariable,
} from "../../../../src/core/environment/environmentsFile";
import { english } from "../../../../src/core/text/language";

const whole = `{ "format": 1,
  "environments": {
    "staging": { "registry": "https://Staging.example.com/", "project": "shop",
                 "values": { "customer": "c-17", "limit": 12345678901234567890.10,
                             "tags": [1,
                               2] },
                 "secrets": ["mailToken"] },
    "local": { "registry": "built-in" } } }`;

/** Returns the marked text and the message of each problem. */
function problemsOf(text: string): readonly (readonly [string, string])[] {
  const read = readEnvironments(text, english);
  if (read.ok) return [];
  return read.problems.map(({ start, end, message }) => [
    text.slice(start, end).slice(0, 40),
    message,
  ]);
}

function fileWith(environment: object, name = "staging"): string {
  const one = { registry: "https://staging.example.com", ...environment };
  return JSON.stringify({ format: 1, environments: { [name]: one } });
}

describe("environments.json", () => {
  it("defines environments, with values spelled as in the file", () => {
    const read = readEnvironments(whole, english);
    assert.ok(read.ok);
    const { byName, declared } = read.value;
    assert.deepEqual([...byName.keys()], ["staging", "local"]);
    assert.deepEqual(byName.get("staging"), {
      name: "staging",
      registry: "https://staging.example.com",
      project: "shop",
      values: new Map([
        ["customer", '"c-17"'],
        ["limit", "12345678901234567890.10"],
        ["tags", "[1,                                2]"],
      ]),
      secrets: new Set(["mailToken"]),
    });
    assert.deepEqual(byName.get("local"), {
      name: "local",
      registry: "built-in",
      values: new Map(),
      secrets: new Set(),
    });
    assert.deepEqual([...declared], ["customer", "limit", "tags", "mailToken"]);
  });

  const bad: readonly (readonly [string, string, string])[] = [
    ["text that is no JSON", '{"format":1,', ","],
    ["another format", fileWith({}).replace('"format":1', '"format":2'), "2"],
    ["no environment", '{"format":1,"environments":{}}', "{}"],
    ["a member that is not known", fileWith({ key: "skh_1" }), '"key"'],
    [
      "an address with a password",
      fileWith({ registry: "https://a:b@example.com" }),
      '"registry":"https://a:b@example.com"',
    ],
    [
      "http on another machine",
      fileWith({ registry: "http://example.com" }),
      '"registry":"http://example.com"',
    ],
    [
      "a name that is an object's prototype",
      '{"format":1,"environments":{"a":{"registry":"built-in","values":{"__proto__":1}}}}',
      '"__proto__"',
    ],
    ["a value that is a secret too", fileWith({ values: { a: 1 }, secrets: ["a"] }), '"a"'],
    [
      "two secrets with one variable",
      fileWith({ secrets: ["mail-token", "MAIL_TOKEN"] }),
      '"MAIL_TOKEN"',
    ],
    ["a name of an environment with a line break", fileWith({}, "a\nb"), '"a\\nb"'],
    [
      "a name twice",
      '{"format":1,"environments":{"a":{"registry":"built-in"},"a":{"registry":"built-in"}}}',
      '"a"',
    ],
  ];
  for (const [title, text, marked] of bad) {
    it(`reports the line of ${title}`, () => {
      const [first, ...others] = problemsOf(text);
      assert.equal(first?.[0], marked);
      assert.deepEqual(others, []);
    });
  }

  it("of five million characters is refused", () => {
    assert.equal(problemsOf(`${whole}${" ".repeat(5_000_000)}`).length, 1);
  });

  it("with 10,000 values is refused", () => {
    const values = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`n${index}`, 1]),
    );
    assert.equal(problemsOf(fileWith({ values })).length, 1);
  });
});

describe("the variable of a secret", () => {
  it("is its name in capitals, with underscores", () => {
    assert.equal(secretVariable("mail-Token2"), "SKILL_REGISTRY_SECRET_MAIL_TOKEN2");
  });
});
