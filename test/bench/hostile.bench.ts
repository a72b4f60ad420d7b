import { outputLinks } from "../../src/core/invocation/record/outputBlock";
import { prettyJson } from "../../src/core/json/printJson";
import { RequestedRange, scanJson } from "../../src/core/json/scanJson";
import { linearRegExp } from "../../src/core/linearRegExp/linearRegExp";
import { findSecrets } from "../../src/core/payload/findSecrets";
import { fixInput } from "../../src/core/payload/fixes/payloadFix";
import { payloadFixes } from "../../src/core/payload/fixes/payloadFixes";
import { KeyRedactor } from "../../src/core/registry/redactSecrets";
import { branchNames } from "../../src/core/schema/branchNames";
import { fitsFormat } from "../../src/core/schema/evaluate/formats";
import { testableSchema } from "../../src/core/schema/read/testableSchema";
import { runSync } from "../../src/core/text/chunked";
import { LanguageClient } from "../../src/language/languageClient";
import { JsonScanner } from "../../src/registry/decode/jsonScanner";
import { threadBundle } from "../fixtures/threadBundle";
import type { Measure } from "./probes/measure";

/** A kind of work with its name and size. `make` prepares it for a size, outside of the measured time. */
type Case = readonly [name: string, size: number, make: (size: number) => Work | Promise<Work>];
type Work = () => unknown;

const key = `skh_${"9f86d081884c7d65".repeat(4)}`;

/** Its size is the length of the keys. One more letter doubles the number of keys. */
const oneHash = "keys of one hash";

const cases: readonly Case[] = [
  ...["^(a+)+$", "(a|aa)+$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$"].map(
    (pattern): Case => [
      `regular expression ${pattern}`,
      200_000,
      (size) => {
        const read = linearRegExp(pattern);
        if (read.kind !== "linear") throw new Error(`${pattern} is ${read.kind}`);
        const text = `${(pattern.includes("x") ? "x" : "a").repeat(size)}!`;
        return () => read.test(text);
      },
    ],
  ),
  ...["date-time", "uri", "uri-template", "json-pointer", "email"].map(
    (format): Case => [
      `format ${format}`,
      1_000_000,
      (size) => {
        const parts = ["1:", "a.", "/~0", "{a", "a@", "%41", "-", "P1Y", "T", "é"];
        const texts = parts.map((part) => part.repeat(size));
        return () => texts.map((text) => fitsFormat(format, text));
      },
    ],
  ),
  ...[
    "-----BEGIN A ",
    "sk-",
    "ghp_a",
    "xoxb-1-",
    "skh_skh_",
    "AKIA",
    "\\u0067hp_a",
    "-eyJaaaaaaaaaa.",
    "a://b:cccc",
    "dp.st.a.",
  ].map(
    (piece): Case => [
      `near misses of secrets, ${piece}`,
      500_000,
      (size) => {
        const text = piece.repeat(size / piece.length);
        return () => findSecrets(text);
      },
    ],
  ),
  [
    "near misses of the Project Key",
    40_000,
    (size) => {
      const text = `%${"\\".repeat(size * 60)}%${key.slice(0, -1).repeat(size)}`;
      return () => new KeyRedactor(key).redact(text);
    },
  ],
  ...[`b${"a".repeat(4095)}`, "ab".repeat(2048)].map(
    (secret): Case => [
      `near misses of a key of 4,096 characters, ${secret.slice(0, 2)}…`,
      250,
      (size) => {
        const redactor = new KeyRedactor(secret);
        const text = `${secret.slice(0, -1)}!`.repeat(size);
        return () => redactor.holds(text);
      },
    ],
  ),
  [
    oneHash,
    14,
    (size) => {
      let names = [""];
      for (let length = 0; length < size; length += 1)
        names = names.flatMap((name) => [`${name}Aa`, `${name}BB`]);
      const text = `{${names.map((name) => `"${name}":1`).join()}}`;
      return () => scanJson(text, new RequestedRange(), 10);
    },
  ],
  [
    "long strings without an end",
    20_000,
    (size) => {
      const bytes = Buffer.from(`["${`${"x".repeat(300)}\\n`.repeat(size)}`);
      return () => runSync(new JsonScanner(bytes).endOfValue(0));
    },
  ],
  [
    "links in a long output",
    5_000_000,
    (size) => {
      const header = "── 2026-11-20T10:22:31.512Z  text-stats@1.0.0  success  12 ms";
      const text = `${header}\n${"x".repeat(size)}\n${"\n".repeat(size / 5)}${header}`;
      return () => outputLinks(text);
    },
  ],
  [
    "the beginning of a long text",
    20_000_000,
    (size) => {
      const text = JSON.stringify("x".repeat(size));
      return () => {
        for (let round = 0; round < 2000; round += 1) prettyJson(text, 1000);
      };
    },
  ],
  [
    "names of branches that share their properties",
    150,
    (size) => {
      const names = Array.from({ length: 300 }, (_, index) => [`p${index}`, { const: "x" }]);
      const branch = { properties: Object.fromEntries(names) };
      const { root } = testableSchema({ oneOf: Array.from({ length: size }, () => branch) });
      return () => branchNames(root.oneOf ?? [], (_, number) => `${number}`);
    },
  ],
  [
    "fixes in a long text",
    100_000,
    async (size) => {
      const items = Array.from({ length: size }, (_, index) => `{"id": ${index}}`).join();
      const schema = { properties: { list: {} }, required: ["first"], additionalProperties: false };
      const text = `{"list": [${items}], "strange": [${items}]}`;
      const client = new LanguageClient({
        workerPath: await threadBundle("src/language/languageWorker.ts"),
        deadlineMs: 60_000,
      });
      const { problems } = await client.check({ text, schema }, new AbortController().signal);
      client.dispose();
      const input = fixInput({ text, problems, indent: "  " }, testableSchema(schema));
      return () => problems.map((problem) => payloadFixes(input, problem));
    },
  ],
];

/**
 * Measures how work grows with the size of a hostile response or payload: for twice the size, twice the time is linear
 * and four times is quadratic.
 */
export async function run(): Promise<Measure[]> {
  const measures: Measure[] = [];
  for (const [name, size, make] of cases) {
    const once = await make(size);
    const double = await make(name === oneHash ? size + 1 : size * 2);
    // Both sizes take turns, so that a quick moment of the machine affects both. There are nine rounds, since in five
    // rounds even the quickest was at times lengthened by half by other programs.
    const rounds = Array.from({ length: 9 }, () => [computedMs(double), computedMs(once)] as const);
    const ours = Math.min(...rounds.map(([time]) => time));
    const peer = Math.min(...rounds.map(([, time]) => time));
    const twice = `${name}, twice as much`;
    measures.push({ name: twice, ours, peer, ratio: ours / peer, limit: 3 });
  }
  return measures;
}

/** Returns the CPU time of some work, in milliseconds. */
function computedMs(work: Work): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
