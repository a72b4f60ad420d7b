import type { JsonObject, JsonValue } from "../../core/json/jsonValue";
import type { OwnDetail } from "../../core/registry/mergeSkill";
import type { Result } from "../../core/registry/registryFailure";
import { listOf, member, objectOf, readSlug, textOf, unwrapList } from "../decode/field";
import { surveyBody } from "../decode/parseJson";
import { readSkillDetail } from "../decode/readSkillDetail";
import { maxMembers, maxValues } from "../inspect/readSkill";
import { runYielding } from "../runYielding";

const maxInstalls = 500;

/**
 * Reads the version of a skill that a project has pinned out of the list of its installs. Undefined where
 * the list does not hold it. It is bounded as a skill's own route is, and redacted as public copies are.
 */
export async function readPinnedSkill(
  body: JsonValue,
  slug: string,
  route: string,
): Promise<Result<OwnDetail> | undefined> {
  const row = (unwrapList(body, "installedSkills")?.items ?? [])
    .slice(0, maxInstalls)
    .map((item) => objectOf(item) ?? {})
    .find((source) => readSlug(member(source, "skillSlug")) === slug);
  const manifest = row && objectOf(member(row, "manifest"));
  if (manifest === undefined) return undefined;
  const { members, values } = await runYielding(surveyBody(Buffer.from(JSON.stringify(manifest))));
  if (members > maxMembers || values > maxValues) {
    return { ok: false, failure: { kind: "tooManyValues", limit: maxMembers } };
  }
  const read = readSkillDetail(publicManifest(manifest), slug, route);
  const lossyNumbers = unsafeIntegers(manifest);
  return read.ok && lossyNumbers.length > 0
    ? { ok: true, value: { ...read.value, lossyNumbers } }
    : read;
}

/**
 * Takes out of a manifest what public copies of it do not have: commands, the names of secrets, and the
 * credentials and query of addresses. So a version has one contract for every reader.
 */
export function publicManifest(manifest: JsonObject): JsonObject {
  const runtime = objectOf(member(manifest, "runtime"));
  const permissions = objectOf(member(manifest, "permissions"));
  const secrets = permissions && member(permissions, "secrets");
  return {
    ...manifest,
    ...(runtime && { runtime: publicRuntime(runtime) }),
    ...(permissions &&
      Array.isArray(secrets) && { permissions: { ...permissions, secrets: counted(secrets) } }),
  };
}

function publicRuntime(runtime: JsonObject): JsonObject {
  if (textOf(member(runtime, "type"))?.toLowerCase() !== "local") {
    const parts = Object.entries(runtime).map(([name, value]) => [name, plainAddress(value)]);
    return Object.fromEntries(parts) as JsonObject;
  }
  const args = member(runtime, "args");
  return { type: "local", args: Array.isArray(args) ? counted(args) : [] };
}

function plainAddress(value: JsonValue): JsonValue {
  if (typeof value !== "string" || !URL.canParse(value)) return value;
  const url = new URL(value);
  const isPlain = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  return isPlain ? value : `${url.protocol}//${url.host}${url.pathname}`;
}

/** Public copies have such a placeholder in place of texts that they keep to themselves. */
function counted(texts: JsonValue[]): JsonValue[] {
  const count = listOf(texts, (item) => textOf(item)).length;
  return count === 0 ? [] : [`[${count}]`];
}

/** Whole numbers beyond these may have had other digits before they were read. */
function unsafeIntegers(value: JsonValue): readonly number[] {
  const found = new Set<number>();
  const left: JsonValue[] = [value];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (typeof part === "number" && Number.isInteger(part) && !Number.isSafeInteger(part)) {
      found.add(part);
    } else if (part !== null && typeof part === "object") {
      for (const inner of Object.values(part)) left.push(inner);
    }
  }
  return [...found];
}
