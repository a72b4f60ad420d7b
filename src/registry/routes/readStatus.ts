import type { JsonValue } from "../../core/json/jsonValue";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { listOf, member, objectOf, textOf, unwrapObject } from "../decode/field";
import type { PublicReader } from "./publicReader";

/** Where a registry says which of its services work. */
export const statusRoute = "/v1/status";

/** Somebody waits for the failure that is explained. */
const statusSeconds = 3;

/** Reads whether a service works from a registry's status. Undefined where it does not say. */
export function serviceWorks(body: JsonValue, key: "email" | "database"): boolean | undefined {
  const status = unwrapObject(body, "status");
  const services = status === undefined ? [] : listOf(member(status, "services"), objectOf);
  const service = services.find((one) => member(one, "key") === key);
  const word = service && textOf(member(service, "status"), 60);
  return word === undefined ? undefined : word !== "degraded" && word !== "down";
}

/**
 * Adds to the failure of a reading that the registry says its database is out, where it does. Asks only where it answered
 * with an error that an outage explains: some registries answer one with 400.
 */
export async function explainFailure(
  reader: PublicReader,
  failure: RegistryFailure,
  signal: AbortSignal,
): Promise<RegistryFailure> {
  if (failure.kind !== "errorAnswer" || !isPerhapsOutage(failure.status)) return failure;
  const status = await reader.read(statusRoute, signal, statusSeconds);
  // Nothing in this request could be wrong: it has neither parameters nor a body.
  const isOut = status.ok
    ? serviceWorks(status.value, "database") === false
    : status.failure.kind === "errorAnswer" && status.failure.status === 400;
  return isOut ? { ...failure, isDatabaseOut: true } : failure;
}

function isPerhapsOutage(status: number): boolean {
  return status === 400 || status >= 500;
}
