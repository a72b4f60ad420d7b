/** User settings of a window that says nothing by itself and asks no one on the network. */
export function quietSettings() {
  return {
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "workbench.welcomePage.walkthroughs.openOnInstall": false,
    "workbench.enableExperiments": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": true,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "remote.autoForwardPorts": false,
    "extensions.autoCheckUpdates": false,
    "extensions.autoUpdate": false,
    "extensions.ignoreRecommendations": true,
  };
}

/**
 * User settings of a window that tests or pictures use: quiet, nothing moves by itself, and what is
 * typed is what stands there. `theme` is the label of a colour theme.
 */
export function runSettings({ theme = "Default Dark Modern" } = {}) {
  return {
    ...quietSettings(),
    "workbench.colorTheme": theme,
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
