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
  it("replaces a value and leaves all else as it is", () => {
    assert.equal(withValue(file, "local", "customer", "7"), file.replace('"c-1"', "7"));
  });

  it("adds a value beside the others, and to an environment that has none", () => {
    const beside = withValue(file, "local", "limit", "20");
    assert.equal(beside.replace(',\n        "limit": 20', ""), file);
    const first = withValue(file, "staging", "limit", "20");
    assert.equal(first.replace(', "values": {"limit": 20}', ""), file);
  });

  it("declares a secret once, at the end of those that there are", () => {
    const more = withSecret(file, "staging", "token");
    assert.equal(more.replace('["first", "token"]', '["first"]'), file);
    assert.equal(withSecret(more, "staging", "token"), more);
    const read = readEnvironments(withSecret(file, "local", "token"), english);
    assert.ok(read.ok && read.value.byName.get("local")?.secrets.has("token"));
  });

  it("that is a new file can be read", () => {
    const read = readEnvironments(newEnvironmentsText("default", "built-in", "token"), english);
    assert.ok(read.ok);
    assert.deepEqual([...read.value.declared], ["token"]);
  });
});

describe("A value as a person types it", () => {
  const table = [
    ["20", "20"],
    ["c-17", '"c-17"'],
    ['"20"', '"20"'],
    ["", '""'],
    ["{ not json", '"{ not json"'],
    ["[1, 2]", "[1, 2]"],
  ] as const;
  for (const [typed, json] of table) {
    it(`is ${json} for ${typed || "nothing"}, and is shown so that it means the same`, () => {
      assert.equal(typedValue(typed), json);
      assert.equal(typedValue(valueToType(json)), json);
    });
  }
});

describe("A credential that may move into a secret", () => {
  const key = "sk-live-4f9a8b7c6d5e4f3a";
  function moved(text: string, found: string): string | undefined {
    const start = text.indexOf(found);
    const secret = movableSecret(text, { start, end: start + found.length });
    if (secret === undefined) return undefined;
    const { range, placeholder, value, proposedName } = secret;
    const written = text.slice(0, range.start) + placeholder("name") + text.slice(range.end);
    return `${written} | ${value} | ${proposedName}`;
  }

  it("is the part of a string that it is, named after its member", () => {
    assert.equal(
      moved(`{"apiKey":"Bearer ${key}"}`, key),
      `{"apiKey":"Bearer {{name}}"} | ${key} | apiKey`,
    );
    assert.equal(moved(`["${key}"]`, key), `["{{name}}"] | ${key} | token`);
  });

  it("is the whole string of a key of several lines, and of one with escapes", () => {
    const pem = '{"k":"-----BEGIN KEY-----\\nabc\\n"}';
    assert.equal(
      moved(pem, "-----BEGIN KEY-----"),
      '{"k":"{{name}}"} | -----BEGIN KEY-----\nabc\n | k',
    );
  });

  it("is no name of a member, nothing with a placeholder in it, and nothing too short", () => {
    assert.equal(moved(`{"${key}":1}`, key), undefined);
    assert.equal(moved('{"a":"{{customer}}"}', "{{customer}}"), undefined);
    assert.equal(moved('{"a":"short"}', "short"), undefined);
  });
});
