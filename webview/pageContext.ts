import type { Say } from "../src/page/say";
import type { PageMessage } from "../src/protocol/skillPage";

/** What every part of the page is handed: the reader's language and the way to the host. */
export interface PageContext {
  readonly say: Say;
  readonly send: (message: PageMessage) => void;
}
