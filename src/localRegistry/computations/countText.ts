/** How to count a text. */
export interface CountOptions {
  /** A language tag; decides where words and sentences end. */
  readonly language: string;
  readonly wordsPerMinute: number;
  readonly topWords: number;
  /** Words that stay out of the top words, in any case. */
  readonly ignoreWords: readonly string[];
}

/** Counts what a text is made of. Characters are counted as a reader sees them. */
export function countText(text: string, options: CountOptions) {
  const { language } = options;
  const words = segments(text, language, "word").filter(({ isWordLike }) => isWordLike);
  const lower = words.map(({ segment }) => segment.toLocaleLowerCase(language));
  const sentences = segments(text, language, "sentence").filter(({ segment }) =>
    /[\p{L}\p{N}]/u.test(segment),
  );
  const letters = words.reduce((total, { segment }) => total + [...segment].length, 0);
  return {
    characters: segments(text, language, "grapheme").length,
    words: words.length,
    uniqueWords: new Set(lower).size,
    sentences: sentences.length,
    paragraphs: text.split(/\n\s*\n/).filter((paragraph) => /\S/.test(paragraph)).length,
    lines: text === "" ? 0 : text.split(/\r\n|\n|\r/).length,
    averageWordLength: ratio(letters, words.length),
    averageWordsPerSentence: ratio(words.length, sentences.length),
    readingSeconds: Math.round((words.length / options.wordsPerMinute) * 60),
    topWords: countWords(lower, options).slice(0, options.topWords),
  };
}

/** Tells whether a text is a language tag such as en or de-AT. */
export function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function segments(text: string, language: string, granularity: "grapheme" | "word" | "sentence") {
  return [...new Intl.Segmenter(language, { granularity }).segment(text)];
}

function countWords(words: readonly string[], { ignoreWords, language }: CountOptions) {
  const ignored = new Set(ignoreWords.map((word) => word.toLocaleLowerCase(language)));
  const counts = new Map<string, number>();
  for (const word of words) {
    if (!ignored.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100) / 100;
}
