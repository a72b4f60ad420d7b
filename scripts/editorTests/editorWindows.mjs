/**
 * The windows that editor tests run in; `npm test` opens several of them side by side. A file runs in
 * the first window whose `tests` fits its path. `opens` is the folder of which a copy is opened (none:
 * no folder), `file` the workspace file in it to open instead, `continues` the window whose data and
 * folder it opens again, as after a restart, `restricted` whether the folder is not trusted, `language`
 * what extensions find as VS Code's: the last two only its server build can show here. `extension` is the
 * folder of a further extension to load, `settings` are the user's beside runSettings', and `hosts` the
 * only ones that can show what is tested (none: all).
 */
export const editorWindows = [
  // Those that open nothing share one: each start costs 13 s of a processor.
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
 * Editor tests that `npm run test:all` alone runs: of what unit tests and tests in memory decide, tried once more
 * where each try takes a window of its own or waits for what hangs.
 */
export const wholeSuiteTests = [
  "test/editor/chat/chat.test.ts",
  "test/editor/chat/mcpServer.test.ts",
  "test/editor/connect/secretStorage.test.ts",
  "test/editor/virtual/virtualWorkspace.test.ts",
];
