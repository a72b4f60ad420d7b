import type { Permissions } from "../../core/skill/permissions";
import type { JsonValue } from "../../core/text/json";
import { booleanOf, listOf, member, numberOf, objectOf, textOf } from "./field";

/** Reads what a skill may do; undefined where the registry does not say. */
export function readPermissions(value: JsonValue | undefined): Permissions | undefined {
  const source = objectOf(value);
  if (source === undefined) return undefined;
  return {
    network: booleanOf(member(source, "network")) ?? false,
    browser: booleanOf(member(source, "browser")) ?? false,
    filesystem: readFilesystem(member(source, "filesystem", "fileSystem")),
    ...readSecrets(member(source, "secrets")),
  };
}

/** An unknown word is taken for the most a skill could do. */
function readFilesystem(value: JsonValue | undefined): Permissions["filesystem"] {
  if (value === undefined || value === false) return "none";
  const word = typeof value === "string" ? value.toLowerCase() : value;
  return word === "none" || word === "read" ? word : "write";
}

/** Public copies replace the names by one placeholder, such as `[2 secret handles required]`. */
function readSecrets(
  value: JsonValue | undefined,
): Pick<Permissions, "secretCount" | "secretNames"> {
  const count = Array.isArray(value) ? undefined : numberOf(value);
  if (count !== undefined) return { secretCount: Math.max(0, count), secretNames: [] };
  const texts = listOf(value, (item) => textOf(item));
  const counts = texts.map((text) => /^\[(\d{1,4})\b[^\]]*\]$/.exec(text)?.[1]);
  const secretNames = texts.filter((_, index) => counts[index] === undefined);
  const hidden = counts.reduce((sum, redacted) => sum + Number(redacted ?? 0), 0);
  return { secretCount: secretNames.length + hidden, secretNames };
}
