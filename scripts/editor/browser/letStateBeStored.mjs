/**
 * Lets a test make a window store its state, as before a reload, without reloading: if the element `html` has the
 * attribute `data-stays`, the attribute is removed instead. Playwright's `route` could block the reload too, but
 * requests in progress while routing starts or stops may never get a response.
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
