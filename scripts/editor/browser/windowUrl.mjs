/** Returns the address of a window that opens a `folder`, `workspace` or `file` (absolute paths), or nothing. */
export function windowUrl(authority, { folder, workspace, file }) {
  const query = new URLSearchParams();
  if (folder !== undefined) query.set("folder", folder);
  else if (workspace !== undefined) query.set("workspace", workspace);
  else query.set("ew", "true");
  if (file !== undefined) {
    query.set("payload", JSON.stringify([["openFile", `vscode-remote://${authority}${file}`]]));
  }
  return `http://${authority}/?${query}`;
}
