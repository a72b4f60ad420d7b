import type {
  InvocationRecord,
  InvocationTexts,
} from "../../core/invocation/record/invocationRecord";
import { matchesQuery, type RecordQuery } from "../../core/invocation/record/recordQuery";
import { setNewest } from "../../core/text/setNewest";
import type { InvocationEnd } from "../store/store";

/** A record that could not be written, with its texts. */
interface UnwrittenInvocation {
  readonly record: InvocationRecord;
  readonly texts: InvocationTexts;
  /** Its end, if the store rejected it. */
  readonly ended?: Omit<InvocationEnd, "isKept">;
}

/**
 * The maximum number of remembered texts: one for each case of the largest suite. So none is lost before the user
 * answers whether to store texts.
 */
const maxTexts = 200;
/**
 * The maximum number of characters of all remembered texts. Each text may be as large as a response, and all stay in
 * memory until the window closes.
 */
const maxCharacters = 20_000_000;
/** The maximum number of records in memory while the disk is full. */
const maxUnwritten = 1_000;

/**
 * The invocations of a window that are not on the disk: the latest payloads and outputs, and records that could not be
 * written.
 */
export class SessionInvocations {
  private readonly latestTexts = new Map<string, InvocationTexts>();
  private readonly unwrittenById = new Map<string, UnwrittenInvocation>();

  /** The invocations that could not be written, oldest first. */
  get unwritten(): readonly UnwrittenInvocation[] {
    return [...this.unwrittenById.values()];
  }

  /** Remembers the payload and output of an invocation. Beyond the limits, drops the oldest, but never the newest. */
  rememberTexts(id: string, texts: InvocationTexts): void {
    this.latestTexts.delete(id);
    this.latestTexts.set(id, texts);
    let characters = 0;
    for (const [index, name] of [...this.latestTexts.keys()].reverse().entries()) {
      characters += lengthOf(this.latestTexts.get(name));
      const tooMuch = index >= maxTexts || characters > maxCharacters;
      if (index > 0 && tooMuch) this.latestTexts.delete(name);
    }
  }

  /** Returns the remembered texts of an invocation. */
  texts(id: string): InvocationTexts | undefined {
    return this.latestTexts.get(id) ?? this.unwrittenById.get(id)?.texts;
  }

  /** Keeps an invocation that could not be written. */
  addUnwritten(invocation: UnwrittenInvocation): void {
    setNewest(this.unwrittenById, invocation.record.id, invocation, maxUnwritten);
  }

  /** Removes an invocation that was written. */
  removeUnwritten(id: string): void {
    this.unwrittenById.delete(id);
  }

  /** Removes everything about an invocation. */
  forget(id: string): void {
    this.removeUnwritten(id);
    this.latestTexts.delete(id);
  }

  /** Lists the matching invocations that could not be written, newest first. They replace the disk's version. */
  unwrittenFor(query: RecordQuery): readonly InvocationRecord[] {
    return this.unwritten
      .map(({ record }) => record)
      .filter((record) => matchesQuery(record, query, (id) => this.texts(id)))
      .sort((left, right) => (left.id < right.id ? 1 : -1));
  }
}

function lengthOf(texts: InvocationTexts | undefined): number {
  return (texts?.inputText?.length ?? 0) + (texts?.outputText?.length ?? 0);
}
