import { schemaDialect } from "../catalogue/schemaDialect";

/** The most rows of one call. */
export const maxRows = 5000;

const rows = {
  type: "array",
  title: "Rows",
  description: "The objects to write, one row each.",
  items: { type: "object" },
  minItems: 1,
  maxItems: maxRows,
};

/** What version 1.2 takes. */
export const jsonToCsvInput = {
  $schema: schemaDialect,
  title: "Rows to write",
  type: "object",
  required: ["rows"],
  additionalProperties: false,
  properties: {
    rows,
    columns: {
      type: "array",
      title: "Columns",
      description:
        "Which columns to write, in this order. A nested value is named with dots, such as address.city. Left out: all, in the order they first appear.",
      items: { type: "string", minLength: 1 },
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
    },
    delimiter: {
      enum: [",", ";", "\t"],
      title: "Delimiter",
      description: "The character between two values.",
      default: ",",
    },
    nested: {
      enum: ["flatten", "json", "skip"],
      title: "Lists and objects inside a row",
      description:
        "flatten gives each value inside a column of its own, json writes them as JSON text, skip leaves them out.",
      default: "flatten",
    },
    header: {
      type: "boolean",
      title: "Header line",
      description: "Whether the first line names the columns.",
      default: true,
    },
    guardFormulas: {
      type: "boolean",
      title: "Guard against formulas",
      description: "Puts a ' before texts that a spreadsheet would run as a formula.",
      default: true,
    },
    lineEnd: { enum: ["lf", "crlf"], title: "Line end", default: "lf" },
  },
};

/** What version 1.0 took. */
export const jsonToCsvInput1 = {
  $schema: schemaDialect,
  title: "Rows to write",
  type: "object",
  required: ["rows"],
  additionalProperties: false,
  properties: { rows, delimiter: { enum: [",", ";"], title: "Delimiter", default: "," } },
};

/** What every version gives. */
export const jsonToCsvOutput = {
  $schema: schemaDialect,
  type: "object",
  required: ["csv", "rows", "columns"],
  properties: {
    csv: { type: "string", description: "The table as CSV text." },
    rows: { type: "integer", minimum: 0 },
    columns: { type: "array", items: { type: "string" } },
    leftOut: {
      type: "array",
      description: "Columns that were found and not asked for.",
      items: { type: "string" },
    },
  },
};
