/**
 * Makes a window speak a language (a tag such as `de`) to its extensions: `vscode.env.language`, their
 * bundles and their manifests, as it would with that language chosen. VS Code's own words stay
 * English, since its translations come as extensions from its gallery.
 */
export async function speakLanguage(page, language) {
  await page.addInitScript((chosen) => {
    // The workbench reads its language here, where the script of a translation would have put it.
    globalThis._VSCODE_NLS_LANGUAGE = chosen;
  }, language);
}
