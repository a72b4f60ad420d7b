import type { JsonObject } from "../../core/text/json";
import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { depthOf, diffDocuments } from "../computations/diffDocuments";
import { InputReader } from "../runtime/inputReader";
import { type SkillRun, succeeded } from "../runtime/skillRun";

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const [before, after] = [readDocument(reader, "before"), readDocument(reader, "after")];
  const arrays = reader.choice("arrays", ["edit", "replace"]);
  const tests = reader.flag("tests", false);
  const failure = reader.failure();
  if (failure !== undefined) return failure;
  const { patch, ...rest } = diffDocuments(before, after, { arrays, tests });
  return succeeded({ patch: patch.map((operation): JsonObject => ({ ...operation })), ...rest });
};

const maxDepth = 100;

function readDocument(reader: InputReader, name: string) {
  const value = reader.anything(name);
  if (depthOf(value, maxDepth + 1) <= maxDepth) return value;
  reader.reject(name, `must not be nested more than ${maxDepth} levels deep`);
  return null;
}

const inputSchema = {
  $schema: schemaDialect,
  title: "Documents to compare",
  type: "object",
  required: ["before", "after"],
  additionalProperties: false,
  properties: {
    before: { title: "Before", description: "The JSON value to start from, of any kind." },
    after: { title: "After", description: "The JSON value the patch leads to." },
    arrays: {
      enum: ["edit", "replace"],
      title: "Lists",
      description:
        "edit adds and removes single items; replace puts the whole new list in place of one that differs.",
      default: "edit",
    },
    tests: {
      type: "boolean",
      title: "Guard the patch",
      description: "Whether the patch first tests the values it is about to change.",
      default: false,
    },
  },
};

const pointer = { type: "string", pattern: "^(/([^~/]|~[01])*)*$" };
const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["patch", "changes", "equal", "arrays"],
  properties: {
    patch: { type: "array", items: { $ref: "#/$defs/operation" } },
    changes: {
      type: "object",
      required: ["added", "removed", "replaced"],
      additionalProperties: { type: "integer", minimum: 0 },
    },
    equal: { type: "boolean" },
    arrays: {
      enum: ["edit", "replace"],
      description: "How lists were treated; very large ones are always replaced.",
    },
  },
  $defs: {
    operation: {
      type: "object",
      required: ["op", "path"],
      oneOf: [
        { required: ["value"], properties: { op: { enum: ["add", "replace", "test"] } } },
        { properties: { op: { const: "remove" } } },
      ],
      properties: { path: pointer },
    },
  },
};

/** Writes the patch between two JSON values. */
export const jsonDiff: Skill = {
  slug: "json-diff",
  displayName: "JSON diff",
  description:
    "Compares two JSON values and writes the difference as a JSON Patch (RFC 6902) that turns the first into the second.",
  tags: ["json", "diff", "patch"],
  category: "dev",
  publisher: "night-shift-tools",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-08-05T10:40:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 655, invocationCount: 28_761, successRate: 0.996, avgLatencyMs: 7 },
  feedback: [
    {
      rating: 5,
      text: "The guarded patches are exactly what our config service needs.",
      author: "Noor",
      createdAt: "2026-08-18T12:00:00Z",
    },
    {
      rating: 4,
      text: "Moves come out as remove and add.",
      author: "E. Silva",
      createdAt: "2026-09-27T08:31:00Z",
    },
  ],
  releases: [
    {
      version: "2.1.0",
      publishedAt: "2026-08-03T08:00:00Z",
      changes: "New: tests, which guards the patch.",
      runtime: { type: "mcp", serverUrl: "https://mcp.night-shift-tools.example/json" },
      permissions: noPermissions,
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "A changed configuration",
          input: {
            before: { name: "api", replicas: 2, ports: [80, 443] },
            after: { name: "api", replicas: 3, ports: [443], region: "eu" },
          },
          output: {
            patch: [
              { op: "add", path: "/region", value: "eu" },
              { op: "replace", path: "/replicas", value: 3 },
              { op: "remove", path: "/ports/0" },
            ],
            changes: { added: 1, removed: 1, replaced: 1 },
            equal: false,
            arrays: "edit",
          },
        },
        {
          name: "Guarded, lists as a whole",
          input: {
            before: { tags: ["a", "b"], "a/b": 1 },
            after: { tags: ["b"], "a/b": 2 },
            arrays: "replace",
            tests: true,
          },
          output: {
            patch: [
              { op: "test", path: "/tags", value: ["a", "b"] },
              { op: "test", path: "/a~1b", value: 1 },
              { op: "replace", path: "/tags", value: ["b"] },
              { op: "replace", path: "/a~1b", value: 2 },
            ],
            changes: { added: 0, removed: 0, replaced: 2 },
            equal: false,
            arrays: "replace",
          },
        },
        {
          name: "Equal values",
          input: { before: [1, 2], after: [1, 2] },
          output: {
            patch: [],
            changes: { added: 0, removed: 0, replaced: 0 },
            equal: true,
            arrays: "edit",
          },
        },
      ],
      run,
    },
  ],
};
