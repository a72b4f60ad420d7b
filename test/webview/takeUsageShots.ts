import { mkdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { firstUsageFilter, type UsageFilter } from "../../src/core/invocation/usage/usageFilter";
import { localDay } from "../../src/core/text/dates";
import { usageProject } from "../fixtures/usageProject";
import { usageRecords } from "../fixtures/usageRecords";
import { startPageBrowser } from "./pageBrowser";
import { type ThemeName, themes } from "./themes";

const now = Date.parse("2026-11-20T12:00:00Z");

interface Shot {
  readonly theme: ThemeName;
  readonly width: number;
  readonly count: number;
  readonly filter?: Partial<UsageFilter>;
  readonly isGerman?: boolean;
  readonly isExportOpen?: boolean;
}

/** Takes pictures of the Usage page in every theme, from no invocations to many, to look at. */
export async function takeUsageShots(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await startPageBrowser();
  const german = JSON.parse(await readFile("l10n/bundle.l10n.de.json", "utf8"));
  const shoot = async (
    name: string,
    { theme, width, count, filter, isGerman, isExportOpen }: Shot,
  ) => {
    const usage = { ...firstUsageFilter, ...filter };
    const { page, problems, showUsage, close } = await browser.open({
      ...{ theme, width, isUsage: true, kept: { usage } },
      ...(isGerman && { lang: "de", words: german }),
    });
    const head = { today: localDay(now), dailyLimitCents: 200, project: usageProject(now) };
    const took = await showUsage(usageRecords(count, now), head);
    for (const part of await page.locator("summary").all()) if (count < 10) await part.click();
    if (isExportOpen) await page.locator("[popovertarget]").click();
    await page.screenshot({ path: resolve(folder, `usage-${name}.png`), fullPage: true });
    console.log(`${name}: ${count} invocations drawn in ${Math.round(took)} ms`);
    for (const problem of problems) console.log(`${name}: ${problem}`);
    await close();
  };
  const own = { days: "own", from: "2026-10-23", to: "2026-10-27" } as const;
  for (const theme of Object.keys(themes) as ThemeName[])
    await shoot(theme, { theme, width: 1000, count: 300 });
  await shoot("empty", { theme: "dark", width: 600, count: 0 });
  for (const width of [900, 320]) {
    await shoot(`export-${width}`, { theme: "dark", width, count: 9, isExportOpen: true });
  }
  await shoot("one", { theme: "light", width: 700, count: 1 });
  await shoot("narrow", { theme: "dark", width: 320, count: 300, filter: own, isGerman: true });
  await shoot("many", { theme: "light", width: 1200, count: 50_000 });
  const project = { source: "project", days: 90 } as const;
  await shoot("project", { theme: "dark", width: 900, count: 300, filter: project });
  for (const theme of ["light", "dark"] as const) {
    const german = { theme, width: 900, isGerman: true };
    await shoot(`german-${theme}`, { ...german, count: 8, filter: project });
    await shoot(`german-own-${theme}`, { ...german, count: 300 });
  }
  await browser.close();
}
