import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  movableSecret,
  newEnvironmentsText,
  typedValue,
  valueToType,
  withSecret,
  withValue,
} from "../../../../src/core/environment/environmentsEdits";
import { readEnvironments } from "../../../../src/core/environment/environmentsFile";
import { english } from "../../../../src/core/text/language";

const file = `{
  "format": 1,
  "environments": {
    "staging": { "registry": "https://staging.example.com", "secrets": ["first"] },
    "local": {
      "registry": "built-in",
      "values": {
        "customer": "c-1"
      }
    }
  }
}
`;

describe("An edit of environments.json", () => {
  it("replaces a value and nothing else", () => {
    assert.equal(withValue(file, "local", "customer", "7"), file.replace('"c-1"', "7"));
  });

  it("adds a value to others, and to an environment that has none", () => {
    const beside = withValue(file, "local", "limit", "20");
    assert.equal(beside.replace(',\n        "limit": 20', ""), file);
    const first = withValue(file, "staging", "limit", "20");
    assert.equal(first.replace(', "values": {"limit": 20}', ""), file);
  });

  it("adds a secret once, at the end of the list", () => {
    const more = withSecret(file, "staging", "token");
    assert.equal(more.replace('["first", "token"]', '["first"]'), file);
    assert.equal(withSecret(more, "staging", "token"), more);
    const read = readEnvironments(withSecret(file, "local", "token"), english);
    assert.ok(read.ok && read.value.byName.get("local")?.secrets.has("token"));
  });

  it("creates a new file that can be read", () => {
    const read = readEnvironments(newEnvironmentsText("default", "built-in", "token"), english);
    assert.ok(read.ok);
    assert.deepEqual([...read.value.declared], ["token"]);
  });
});

describe("A typed value", () => {
  const table = [
    ["20", "20"],
    ["c-17", '"c-17"'],
    ['"20"', '"20"'],
    ["", '""'],
    ["{ not json", '"{ not json"'],
    ["[1, 2]", "[1, 2]"],
  ] as const;
  for (const [typed, json] of table) {
    it(`is ${json} for ${typed || "nothing"}, and is shown in an equivalent form`, () => {
      assert.equal(typedValue(typed), json);
      assert.equal(typedValue(valueToType(json)), json);
    });
  }
});

describe("A credential that can become a secret", () => {
  const key = "sk-live-4f9a8b7c6d5e4f3a";
  function moved(text: string, found: string): string | undefined {
    const start = text.indexOf(found);
    const secret = movableSecret(text, { start, end: start + found.length });
    if (secret === undefined) return undefined;
    const { range, placeholder, value, proposedName } = secret;
    const written = text.slice(0, range.start) + placeholder("name") + text.slice(range.end);
    return `${written} | ${value} | ${proposedName}`;
  }

  it("is a part of a string, named after the string's property", () => {
    assert.equal(
      moved(`{"apiKey":"Bearer ${key}"}`, key),
      `{"apiKey":"Bearer {{name}}"} | ${key} | apiKey`,
    );
    assert.equal(moved(`["${key}"]`, key), `["{{name}}"] | ${key} | token`);
  });

  it("is the whole string for a key of several lines, and for a string with escapes", () => {
    const pem = '{"k":"-----BEGIN KEY-----\\nabc\\n"}';
    assert.equal(
      moved(pem, "-----BEGIN KEY-----"),
      '{"k":"{{name}}"} | -----BEGIN KEY-----\nabc\n | k',
    );
  });

  it("is never a property name, too short, or mixed with a placeholder", () => {
    assert.equal(moved(`{"${key}":1}`, key), undefined);
    assert.equal(moved('{"a":"{{customer}}"}', "{{customer}}"), undefined);
    assert.equal(moved('{"a":"short"}', "short"), undefined);
  });
});
