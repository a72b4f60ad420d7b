/**
 * The code with which VS Code 1.110 and 1.139 refuse dialogs to a window that runs tests. The similar code about
 * unsaved texts stays, so that tests can close what they opened.
 */
const refusal =
  /this\.(\w+)\.isExtensionDevelopment&&!!this\.\1\.extensionTestsLocationURI(?=\}async confirm\()/;

/** Returns whether the script that `letDialogsShow` changes is loaded from a path. */
export function isWorkbenchScript(path) {
  return /\/code\/browser\/workbench\/workbench\.js(\?|$)/.test(path);
}

/**
 * Lets a window that runs tests show dialogs, which tests have to press like people. VS Code refuses them by a
 * condition in its `script`, without a setting.
 */
export function letDialogsShow(script) {
  return script.replace(refusal, "false");
}

/**
 * Lets a window that runs tests show every notification. VS Code puts the fourth within 0.8 s and all after it into the
 * notification center, and tests are quicker than people.
 */
export function letNotificationsShow(script) {
  return script.replace(/(?<=\{interval:800,limit:)this\.\w+/, "1/0");
}

/**
 * Turns off the fading and sliding that the setting for reduced motion leaves in a window that runs tests. Drawing it
 * takes a seventh of the window's CPU time.
 */
export function showAtOnce(page) {
  return page.replace(
    "</head>",
    "<style>*, *::before, *::after { transition: none !important; }</style></head>",
  );
}
