/**
 * The editor tests that `npm test` runs, in one window of the newest VS Code, and `npm run test:windows` in the oldest,
 * each with what no other test can show. The others test our own code, which is the same in both editors, or are covered
 * by the contract, or rarely differ; `npm run test:windows` runs them in the newest, `npm run test:all` in both.
 */
export const firstTests = {
  "test/editor/smoke.test.ts": "activation, view container, commands in the palette",
  "test/editor/contract.test.ts": "what the editor in memory claims of every editor",
  "test/editor/mainJob.test.ts": "each step of the main job once",
  "test/editor/inspect/page.test.ts": "life of a webview, links from outside",
  "test/editor/author/threads.test.ts": "limits of worker threads in the Node.js of this editor",
};
