import manifestSchema from "../../../media/schemas/skillhub.schema.json";
import type { JsonValue } from "../json/jsonValue";

/** The schema of a manifest, as the registry publishes it, with the author that its own examples have. */
export const skillManifestSchema = manifestSchema as JsonValue;

/** Returns whether a path is that of a manifest that a publisher writes. */
export function isManifestFile(path: string): boolean {
  return /(^|\/)skillhub\.json$/.test(path);
}

/** As many characters as a registry takes: it rejects larger bodies. */
export const maxManifestLength = 1024 * 1024;
