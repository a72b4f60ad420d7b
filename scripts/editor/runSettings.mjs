/** Color themes by a short name; VS Code has changed two of the names since the oldest version. */
const themes = {
  newest: { dark: "Dark Modern", light: "Light Modern" },
  oldest: { dark: "Default Dark Modern", light: "Default Light Modern" },
};
const highContrast = {
  "high-contrast": "Default High Contrast",
  "high-contrast-light": "Default High Contrast Light",
};

/**
 * Returns user settings of a window that shows nothing by itself and sends nothing to the network. `editor` is `newest`
 * or `oldest`; `theme` is `dark`, `light`, `high-contrast` or `high-contrast-light`.
 */
export function quietSettings({ editor = "newest", theme = "dark" } = {}) {
  return {
    "workbench.colorTheme": { ...themes[editor], ...highContrast }[theme],
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "workbench.welcomePage.walkthroughs.openOnInstall": false,
    "workbench.enableExperiments": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": true,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "remote.autoForwardPorts": false,
    // Otherwise each window lists the open files of all processes every few seconds, to find ports to forward.
    "remote.autoForwardPortsSource": "output",
    "extensions.ignoreRecommendations": true,
    "security.workspace.trust.startupPrompt": "never",
  };
}

/**
 * Returns user settings of a window for tests or pictures: those of quietSettings, without animations, and without
 * changes to typed text.
 */
export function runSettings({ editor, theme } = {}) {
  return {
    ...quietSettings({ editor, theme }),
    "window.autoDetectColorScheme": false,
    "window.autoDetectHighContrast": false,
    "workbench.reduceMotion": "on",
    "git.enabled": false,
    "npm.autoDetect": "off",
    "typescript.disableAutomaticTypeAcquisition": true,
    "files.autoSave": "off",
    "editor.cursorBlinking": "solid",
    "editor.autoClosingBrackets": "never",
    "editor.autoClosingQuotes": "never",
    "editor.autoSurround": "never",
    "editor.autoIndent": "none",
    "editor.acceptSuggestionOnEnter": "off",
  };
}
