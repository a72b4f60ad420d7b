/**
 * The editor tests that `npm test` also runs in the oldest VS Code, in one window, each with what may differ there. The
 * others test our own code, which is the same in both, or are covered by the contract, or rarely differ; `npm run
 * test:all` runs all.
 */
export const oldestTests = {
  "test/editor/smoke.test.ts": "activation, view container, commands in the palette",
  "test/editor/contract.test.ts": "what the editor in memory claims of every editor",
  "test/editor/mainJob.test.ts": "each step of the main job once",
  "test/editor/inspect/page.test.ts": "life of a webview, links from outside",
  "test/editor/author/threads.test.ts": "limits of worker threads in the Node.js of this editor",
};
