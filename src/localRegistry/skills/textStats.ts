import { noPermissions } from "../catalogue/noPermissions";
import { schemaDialect } from "../catalogue/schemaDialect";
import type { Skill } from "../catalogue/skill";
import { countText, isLanguageTag } from "../computations/countText";
import { InputReader } from "../runtime/inputReader";
import { type SkillRun, succeeded } from "../runtime/skillRun";

const run: SkillRun = (input) => {
  const reader = new InputReader(input);
  const text = reader.text("text", { max: 200_000 });
  const language = reader.text("language", { fallback: "en", max: 35 });
  const wordsPerMinute = reader.wholeNumber("wordsPerMinute", {
    fallback: 230,
    min: 50,
    max: 1000,
  });
  const topWords = reader.wholeNumber("topWords", { fallback: 5, min: 0, max: 50 });
  const ignoreWords = reader.texts("ignoreWords", { fallback: [], max: 500 });
  if (!isLanguageTag(language)) reader.reject("language", "is not a language tag");
  const options = { language, wordsPerMinute, topWords, ignoreWords };
  return reader.failure() ?? succeeded(countText(text, options));
};

const inputSchema = {
  $schema: schemaDialect,
  title: "Text to count",
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: {
    text: {
      type: "string",
      title: "Text",
      description: "The text to count, as plain text. Markup counts as words.",
      maxLength: 200_000,
    },
    language: {
      type: "string",
      title: "Language",
      description: "Language tag that decides where words and sentences end, such as en or de-AT.",
      pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$",
      maxLength: 35,
      default: "en",
    },
    wordsPerMinute: {
      type: "integer",
      title: "Reading speed",
      description: "Words a reader takes in per minute, for the reading time.",
      minimum: 50,
      maximum: 1000,
      default: 230,
    },
    topWords: {
      type: "integer",
      title: "How many top words",
      description: "How many of the most frequent words to list. 0 lists none.",
      minimum: 0,
      maximum: 50,
      default: 5,
    },
    ignoreWords: {
      type: "array",
      title: "Words to leave out",
      description: "Words that stay out of the top words, in any case.",
      items: { type: "string", minLength: 1, maxLength: 100 },
      maxItems: 500,
      uniqueItems: true,
      default: [],
    },
  },
};

const count = { type: "integer", minimum: 0 };
const average = { type: "number", minimum: 0 };
const outputSchema = {
  $schema: schemaDialect,
  type: "object",
  required: ["characters", "words", "sentences", "paragraphs", "lines", "readingSeconds"],
  properties: {
    characters: {
      ...count,
      description: "Characters as a reader sees them; an emoji counts once.",
    },
    words: count,
    uniqueWords: { ...count, description: "Different words, ignoring case." },
    sentences: count,
    paragraphs: { ...count, description: "Blocks of text with an empty line between them." },
    lines: count,
    averageWordLength: { ...average, description: "Characters per word." },
    averageWordsPerSentence: average,
    readingSeconds: { ...count, description: "Time to read the text, in seconds." },
    topWords: {
      type: "array",
      description: "The most frequent words, most frequent first.",
      items: {
        type: "object",
        required: ["word", "count"],
        properties: { word: { type: "string" }, count: { type: "integer", minimum: 1 } },
      },
    },
  },
};

/** Counts what a text is made of. */
export const textStats: Skill = {
  slug: "text-stats",
  displayName: "Text statistics",
  description:
    "Counts the characters, words, sentences and paragraphs of a text, lists its most frequent words and estimates how long it takes to read.",
  tags: ["text", "counting", "readability"],
  category: "content",
  publisher: "plainworks",
  verificationStatus: "verified",
  reviewState: "approved",
  reviewedAt: "2026-03-18T10:12:00Z",
  price: { billingModel: "free", unitAmountCents: 0 },
  numbers: { installCount: 1840, invocationCount: 96_412, successRate: 0.998, avgLatencyMs: 6 },
  feedback: [
    {
      rating: 5,
      text: "Counts emoji and umlauts properly, which is why we switched.",
      author: "Mirela",
      createdAt: "2026-05-04T08:20:00Z",
    },
    {
      rating: 4,
      text: "Good. I would like syllables too.",
      author: "J. Okafor",
      createdAt: "2026-07-19T15:41:00Z",
    },
    {
      rating: 5,
      text: "We use the reading time on every article.",
      author: "Newsdesk",
      createdAt: "2026-09-02T06:05:00Z",
    },
  ],
  releases: [
    {
      version: "1.0.0",
      publishedAt: "2026-03-16T09:00:00Z",
      changes: "First version.",
      runtime: { type: "http", entrypoint: "https://run.plainworks.example/text-stats" },
      permissions: noPermissions,
      inputSchema,
      outputSchema,
      examples: [
        {
          name: "Two paragraphs",
          input: {
            text: "The sea is calm tonight. The tide is full.\n\nThe moon lies fair upon the straits.",
            topWords: 2,
          },
          output: {
            characters: 80,
            words: 16,
            uniqueWords: 12,
            sentences: 3,
            paragraphs: 2,
            lines: 3,
            averageWordLength: 3.81,
            averageWordsPerSentence: 5.33,
            readingSeconds: 4,
            topWords: [
              { word: "the", count: 4 },
              { word: "is", count: 2 },
            ],
          },
        },
        {
          name: "German, without small words",
          input: {
            text: "Fischers Fritze fischt frische Fische. Frische Fische fischt Fischers Fritze. 🐟",
            language: "de",
            ignoreWords: ["fischt"],
            topWords: 3,
            wordsPerMinute: 180,
          },
          output: {
            characters: 79,
            words: 10,
            uniqueWords: 5,
            sentences: 2,
            paragraphs: 1,
            lines: 1,
            averageWordLength: 6.6,
            averageWordsPerSentence: 5,
            readingSeconds: 3,
            topWords: [
              { word: "fische", count: 2 },
              { word: "fischers", count: 2 },
              { word: "frische", count: 2 },
            ],
          },
        },
      ],
      run,
    },
  ],
};
