import { emptyExtension } from "../paths.mjs";

const configuration = /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/;

/**
 * Writes into the page of a window which extensions are under development and which compiled tests
 * to run, both as paths on this machine. VS Code takes them from the address too, but only in a mode
 * that shows neither notifications nor dialogs.
 */
export function addDevelopmentOptions(page, authority, { extensions = [], tests }) {
  const remote = (path) => ({ scheme: "vscode-remote", authority, path });
  return page.replace(configuration, (_, start, attribute) => {
    const settings = JSON.parse(unescapeAttribute(attribute));
    // With a single extension under development, VS Code uses the first theme below its folder, and here VS Code's own
    // themes are in it. So there are always two.
    const all = new Set([...extensions, emptyExtension]);
    settings.developmentOptions = {
      ...settings.developmentOptions,
      extensions: [...all].map(remote),
      ...(tests === undefined ? {} : { extensionTestsPath: remote(tests) }),
    };
    return `${start}${escapeAttribute(JSON.stringify(settings))}"`;
  });
}

function unescapeAttribute(text) {
  const characters = { quot: '"', lt: "<", gt: ">", "#39": "'", amp: "&" };
  return text.replaceAll(/&(quot|lt|gt|#39|amp);/g, (_, name) => characters[name]);
}

function escapeAttribute(text) {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
