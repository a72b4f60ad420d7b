import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";

const inputSchema = {
  $schema: schemaDialect,
  title: "Prices to look up",
  type: "object",
  required: ["symbols", "from"],
  additionalProperties: false,
  properties: {
    symbols: {
      type: "array",
      title: "Symbols",
      description: "Trading symbols, one to twenty.",
      items: { type: "string", pattern: "^[A-Z]{1,5}(\\.[A-Z]{1,2})?$" },
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    },
    from: { type: "string", format: "date", title: "From", description: "The first day." },
    to: {
      type: "string",
      format: "date",
      title: "To",
      description: "The last day. Left out: the newest day there is.",
    },
    interval: {
      enum: ["day", "week", "month"],
      title: "Interval",
      default: "day",
    },
    currency: {
      type: "string",
      title: "Currency",
      description: "The currency to convert prices to, as three letters. Left out: as traded.",
      pattern: "^[A-Z]{3}$",
    },
    adjust: {
      type: "object",
      title: "Adjustments",
      additionalProperties: false,
      properties: {
        splits: { type: "boolean", default: true },
        dividends: { type: "boolean", default: false },
      },
    },
  },
};

const price = { type: "number", exclusiveMinimum: 0 };
const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["series"],
  properties: {
    series: {
      type: "array",
      items: {
        type: "object",
        required: ["symbol", "currency", "prices"],
        properties: {
          symbol: { type: "string" },
          currency: { type: "string" },
          prices: {
            type: "array",
            items: {
              type: "object",
              required: ["date", "close"],
              properties: { date: { type: "string", format: "date" }, close: price },
            },
          },
        },
      },
    },
  },
};

/** Needs a subscription the demo project does not have, to show a payment gate. */
export const marketData: Skill = {
  slug: "market-data",
  displayName: "Market data",
  description:
    "Looks up closing prices of traded shares. It needs a subscription, which this project does not have: for trying out a payment gate.",
  tags: ["practice", "prices", "subscription"],
  category: "finance",
  publisher: "plainworks",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-09-30T10:50:00Z",
  price: { billingModel: "subscription", unitAmountCents: 2900 },
  numbers: { installCount: 227, invocationCount: 12_004, successRate: 0.987, avgLatencyMs: 210 },
  feedback: [
    {
      rating: 4,
      text: "Complete and on time.",
      author: "Treasury",
      createdAt: "2026-10-12T07:30:00Z",
    },
    {
      rating: 3,
      text: "We would rather pay per call.",
      author: "Lena",
      createdAt: "2026-11-05T15:57:00Z",
    },
  ],
  releases: [
    {
      version: "3.0.0",
      publishedAt: "2026-09-28T08:00:00Z",
      changes: "Prices can be converted and adjusted.",
      runtime: { type: "mcp", serverUrl: "https://mcp.plainworks.example/market-data" },
      permissions: { ...noPermissions, network: true },
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "Two days of one share",
          input: { symbols: ["ABC"], from: "2026-11-18", to: "2026-11-19" },
          output: {
            series: [
              {
                symbol: "ABC",
                currency: "USD",
                prices: [
                  { date: "2026-11-18", close: 41.2 },
                  { date: "2026-11-19", close: 41.75 },
                ],
              },
            ],
          },
        },
        {
          name: "Monthly, in euros",
          input: {
            symbols: ["ABC", "XYZ.L"],
            from: "2026-01-01",
            interval: "month",
            currency: "EUR",
            adjust: { dividends: true },
          },
        },
      ],
    },
  ],
};
