import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
  vsCodeProgressRing,
} from "@vscode/webview-ui-toolkit";

/**
 * Registers the toolkit's elements the page uses. The only place that knows the toolkit. Its badge
 * and tag are left out: their templates hold a style attribute, which the page's policy refuses.
 */
export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodePanels(),
    vsCodePanelTab(),
    vsCodePanelView(),
    vsCodeProgressRing(),
  );
}
