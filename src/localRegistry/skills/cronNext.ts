import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { isTimeZone, nextRuns } from "../computations/nextRuns";
import { InputReader } from "../runtime/inputReader";
import { failed, type SkillRun, succeeded } from "../runtime/skillRun";

const run: SkillRun = (input, { now }) => {
  const reader = new InputReader(input);
  const expression = reader.text("expression", { min: 1, max: 120 }).trim();
  const timeZone = reader.text("timeZone", { fallback: "UTC", max: 64 });
  const count = reader.wholeNumber("count", { fallback: 5, min: 1, max: 100 });
  const fromText = reader.text("from", { fallback: new Date(now()).toISOString(), max: 40 });
  const from = Date.parse(fromText);
  if (reader.has("expression") && expression === "") reader.reject("expression", "is empty");
  if (!isTimeZone(timeZone)) reader.reject("timeZone", "is not a time zone known here");
  if (Number.isNaN(from)) reader.reject("from", "is not a date and time");
  const failure = reader.failure();
  if (failure !== undefined) return failure;
  const found = nextRuns(expression, { timeZone, from, count });
  if (!found.ok) return failed(found.error);
  return succeeded({ expression, timeZone, runs: found.runs.map((one) => ({ ...one })) });
};

const inputSchema = {
  $schema: schemaDialect,
  title: "Schedule",
  type: "object",
  required: ["expression"],
  additionalProperties: false,
  properties: {
    expression: {
      type: "string",
      title: "Cron expression",
      description:
        "Five fields (minute, hour, day, month, weekday), six with seconds first, or a word such as @daily.",
      examples: ["*/15 8-18 * * 1-5", "0 2 1 * *", "@weekly"],
      pattern: "^(@[a-z]+|\\S+(\\s+\\S+){4,5})$",
      maxLength: 120,
    },
    timeZone: {
      type: "string",
      title: "Time zone",
      description:
        "The zone the schedule lives in, such as Europe/Berlin. It decides about summer time.",
      pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$",
      maxLength: 64,
      default: "UTC",
    },
    count: {
      type: "integer",
      title: "How many runs",
      minimum: 1,
      maximum: 100,
      default: 5,
    },
    from: {
      type: "string",
      format: "date-time",
      title: "From",
      description: "The time to look from, with its offset. Left out: now.",
    },
  },
};

const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["expression", "timeZone", "runs"],
  properties: {
    expression: { type: "string" },
    timeZone: { type: "string" },
    runs: {
      type: "array",
      items: {
        type: "object",
        required: ["utc", "local", "secondsAfterLast"],
        properties: {
          utc: { type: "string", format: "date-time" },
          local: {
            type: "string",
            format: "date-time",
            description: "The same moment on the clock of the time zone.",
          },
          secondsAfterLast: {
            type: "number",
            minimum: 0,
            description: "Seconds since the run before; for the first one since the start.",
          },
        },
      },
    },
  },
};

/** Tells when a cron schedule runs next. */
export const cronNext: Skill = {
  slug: "cron-next",
  displayName: "Next cron runs",
  description:
    "Tells when a cron schedule runs next, in UTC and in its own time zone, with summer time taken into account.",
  tags: ["cron", "schedule", "time"],
  category: "automation",
  publisher: "night-shift-tools",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-04-15T08:30:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 377, invocationCount: 15_208, successRate: 0.974, avgLatencyMs: 8 },
  feedback: [
    {
      rating: 5,
      text: "Showed us that our 02:30 job moves in March.",
      author: "Ops on call",
      createdAt: "2026-04-29T05:50:00Z",
    },
    {
      rating: 4,
      text: "A calendar file as output would be lovely.",
      author: "Wanda",
      createdAt: "2026-06-17T14:44:00Z",
    },
  ],
  releases: [
    {
      version: "1.0.2",
      publishedAt: "2026-04-13T08:00:00Z",
      changes: "Runs in the hour that summer time skips move to the next hour that exists.",
      runtime: { type: "http", entrypoint: "https://run.night-shift-tools.example/cron-next" },
      permissions: noPermissions,
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "Nightly job over the start of summer time",
          input: {
            expression: "30 2 * * *",
            timeZone: "Europe/Berlin",
            count: 3,
            from: "2026-03-28T00:00:00Z",
          },
          output: {
            expression: "30 2 * * *",
            timeZone: "Europe/Berlin",
            runs: [
              {
                utc: "2026-03-28T01:30:00.000Z",
                local: "2026-03-28T02:30:00+01:00",
                secondsAfterLast: 5400,
              },
              {
                utc: "2026-03-29T01:30:00.000Z",
                local: "2026-03-29T03:30:00+02:00",
                secondsAfterLast: 86400,
              },
              {
                utc: "2026-03-30T00:30:00.000Z",
                local: "2026-03-30T02:30:00+02:00",
                secondsAfterLast: 82800,
              },
            ],
          },
        },
        {
          name: "Every quarter of an hour on working days",
          input: { expression: "*/15 8-17 * * 1-5", count: 4, from: "2026-11-20T17:40:00Z" },
          output: {
            expression: "*/15 8-17 * * 1-5",
            timeZone: "UTC",
            runs: [
              {
                utc: "2026-11-20T17:45:00.000Z",
                local: "2026-11-20T17:45:00+00:00",
                secondsAfterLast: 300,
              },
              {
                utc: "2026-11-23T08:00:00.000Z",
                local: "2026-11-23T08:00:00+00:00",
                secondsAfterLast: 224100,
              },
              {
                utc: "2026-11-23T08:15:00.000Z",
                local: "2026-11-23T08:15:00+00:00",
                secondsAfterLast: 900,
              },
              {
                utc: "2026-11-23T08:30:00.000Z",
                local: "2026-11-23T08:30:00+00:00",
                secondsAfterLast: 900,
              },
            ],
          },
        },
      ],
      run,
    },
  ],
};
