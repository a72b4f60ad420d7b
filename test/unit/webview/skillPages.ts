import type { Page } from "playwright-core";
import { type ExampleTrial, runningTrial } from "../../../src/core/invocation/output/exampleTrial";
import { english } from "../../../src/core/text/language";
import type { PageState, SkillPage } from "../../../src/protocol/pageMessages";

/** A page whose skill could not be read. */
export const failed = {
  kind: "failed",
  slug: "csv-profile",
  message: "The registry did not answer.",
  actions: [{ action: "connect", title: "Connect to Registry…" }],
} as const satisfies SkillPage;

/** An example that was invoked with success. */
export const triedExample: ExampleTrial = {
  ...runningTrial(true, english),
  kind: "ended",
  tone: "good",
  word: "Success",
  facts: ["12 ms", "free", "63615c78"],
  output: { text: '{\n  "rows": 2\n}', whole: true },
};

/** The state of a page that the editor stored. */
export const keptState: PageState = {
  slug: "csv-profile",
  version: "",
  tab: "overview",
  scrollTop: 0,
};

/** Presses Tab, and returns the text of the focused element. */
export async function tabTo(page: Page): Promise<string> {
  await page.keyboard.press("Tab");
  return String(await page.evaluate("document.activeElement.innerText"));
}
