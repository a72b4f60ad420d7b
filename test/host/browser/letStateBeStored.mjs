/**
 * Lets tests have a window store its state, which it does before it reloads, without losing it: while
 * the page's element `html` has the attribute `data-stays`, no one hears that it is about to go.
 */
export async function letStateBeStored(page) {
  await page.addInitScript(() => {
    const isToStay = () => document.documentElement.dataset.stays !== undefined;
    const hold = (event) => isToStay() && event.stopImmediatePropagation();
    window.addEventListener("beforeunload", hold, { capture: true });
  });
}
