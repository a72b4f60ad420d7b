/** A place in the output channel's text that leads to a call. Offsets are in UTF-16 units. */
export interface OutputLink {
  readonly start: number;
  readonly end: number;
  /** The two lines that name the call, as `outputHeading` writes them. */
  readonly heading: string;
  readonly opens: "invocation" | "output";
}

/** The longest output an editor shows, in characters; the editor itself gives up on longer texts. */
export const longestShownOutput = 20_000_000;

/** What stands at the end of an output that was cut. */
export const openOutputLabel = "“Skill Registry: Open Output”";

/** Finds what can be opened in the output channel's text: each header's time, and each cut output. */
export function outputLinks(text: string): readonly OutputLink[] {
  const links: OutputLink[] = [];
  let heading: string | undefined;
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    const line = text.slice(start, Math.min(end, start + 400));
    const [, time] = /^── (\S+Z) {2}/.exec(line) ?? [];
    if (time !== undefined && Number.isFinite(Date.parse(time))) {
      heading = text.slice(start, lineEnd(text, end + 1));
      const from = start + 3;
      links.push({ start: from, end: from + time.length, heading, opens: "invocation" });
    }
    const at = line.startsWith("… ") ? line.indexOf(openOutputLabel) : -1;
    if (at !== -1 && heading !== undefined) {
      const from = start + at;
      links.push({ start: from, end: from + openOutputLabel.length, heading, opens: "output" });
    }
    start = end + 1;
  }
  return links;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}
