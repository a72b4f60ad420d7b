/**
 * The editor tests that `npm test` runs in the oldest VS Code as well, in one window, and what may differ
 * there: an interface of the editor whose behavior is VS Code's. What the others prove is decided in our own
 * code, which is the same in both, or needs a window of its own; `npm run test:all` runs all.
 */
export const oldestTests = {
  "test/editor/smoke.test.ts": "activation, view container, commands in the palette",
  "test/editor/contract.test.ts": "what the editor in memory claims of every editor",
  "test/editor/mainJob.test.ts": "each step of the main job once",
  "test/editor/discover/selection.test.ts": "a tree's selection, focus and reveal",
  "test/editor/discover/hostile.test.ts": "what the editor makes of labels, tooltips and pickers",
  "test/editor/discover/searchWhileTyping.test.ts": "quick pick: its check marks and their events",
  "test/editor/inspect/page.test.ts": "life of a webview, side by side, links from outside",
  "test/editor/network.test.ts": "the editor's proxy settings and its proxy agent",
  "test/editor/author/documents.test.ts":
    "life of documents: closed, saved under another name, marked by the editor as well",
  "test/editor/author/threads.test.ts": "limits of worker threads in the Node.js of this editor",
};
