import { noPermissions } from "../catalogue/noPermissions";
import type { Skill } from "../catalogue/skill";
import { profileColumn } from "../computations/profileColumn";
import { delimiters, readTable } from "../computations/readTable";
import { InputReader } from "../runtime/inputReader";
import { failed, type RunResult, type SkillRun, succeeded } from "../runtime/skillRun";
import { profileExamples, profileExamples10, profileExamples11 } from "./csvProfileExamples";
import { profileInput, profileInput10, profileInput11, profileOutput } from "./csvProfileSchemas";

const maxLength = 900_000;

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const csv = reader.text("csv", { min: 1, max: maxLength });
  const delimiter = reader.choice("delimiter", ["auto", ...delimiters]);
  const header = reader.flag("header", true);
  const columns = reader.texts("columns", { fallback: [], max: 200 });
  const nullWords = reader.texts("nullWords", { fallback: ["", "NULL", "N/A"], max: 20 });
  const samples = reader.wholeNumber("samples", { fallback: 3, min: 0, max: 10 });
  return reader.failure() ?? profile({ csv, delimiter, header, only: columns, nullWords, samples });
};

const runVersion1: SkillRun = (input) => {
  const reader = new InputReader(input);
  const csv = reader.text("text", { min: 1, max: maxLength });
  const delimiter = reader.text("separator", { fallback: ",", min: 1, max: 1 });
  const header = reader.flag("header", true);
  const nullWords = [reader.text("nullText", { fallback: "", max: 40 })];
  return reader.failure() ?? profile({ csv, delimiter, header, only: [], nullWords, samples: 0 });
};

interface Profiled {
  readonly csv: string;
  readonly delimiter: string;
  readonly header: boolean;
  /** Names of the columns wanted; empty means all. */
  readonly only: readonly string[];
  readonly nullWords: readonly string[];
  readonly samples: number;
}

function profile({ csv, delimiter, header, only, nullWords, samples }: Profiled): RunResult {
  const table = readTable(csv, delimiter, header);
  if (!table.ok) return failed(table.error);
  const { columns, rows } = table;
  const unknown = only.filter((name) => !columns.includes(name));
  if (unknown.length > 0) return failed(`There is no column named ${unknown.join(", ")}.`);
  return succeeded({
    rows: rows.length,
    delimiter: table.delimiter,
    unevenRows: rows.filter((row) => row.length !== columns.length).length,
    columns: columns.flatMap((name, index) => {
      if (only.length > 0 && !only.includes(name)) return [];
      const cells = rows.map((row) => row[index] ?? "");
      return [profileColumn(name, cells, { nullWords, samples })];
    }),
  });
}

const entrypoint = "https://run.tidy-tables.example/csv-profile";

/** Tells what is in the columns of a CSV text. */
export const csvProfile: Skill = {
  slug: "csv-profile",
  displayName: "CSV profile",
  description:
    "Reads a CSV text and tells, for each column, its type, how many values are missing, the smallest and the largest one and how many different ones there are.",
  tags: ["csv", "data-quality", "profiling"],
  category: "data",
  publisher: "tidy-tables",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-10-07T13:30:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 1312, invocationCount: 58_230, successRate: 0.981, avgLatencyMs: 31 },
  feedback: [
    {
      rating: 5,
      text: "Found the column with two date formats in a minute.",
      author: "Data desk, Oslo",
      createdAt: "2026-10-11T11:02:00Z",
    },
    {
      rating: 4,
      text: "Version 2 finds the delimiter by itself, at last.",
      author: "Priya",
      createdAt: "2026-10-20T09:47:00Z",
    },
    {
      rating: 3,
      text: "Moving from 1.1 meant renaming our fields.",
      author: "R. Lindqvist",
      createdAt: "2026-10-29T16:18:00Z",
    },
  ],
  releases: [
    {
      version: "2.0.0",
      publishedAt: "2026-10-05T08:00:00Z",
      changes:
        "text is now csv, separator is now delimiter and finds the right one by itself, nullText is now the list nullWords. New: columns and samples.",
      runtime: { type: "http", entrypoint },
      permissions: noPermissions,
      inputSchema: profileInput,
      outputSchema: profileOutput,
      examples: profileExamples,
      run,
    },
    {
      version: "1.1.0",
      publishedAt: "2026-06-12T08:00:00Z",
      changes:
        "Runs on the publisher's server and reads no files any more. New: header and nullText.",
      runtime: { type: "http", entrypoint },
      permissions: noPermissions,
      inputSchema: profileInput11,
      outputSchema: profileOutput,
      examples: profileExamples11,
      run: runVersion1,
    },
    {
      version: "1.0.0",
      publishedAt: "2026-02-20T08:00:00Z",
      changes: "First version.",
      runtime: { type: "local", command: "csv-profile", args: ["--json", "-"] },
      permissions: { ...noPermissions, filesystem: "read" },
      inputSchema: profileInput10,
      outputSchema: profileOutput,
      examples: profileExamples10,
      run: runVersion1,
    },
  ],
};
