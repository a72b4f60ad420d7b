import manifestSchema from "../../../media/schemas/skillhub.schema.json";
import type { JsonValue } from "../json/jsonValue";

/**
 * The schema of a manifest, as the registry publishes it. Also allows `author`, which the registry's own examples have.
 */
export const skillManifestSchema = manifestSchema as JsonValue;

/** Returns whether a path names a manifest that a publisher writes. */
export function isManifestFile(path: string): boolean {
  return /(^|\/)skillhub\.json$/.test(path);
}

/** The maximum number of characters. Registries reject larger bodies. */
export const maxManifestLength = 1024 * 1024;
