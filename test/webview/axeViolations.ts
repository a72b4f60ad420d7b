import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { type ThemeName, themes } from "./themes";

/** Themes that pages are looked at in, and by which rules: one theme by all, since another changes colors and nothing else. */
export const axeRules = Object.fromEntries(
  Object.keys(themes).map((theme) => [theme, theme === "dark" ? "all" : "colors"]),
) as Readonly<Record<ThemeName, AxeRules>>;

type AxeRules = "all" | "colors";

/** Lists what axe finds in what a page shows. */
export async function axeViolations(page: Page, rules: AxeRules): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window")))
    await page.evaluate(await readFile("node_modules/axe-core/axe.min.js", "utf8"));
  const options = {
    resultTypes: ["violations"],
    ...(rules === "colors" && { runOnly: ["color-contrast", "link-in-text-block"] }),
  };
  const run = `axe.run(document, ${JSON.stringify(options)})`;
  const result = (await page.evaluate(run)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
