import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
} from "@vscode/webview-ui-toolkit";

/**
 * Registers the toolkit's elements. Their tag names are used in buttons.ts, readyView.ts and skillPage.ts. The
 * toolkit's badge and tag are left out: their templates have a style attribute, which the page's policy rejects.
 * Its colors come from toolkit.css, since by itself it does not see every change of the theme; it has none without
 * a root.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem()
    .withDesignTokenRoot(null)
    .register(vsCodeButton(), vsCodePanels(), vsCodePanelTab(), vsCodePanelView());
}
