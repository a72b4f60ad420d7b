import type { Page } from "playwright-core";

/**
 * Lists what stands where, in which colors, of the elements a selector names. Text inside an element
 * moves with it, so elements are enough; what is there for a screen reader alone has a pixel at most.
 */
export async function looksOf(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const shown = [...document.querySelectorAll(selector)].filter(
      (element) => !(element instanceof SVGElement && element.tagName !== "svg"),
    );
    return shown
      .filter((element) => element.getBoundingClientRect().width > 1)
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const box = [x, y, width, height].map((number) => Math.round(number)).join(" ");
        const { color, backgroundColor } = getComputedStyle(element);
        return `${element.tagName} ${element.id} ${box} ${color} ${backgroundColor}`;
      });
  }, selector);
}
