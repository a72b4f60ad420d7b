import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { previewedLength, textsPreview } from "../../core/invocation/record/textsPreview";
import type { InvocationHistory } from "./invocationHistory";

/** The shown part of an invocation's texts. */
interface TextsShown {
  /** A few words; empty if nothing is stored. */
  readonly words: string;
  readonly hasOutput: boolean;
}

/** The maximum number of cached words, more than anybody scrolls to. */
const maxRemembered = 2000;

/** Reads the beginnings of stored payloads and outputs for rows: a whole one may have 10 MB, and a view many rows. */
export class KeptTexts {
  /** The words of ended invocations. Their texts no longer change, except texts that are stored later. */
  private readonly cache = new Map<string, TextsShown>();

  constructor(
    private readonly history: Pick<InvocationHistory, "texts">,
    /** Hides keys, including one that was set after the invocation. */
    private readonly redact: (text: string) => string,
  ) {}

  /** Describes the texts of an invocation, as they were read first where it has ended. */
  async preview(record: InvocationRecord): Promise<TextsShown> {
    const { id, status } = record;
    const known = this.cache.get(id);
    if (known !== undefined) return known;
    const shown = await this.read(record);
    if (status === "running" || shown.words === "") return shown;
    if (this.cache.size >= maxRemembered) this.cache.clear();
    this.cache.set(id, shown);
    return shown;
  }

  /** Describes the texts of an invocation as they are now. */
  async read({ id }: InvocationRecord): Promise<TextsShown> {
    const texts = (await this.history.texts(id, previewedLength)) ?? {};
    const hasOutput = texts.outputText !== undefined;
    return { words: textsPreview(texts, this.redact), hasOutput };
  }
}
