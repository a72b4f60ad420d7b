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
  const pieces = cutText(text);
  const segment = (granularity: Granularity) => {
    const segmenter = new Intl.Segmenter(language, { granularity });
    return pieces.flatMap((piece) => Array.from(segmenter.segment(piece), isolate));
  };
  const words = segment("word").filter(({ isWord }) => isWord);
  const lower = words.map((word) => word.text.toLocaleLowerCase(language));
  const sentences = segment("sentence").filter((sentence) => /[\p{L}\p{N}]/u.test(sentence.text));
  const letters = words.reduce((total, word) => total + [...word.text].length, 0);
  return {
    characters: segment("grapheme").length,
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

type Granularity = "grapheme" | "word" | "sentence";

// The engine's segments each hold a copy of the whole text they come from: only their own part is
// kept, and a long text goes in by pieces, cut, if possible, where a line, sentence or word ends.
function isolate({ segment, isWordLike }: Intl.SegmentData) {
  return { text: segment, isWord: isWordLike === true };
}

const maxPiece = 2000;
const cuts = [/\n/g, /[.!?]\s/g, /\s/g];

function cutText(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const piece = text.slice(start, start + maxPiece);
    const isLast = piece.length < maxPiece;
    const ends = isLast ? [] : cuts.map((cut) => lastEnd(piece, cut));
    const end = ends.find((one) => one !== undefined) ?? piece.length;
    pieces.push(piece.slice(0, end));
    start += end;
  }
  return pieces;
}

function lastEnd(text: string, pattern: RegExp): number | undefined {
  const last = [...text.matchAll(pattern)].at(-1);
  return last && last.index + last[0].length;
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
