/**
 * The windows that editor tests run in, one after the other. `tests` names the files, `opens` the
 * folder of which a copy is opened (none: no folder), `file` the workspace file in it to open instead,
 * `continues` the window whose data and folder it opens again, as after a restart, `restricted`
 * whether the folder is not trusted, `language` what extensions find as VS Code's: the last two only
 * its server build can show here.
 */
export const editorWindows = [
  { name: "empty", tests: "test/editor/*.test.ts" },
  { name: "author", tests: "test/editor/author/*.test.ts" },
  {
    name: "folder",
    tests: "test/editor/inFolder/*.test.ts",
    opens: "test/fixtures/workspace",
  },
  {
    name: "workspace",
    tests: "test/editor/inWorkspace/*.test.ts",
    opens: "test/fixtures/workspace",
    file: "team.code-workspace",
  },
  {
    name: "virtual",
    tests: "test/editor/virtual/*.test.ts",
    opens: "test/fixtures/virtualWorkspace",
    file: "virtual.code-workspace",
  },
  {
    name: "restricted",
    tests: "test/editor/restricted/*.test.ts",
    opens: "test/fixtures/workspace",
    restricted: true,
  },
  {
    name: "before",
    tests: "test/editor/restart/before*.test.ts",
    opens: "test/fixtures/workspace",
  },
  { name: "after", tests: "test/editor/restart/after*.test.ts", continues: "before" },
  { name: "german", tests: "test/editor/german/*.test.ts", language: "de" },
];
