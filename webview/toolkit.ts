import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
} from "@vscode/webview-ui-toolkit";

/**
 * Registers the toolkit's elements. buttons.ts, readyView.ts and skillPage.ts use their tag names. The toolkit's badge
 * and tag are not used: their templates have a style attribute, which the page's content security policy rejects.
 * Colors come from toolkit.css, because the toolkit misses some changes of the theme. The root `null` keeps the toolkit
 * from setting default values.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem()
    .withDesignTokenRoot(null)
    .register(vsCodeButton(), vsCodePanels(), vsCodePanelTab(), vsCodePanelView());
}
