import type { Translate } from "../src/core/text/language";
import type { PageMessage } from "../src/protocol/skillPage";

/** What every part of the page is handed: the reader's language and the way to the host. */
export interface PageContext {
  readonly t: Translate;
  readonly send: (message: PageMessage) => void;
}
