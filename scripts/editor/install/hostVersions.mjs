// The editors the tests run in, pinned. A version changes here and nowhere else.

/**
 * Editor name → versions: `vscode` is what the window's About says, `codeServer` the npm package that
 * carries it built as a server, `node` the Node.js that this VS Code ships.
 */
export const hostVersions = {
  newest: { vscode: "1.139.1", codeServer: "4.139.1", node: "24.9.0" },
  oldest: { vscode: "1.110.0", codeServer: "4.110.0", node: "22.23.3" },
};

/** The version of the npm packages that carry the program with which VS Code finds files. */
export const ripgrep = "1.18.0";
