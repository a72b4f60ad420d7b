/**
 * The user settings of a window that tests and pictures use: quiet, offline, nothing that moves by
 * itself. `theme` is the label of a colour theme.
 */
export function runSettings({ theme = "Default Dark Modern" } = {}) {
  return {
    "workbench.colorTheme": theme,
    "window.autoDetectColorScheme": false,
    "window.autoDetectHighContrast": false,
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "workbench.welcomePage.walkthroughs.openOnInstall": false,
    "workbench.enableExperiments": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.reduceMotion": "on",
    "chat.disableAIFeatures": true,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoCheckUpdates": false,
    "extensions.autoUpdate": false,
    "extensions.ignoreRecommendations": true,
    "git.enabled": false,
    "npm.autoDetect": "off",
    "typescript.disableAutomaticTypeAcquisition": true,
    "editor.cursorBlinking": "solid",
    // What is typed is what stands there.
    "editor.autoClosingBrackets": "never",
    "editor.autoClosingQuotes": "never",
    "editor.autoSurround": "never",
    "editor.autoIndent": "none",
    "editor.acceptSuggestionOnEnter": "off",
    "files.autoSave": "off",
    "security.workspace.trust.untrustedFiles": "open",
  };
}
