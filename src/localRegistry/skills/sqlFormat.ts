import { formatDialect, mysql, postgresql, sqlite, transactsql } from "sql-formatter";
import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { InputReader } from "../runtime/inputReader";
import { failed, type SkillRun, succeeded } from "../runtime/skillRun";

const dialects = { postgresql, mysql, sqlite, transactsql };
const dialectNames = ["postgresql", "mysql", "sqlite", "transactsql"] as const;

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const sql = reader.text("sql", { min: 1, max: 20_000 });
  const dialect = reader.choice("dialect", dialectNames);
  const keywordCase = reader.choice("keywordCase", ["upper", "lower", "preserve"]);
  const tabWidth = reader.wholeNumber("indent", { fallback: 2, min: 1, max: 8 });
  const expressionWidth = reader.wholeNumber("lineWidth", { fallback: 60, min: 20, max: 200 });
  return (
    reader.failure() ??
    format(sql, { dialect: dialects[dialect], keywordCase, tabWidth, expressionWidth })
  );
};

function format(sql: string, options: Parameters<typeof formatDialect>[1]) {
  try {
    const formatted = formatDialect(sql, {
      ...options,
      functionCase: options.keywordCase ?? "preserve",
    });
    return succeeded({ sql: formatted, lines: formatted.split("\n").length });
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    return failed(`The SQL cannot be read in this dialect: ${reason}`);
  }
}

const sql = {
  type: "string",
  title: "SQL",
  description: "One or more statements, at most 20,000 characters. They are not run.",
  minLength: 1,
  maxLength: 20_000,
};
const dialect = {
  enum: [...dialectNames],
  title: "Dialect",
  description: "The database whose SQL this is.",
  default: "postgresql",
};

const inputSchema = {
  $schema: schemaDialect,
  title: "SQL to lay out",
  type: "object",
  required: ["sql"],
  additionalProperties: false,
  properties: {
    sql,
    dialect,
    keywordCase: {
      enum: ["upper", "lower", "preserve"],
      title: "Keywords",
      description: "How to write keywords and functions.",
      default: "upper",
    },
    indent: {
      type: "integer",
      title: "Indent",
      description: "Spaces per level.",
      minimum: 1,
      maximum: 8,
      default: 2,
    },
    lineWidth: {
      type: "integer",
      title: "Line width",
      description: "Expressions in brackets longer than this are put on several lines.",
      minimum: 20,
      maximum: 200,
      default: 60,
    },
  },
};

const inputSchema1 = {
  $schema: schemaDialect,
  title: "SQL to lay out",
  type: "object",
  required: ["sql", "dialect"],
  additionalProperties: false,
  properties: { sql, dialect },
};

const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["sql", "lines"],
  properties: {
    sql: { type: "string", description: "The same statements, laid out." },
    lines: { type: "integer", minimum: 1 },
  },
};

/** Lays out SQL for reading. */
export const sqlFormat: Skill = {
  slug: "sql-format",
  displayName: "Format SQL",
  description:
    "Lays out SQL statements for reading, in the dialect of four databases. The statements are neither run nor checked against a database.",
  tags: ["sql", "formatting", "database"],
  category: "dev",
  publisher: "night-shift-tools",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-07-16T15:05:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 812, invocationCount: 36_090, successRate: 0.983, avgLatencyMs: 22 },
  feedback: [
    {
      rating: 5,
      text: "Our reviews got shorter.",
      author: "Analytics, Lyon",
      createdAt: "2026-08-01T09:19:00Z",
    },
    {
      rating: 4,
      text: "Good defaults. Stored procedures come out a little wide.",
      author: "Gunnar",
      createdAt: "2026-09-11T13:02:00Z",
    },
  ],
  releases: [
    {
      version: "2.0.0",
      publishedAt: "2026-07-14T08:00:00Z",
      changes:
        "Runs on the publisher's server and no longer on your machine. New: keywordCase, indent and lineWidth; dialect may be left out.",
      runtime: { type: "mcp", serverUrl: "https://mcp.night-shift-tools.example/sql" },
      permissions: noPermissions,
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "A query",
          input: {
            sql: "select id, count(*) from orders where paid = true group by id order by 2 desc",
          },
          output: {
            sql: "SELECT\n  id,\n  COUNT(*)\nFROM\n  orders\nWHERE\n  paid = TRUE\nGROUP BY\n  id\nORDER BY\n  2 DESC",
            lines: 11,
          },
        },
        {
          name: "Lower case, wide indent",
          input: {
            sql: "UPDATE users SET active=0 WHERE last_seen < '2026-01-01'; DELETE FROM sessions;",
            dialect: "mysql",
            keywordCase: "lower",
            indent: 4,
          },
          output: {
            sql: "update users\nset\n    active = 0\nwhere\n    last_seen < '2026-01-01';\n\ndelete from sessions;",
            lines: 7,
          },
        },
      ],
      run,
    },
    {
      version: "1.0.0",
      publishedAt: "2026-01-28T08:00:00Z",
      changes: "First version. Runs on your machine: the registry records the call only.",
      runtime: { type: "local", command: "sql-format", args: ["--stdin", "--json"] },
      permissions: { ...noPermissions, filesystem: "read" },
      inputSchema: inputSchema1,
      outputSchema,
      examples: [{ name: "A query", input: { sql: "select 1", dialect: "sqlite" } }],
    },
  ],
};
