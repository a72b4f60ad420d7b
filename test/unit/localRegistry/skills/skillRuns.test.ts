import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import type { JsonObject, JsonValue } from "../../../../src/core/json/jsonValue";
import { catalog, findSkill } from "../../../../src/localRegistry/catalog/catalog";
import { runSkill } from "../../../../src/localRegistry/routes/runtimeRoutes";
import { runSample } from "../runSample";

/** Runs that the catalog's examples do not cover: part of the output, by skill and input. */
const cases: [string, string, JsonValue, JsonObject][] = [
  ["text-stats", "no text", { text: "" }, { words: 0, lines: 0, averageWordLength: 0 }],
  ["text-stats", "one emoji family", { text: "👨‍👩‍👧" }, { characters: 1, words: 0, sentences: 0 }],
  ["text-stats", "umlauts and marks", { text: "Ä e\u0301!" }, { characters: 4, words: 2 }],
  [
    "text-stats",
    "a long line",
    { text: "One word. ".repeat(1000) },
    { sentences: 1000, words: 2000, characters: 10_000 },
  ],
  ["csv-profile", "quoted line ends", { csv: 'a\n"x\ny"\n' }, { rows: 1 }],
  ["csv-profile", "uneven rows", { csv: "a,b\n1\n1,2,3\n" }, { rows: 2, unevenRows: 1 }],
  ["csv-profile", "a tab table", { csv: "a\tb\n1\t2" }, { delimiter: "\t" }],
  ["csv-profile", "a byte order mark", { csv: "\uFEFFa\n1" }, { rows: 1 }],
  ["redact-pii", "IPv6", { text: "at 2001:db8::1 now" }, { text: "at [IP address] now" }],
  ["redact-pii", "a time, which is no address", { text: "12:30:45 and 1.2.3" }, { found: [] }],
  [
    "json-diff",
    "a deep member",
    { before: { a: { b: 1 } }, after: { a: { b: 2 } } },
    { patch: [{ op: "replace", path: "/a/b", value: 2 }] },
  ],
  [
    "json-diff",
    "a value of another kind",
    { before: [], after: {} },
    { patch: [{ op: "replace", path: "", value: {} }] },
  ],
  [
    "json-diff",
    "another order of members",
    { before: { a: 1, b: 2 }, after: { b: 2, a: 1 } },
    { equal: true },
  ],
  [
    "sql-format",
    "a join, conditions and a query within",
    {
      sql: "select a.id, count(*) n from a left join b on a.id=b.id where a.x between 1 and 2 and a.y in (select y from c where z = 'it''s, from') -- why\norder by n",
    },
    {
      sql: [
        "SELECT",
        "  a.id,",
        "  COUNT(*) n",
        "FROM",
        "  a",
        "  LEFT JOIN b ON a.id = b.id",
        "WHERE",
        "  a.x BETWEEN 1 AND 2",
        "  AND a.y IN (",
        "    SELECT",
        "      y",
        "    FROM",
        "      c",
        "    WHERE",
        "      z = 'it''s, from'",
        "  ) -- why",
        "ORDER BY",
        "  n",
      ].join("\n"),
      lines: 18,
    },
  ],
  [
    "sql-format",
    "two statements of MySQL",
    {
      sql: "UPDATE users SET active=0 WHERE name = 'O\\'Neil'; insert into a (b) values (1, 2)",
      dialect: "mysql",
      keywordCase: "lower",
      indent: 4,
    },
    {
      sql: [
        "update",
        "    users",
        "set",
        "    active = 0",
        "where",
        "    name = 'O\\'Neil';",
        "",
        "insert into",
        "    a (b)",
        "values",
        "    (1, 2)",
      ].join("\n"),
    },
  ],
  [
    "market-data",
    "weeks",
    { symbols: ["A", "B"], from: "2026-01-01", to: "2026-01-15", interval: "week" },
    {},
  ],
  ["burst-limited", "no groups", { text: "x", groups: false, length: 4 }, { code: "7ED7" }],
];

/** Inputs that a skill must reject, and a word of its message. */
const wrong: [string, JsonValue | undefined, RegExp][] = [
  ["text-stats", undefined, /missing/],
  ["text-stats", {}, /^input: .*text/],
  ["text-stats", { text: 5 }, /^input\/text: /],
  ["csv-profile", { csv: 'a\n"' }, /The CSV is broken/],
  ["csv-profile", { csv: "a,b\n1,2", columns: ["c"] }, /no column named c/],
  ["csv-profile", { csv: ",".repeat(600) }, /601 columns/],
  ["redact-pii", { text: "a", replacement: { style: "mask", keepLast: 9 } }, /replacement/],
  ["slow-report", { title: "a", figures: ["1"] }, /^input\/figures\/0: /],
  ["market-data", { symbols: ["A"], from: "2026-02-01", to: "2026-01-01" }, /no day between/],
  ["market-data", { symbols: ["A"], from: "1926-02-01", to: "2026-01-01" }, /more than 400/],
  ["flaky-fetch", { url: "https://a.example", attempts: 1 }, /^a\.example .* after 1 try\.$/],
];

const running = catalog.flatMap(({ slug, releases, run }) =>
  releases.flatMap(({ manifest: { version, inputSchema } }) =>
    run === undefined ? [] : [{ slug, version, inputSchema }],
  ),
);

describe("the sample skills", () => {
  for (const [slug, name, input, expected] of cases) {
    it(`return for ${slug} the result of ${name}`, async () => {
      const result = await runSample(slug, input);
      assert.ok(result.ok, JSON.stringify(result));
      const output = result.output as JsonObject;
      const part = Object.keys(expected).map((key) => [key, output[key]]);
      assert.deepEqual(Object.fromEntries(part), expected);
    });
  }

  it("include one that runs elsewhere, whose response says that it was only metered", async () => {
    const { run: _run, ...elsewhere } = findSkill("sql-format") ?? assert.fail();
    const { manifest } = elsewhere.releases[0];
    const world = { signal: new AbortController().signal, now: () => 0, wait: async () => {} };
    const result = await runSkill(elsewhere, manifest, { sql: "select 1" }, world);
    assert.equal(result.ok && (result.output as JsonObject)["mode"], "metered_contract");
  });

  for (const [slug, input, words] of wrong) {
    it(`${slug} rejects ${JSON.stringify(input)?.slice(0, 60)}`, async () => {
      const result = await runSample(slug, input);
      assert.ok(!result.ok);
      assert.match(result.error, words);
    });
  }

  it("json-diff writes patches that convert one value to the other", async () => {
    const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);
    await fc.assert(
      fc.asyncProperty(json, json, fc.boolean(), async (before, after, tests) => {
        const result = await runSample("json-diff", { before, after, tests });
        assert.ok(result.ok);
        const { patch } = result.output as { patch: Operation[] };
        assert.deepEqual(applied(before, patch), after);
      }),
      { numRuns: 300 },
    );
  });

  for (const { slug, version, inputSchema } of running) {
    const names = Object.keys((inputSchema["properties"] ?? {}) as JsonObject);

    it(`${slug} ${version} answers any JSON with an output or a reason`, async () => {
      const members = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.jsonValue(), members), async (input) => {
          const result = await runSample(slug, input as JsonValue, version);
          assert.ok(result.ok || !/unexpectedly/.test(result.error), JSON.stringify(result));
        }),
        { numRuns: 100 },
      );
    });

    it(`${slug} ${version} answers deep nesting`, async () => {
      const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) as JsonValue;
      for (const input of [deep, Object.fromEntries(names.map((name) => [name, deep]))]) {
        const result = await runSample(slug, input, version);
        assert.ok(result.ok || !/unexpectedly/.test(result.error), JSON.stringify(result));
      }
    });
  }
});

type Operation = { op: "add" | "replace" | "remove" | "test"; path: string; value?: JsonValue };

/** Applies a patch whose paths only use the rules for objects and lists. */
function applied(document: JsonValue, patch: readonly Operation[]): JsonValue {
  const root: JsonObject = { "": structuredClone(document) };
  for (const { op, path, value = null } of patch) {
    const keys = path.split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop() ?? "";
    const parent = keys.reduce<JsonValue>((at, key) => (at as JsonObject)[key] ?? null, root);
    if (op === "test") assert.deepEqual((parent as JsonObject)[last], value);
    else if (Array.isArray(parent)) {
      parent.splice(Number(last), op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
    } else if (op === "remove") delete (parent as JsonObject)[last];
    else Object.defineProperty(parent, last, { value, ...plain });
  }
  return root[""] ?? null;
}

// Unlike an assignment, this creates a member named `__proto__`.
const plain = { enumerable: true, configurable: true, writable: true };
