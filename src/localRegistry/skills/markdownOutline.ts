import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import {
  findHeadingProblems,
  outlineMarkdown,
  writeContents,
} from "../computations/outlineMarkdown";
import { InputReader } from "../runtime/inputReader";
import { type SkillRun, succeeded } from "../runtime/skillRun";

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const markdown = reader.text("markdown", { max: 50_000 });
  const maxDepth = reader.wholeNumber("maxDepth", { fallback: 6, min: 1, max: 6 });
  const contents = reader.flag("contents", false);
  const check = reader.flag("check", true);
  const failure = reader.failure();
  if (failure !== undefined) return failure;

  const { headings, links, codeBlocks } = outlineMarkdown(markdown);
  const shown = headings.filter(({ depth }) => depth <= maxDepth);
  return succeeded({
    headings: shown.map((heading) => ({ ...heading })),
    links,
    codeBlocks,
    problems: check ? findHeadingProblems(headings) : [],
    ...(contents ? { contents: writeContents(shown) } : {}),
  });
};

const inputSchema = {
  $schema: schemaDialect,
  title: "Document to outline",
  type: "object",
  required: ["markdown"],
  additionalProperties: false,
  properties: {
    markdown: {
      type: "string",
      title: "Markdown",
      description: "The document, at most 50,000 characters.",
      maxLength: 50_000,
    },
    maxDepth: {
      type: "integer",
      title: "Deepest level",
      description: "Headings below this level stay out of the outline.",
      minimum: 1,
      maximum: 6,
      default: 6,
    },
    contents: {
      type: "boolean",
      title: "Table of contents",
      description: "Whether to write a table of contents as Markdown as well.",
      default: false,
    },
    check: {
      type: "boolean",
      title: "Check the headings",
      description: "Whether to look for skipped levels, empty headings and headings used twice.",
      default: true,
    },
  },
};

const line = { type: "integer", minimum: 1 };
const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["headings", "links", "codeBlocks", "problems"],
  properties: {
    headings: {
      type: "array",
      items: {
        type: "object",
        required: ["depth", "text", "anchor", "line"],
        properties: {
          depth: { type: "integer", minimum: 1, maximum: 6 },
          text: { type: "string", description: "The heading without its markup." },
          anchor: { type: "string", description: "What a link to the heading has after #." },
          line,
        },
      },
    },
    links: {
      type: "array",
      items: {
        type: "object",
        required: ["text", "target"],
        properties: { text: { type: "string" }, target: { type: "string" } },
      },
    },
    codeBlocks: { type: "integer", minimum: 0 },
    problems: {
      type: "array",
      items: {
        type: "object",
        required: ["line", "problem"],
        properties: { line, problem: { type: "string" } },
      },
    },
    contents: { type: "string", description: "The table of contents, if it was asked for." },
  },
};

/** Reads the outline of a Markdown document. */
export const markdownOutline: Skill = {
  slug: "markdown-outline",
  displayName: "Markdown outline",
  description:
    "Lists the headings of a Markdown document with their lines and anchors, its links and code blocks, points at skipped levels and headings used twice, and writes a table of contents.",
  tags: ["markdown", "documentation", "text"],
  category: "content",
  publisher: "plainworks",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-07-01T11:45:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 588, invocationCount: 20_954, successRate: 0.997, avgLatencyMs: 11 },
  feedback: [
    {
      rating: 5,
      text: "Runs before every release of our handbook.",
      author: "Docs, Tartu",
      createdAt: "2026-07-22T09:00:00Z",
    },
    {
      rating: 4,
      text: "Headings inside quotes are not listed, which is fine for us.",
      author: "Camille",
      createdAt: "2026-08-30T13:37:00Z",
    },
  ],
  releases: [
    {
      version: "1.1.0",
      publishedAt: "2026-06-29T08:00:00Z",
      changes: "New: check, which finds skipped levels, empty headings and headings used twice.",
      runtime: { type: "mcp", serverUrl: "https://mcp.plainworks.example/markdown" },
      permissions: noPermissions,
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "A short guide",
          input: {
            markdown:
              "# Guide\n\nRead [the rules](rules.md) first.\n\n## Install\n\n```sh\nnpm ci\n```\n\n## Use\n",
            contents: true,
          },
          output: {
            headings: [
              { depth: 1, text: "Guide", anchor: "guide", line: 1 },
              { depth: 2, text: "Install", anchor: "install", line: 5 },
              { depth: 2, text: "Use", anchor: "use", line: 11 },
            ],
            links: [{ text: "the rules", target: "rules.md" }],
            codeBlocks: 1,
            problems: [],
            contents: "- [Guide](#guide)\n  - [Install](#install)\n  - [Use](#use)",
          },
        },
        {
          name: "Headings with problems",
          input: { markdown: "# One\n\n### Too deep\n\n## Twice\n\n## Twice\n", maxDepth: 2 },
          output: {
            headings: [
              { depth: 1, text: "One", anchor: "one", line: 1 },
              { depth: 2, text: "Twice", anchor: "twice", line: 5 },
              { depth: 2, text: "Twice", anchor: "twice-1", line: 7 },
            ],
            links: [],
            codeBlocks: 0,
            problems: [
              { line: 3, problem: "The heading jumps from level 1 to level 3." },
              { line: 7, problem: "Line 5 has the same heading." },
            ],
          },
        },
      ],
      run,
    },
  ],
};
