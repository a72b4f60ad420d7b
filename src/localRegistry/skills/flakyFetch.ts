import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { InputReader } from "../runtime/inputReader";
import { failed, type SkillRun } from "../runtime/skillRun";

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const address = reader.text("url", { min: 9, max: 2000 });
  const attempts = reader.wholeNumber("attempts", { fallback: 3, min: 1, max: 5 });
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:") reader.reject("url", "must be an https address");
  return (
    reader.failure() ??
    failed(`${url?.host} gave no answer after ${attempts === 1 ? "1 try" : `${attempts} tries`}.`)
  );
};

const inputSchema = {
  $schema: schemaDialect,
  title: "Page to fetch",
  type: "object",
  required: ["url"],
  additionalProperties: false,
  properties: {
    url: {
      type: "string",
      format: "uri",
      title: "Address",
      description: "The https address of the page.",
      pattern: "^https://",
      minLength: 9,
      maxLength: 2000,
    },
    attempts: {
      type: "integer",
      title: "Tries",
      description: "How often to try before giving up.",
      minimum: 1,
      maximum: 5,
      default: 3,
    },
  },
};

const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["status", "text"],
  properties: { status: { type: "integer" }, text: { type: "string" } },
};

/** Fails at every run, to show how a failed run looks. */
export const flakyFetch: Skill = {
  slug: "flaky-fetch",
  displayName: "Flaky fetch",
  description:
    "Says that it fetches a web page and fails every time. For trying out what a failed run looks like; it contacts nobody. It is no longer looked after.",
  tags: ["practice", "web"],
  category: "research",
  publisher: "night-shift-tools",
  verificationStatus: "deprecated",
  reviewState: "approved",
  reviewedAt: "2026-01-22T10:00:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 64, invocationCount: 1_905, successRate: 0, avgLatencyMs: 3 },
  feedback: [
    {
      rating: 2,
      text: "Fails reliably, which is what we test with.",
      author: "QA, Porto",
      createdAt: "2026-02-17T16:45:00Z",
    },
  ],
  releases: [
    {
      version: "0.9.1",
      publishedAt: "2026-01-20T08:00:00Z",
      changes: "Last version. Names the host that gave no answer.",
      runtime: { type: "http", entrypoint: "https://run.night-shift-tools.example/flaky-fetch" },
      permissions: { ...noPermissions, network: true, browser: true },
      inputSchema,
      outputSchema,
      examples: [
        { name: "Three tries", input: { url: "https://news.example/today" } },
        { name: "One try", input: { url: "https://news.example/archive?page=2", attempts: 1 } },
      ],
      run,
    },
  ],
};
