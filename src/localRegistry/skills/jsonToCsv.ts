import { isJsonObject, type JsonObject } from "../../core/text/json";
import { noPermissions } from "../catalogue/noPermissions";
import type { Skill } from "../catalogue/skill";
import { writeCsv } from "../computations/writeCsv";
import { InputReader } from "../runtime/inputReader";
import type { SkillRun } from "../runtime/skillRun";
import { jsonToCsvInput, jsonToCsvInput1, jsonToCsvOutput, maxRows } from "./jsonToCsvSchemas";

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const rows = readRows(reader);
  const options = {
    columns: reader.texts("columns", { fallback: [], max: 200 }),
    delimiter: reader.choice("delimiter", [",", ";", "\t"]),
    nested: reader.choice("nested", ["flatten", "json", "skip"]),
    header: reader.flag("header", true),
    guardFormulas: reader.flag("guardFormulas", true),
    lineEnd: reader.choice("lineEnd", ["lf", "crlf"]),
  };
  return reader.failure() ?? writeCsv(rows, options);
};

const runVersion1: SkillRun = (input) => {
  const reader = new InputReader(input);
  const rows = readRows(reader);
  const delimiter = reader.choice("delimiter", [",", ";"]);
  const fixed = { columns: [], nested: "json", header: true, guardFormulas: false } as const;
  return reader.failure() ?? writeCsv(rows, { ...fixed, delimiter, lineEnd: "lf" });
};

function readRows(reader: InputReader): readonly JsonObject[] {
  const rows = reader.anything("rows");
  if (Array.isArray(rows) && rows.length <= maxRows && rows.every(isJsonObject)) return rows;
  reader.reject("rows", `must be a list of at most ${maxRows} objects`);
  return [];
}

/** Turns a list of JSON objects into a CSV table. */
export const jsonToCsv: Skill = {
  slug: "json-to-csv",
  displayName: "JSON to CSV",
  description:
    "Writes a list of JSON objects as a CSV table. Nested values become columns of their own, and texts that a spreadsheet would run as a formula are made harmless.",
  tags: ["csv", "json", "convert"],
  category: "data",
  publisher: "tidy-tables",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-08-26T09:15:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 964, invocationCount: 41_877, successRate: 0.992, avgLatencyMs: 18 },
  feedback: [
    {
      rating: 5,
      text: "The formula guard saved us from a nasty surprise.",
      author: "Hanna",
      createdAt: "2026-09-14T12:30:00Z",
    },
    {
      rating: 4,
      text: "Choosing the columns works well, renaming them is not possible yet.",
      author: "T. Brandt",
      createdAt: "2026-10-03T07:55:00Z",
    },
  ],
  releases: [
    {
      version: "1.2.0",
      publishedAt: "2026-08-24T08:00:00Z",
      changes:
        "New: columns, nested, header, guardFormulas and lineEnd; tab as delimiter. Nested values become columns unless asked otherwise, and formulas are guarded.",
      runtime: { type: "http", entrypoint: "https://run.tidy-tables.example/json-to-csv" },
      permissions: noPermissions,
      inputSchema: jsonToCsvInput,
      outputSchema: jsonToCsvOutput,
      examples: [
        {
          name: "Orders with an address",
          input: {
            rows: [
              { id: 1, customer: { name: "Ana", city: "Porto" }, paid: true },
              { id: 2, customer: { name: "Ben", city: "York" }, paid: false, note: "gift" },
            ],
          },
          output: {
            csv: "id,customer.name,customer.city,paid,note\n1,Ana,Porto,true,\n2,Ben,York,false,gift\n",
            rows: 2,
            columns: ["id", "customer.name", "customer.city", "paid", "note"],
            leftOut: [],
          },
        },
        {
          name: "Chosen columns for a spreadsheet",
          input: {
            rows: [
              { sku: "K-1", price: 12.5, tags: ["new", "blue"], formula: "=1+1" },
              { sku: "K-2", price: 3, tags: [], formula: "plain" },
            ],
            columns: ["sku", "formula", "price"],
            delimiter: ";",
            nested: "json",
            lineEnd: "crlf",
          },
          output: {
            csv: "sku;formula;price\r\nK-1;'=1+1;12.5\r\nK-2;plain;3\r\n",
            rows: 2,
            columns: ["sku", "formula", "price"],
            leftOut: ["tags"],
          },
        },
      ],
      run,
    },
    {
      version: "1.0.0",
      publishedAt: "2026-04-02T08:00:00Z",
      changes: "First version.",
      runtime: { type: "http", entrypoint: "https://run.tidy-tables.example/json-to-csv" },
      permissions: { ...noPermissions, network: true },
      inputSchema: jsonToCsvInput1,
      outputSchema: jsonToCsvOutput,
      examples: [
        {
          name: "Two rows",
          input: {
            rows: [
              { a: 1, b: "x" },
              { a: 2, b: "y" },
            ],
          },
          output: { csv: "a,b\n1,x\n2,y\n", rows: 2, columns: ["a", "b"], leftOut: [] },
        },
      ],
      run: runVersion1,
    },
  ],
};
