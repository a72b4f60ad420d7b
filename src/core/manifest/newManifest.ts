import { escapedText } from "../schema/complete/valueSnippets";
import type { ManifestStart } from "./manifestStarts";

/** Stands where only the publisher knows the value. No text of a manifest has this character. */
const stop = "\uE000";

/**
 * Writes a new manifest as a snippet of the editor, indented with tabs. Tab stops stand where only the publisher knows
 * the value. `name` is a valid name of a skill. What the skill may do is not known, so nothing is permitted yet.
 */
export function newManifestSnippet(name: string, start: ManifestStart = {}): string {
  const words = name.replaceAll("-", " ");
  const object = { type: "object", properties: {} };
  const written = (text: string | undefined, other: string) => text?.replaceAll(stop, "") || other;
  const manifest = {
    schemaVersion: "0.1",
    name,
    displayName: written(start.displayName, `${words.charAt(0).toUpperCase()}${words.slice(1)}`),
    version: "1.0.0",
    description: written(start.description, stop),
    tags: [stop],
    runtime: { type: "http", entrypoint: written(start.entrypoint, `https://${stop}`) },
    permissions: { network: false, browser: false, filesystem: "none", secrets: [] },
    inputSchema: start.inputSchema ?? object,
    outputSchema: start.outputSchema ?? object,
  };
  let next = 1;
  const text = escapedText(`${JSON.stringify(manifest, undefined, "\t")}\n`);
  return text.replaceAll(stop, () => `$${next++}`);
}
