/** A stretch of text in UTF-16 offsets, `end` exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * The range of one value that a scan of its text is asked for, with those asked for below it. The scan
 * fills in `value`, and `key` where the value is a property's.
 */
export class RequestedRange {
  value: TextRange | undefined;
  key: TextRange | undefined;
  children: Map<string | number, RequestedRange> | undefined;

  /** Asks for the value one step below: a property name, or an index as a number. */
  below(step: string | number): RequestedRange {
    this.children ??= new Map();
    const known = this.children.get(step);
    if (known !== undefined) return known;
    const made = new RequestedRange();
    this.children.set(step, made);
    return made;
  }
}
