import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { type ThemeName, themes } from "./themes";

/**
 * The themes in which pages are checked, each with its rules: all rules in one theme, since other themes only change
 * colors.
 */
export const axeRules = Object.fromEntries(
  Object.keys(themes).map((theme) => [theme, theme === "dark" ? "all" : "colors"]),
) as Readonly<Record<ThemeName, AxeRules>>;

type AxeRules = "all" | "colors";

/** Lists the violations that axe finds in a page. */
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
