/**
 * Where VS Code decides to refuse dialogs to a window that runs tests, as 1.139 and 1.103 have it. It
 * stays with its decision not to ask about unsaved texts, so that tests can close what they opened.
 */
const refusals = [
  /this\.(\w+)\.isExtensionDevelopment&&!!this\.\1\.extensionTestsLocationURI(?=\}async confirm\()/,
  /this\.(\w+)\.isExtensionDevelopment&&this\.\1\.extensionTestsLocationURI\?!0:(?=!!this\.\1\.enableSmokeTestDriver\}async confirm\()/,
];

/**
 * Lets a window that runs tests show dialogs, which people answer before anything else and tests
 * have to press as well. VS Code refuses them by a condition in its own script, without a setting.
 */
export async function letDialogsShow(page) {
  await page.route("**/code/browser/workbench/workbench.js", async (route) => {
    const answer = await route.fetch();
    const script = await answer.text();
    const [newer, older] = refusals;
    await route.fulfill({
      response: answer,
      body: script.replace(newer, "false").replace(older, ""),
    });
  });
}
