import type { Page } from "playwright-core";
import { leaveOutSockets } from "../../../scripts/editor/browser/leaveOutSockets.mjs";
import { Screen } from "./screen";
import type { EditorWindow } from "./window";

/** That all of a window was loaded says nothing of what it shows, which is waited for. */
const begun = { waitUntil: "commit" } as const;

/** Another window of the same user, beside the one the tests run in. */
export class SecondWindow extends Screen {
  /**
   * Waits until the Skills view shows rows. On a busy machine a window that opens beside another one
   * at times waits for its server in vain, so that it is loaded anew, once.
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
