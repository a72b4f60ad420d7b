import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { commands } from "../../../src/cli/cli";
import { command } from "../../../src/cli/command";
import {
  conditionText,
  type OptionTable,
  optionText,
  readArguments,
} from "../../../src/cli/options";
import { CommandError } from "../../../src/core/findings/commandError";

const table = {
  color: { value: "NAME", text: "The color.", oneOf: ["red", "green"], default: "red" },
  many: { value: "N", text: "How many.", count: { min: 1, max: 9 } },
  tag: { value: "TAG", text: "A tag.", multiple: true },
  dry: { text: "Does nothing." },
  fast: { text: "Fast.", needs: ["many", "racing"], not: ["dry"] },
  slow: { text: "Slow.", not: ["racing"] },
} as const satisfies OptionTable;

function read(...args: readonly string[]) {
  const given = readArguments(table, args, ([first]) => first);
  return given.isHelp ? "help" : given;
}

describe("options of a command", () => {
  it("have typed values, and defaults if they are missing", () => {
    assert.deepEqual(read("a", "--many", "3", "--tag", "x", "--tag=y", "--dry"), {
      isHelp: false,
      operands: ["a"],
      options: { color: "red", many: 3, tag: ["x", "y"], dry: true, fast: false, slow: false },
    });
    assert.equal(read("--help", "--fast"), "help");
  });

  const wrong: readonly (readonly [args: string, message: RegExp])[] = [
    ["--color blue", /^--color expects one of red, green\.$/],
    ["--color geren", /^--color expects one of red, green\. Did you mean green\?$/],
    ["--color", /^--color needs a value: --color NAME$/],
    ["--many 0", /^--many expects a whole number from 1 to 9\.$/],
    ["--many 10", /^--many expects a whole number from 1 to 9\.$/],
    ["--many 1.5", /^--many expects a whole number from 1 to 9\.$/],
    ["--mnay 3", /^Unknown option --mnay\. Did you mean --many\?$/],
    ["--dry=yes", /^--dry does not take a value\.$/],
    ["--fast", /^--fast needs --many or racing\.$/],
    ["--fast --many 3 --dry", /^--fast cannot be used with --dry\.$/],
    ["racing --slow", /^--slow cannot be used with racing\.$/],
  ];
  for (const [args, message] of wrong) {
    it(`are rejected if they are wrong or would do nothing: ${args}`, () => {
      assert.throws(() => read(...args.split(" ")), { message });
    });
  }

  it("are accepted with any one of the options that they need", () => {
    for (const args of ["--fast --many 3", "racing --fast"]) read(...args.split(" "));
  });

  it("are described in the help with all facts of their row", () => {
    const text = (name: keyof typeof table) =>
      `${optionText(table[name])} ${conditionText(table, table[name])}`.trimEnd();
    assert.equal(text("color"), "The color. One of red, green. Default: red.");
    assert.equal(text("tag"), "A tag. May be repeated.");
    assert.equal(text("fast"), "Fast. Needs --many or racing. Not with --dry.");
  });

  it("cannot be read by a command that does not declare them", () => {
    command({
      ...{ name: "x", operands: "", summary: "", details: [], examples: [] },
      options: table,
      run: async ({ options }) => {
        const color: "red" | "green" = options.color;
        // @ts-expect-error It is in no row of the table.
        const { other } = options;
        return other === color ? 1 : 0;
      },
    });
  });

  it("need and exclude only options and modes of their command", () => {
    for (const { name, options, modes = [] } of commands) {
      const known = [...Object.keys(options), ...modes];
      for (const [option, { needs = [], not = [] }] of Object.entries(options)) {
        for (const other of [...needs, ...not]) {
          assert.ok(known.includes(other), `${name} --${option}: ${other}`);
        }
      }
    }
  });

  it("are correct in the examples of each command", () => {
    for (const { examples, read: readLine, name } of commands) {
      for (const [, line] of examples) {
        const [, words = ""] = /skill-registry (.+?)(?: [<>|)].*)?\)?$/.exec(line) ?? [];
        const [first, ...args] = words.replaceAll(/"[^"]*"/g, "text").split(" ");
        assert.equal(first, name);
        assert.ok(readLine(args), line);
      }
    }
  });

  const silent: readonly string[] = [
    "types text-stats --format json",
    "types text-stats --report-junit a.xml",
    "types --check --language python",
    "log 0123456789 --skill text-stats",
    "agents list --mode auto",
    "agents stop --cents-per-day 5",
    "agents stop --registry https://registry.example",
    "agents setup codex --timeout 5",
    "test --max-cents 5",
    "test --yes",
    "test --live --test-run",
    "validate . --offline --registry https://registry.example",
    "run a.jsonl --check-only --keep-texts",
    "run a.jsonl --resend all",
  ];
  for (const line of silent) {
    it(`are rejected in a mode where they would do nothing: ${line}`, () => {
      const [name, ...args] = line.split(" ");
      const used = commands.find((one) => one.name === name);
      assert.throws(
        () => used?.read(args),
        (error) =>
          error instanceof CommandError &&
          error.exitCode === 2 &&
          error.message.includes(`See: skill-registry ${name} --help`),
      );
    });
  }
});
