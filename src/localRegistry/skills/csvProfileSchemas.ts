import { schemaDialect } from "../catalogue/schemaDialect";

const table = { type: "string", minLength: 1, maxLength: 900_000 };
const header = {
  type: "boolean",
  title: "First line is a header",
  description: "Whether the first line names the columns. Without it they are column1, column2, …",
  default: true,
};
const separator = {
  type: "string",
  title: "Separator",
  description: "The one character between two values.",
  minLength: 1,
  maxLength: 1,
  default: ",",
};
const text = { ...table, title: "CSV text", description: "The table as CSV text." };

/** What version 2 takes. */
export const profileInput = {
  $schema: schemaDialect,
  title: "Table to profile",
  type: "object",
  required: ["csv"],
  additionalProperties: false,
  properties: {
    csv: {
      ...table,
      title: "CSV",
      description: "The table as CSV text, at most 900,000 characters.",
    },
    delimiter: {
      enum: ["auto", ",", ";", "\t", "|"],
      title: "Delimiter",
      description: "The character between two values; auto takes the likeliest of the first line.",
      default: "auto",
    },
    header,
    columns: {
      type: "array",
      title: "Columns",
      description: "Names of the columns to profile. Left out: all of them.",
      items: { type: "string", minLength: 1 },
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
    },
    nullWords: {
      type: "array",
      title: "Words for nothing",
      description: "Texts that stand for a missing value.",
      items: { type: "string", maxLength: 40 },
      maxItems: 20,
      uniqueItems: true,
      default: ["", "NULL", "N/A"],
    },
    samples: {
      type: "integer",
      title: "Samples",
      description: "How many different values to show of each column.",
      minimum: 0,
      maximum: 10,
      default: 3,
    },
  },
};

/** What version 1.1 took. */
export const profileInput11 = {
  $schema: schemaDialect,
  title: "Table to profile",
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: {
    text,
    separator,
    header,
    nullText: {
      type: "string",
      title: "Text for nothing",
      description: "The text that stands for a missing value.",
      maxLength: 40,
      default: "",
    },
  },
};

/** What version 1.0 took. */
export const profileInput10 = {
  $schema: schemaDialect,
  title: "Table to profile",
  type: "object",
  required: ["text"],
  properties: { text, separator },
};

const count = { type: "integer", minimum: 0 };

/** What every version gives. */
export const profileOutput = {
  $schema: schemaDialect,
  type: "object",
  required: ["rows", "columns"],
  properties: {
    rows: { ...count, description: "Rows without the header." },
    delimiter: { type: "string", description: "The delimiter that was used." },
    unevenRows: { ...count, description: "Rows with more or fewer values than there are columns." },
    columns: { type: "array", items: { $ref: "#/$defs/column" } },
  },
  $defs: {
    column: {
      type: "object",
      required: ["name", "type", "values", "nulls", "distinct", "min", "max"],
      properties: {
        name: { type: "string" },
        type: { enum: ["integer", "number", "boolean", "date", "datetime", "text", "empty"] },
        values: { ...count, description: "Values that are not null." },
        nulls: count,
        distinct: { ...count, description: "Different values, nulls not counted." },
        min: { $ref: "#/$defs/bound" },
        max: { $ref: "#/$defs/bound" },
        mean: { type: ["number", "null"], description: "Average of a numeric column." },
        samples: { type: "array", items: { type: "string" } },
      },
    },
    bound: {
      type: ["number", "string", "null"],
      description: "Smallest or largest value: by size, by time, or by letter for text.",
    },
  },
};
