/**
 * Where VS Code decides to refuse dialogs to a window that runs tests, as 1.110 and 1.139 have it. It
 * stays with its decision not to ask about unsaved texts, so that tests can close what they opened.
 */
const refusal =
  /this\.(\w+)\.isExtensionDevelopment&&!!this\.\1\.extensionTestsLocationURI(?=\}async confirm\()/;

/** Returns whether the script that `letDialogsShow` changes is loaded from a path. */
export function isWorkbenchScript(path) {
  return /\/code\/browser\/workbench\/workbench\.js(\?|$)/.test(path);
}

/**
 * Lets a window that runs tests show dialogs, which people answer before anything else and tests
 * have to press as well. VS Code refuses them by a condition in its own `script`, without a setting.
 */
export function letDialogsShow(script) {
  return script.replace(refusal, "false");
}

/**
 * Lets a window that runs tests show each notification as it comes. Of more than three within 0.8 s VS Code lists the
 * others behind the bell alone, and tests press quicker than a person.
 */
export function letNotificationsShow(script) {
  return script.replace(/(?<=\{interval:800,limit:)this\.\w+/, "1/0");
}

/**
 * Lets a window that runs tests show at once what would fade or slide in; the setting for reduced motion leaves most
 * of that. Drawing it takes a seventh of the processor time of a window that tests drive.
 */
export function showAtOnce(page) {
  return page.replace(
    "</head>",
    "<style>*, *::before, *::after { transition: none !important; }</style></head>",
  );
}
