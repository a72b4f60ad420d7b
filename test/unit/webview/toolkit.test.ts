import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Page } from "playwright-core";
import { fullSkill } from "../../fixtures/skillDetail";
import { openPages } from "../../webview/openPages";
import { ready } from "../../webview/samplePages";
import { type PageTheme, type ThemeName, themes } from "../../webview/themes";

describe("the toolkit's elements", () => {
  const open = openPages();

  for (const theme of Object.keys(themes) as ThemeName[]) {
    it(`have the colors of ${theme}, even after a theme change while the page is open`, async () => {
      const other: ThemeName = theme === "light" ? "dark" : "light";
      const { page, show } = await open({ theme: other });
      await show(ready(fullSkill));
      await changeTheme(page, themes[theme], themes[other]);
      const { colors } = themes[theme] as PageTheme;
      const colorOf = (name: string) => colors[name] ?? "transparent";
      const wanted: Record<string, readonly [string, string, string]> = {
        "primary button": ["#try-form", "background-color", colorOf("button-background")],
        "its words": ["#try-form", "color", colorOf("button-foreground")],
        "secondary button": ["#copyAs", "background-color", colorOf("button-secondaryBackground")],
        "its own words": ["#copyAs", "color", colorOf("button-secondaryForeground")],
        "chosen tab": ["#overview-tab", "color", colorOf("panelTitle-activeForeground")],
        "other tab": ["#input-tab", "color", colorOf("panelTitle-inactiveForeground")],
      };
      for (const [name, [selector, property, color]] of Object.entries(wanted)) {
        const [seen, meant] = await page.evaluate(
          ([selector, property, color]) => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.style.color = color;
            const element = document.querySelector(selector) ?? probe;
            const colors = [
              getComputedStyle(element).getPropertyValue(property),
              getComputedStyle(probe).color,
            ];
            probe.remove();
            return colors;
          },
          [selector, property, color] as const,
        );
        assert.equal(seen, meant, name);
      }
    });
  }
});

async function changeTheme(page: Page, to: PageTheme, from: PageTheme): Promise<void> {
  await page.evaluate(
    ([kind, colors, old]) => {
      const { style } = document.documentElement;
      for (const name of old) style.removeProperty(`--vscode-${name}`);
      for (const [name, value] of colors) style.setProperty(`--vscode-${name}`, value);
      document.body.className = kind;
      document.body.dataset["vscodeThemeKind"] = kind;
    },
    [to.kind, Object.entries(to.colors), Object.keys(from.colors)] as const,
  );
}
