import type { JournalEntry } from "../core/invocation/run/journalEntry";

/** The range of an entry in a file, in bytes. */
export interface ByteRange {
  readonly at: number;
  readonly length: number;
}

/** The byte range of each line's last entry in a journal. Takes 12 bytes per line, since a file may have millions. */
export class LineRanges {
  private starts = new Float64Array(1024);
  private lengths = new Uint32Array(1024);
  private readonly again = new Set<number>();
  /** The highest line that has or had an entry. */
  last = 0;

  /** Returns the range of a line's last end; undefined if it has none. */
  get(line: number): ByteRange | undefined {
    const [at = 0, length = 0] = [this.starts[line], this.lengths[line]];
    // No entry is at 0, where the journal's head is.
    return at === 0 ? undefined : { at, length };
  }

  /** Stores the range of an entry. */
  note(entry: JournalEntry, { at, length }: ByteRange): void {
    if (!("line" in entry)) return;
    const { kind, line } = entry;
    if (kind === "again") this.again.add(line);
    // After a line is sent again, its earlier end no longer counts.
    const isKnown = kind === "ended" || (kind === "notRun" && !this.again.has(line));
    this.last = Math.max(this.last, line);
    while (line >= this.starts.length) this.grow();
    this.starts[line] = isKnown ? at : 0;
    this.lengths[line] = length;
  }

  private grow(): void {
    const [starts, lengths] = [this.starts, this.lengths];
    this.starts = new Float64Array(starts.length * 2);
    this.starts.set(starts);
    this.lengths = new Uint32Array(lengths.length * 2);
    this.lengths.set(lengths);
  }
}
