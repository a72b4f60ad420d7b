/**
 * The address that opens a window: `folder`, `workspace` or `file` (absolute paths) or none, the
 * extensions under development, and the compiled tests to run in it, if any.
 */
export function windowUrl(authority, { folder, workspace, file, extensions = [], tests }) {
  const remote = (path) => `vscode-remote://${authority}${encodeURI(path)}`;
  const payload = extensions.map((path) => ["extensionDevelopmentPath", remote(path)]);
  if (tests !== undefined) payload.push(["extensionTestsPath", remote(tests)]);
  if (file !== undefined) payload.push(["openFile", remote(file)]);
  const query = new URLSearchParams();
  if (folder !== undefined) query.set("folder", folder);
  else if (workspace !== undefined) query.set("workspace", workspace);
  else query.set("ew", "true");
  query.set("payload", JSON.stringify(payload));
  return `http://${authority}/?${query}`;
}
