import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { manifestFindings } from "../../../../src/core/manifest/manifestRules";

const runtime = (type: string, more: JsonObject) => ({ runtime: { type, ...more } });
const http = (entrypoint: string) => runtime("http", { entrypoint });
const permissions = (given: JsonObject) => ({ permissions: given });
const many = (value: string) => Array.from({ length: 30 }, () => value);

/** The codes and pointers of the findings about a part of a manifest. */
const found = (manifest: JsonObject) =>
  manifestFindings(manifest).map(({ code, pointer }) => `${code} ${pointer}`);

const name = "name /name";
const version = "version /version";
const address = "review-address /runtime/entrypoint";
const cases: readonly (readonly [part: JsonObject, found: readonly string[]])[] = [
  [{ name: "abc" }, []],
  [{ name: "-abc" }, [name]],
  [{ name: "abc-" }, [name]],
  [{ name: "a".repeat(64) }, []],
  [{ name: "a".repeat(65) }, [name]],
  [{ name: 12, version: 12, description: 12, tags: 12 }, []],
  [{ version: "1.0.0-rc.1" }, []],
  [{ version: "1.0.0+5" }, []],
  [{ version: "01.0.0" }, [version]],
  [{ description: `Counts words.${" ".repeat(40)}` }, ["review-description /description"]],
  [{ tags: [" a"] }, ["tags /tags"]],
  [{ tags: ["a", 5, "a"] }, []],
  [http("no address"), [address]],
  [http("http://localhost/"), ["review-reach /runtime/entrypoint"]],
  [http("ftp://localhost/"), ["review-https /runtime/entrypoint"]],
  [{ author: { url: "https://a.example/YOUR_NAME" } }, ["review-placeholder /author/url"]],
  [
    runtime("local", { command: "words", serverUrl: "no address" }),
    ["review-packaging /runtime/command"],
  ],
  [runtime("http", { command: " " }), []],
  [permissions({ network: true, browser: false }), []],
  [permissions({ network: false, browser: true }), []],
  [
    permissions({ secrets: [" ", " * ", "A"] }),
    [
      "review-secret /permissions/secrets/0",
      "review-secret /permissions/secrets/1",
      "review-high /permissions/secrets",
    ],
  ],
];

describe("the rules of a manifest", () => {
  for (const [part, expected] of cases) {
    it(`find ${expected.join(", ") || "nothing"} in ${JSON.stringify(part).slice(0, 70)}`, () => {
      assert.deepEqual(found(part), expected);
    });
  }

  it("report at most 20 values each", () => {
    assert.equal(found({ tags: many("todo") }).filter((one) => /filler/.test(one)).length, 20);
    const secrets = found(permissions({ secrets: many("*") }));
    assert.equal(secrets.filter((one) => /review-secret/.test(one)).length, 20);
  });

  it("offer a value only where it is certain, and mark a guess", () => {
    const fixOf = (part: JsonObject) => manifestFindings(part)[0]?.fix;
    const typed = (type: JsonValue) => ({ inputSchema: { type, properties: { a: {} } } });
    assert.deepEqual(fixOf({ name: "A B C" }), { pointer: "/name", value: "a-b-c", isGuess: true });
    const values: readonly (readonly [JsonObject, JsonValue | undefined])[] = [
      [{ version: "v1" }, "1.0.0"],
      [{ version: "1234567890.1" }, undefined],
      [{ tags: [" a", "a"] }, ["a"]],
      [{ tags: [" ", ""] }, undefined],
      [http("http://run.example/"), "https://run.example/"],
      [http("ftp://run.example/"), undefined],
      [typed(["object", "null"]), "object"],
      [typed(["array", "null"]), undefined],
      [typed("array"), undefined],
    ];
    for (const [part, value] of values) {
      assert.deepEqual(fixOf(part)?.value, value, JSON.stringify(part));
    }
  });
});
