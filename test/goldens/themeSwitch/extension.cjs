const { readFileSync, watch } = require("node:fs");
const { dirname } = require("node:path");
const vscode = require("vscode");

/** Follows the file named in SKILL_REGISTRY_TEST_THEME, which holds the name of a color theme. */
exports.activate = ({ subscriptions }) => {
  const file = process.env.SKILL_REGISTRY_TEST_THEME;
  const take = () => {
    const theme = readFileSync(file, "utf8");
    const workbench = vscode.workspace.getConfiguration("workbench");
    if (theme === "" || theme === workbench.get("colorTheme")) return;
    return workbench.update("colorTheme", theme, vscode.ConfigurationTarget.Global);
  };
  const watcher = watch(dirname(file), take);
  subscriptions.push({ dispose: () => watcher.close() });
  return take();
};
