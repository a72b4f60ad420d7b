import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
} from "@vscode/webview-ui-toolkit";

// Registers the toolkit's elements the page uses, as soon as this script runs. Its badge and tag are left out: their templates hold a style
// attribute, which the page's policy refuses. Its colors come from that style sheet: by itself it reads
// the theme when the window has loaded, which is over by now, and holds no colors without a root.
provideVSCodeDesignSystem()
  .withDesignTokenRoot(null)
  .register(vsCodeButton(), vsCodePanels(), vsCodePanelTab(), vsCodePanelView());
