import { type JsonObject, type JsonValue, optional } from "../../core/json/jsonValue";
import type {
  InstalledSkill,
  InstallUsage,
  PolicyRow,
  ProjectDetail,
  ProjectKeyRow,
  ProjectSubscription,
  ProjectSummary,
  ProjectUpdate,
  ServerInvocation,
  StoredPolicy,
} from "../../core/project/project";
import type { Result } from "../../core/registry/registryFailure";
import type { OwnDetail } from "../../core/skill/mergeSkill";
import type { Permissions } from "../../core/skill/permissions";
import { bareAddress } from "../../core/text/parseUrl";
import {
  booleanOf,
  countItems,
  listOf,
  member,
  numberOf,
  objectOf,
  readSlug,
  textOf,
  timeOf,
  unwrapList,
  unwrapObject,
  versionOf,
  wordOf,
} from "../decode/field";
import { readCurrency, readPrice } from "../decode/readSkillDetail";
import { readPermissions, readSecretCount } from "../decode/readSkillRows";
import { readCopy } from "../routes/readSkill";

/** Reads a list of projects. Undefined for none. */
export function readProjects(body: JsonValue): readonly ProjectSummary[] | undefined {
  const list = unwrapList(body, "projects");
  return list && listOf([...list.items], readSummary);
}

/** Reads a newly created project. */
export function readNewProject(body: JsonValue): ProjectSummary | undefined {
  return readSummary(unwrapObject(body, "project") ?? null);
}

/** Reads a project's detail: its summary, and the lists beside it. */
export function readProjectDetail(body: JsonValue): ProjectDetail | undefined {
  const outer = objectOf(body);
  const holder = outer && (objectOf(member(outer, "data")) ?? outer);
  const detail = holder && (objectOf(member(holder, "project")) ?? holder);
  if (detail === undefined) return undefined;
  const summary = readSummary(objectOf(member(detail, "project")) ?? detail);
  if (summary === undefined) return undefined;
  const list = <Item>(name: string, read: (item: JsonValue) => Item | undefined, maxItems = 200) =>
    listOf(member(detail, name), read, maxItems);
  return {
    summary,
    skills: list("installedSkills", readInstalledSkill, 500),
    keys: list("apiKeys", readKeyRow),
    updates: list("updateInbox", readUpdate),
    invocations: list("recentInvocations", readInvocation, 25),
    subscriptions: list("subscriptions", readSubscription),
  };
}

/** Reads the list of all keys of a project, including revoked ones. */
export function readKeys(body: JsonValue): readonly ProjectKeyRow[] | undefined {
  const list = unwrapList(body, "apiKeys");
  return list && listOf([...list.items], readKeyRow, 1000);
}

/**
 * Reads the policies of a project by skill. A policy with a missing member cannot be sent back whole, so it has no
 * `row`.
 */
export function readPolicies(body: JsonValue): ReadonlyMap<string, StoredPolicy> | undefined {
  const list = unwrapList(body, "policies");
  return list && new Map(listOf([...list.items], readKeptPolicy, 500));
}

function readKeptPolicy(value: JsonValue): readonly [string, StoredPolicy] | undefined {
  const source = objectOf(value);
  const slug = source && readSlug(member(source, "skillSlug"));
  if (source === undefined || slug === undefined) return undefined;
  const row = readPolicy(source);
  const isWhole = Object.keys(row).length === 8;
  const times = {
    ...optional("updatedAt", timeOf(member(source, "updatedAt"))),
    ...optional("approvedAt", timeOf(member(source, "approvedAt"))),
  };
  return [slug, { ...(isWhole && { row: row as PolicyRow }), ...times }];
}

/** Reads the permissions of a project's pinned versions, by skill. */
export function readInstalledPermissions(
  body: JsonValue,
): ReadonlyMap<string, Permissions> | undefined {
  const list = unwrapList(body, "installedSkills");
  const rows = list && listOf([...list.items], readRowPermissions, 500);
  return rows && new Map(rows);
}

function readRowPermissions(value: JsonValue): readonly [string, Permissions] | undefined {
  const source = objectOf(value);
  const slug = source && readSlug(member(source, "skillSlug"));
  const manifest = source && objectOf(member(source, "manifest"));
  const permissions = manifest && readPermissions(member(manifest, "permissions"));
  return slug === undefined || permissions === undefined ? undefined : [slug, permissions];
}

/** Reads the row of a key; undefined without an id. */
export function readKeyRow(value: JsonValue): ProjectKeyRow | undefined {
  const source = objectOf(value);
  const id = source && textOf(member(source, "id"));
  if (source === undefined || id === undefined) return undefined;
  return {
    id,
    name: textOf(member(source, "name")) ?? "",
    last4: textOf(member(source, "keyLast4", "last4"), 8) ?? "",
    ...optional("createdAt", timeOf(member(source, "createdAt"))),
    ...optional("lastUsedAt", timeOf(member(source, "lastUsedAt"))),
    ...optional("revokedAt", timeOf(member(source, "revokedAt"))),
  };
}

/** Reads an install, from a project's detail or from the response to a change. */
export function readInstalledSkill(value: JsonValue): InstalledSkill | undefined {
  const source = objectOf(value);
  const slug = source && readSlug(member(source, "skillSlug", "slug"));
  if (source === undefined || slug === undefined) return undefined;
  const policy = objectOf(member(source, "policy"));
  return {
    slug,
    name: textOf(member(source, "displayName", "name")) ?? slug,
    version: versionOf(member(source, "version")) ?? "",
    ...optional("status", wordOf(member(source, "status"))),
    ...optional("approvalState", wordOf(member(source, "approvalState"))),
    ...optional("verificationStatus", wordOf(member(source, "verificationStatus"))),
    ...optional("permissionLevel", wordOf(member(source, "permissionLevel"))),
    ...optional("policy", policy && readPolicy(policy)),
    ...optional("price", readPrice(member(source, "pricing", "price"))),
    ...optional("usage", readUsage(source)),
  };
}

function readUsage(source: JsonObject): InstallUsage | undefined {
  const part = (name: string) => objectOf(member(source, name)) ?? {};
  const [runtime, usage, incidents] = [part("runtime"), part("usage"), part("incidents")];
  const read = {
    ...optional("invocations", numberOf(member(runtime, "callCount"))),
    ...optional("succeeded", numberOf(member(runtime, "successCount"))),
    ...optional("failed", numberOf(member(runtime, "errorCount"))),
    ...optional("blocked", numberOf(member(runtime, "blockedCount"))),
    ...optional("averageLatencyMs", numberOf(member(runtime, "avgLatencyMs"))),
    ...optional("cents", numberOf(member(usage, "grossCents"))),
    ...optional("currency", readCurrency(member(usage, "currency"))),
    ...optional("openIncidents", numberOf(member(incidents, "openCount"))),
  };
  return Object.keys(read).length === 0 ? undefined : read;
}

function readPolicy(source: JsonObject): Partial<PolicyRow> {
  return {
    ...optional("maxPermissionLevel", wordOf(member(source, "maxPermissionLevel"))),
    ...optional("allowNetwork", booleanOf(member(source, "allowNetwork"))),
    ...optional("allowBrowser", booleanOf(member(source, "allowBrowser"))),
    ...optional("filesystemAccess", wordOf(member(source, "filesystemAccess"))),
    ...optional("allowSecretAccess", booleanOf(member(source, "allowSecretAccess"))),
    ...optional("monthlyBudgetCents", numberOf(member(source, "monthlyBudgetCents"))),
    ...optional("rateLimitPerMinute", numberOf(member(source, "rateLimitPerMinute"))),
    ...optional("approvalRequired", booleanOf(member(source, "approvalRequired"))),
  };
}

function readSummary(value: JsonValue): ProjectSummary | undefined {
  const source = objectOf(value);
  const slug = source && textOf(member(source, "slug"));
  // The slug is part of routes, so a project needs a valid one.
  if (source === undefined || slug === undefined || !/^[a-z0-9][a-z0-9-]{0,99}$/.test(slug)) {
    return undefined;
  }
  const installs = objectOf(member(source, "installs")) ?? {};
  return {
    slug,
    name: textOf(member(source, "name")) ?? slug,
    ...optional("createdAt", timeOf(member(source, "createdAt"))),
    ...optional("installedCount", numberOf(member(installs, "installedSkillCount"))),
  };
}

function readUpdate(value: JsonValue): ProjectUpdate | undefined {
  const source = objectOf(value);
  const id = source && textOf(member(source, "id"));
  const skillSlug = source && readSlug(member(source, "skillSlug"));
  if (source === undefined || id === undefined || skillSlug === undefined) return undefined;
  return {
    id,
    skillSlug,
    skillName: textOf(member(source, "displayName")) ?? skillSlug,
    eventType: wordOf(member(source, "eventType")) ?? "",
    title: textOf(member(source, "title"), 500) ?? "",
    ...optional("severity", textOf(member(source, "severity"), 60)?.toLowerCase()),
    ...optional("body", textOf(member(source, "body"), 2000)),
    ...optional("currentVersion", versionOf(member(source, "currentVersion"))),
    ...optional("targetVersion", versionOf(member(source, "targetVersion"))),
    ...optional("targetReviewStatus", wordOf(member(source, "targetReviewStatus"))),
    ...optional("adoptionState", wordOf(member(source, "adoptionState"))),
    ...optional("actionStatus", wordOf(member(source, "actionStatus"))),
    ...optional("scheduledFor", timeOf(member(source, "scheduledFor"))),
    ...optional("createdAt", timeOf(member(source, "createdAt"))),
  };
}

function readInvocation(value: JsonValue): ServerInvocation | undefined {
  const source = objectOf(value);
  const id = source && textOf(member(source, "id", "invocationId"));
  if (source === undefined || id === undefined) return undefined;
  return {
    id,
    status: textOf(member(source, "status"), 60) ?? "",
    ...optional("skillSlug", readSlug(member(source, "skillSlug"))),
    ...optional("version", versionOf(member(source, "version"))),
    ...optional("errorCode", textOf(member(source, "errorCode"), 100)),
    ...optional("latencyMs", numberOf(member(source, "latencyMs"))),
    ...optional("createdAt", timeOf(member(source, "createdAt"))),
  };
}

function readSubscription(value: JsonValue): ProjectSubscription | undefined {
  const source = objectOf(value);
  const skillSlug = source && readSlug(member(source, "skillSlug"));
  if (source === undefined || skillSlug === undefined) return undefined;
  return {
    skillSlug,
    status: wordOf(member(source, "status")) ?? "",
    ...optional("currentPeriodEnd", timeOf(member(source, "currentPeriodEnd"))),
  };
}

/** More installs than any known project has; each one is a row of the view. */
const maxInstalls = 500;

/**
 * Reads the version of a skill that a project has pinned from the list of its installs. Undefined if the list lacks it.
 * Applies the limits of a skill's own route, and redacts it like a public copy.
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
  const read = await readCopy(publicManifest(manifest), slug, route);
  const lossyNumbers = unsafeIntegers(manifest);
  return read.ok && lossyNumbers.length > 0
    ? { ok: true, value: { ...read.value, lossyNumbers } }
    : read;
}

/**
 * Removes the data that public copies of a manifest lack: commands, names of secrets, and the credentials and query of
 * addresses. Every reader then sees the same contract of a version.
 */
export function publicManifest(manifest: JsonObject): JsonObject {
  const runtime = objectOf(member(manifest, "runtime"));
  const permissions = objectOf(member(manifest, "permissions"));
  const secrets = permissions && member(permissions, "secrets");
  return {
    ...manifest,
    ...(runtime && { runtime: publicRuntime(runtime) }),
    ...(permissions &&
      secrets !== undefined && {
        permissions: { ...permissions, secrets: publicSecrets(secrets) },
      }),
  };
}

/** Redacts the names of secrets, which may also be in other forms than a list. */
function publicSecrets(secrets: JsonValue): JsonValue {
  return Array.isArray(secrets) ? countPlaceholder(secrets) : readSecretCount(secrets);
}

function publicRuntime(runtime: JsonObject): JsonObject {
  if (textOf(member(runtime, "type"))?.toLowerCase() !== "local") {
    const parts = Object.entries(runtime).map(([name, value]) => [
      name,
      typeof value === "string" ? bareAddress(value) : value,
    ]);
    return Object.fromEntries(parts) as JsonObject;
  }
  const args = member(runtime, "args");
  return { type: "local", args: Array.isArray(args) ? countPlaceholder(args) : [] };
}

/** Returns the placeholder that public copies have for redacted items. */
function countPlaceholder(items: readonly JsonValue[]): JsonValue[] {
  const count = countItems(items);
  return count === 0 ? [] : [`[${count}]`];
}

/** Returns integers that are too large to be exact: parsing may have changed their digits. */
function unsafeIntegers(value: JsonValue): readonly number[] {
  const found = new Set<number>();
  const pending: JsonValue[] = [value];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (typeof part === "number" && Number.isInteger(part) && !Number.isSafeInteger(part)) {
      found.add(part);
    } else if (part !== null && typeof part === "object") {
      for (const inner of Object.values(part)) pending.push(inner);
    }
  }
  return [...found];
}
