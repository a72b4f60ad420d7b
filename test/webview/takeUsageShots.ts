import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { localDay } from "../../src/core/text/dates";
import { usageRecords } from "../fixtures/usageRecords";
import { startPageBrowser } from "./pageBrowser";
import { type ThemeName, themes } from "./themes";

const now = Date.parse("2026-11-20T12:00:00Z");

/** Takes pictures of the Usage page in every theme and with nothing to many invocations, for looking at. */
export async function takeUsageShots(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await startPageBrowser();
  const shoot = async (name: string, theme: ThemeName, width: number, count: number) => {
    const { page, problems, showUsage, close } = await browser.open({
      theme,
      width,
      isUsage: true,
    });
    const head = { today: localDay(now), dailyLimitCents: 200 };
    const took = await showUsage(usageRecords(count, now), head);
    for (const table of await page.locator("summary").all()) if (count < 10) await table.click();
    await page.screenshot({ path: resolve(folder, `usage-${name}.png`), fullPage: true });
    console.log(`${name}: ${count} invocations drawn in ${Math.round(took)} ms`);
    for (const problem of problems) console.log(`${name}: ${problem}`);
    await close();
  };
  for (const theme of Object.keys(themes) as ThemeName[]) await shoot(theme, theme, 1000, 300);
  await shoot("empty", "dark", 600, 0);
  await shoot("one", "light", 700, 1);
  await shoot("narrow", "dark", 320, 300);
  await shoot("many", "light", 1200, 50_000);
  await browser.close();
}
