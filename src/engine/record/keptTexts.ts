import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import { previewedLength, textsPreview } from "../../core/invocation/record/textsPreview";
import type { InvocationHistory } from "./invocationHistory";

/** The preview of an invocation's payload and output. */
interface TextsPreview {
  /** The first words of the payload and the output; empty if nothing is stored. */
  readonly words: string;
  readonly hasOutput: boolean;
}

/** The maximum number of cached previews, more than anybody scrolls to. */
const maxRemembered = 2000;

/**
 * Creates the previews for rows. Reads only the beginnings, since an output may have 10 MB and a view has many rows.
 */
export class KeptTexts {
  /**
   * The previews of ended invocations by ID. These texts change only if they are stored later, so empty previews are
   * not cached.
   */
  private readonly cache = new Map<string, TextsPreview>();

  constructor(
    private readonly history: Pick<InvocationHistory, "texts">,
    /** Redacts keys, even a key that was set after the invocation. */
    private readonly redact: (text: string) => string,
  ) {}

  /** Returns the preview of an invocation, from the cache if it has ended. */
  async preview(record: InvocationRecord): Promise<TextsPreview> {
    const { id, status } = record;
    const known = this.cache.get(id);
    if (known !== undefined) return known;
    const shown = await this.read(record);
    if (status === "running" || shown.words === "") return shown;
    if (this.cache.size >= maxRemembered) this.cache.clear();
    this.cache.set(id, shown);
    return shown;
  }

  /** Reads the preview of an invocation. */
  async read({ id }: InvocationRecord): Promise<TextsPreview> {
    const texts = (await this.history.texts(id, previewedLength)) ?? {};
    const hasOutput = texts.outputText !== undefined;
    return { words: textsPreview(texts, this.redact), hasOutput };
  }
}
