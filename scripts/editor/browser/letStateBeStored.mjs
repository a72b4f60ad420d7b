/**
 * Lets tests have a window store its state, which it does before it reloads, without losing it: a page whose element
 * `html` has the attribute `data-stays` loses that instead of reloading. No request leaves the page, so that Playwright
 * need not `route` one: whatever else is under way while it begins or ceases to do that may never be answered.
 */
export async function letStateBeStored(page) {
  await page.addInitScript(() => {
    navigation.addEventListener("navigate", (event) => {
      if (document.documentElement.dataset.stays === undefined) return;
      event.preventDefault();
      delete document.documentElement.dataset.stays;
    });
  });
}
