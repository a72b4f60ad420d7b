import type { Page } from "playwright-core";
import { leaveOutSockets } from "../../../scripts/editor/browser/leaveOutSockets.mjs";
import { Screen } from "./screen";
import type { EditorWindow } from "./window";

/** The load event says nothing about what a window shows, so tests wait for elements. */
const begun = { waitUntil: "commit" } as const;

/** A second window of the same user. */
export class SecondWindow extends Screen {
  /**
   * Waits until the Skills view shows rows. Reloads the window once, since on a busy machine a second window sometimes
   * waits for its server forever.
   */
  async ready(): Promise<void> {
    await this.showsSkills().catch(async () => {
      await this.page.reload(begun);
      await this.showsSkills();
    });
  }

  private async showsSkills(): Promise<void> {
    await this.openContainer("Skill Registry");
    await this.view("Skills").getByRole("treeitem").first().waitFor();
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

/**
 * Opens a second window with nothing in it. No tests run there. `prepare` is called before the page
 * loads.
 */
export async function openSecondWindow(
  window: EditorWindow,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<SecondWindow> {
  const first = window.page;
  const page = await first.context().newPage();
  window.atEnd(() => page.close());
  await leaveOutSockets(page);
  await prepare?.(page);
  const second = new SecondWindow(page);
  await page.goto(`${first.url()}&without-tests`, begun);
  await second.ready();
  return second;
}
