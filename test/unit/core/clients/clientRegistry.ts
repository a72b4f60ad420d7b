import assert from "node:assert/strict";
import type { ClientSource } from "../../../../src/core/clients/client";
import { readShapes } from "../../../../src/core/clients/readShapes";
import type { JsonValue } from "../../../../src/core/json/jsonValue";
import { readSchema } from "../../../../src/core/schema/read/readSchema";
import { catalog } from "../../../../src/localRegistry/catalog/catalog";

/** A Project Key that no client may contain. */
export const key = "skh_a-key-that-must-not-be-said";

/** The key in another JSON spelling. */
export const escapedKey = key.replace("k", "\\u006b");

/** A client's source for each sample skill, with its examples. */
export const sources: readonly (ClientSource & {
  readonly examples: readonly { input: JsonValue; output?: JsonValue }[];
})[] = catalog.map(({ slug, releases: [{ manifest, examples }] }) => ({
  slug,
  version: manifest.version,
  contractHash: "contract-v1:sha256-00",
  input: readShapes(readSchema(manifest.inputSchema)),
  output: readShapes(readSchema(manifest.outputSchema)),
  examples,
}));

/** Returns the client's source of a sample skill. */
export const sourceOf = (slug: string) => {
  const source = sources.find((one) => one.slug === slug);
  assert.ok(source);
  return source;
};
