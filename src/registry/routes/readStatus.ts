import type { JsonValue } from "../../core/json/jsonValue";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { listOf, member, objectOf, plainWordOf, unwrapObject } from "../decode/field";
import type { PublicReader } from "./publicReader";

/** Route of the status of a registry's services. */
export const statusRoute = "/v1/status";

/** Short, since the user is waiting for the failure to be shown. */
const statusSeconds = 3;

const workingWords: ReadonlySet<string> = new Set([
  "operational",
  "ok",
  "up",
  "healthy",
  "available",
]);
const failingWords: ReadonlySet<string> = new Set([
  ...["degraded", "down", "outage", "partial_outage", "major_outage", "unavailable", "unhealthy"],
  ...["offline", "failed", "error", "maintenance", "under_maintenance"],
]);

/** Reads from a registry's status whether a service works. Undefined if it is not listed, or its word is unknown. */
export function serviceWorks(body: JsonValue, key: "email" | "database"): boolean | undefined {
  const status = unwrapObject(body, "status");
  const services = status === undefined ? [] : listOf(member(status, "services"), objectOf);
  const service = services.find((object) => member(object, "key") === key);
  const word = plainWordOf(service && member(service, "status"));
  return workingWords.has(word) ? true : failingWords.has(word) ? false : undefined;
}

/**
 * Marks a failure if the registry's status reports that its database is down. Sends a request only if an outage can
 * explain the failure: some registries respond to an outage with 400.
 */
export async function explainFailure(
  reader: PublicReader,
  failure: RegistryFailure,
  signal: AbortSignal,
): Promise<RegistryFailure> {
  if (failure.kind !== "errorAnswer" || !mayBeOutage(failure.status)) return failure;
  const status = await reader.read(statusRoute, signal, statusSeconds);
  // This request has no parameters and no body, so a 400 cannot be its fault.
  const isOut = status.ok
    ? serviceWorks(status.value, "database") === false
    : status.failure.kind === "errorAnswer" && status.failure.status === 400;
  return isOut ? { ...failure, isDatabaseOut: true } : failure;
}

function mayBeOutage(status: number): boolean {
  return status === 400 || status >= 500;
}
