/** A stretch of text in UTF-16 offsets, `end` exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * A place in a JSON text whose position is wanted, with the wanted places below it. The scan fills
 * in `value`, and `key` where the place is a property.
 */
export class WantedPlace {
  value: TextRange | undefined;
  key: TextRange | undefined;
  children: Map<string | number, WantedPlace> | undefined;

  /** The place one step below: a property name, or an index as a number. */
  below(step: string | number): WantedPlace {
    this.children ??= new Map();
    const known = this.children.get(step);
    if (known !== undefined) return known;
    const made = new WantedPlace();
    this.children.set(step, made);
    return made;
  }
}
