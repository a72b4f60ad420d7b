/**
 * The windows that editor tests run in; `npm test` opens several side by side. A file runs in the first window whose
 * `tests` matches its path. `opens` is the folder whose copy is opened (default: none), `file` a workspace file in it
 * to open instead, `continues` the window whose data and folder are opened again, as after a restart, `restricted`
 * whether the folder is untrusted, and `language` the language for extensions: only the server build supports the last
 * two. `extension` is the folder of a further extension, `settings` are added to runSettings', and `hosts` are the only
 * hosts that can run the tests (default: all).
 */
export const editorWindows = [
  // Tests that need no folder share a window, since each start costs CPU time.
  {
    name: "empty",
    tests: /^test\/editor\/((author|connect|discover|inspect|invoke|workspace)\/)?[^/]+$/,
  },
  {
    name: "folder",
    tests: /^test\/editor\/(inFolder\/|restart\/before)/,
    opens: "test/fixtures/workspace",
  },
  { name: "after", tests: /^test\/editor\/restart\/after/, continues: "folder" },
  {
    name: "virtual",
    tests: /^test\/editor\/virtual\//,
    opens: "test/fixtures/virtualWorkspace",
    file: "virtual.code-workspace",
  },
  {
    name: "german",
    tests: /^test\/editor\/(german|restricted)\//,
    opens: "test/fixtures/workspace",
    restricted: true,
    language: "de",
    hosts: ["newest", "oldest"],
  },
  {
    name: "chat",
    tests: /^test\/editor\/chat\//,
    extension: "test/fixtures/fakeModel",
    settings: { "chat.disableAIFeatures": false },
  },
];

/**
 * Editor tests that only `npm run test:all` runs: unit tests and tests in memory cover their decisions, and each needs
 * a separate window or waits for something that hangs.
 */
export const wholeSuiteTests = [
  "test/editor/chat/chat.test.ts",
  "test/editor/chat/mcpServer.test.ts",
  "test/editor/connect/secretStorage.test.ts",
  "test/editor/virtual/virtualWorkspace.test.ts",
];
