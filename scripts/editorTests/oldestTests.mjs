/**
 * The editor tests that `npm test` runs in the oldest VS Code as well, in one window, and what may differ
 * there and would be noticed at once. What the others prove is decided in our own code, which is the same in both, stands
 * in the contract, or differs seldom; `npm run test:all` runs all.
 */
export const oldestTests = {
  "test/editor/smoke.test.ts": "activation, view container, commands in the palette",
  "test/editor/contract.test.ts": "what the editor in memory claims of every editor",
  "test/editor/mainJob.test.ts": "each step of the main job once",
  "test/editor/inspect/page.test.ts": "life of a webview, links from outside",
  "test/editor/author/threads.test.ts": "limits of worker threads in the Node.js of this editor",
};
