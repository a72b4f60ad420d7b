/** A place in the output channel's text that leads to a call. Offsets are in UTF-16 units. */
export interface OutputLink {
  readonly start: number;
  readonly end: number;
  /** When the call started, in milliseconds since 1970: the header's time. */
  readonly startedAt: number;
  readonly opens: "invocation" | "output";
}

/** The longest output an editor shows, in characters; the editor itself gives up on longer texts. */
export const longestShownOutput = 20_000_000;

/** What stands at the end of an output that was cut. */
export const openOutputWords = "“Skill Registry: Open Output”";

/** Finds what can be opened in the output channel's text: each header's time, and each cut output. */
export function outputLinks(text: string): readonly OutputLink[] {
  const links: OutputLink[] = [];
  let startedAt = Number.NaN;
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd === -1 ? text.length : lineEnd;
    const line = text.slice(start, Math.min(end, start + 400));
    const [, time] = /^── (\S+Z) {2}/.exec(line) ?? [];
    if (time !== undefined) {
      startedAt = Date.parse(time);
      links.push({
        start: start + 3,
        end: start + 3 + time.length,
        startedAt,
        opens: "invocation",
      });
    }
    const at = line.startsWith("… ") ? line.indexOf(openOutputWords) : -1;
    if (at !== -1) {
      const from = start + at;
      links.push({ start: from, end: from + openOutputWords.length, startedAt, opens: "output" });
    }
    start = end + 1;
  }
  return links.filter((link) => Number.isFinite(link.startedAt));
}
