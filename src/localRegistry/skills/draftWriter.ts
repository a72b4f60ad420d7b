import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";

const inputSchema = {
  $schema: schemaDialect,
  title: "Draft to write",
  type: "object",
  required: ["topic", "audience"],
  additionalProperties: false,
  properties: {
    topic: { type: "string", title: "Topic", minLength: 3, maxLength: 300 },
    audience: {
      enum: ["customers", "developers", "press", "staff"],
      title: "Readers",
      description: "Whom the draft is for.",
    },
    tone: { enum: ["plain", "friendly", "formal"], title: "Tone", default: "plain" },
    words: {
      type: "integer",
      title: "Length",
      description: "About how many words.",
      minimum: 50,
      maximum: 2000,
      multipleOf: 50,
      default: 400,
    },
    mention: {
      type: "array",
      title: "Must mention",
      items: { type: "string", minLength: 2, maxLength: 120 },
      maxItems: 10,
      default: [],
    },
    folder: {
      type: "string",
      title: "Folder",
      description: "Where to save the draft, relative to the drafts folder.",
      pattern: "^[\\w-]+(/[\\w-]+)*$",
    },
  },
};

const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["title", "markdown"],
  properties: {
    title: { type: "string" },
    markdown: { type: "string" },
    savedAs: { type: "string" },
  },
};

/** Waits for its review and cannot be called, to show a skill that is not verified. */
export const draftWriter: Skill = {
  slug: "draft-writer",
  displayName: "Draft writer",
  description:
    "Writes a first draft about a topic and saves it as a file. It waits for its review and cannot be called yet: for trying out what is told about such skills.",
  tags: ["practice", "writing", "text"],
  category: "marketing",
  publisher: "paper-kite",
  verificationStatus: "submitted",
  reviewState: "in_review",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 0, invocationCount: 0, successRate: null, avgLatencyMs: null },
  feedback: [],
  releases: [
    {
      version: "0.1.0",
      publishedAt: "2026-11-12T08:00:00Z",
      changes: "First version, handed in for review.",
      runtime: { type: "local", command: "draft-writer", args: ["--folder", "drafts", "--quiet"] },
      permissions: {
        network: true,
        browser: false,
        filesystem: "write",
        secrets: ["MODEL_KEY", "SPELLING_KEY"],
      },
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "A note to customers",
          input: { topic: "New opening hours in winter", audience: "customers", words: 150 },
        },
        {
          name: "For developers, with points to mention",
          input: {
            topic: "Version 2 of our interface",
            audience: "developers",
            tone: "friendly",
            mention: ["migration guide", "end of version 1"],
            folder: "blog/2026",
          },
        },
      ],
    },
  ],
};
