import { describe, it } from "mocha";
import { catalog } from "../../../src/localRegistry/catalog/catalog";
import { useEditor } from "../useEditor";
import { useFolder } from "../useFolder";

const payload = "text-stats.skill-input.json";
const unknown = "text-stat.skill-input.json";
const suite = "words.skill-suite.json";
const manifest = "skillhub.json";
const sample = catalog.find(({ slug }) => slug === "text-stats")?.releases[0].manifest;

const lines = (...all: readonly string[]) => all.join("\n");
const inText = (...all: readonly string[]) => lines("{", '  "text": "a",', ...all, "}");
const suiteOf = (...all: readonly string[]) =>
  lines(
    "{",
    '  "format": 1,',
    '  "skill": "text-stats@1.0.0",',
    '  "cases": [',
    ...all,
    "  ]",
    "}",
  );
const manifestWith = (change: object) => JSON.stringify({ ...sample, ...change }, undefined, 2);

/** Mistakes, with the line that each is expected at, counted from 1, and words of its message. */
const mistakes: readonly (readonly [file: string, text: string, line: number, message: RegExp])[] =
  [
    [payload, lines("{", '  "text": "a",', "}"), 2, /^Remove this comma/],
    [payload, lines("{", '  "text": "a"', '  "topWords": 1', "}"), 3, /^A comma is missing/],
    [payload, lines("{", "  'text': \"a\"", "}"), 2, /quotes/],
    [payload, lines("{", '  "text": "a', "}"), 2, /no closing quote/],
    [payload, lines("{", '  "text": "a"', "}", '{ "text": "b" }'), 4, /^Remove this/],
    [payload, inText('  "text": "b"'), 3, /Remove one/],
    [payload, lines("{", '  "topWords": 1', "}"), 1, /"text" is missing/],
    [payload, lines("{", '  "text": 3', "}"), 2, /Must be a string/],
    [payload, inText('  "topWord": 1'), 3, /Did you mean "topWords"/],
    [payload, inText('  "topWords": 51'), 3, /50 or less/],
    [payload, inText('  "topWords": 1.5'), 3, /whole number/],
    [payload, inText('  "language": "german!"'), 3, /Must match the pattern/],
    [payload, inText('  "ignoreWords": ["a",', '    "a"]'), 4, /\[0\] and \[1\]/],
    [payload, inText('  "topWords": null'), 3, /whole number, not null/],
    [payload, lines("{", '  "text": "{{greting}}"', "}"), 2, /Did you mean \{\{greeting\}\}/],
    [payload, lines("{", '  "text": "{{token}}"', "}"), 2, /no value in staging/],
    [payload, lines("{", `  "text": "ghp_${"a1B2".repeat(9)}"`, "}"), 2, /GitHub token/],
    [unknown, lines("{", '  "text": "a"', "}"), 1, /no skill “text-stat”, which this file/],
    [
      suite,
      lines(
        "{",
        '  "format": 1,',
        '  "skill": "text-stat",',
        '  "cases": [{ "name": "a", "payload": {} }]',
        "}",
      ),
      3,
      /no skill “text-stat”/,
    ],
    [suite, suiteOf('    { "name": "a", "payload": { "text": 1 } }'), 5, /text: Must be a string/],
    [
      suite,
      suiteOf(
        '    { "name": "a", "payload": { "text": "a" } },',
        '    { "name": "a", "payload": { "text": "a" } }',
      ),
      6,
      /Another case has this name/,
    ],
    [
      suite,
      suiteOf('    { "name": "a", "payload": { "text": "{{case:b/words}}" } }'),
      5,
      /no earlier case/,
    ],
    [manifest, manifestWith({ version: "1.0" }), 5, /three numbers/],
    [
      manifest,
      manifestWith({ runtime: { type: "http", entrypoint: "http://run.example" } }),
      18,
      /expects an https/,
    ],
  ];

describe("A mistake in a payload, a suite or a manifest", () => {
  const folder = useFolder({
    ".skill-registry/environments.json": JSON.stringify({
      format: 1,
      environments: {
        staging: { registry: "built-in", values: { greeting: "Hello" }, secrets: ["token"] },
      },
    }),
    ...Object.fromEntries([payload, unknown, suite, manifest].map((file) => [file, "{}"])),
  });
  const editor = useEditor(() => ({ folders: [folder.path] }));

  it("is reported at its line, with what to do", async () => {
    const connecting = editor.run("connect");
    await editor.choose(/^staging/);
    await connecting;
    for (const [file, text, line, message] of mistakes) {
      const uri = folder.uri(file);
      await editor.vscode.window.showTextDocument(uri);
      editor.write(text);
      await editor.until(`${message} at line ${line} of ${text}`, () =>
        editor.parts.languages
          .problems(uri as never)
          .filter(({ source }) => source === "skill-registry")
          .some((found) => found.range.start.line + 1 === line && message.test(found.message)),
      );
    }
  });
});
