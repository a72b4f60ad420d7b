import type { JsonValue } from "../../core/text/json";
import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { summarizeFigures } from "../computations/summarizeFigures";
import { InputReader } from "../runtime/inputReader";
import { type SkillRun, succeeded } from "../runtime/skillRun";

/** How long the report takes. */
const reportMilliseconds = 10_000;

const run: SkillRun = async (input, { signal, wait }) => {
  const reader = new InputReader(input);
  const title = reader.text("title", { min: 1, max: 120 });
  const figures = readFigures(reader);
  const unit = reader.text("unit", { fallback: "", max: 20 });
  const failure = reader.failure();
  if (failure !== undefined) return failure;
  await wait(reportMilliseconds, signal);
  const summary = summarizeFigures(figures);
  const figure = (number: number) => `${number}${unit === "" ? "" : ` ${unit}`}`;
  const text = `${title}: ${summary.count} ${summary.count === 1 ? "figure" : "figures"}, half of them ${figure(summary.median)} or less, nine in ten ${figure(summary.percentile90)} or less.`;
  return succeeded({ title, summary, text });
};

function readFigures(reader: InputReader): readonly number[] {
  const figures = reader.anything("figures");
  const isNumbers = (list: JsonValue[]): list is number[] =>
    list.every((figure) => typeof figure === "number" && Math.abs(figure) <= largestFigure);
  if (Array.isArray(figures) && figures.length > 0 && figures.length <= 1000) {
    if (isNumbers(figures)) return figures;
  }
  reader.reject("figures", "must be a list of 1 to 1000 numbers of at most twelve digits");
  return [];
}

const largestFigure = 1e12;

const inputSchema = {
  $schema: schemaDialect,
  title: "Report",
  type: "object",
  required: ["title", "figures"],
  additionalProperties: false,
  properties: {
    title: { type: "string", title: "Title", minLength: 1, maxLength: 120 },
    figures: {
      type: "array",
      title: "Figures",
      description: "The numbers to report on.",
      items: { type: "number", minimum: -largestFigure, maximum: largestFigure },
      minItems: 1,
      maxItems: 1000,
    },
    unit: {
      type: "string",
      title: "Unit",
      description: "What the figures count, such as ms or EUR.",
      maxLength: 20,
      default: "",
    },
  },
};

const figure = { type: "number" };
const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["title", "summary", "text"],
  properties: {
    title: { type: "string" },
    summary: {
      type: "object",
      required: ["count", "mean", "median", "percentile90"],
      properties: {
        count: { type: "integer", minimum: 1 },
        sum: figure,
        mean: figure,
        median: figure,
        percentile90: { ...figure, description: "Nine in ten figures are this or less." },
        lowest: figure,
        highest: figure,
      },
    },
    text: { type: "string", description: "The report in a sentence." },
  },
};

/** Reports on figures and takes its time, to try progress and cancel. */
export const slowReport: Skill = {
  slug: "slow-report",
  displayName: "Slow report",
  description:
    "Summarizes a list of figures and takes ten seconds over it. For trying out progress and cancelling: the work stops when the caller goes away.",
  tags: ["practice", "statistics", "report"],
  category: "research",
  publisher: "night-shift-tools",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-03-05T12:00:00Z",
  price: { billingModel: "per_call", unitAmountCents: 5 },
  numbers: { installCount: 118, invocationCount: 2_640, successRate: 0.912, avgLatencyMs: 10_012 },
  feedback: [
    {
      rating: 3,
      text: "Slow, as promised.",
      author: "Ida",
      createdAt: "2026-05-26T22:14:00Z",
    },
  ],
  releases: [
    {
      version: "0.4.0",
      publishedAt: "2026-03-03T08:00:00Z",
      changes: "Stops when the caller goes away.",
      runtime: { type: "http", entrypoint: "https://run.night-shift-tools.example/slow-report" },
      permissions: { ...noPermissions, network: true },
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "Response times",
          input: { title: "Response times", figures: [120, 80, 95, 310, 101], unit: "ms" },
          output: {
            title: "Response times",
            summary: {
              count: 5,
              sum: 706,
              mean: 141.2,
              median: 101,
              percentile90: 234,
              lowest: 80,
              highest: 310,
            },
            text: "Response times: 5 figures, half of them 101 ms or less, nine in ten 234 ms or less.",
          },
        },
        {
          name: "One figure",
          input: { title: "Sales", figures: [42.5] },
          output: {
            title: "Sales",
            summary: {
              count: 1,
              sum: 42.5,
              mean: 42.5,
              median: 42.5,
              percentile90: 42.5,
              lowest: 42.5,
              highest: 42.5,
            },
            text: "Sales: 1 figure, half of them 42.5 or less, nine in ten 42.5 or less.",
          },
        },
      ],
      run,
    },
  ],
};
