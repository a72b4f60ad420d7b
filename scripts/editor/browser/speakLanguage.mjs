/**
 * Sets the language (a tag such as `de`) of extensions in a window: `vscode.env.language`, their bundles and their
 * manifests. VS Code's own texts stay English, since its translations are extensions of its gallery.
 */
export async function speakLanguage(page, language) {
  await page.addInitScript((chosen) => {
    // The workbench reads its language here, where the script of a translation would put it.
    globalThis._VSCODE_NLS_LANGUAGE = chosen;
  }, language);
}
