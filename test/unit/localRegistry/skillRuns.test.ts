import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { applyPatch, type Operation } from "rfc6902";
import type { JsonObject, JsonValue } from "../../../src/core/text/json";
import { catalogue } from "../../../src/localRegistry/catalogue/catalogue";
import { runSample } from "./runSample";

/** Runs a skill and returns its output; fails where it has none. */
async function output(slug: string, input: JsonValue, version = ""): Promise<JsonObject> {
  const result = await runSample(slug, input, version);
  assert.ok(result.ok, result.ok ? "" : result.error);
  return result.output as JsonObject;
}

/** What the examples of the catalogue do not show: part of the output, by skill and input. */
const cases: [string, string, JsonValue, JsonObject, string?][] = [
  ["text-stats", "no text", { text: "" }, { words: 0, lines: 0, averageWordLength: 0 }],
  ["text-stats", "one emoji family", { text: "👨‍👩‍👧" }, { characters: 1, words: 0, sentences: 0 }],
  ["text-stats", "umlauts and marks", { text: "Ä e\u0301!" }, { characters: 4, words: 2 }],
  ["text-stats", "no top words", { text: "a a", topWords: 0 }, { topWords: [], uniqueWords: 1 }],
  [
    "text-stats",
    "a long line",
    { text: "One word. ".repeat(1000) },
    { sentences: 1000, words: 2000, characters: 10_000 },
  ],
  ["csv-profile", "quoted line ends", { csv: 'a\n"x\ny"\n' }, { rows: 1 }],
  ["csv-profile", "header only", { csv: "a,b" }, { rows: 0 }],
  ["csv-profile", "uneven rows", { csv: "a,b\n1\n1,2,3\n" }, { rows: 2, unevenRows: 1 }],
  ["csv-profile", "a tab table", { csv: "a\tb\n1\t2" }, { delimiter: "\t" }],
  ["csv-profile", "a byte order mark", { csv: "\uFEFFa\n1" }, { rows: 1 }],
  ["json-to-csv", "no header", { rows: [{ a: 1 }], header: false }, { csv: "1\n" }],
  [
    "json-to-csv",
    "quotes and line ends",
    { rows: [{ a: 'x"y', b: "1\n2" }] },
    { csv: 'a,b\n"x""y","1\n2"\n' },
  ],
  [
    "json-to-csv",
    "nested left out",
    { rows: [{ a: { b: 1 }, c: 2 }], nested: "skip" },
    { csv: "c\n2\n" },
  ],
  [
    "json-to-csv",
    "a formula unguarded",
    { rows: [{ a: "=1" }], guardFormulas: false },
    { csv: "a\n=1\n" },
  ],
  ["json-to-csv", "null and false", { rows: [{ a: null, b: false }] }, { csv: "a,b\n,false\n" }],
  [
    "json-to-csv",
    "nested as JSON in version 1",
    { rows: [{ a: [1] }] },
    { csv: "a\n[1]\n" },
    "1.0.0",
  ],
  [
    "redact-pii",
    "wrong check digits",
    { text: "4111 1111 1111 1112 DE89370400440532013001" },
    { found: [] },
  ],
  ["redact-pii", "IPv6", { text: "at 2001:db8::1 now" }, { text: "at [IP address] now" }],
  ["redact-pii", "a time is no address", { text: "12:30:45 and 1.2.3" }, { found: [] }],
  [
    "redact-pii",
    "only what is asked for",
    { text: "a@b.example 192.0.2.1", kinds: ["email"] },
    { text: "[e-mail] 192.0.2.1" },
  ],
  [
    "redact-pii",
    "IP addresses stay in version 1",
    { text: "192.0.2.1" },
    { text: "192.0.2.1" },
    "1.1.0",
  ],
  [
    "markdown-outline",
    "underlined title",
    { markdown: "Title\n=====\r\n\r\nText" },
    { headings: [{ depth: 1, text: "Title", anchor: "title", line: 1 }] },
  ],
  [
    "markdown-outline",
    "markup in a heading",
    { markdown: "\n# A `b` *c*" },
    { headings: [{ depth: 1, text: "A b c", anchor: "a-b-c", line: 2 }] },
  ],
  [
    "markdown-outline",
    "code is no heading",
    { markdown: "```\n# no\n```" },
    { headings: [], codeBlocks: 1 },
  ],
  [
    "markdown-outline",
    "a second title",
    { markdown: "# A\n# B" },
    { problems: [{ line: 2, problem: "This is a second title; a document has one." }] },
  ],
  ["markdown-outline", "unchecked", { markdown: "# A\n# A", check: false }, { problems: [] }],
  [
    "markdown-outline",
    "a link in a list",
    { markdown: "- [x](y)" },
    { links: [{ text: "x", target: "y" }] },
  ],
  [
    "semver-resolve",
    "nothing matches",
    { versions: ["1.0.0"], range: "^2" },
    { resolved: null, change: "none" },
  ],
  [
    "semver-resolve",
    "a downgrade",
    { versions: ["1.0.0"], range: "1", current: "1.1.0" },
    { change: "minor", isDowngrade: true },
  ],
  [
    "json-diff",
    "deep member",
    { before: { a: { b: 1 } }, after: { a: { b: 2 } } },
    { patch: [{ op: "replace", path: "/a/b", value: 2 }] },
  ],
  [
    "json-diff",
    "other kind",
    { before: [], after: {} },
    { patch: [{ op: "replace", path: "", value: {} }] },
  ],
  [
    "json-diff",
    "order of members",
    { before: { a: 1, b: 2 }, after: { b: 2, a: 1 } },
    { equal: true },
  ],
  [
    "json-diff",
    "a list too long to edit",
    { before: Array(500).fill(1), after: Array(499).fill(2) },
    { arrays: "replace", changes: { added: 0, removed: 0, replaced: 1 } },
  ],
  [
    "cron-next",
    "a word",
    { expression: "@yearly", count: 1, from: "2026-11-20T00:00:00Z" },
    {
      runs: [
        {
          utc: "2027-01-01T00:00:00.000Z",
          local: "2027-01-01T00:00:00+00:00",
          secondsAfterLast: 3_628_800,
        },
      ],
    },
  ],
  [
    "cron-next",
    "seconds, from now, west of UTC",
    { expression: "30 0 5 * * *", count: 1, timeZone: "America/New_York" },
    {
      runs: [
        {
          utc: "2026-11-20T10:00:30.000Z",
          local: "2026-11-20T05:00:30-05:00",
          secondsAfterLast: 30,
        },
      ],
    },
  ],
  [
    "jwt-inspect",
    "expired",
    { token: "eyJhbGciOiJFUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.c2ln" },
    { state: "expired", verified: false },
  ],
  [
    "jwt-inspect",
    "within the tolerance",
    {
      token: "eyJhbGciOiJFUzI1NiJ9.eyJleHAiOjE3MDAwMDAwMDB9.c2ln",
      at: "2023-11-14T22:13:30Z",
      clockToleranceSeconds: 60,
    },
    { state: "active" },
  ],
  [
    "jwt-inspect",
    "not yet valid",
    { token: "eyJhbGciOiJFUzI1NiJ9.eyJuYmYiOjQwMDAwMDAwMDB9.c2ln" },
    { state: "not yet valid" },
  ],
  [
    "jwt-inspect",
    "encrypted",
    { token: "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..aXY.Y3Q.dGFn" },
    { encrypted: true, claims: null, state: "unknown" },
  ],
  [
    "sql-format",
    "another dialect",
    { sql: "select top 1 [a] from t", dialect: "transactsql", indent: 4 },
    { sql: "SELECT\n    TOP 1 [a]\nFROM\n    t" },
  ],
  ["burst-limited", "no groups", { text: "x", groups: false, length: 4 }, { code: "7ED7" }],
];

/** Inputs a skill must refuse, and a word its answer has. */
const wrong: [string, JsonValue | undefined, RegExp, string?][] = [
  ["text-stats", {}, /"text" is missing/],
  ["text-stats", { text: 5 }, /"text" must be a text/],
  ["text-stats", { text: "a", language: "no such language" }, /"language"/],
  ["text-stats", { text: "a", wordsPerMinute: 1.5, topWords: 51 }, /"wordsPerMinute".*"topWords"/],
  ["text-stats", { text: "a", ignoreWords: [1] }, /"ignoreWords"/],
  ["csv-profile", { csv: "" }, /"csv"/],
  ["csv-profile", { csv: 'a\n"' }, /The CSV is broken/],
  ["csv-profile", { csv: "a", delimiter: "#" }, /"delimiter"/],
  ["csv-profile", { csv: "a,b\n1,2", columns: ["c"] }, /no column named c/],
  ["csv-profile", { csv: ",".repeat(600) }, /601 columns/],
  ["csv-profile", { csv: "a" }, /"text" is missing/, "1.0.0"],
  ["json-to-csv", { rows: {} }, /"rows"/],
  ["json-to-csv", { rows: [1] }, /"rows"/],
  ["json-to-csv", { rows: [{}], nested: "deep" }, /"nested"/],
  ["redact-pii", { text: "a", kinds: ["name"] }, /"kinds"/],
  ["redact-pii", { text: "a", replacement: { style: "mask", keepLast: 9 } }, /"replacement"/],
  ["redact-pii", { text: "a", kinds: ["ipAddress"] }, /"kinds"/, "1.1.0"],
  ["markdown-outline", { markdown: "a", maxDepth: 0 }, /"maxDepth"/],
  ["semver-resolve", { versions: ["1.0.0"], range: "a b" }, /not a version range/],
  ["semver-resolve", { versions: [], range: "1", current: "x" }, /"current"/],
  ["json-diff", { before: 1 }, /"after" is missing/],
  ["json-diff", { before: 1, after: 1, tests: "yes" }, /"tests"/],
  ["cron-next", { expression: "61 * * * *" }, /cron expression cannot be used/],
  ["cron-next", { expression: " " }, /"expression" is empty/],
  ["cron-next", { expression: "@daily", timeZone: "Mars/North" }, /"timeZone"/],
  ["cron-next", { expression: "@daily", from: "soon" }, /"from"/],
  ["jwt-inspect", { token: "a.b" }, /three parts/],
  ["jwt-inspect", { token: "a.b.c" }, /cannot be decoded/],
  ["sql-format", { sql: "select 'a" }, /cannot be read/],
  ["sql-format", { sql: "select 1", dialect: "klingon" }, /"dialect"/],
  ["slow-report", { title: "a", figures: [] }, /"figures"/],
  ["slow-report", { title: "a", figures: ["1"] }, /"figures"/],
  ["flaky-fetch", { url: "http://a.example" }, /https/],
  [
    "flaky-fetch",
    { url: "https://a.example", attempts: 1 },
    /^a\.example gave no answer after 1 try\.$/,
  ],
  ["burst-limited", { text: "a", alphabet: "runes" }, /"alphabet"/],
];

const running = catalogue.flatMap(({ slug, releases }) =>
  releases.flatMap(({ version, run }) => (run === undefined ? [] : [{ slug, version }])),
);

describe("the sample skills", () => {
  for (const [slug, name, input, expected, version] of cases) {
    it(`${slug}: ${name}`, async () => {
      const given = await output(slug, input, version);
      const part = Object.keys(expected).map((key) => [key, given[key]]);
      assert.deepEqual(Object.fromEntries(part), expected);
    });
  }

  for (const [slug, input, words, version] of wrong) {
    it(`${slug} refuses ${JSON.stringify(input)?.slice(0, 60)}`, async () => {
      const result = await runSample(slug, input, version);
      assert.ok(!result.ok);
      assert.match(result.error, words);
    });
  }

  it("json-diff keeps __proto__ as data", async () => {
    const after = JSON.parse('{"a":{"__proto__":1}}') as JsonValue;
    const { patch } = await output("json-diff", { before: {}, after });
    assert.equal(JSON.stringify(patch), '[{"op":"add","path":"/a","value":{"__proto__":1}}]');
  });

  it("json-diff writes patches that lead from the one to the other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), fc.boolean(), async (from, to, tests) => {
        // The library that applies the patch here drops members of this name.
        fc.pre(!JSON.stringify([from, to]).includes("__proto__"));
        const [before, after] = JSON.parse(JSON.stringify([from, to])) as [JsonValue, JsonValue];
        const given = await output("json-diff", { before, after, tests });
        const holder = { document: structuredClone(before) };
        const patch = (given["patch"] as unknown as Operation[]).map((operation) => ({
          ...operation,
          path: `/document${operation.path}`,
        }));
        assert.ok(applyPatch(holder, patch).every((problem) => problem === null));
        assert.deepEqual(holder.document, after);
      }),
      { numRuns: 300 },
    );
  });

  for (const { slug, version } of running) {
    const names = Object.keys(
      (catalogue
        .find((skill) => skill.slug === slug)
        ?.releases.find((release) => release.version === version)?.inputSchema["properties"] ??
        {}) as JsonObject,
    );
    it(`${slug} ${version} answers any JSON with an output or a reason`, async () => {
      const anything = fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...names), fc.jsonValue()),
        fc.constant(undefined),
      );
      await fc.assert(
        fc.asyncProperty(anything, async (input) => {
          const result = await runSample(slug, input as JsonValue | undefined, version);
          assert.ok(result.ok || !/unexpectedly/.test(result.error), JSON.stringify(result));
        }),
        { numRuns: 100 },
      );
    });

    it(`${slug} ${version} answers deep nesting`, async () => {
      const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) as JsonValue;
      const members = names.map((name) => [name, deep]);
      for (const input of [deep, Object.fromEntries(members)] as JsonValue[]) {
        assert.equal((await runSample(slug, input, version)).ok, false);
      }
    });
  }
});
