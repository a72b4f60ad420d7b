import { SkillFailure, type SkillRun } from "../skillRun";

interface Input {
  readonly text: string;
  readonly language?: string;
  readonly wordsPerMinute?: number;
  readonly topWords?: number;
  readonly ignoreWords?: readonly string[];
}

/** Counts the parts of a text. Counts characters as a reader sees them. */
export const run: SkillRun<Input> = (input) => {
  const { text, language = "en", wordsPerMinute = 230, topWords = 5, ignoreWords = [] } = input;
  if (!isLanguageTag(language)) throw new SkillFailure(`"${language}" is not a language tag.`);
  const pieces = cutText(text);
  const segment = (granularity: "grapheme" | "word" | "sentence") => {
    const segmenter = new Intl.Segmenter(language, { granularity });
    return pieces.flatMap((piece) => Array.from(segmenter.segment(piece), isolate));
  };
  const words = segment("word").filter(({ isWord }) => isWord);
  const lower = words.map((word) => word.text.toLocaleLowerCase(language));
  const ignored = new Set(ignoreWords.map((word) => word.toLocaleLowerCase(language)));
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
    readingSeconds: Math.round((words.length / wordsPerMinute) * 60),
    topWords: countText(lower.filter((word) => !ignored.has(word))).slice(0, topWords),
  };
};

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

// Each segment of `Intl.Segmenter` references its whole source text, so copy only its own part.
function isolate({ segment, isWordLike }: Intl.SegmentData) {
  return { text: segment, isWord: isWordLike === true };
}

/**
 * The maximum length of a piece, since `Intl.Segmenter` takes quadratic time. A longer text is split at the end of a
 * line, sentence or word if possible.
 */
const maxPiece = 2000;
const cuts = [/\n/g, /[.!?]\s/g, /\s/g];

function cutText(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const piece = text.slice(start, start + maxPiece);
    const isLast = piece.length < maxPiece;
    const ends = isLast ? [] : cuts.map((cut) => lastEnd(piece, cut));
    const end = ends.find((item) => item !== undefined) ?? piece.length;
    pieces.push(piece.slice(0, end));
    start += end;
  }
  return pieces;
}

function lastEnd(text: string, pattern: RegExp): number | undefined {
  const last = [...text.matchAll(pattern)].at(-1);
  return last && last.index + last[0].length;
}

function countText(words: readonly string[]) {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100) / 100;
}
