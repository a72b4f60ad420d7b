import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodePanels,
  vsCodePanelTab,
  vsCodePanelView,
} from "@vscode/webview-ui-toolkit";

// Registers the toolkit's elements. Their tag names are used in element.ts, readyView.ts, skillPage.ts and
// src/page. The toolkit's badge and tag are left out: their templates have a style attribute, which the
// page's policy rejects. Its colors come from toolkit.css: by itself it reads the theme when the window has
// loaded, which is over by now, and has no colors without a root.
provideVSCodeDesignSystem()
  .withDesignTokenRoot(null)
  .register(vsCodeButton(), vsCodePanels(), vsCodePanelTab(), vsCodePanelView());
