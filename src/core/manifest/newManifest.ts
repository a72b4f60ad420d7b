/**
 * Writes a new manifest as a snippet of the editor, indented with tabs. Tab stops stand where only the publisher knows
 * the value. `name` is a valid name of a skill, so it has no character that a snippet would interpret.
 */
export function newManifestSnippet(name: string): string {
  const words = name.replaceAll("-", " ");
  const object = { type: "object", properties: {} };
  const manifest = {
    schemaVersion: "0.1",
    name,
    displayName: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    version: "1.0.0",
    description: "$1",
    tags: ["$2"],
    runtime: { type: "http", entrypoint: "https://$3" },
    permissions: { network: false, browser: false, filesystem: "none", secrets: [] },
    inputSchema: object,
    outputSchema: object,
  };
  return `${JSON.stringify(manifest, undefined, "\t")}\n`;
}
