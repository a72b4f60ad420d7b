import * as vscode from "vscode";
import { type KeyFacts, keyDiagnosis } from "../../core/invocation/permission/keyDiagnosis";
import { withProgress, withWaiting } from "../invoke/progress";
import { hostLanguage } from "../messages/hostLanguage";
import { showNotice } from "../messages/showNotice";
import type { PolicyCache } from "./policyCache";
import type { KeyFinding, KeyKeeping, ProjectKeys } from "./projectKeys";
import type { ConnectedRegistry } from "./registryConnection";

/**
 * Says how it is with the Project Key of the registry in use, asking the registry where that costs
 * nothing. Never shows or returns the key.
 */
export async function checkProjectKey(
  keys: ProjectKeys,
  policies: PolicyCache,
  registry: ConnectedRegistry,
): Promise<void> {
  const title = vscode.l10n.t("Reading the Project Key");
  const found = await withWaiting(title, keys.examine(registry));
  if (found === undefined) return;
  const facts = keyFacts(keys, registry, found);
  if (found.kind !== "key") {
    void showNotice(keyDiagnosis(facts, hostLanguage()));
    return;
  }
  const { key } = found;
  const reading = await withProgress(vscode.l10n.t("Checking the Project Key"), (signal) =>
    registry.client.readKey(key, signal),
  );
  if (reading.kind === "failed" && reading.failure.kind === "cancelled") return;
  await policies.note(registry, key, reading);
  const known = reading.kind === "unknown" ? facts : { ...facts, reading };
  void showNotice(keyDiagnosis(known, hostLanguage()));
}

/** Says what is known of the key for a registry, by what was found of it. The key is no part of it. */
export function keyFacts(
  keys: ProjectKeys,
  registry: ConnectedRegistry,
  found: KeyFinding,
): KeyFacts {
  const known = {
    origin: registry.isBuiltIn ? undefined : registry.origin,
    elsewhere: keys.elsewhere(registry),
  };
  if (found.kind === "wrongKind") return { ...known, state: found.kind, problem: found.problem };
  if (found.kind !== "key") return { ...known, state: found.kind };
  const lastAnswer = keys.lastAnswer(registry, found.key);
  const state = stateOf(found.keeping, registry.isBuiltIn);
  return lastAnswer === undefined ? { ...known, state } : { ...known, state, lastAnswer };
}

function stateOf(keeping: KeyKeeping | "builtIn", isBuiltIn: boolean): KeyFacts["state"] {
  if (keeping === "secretStorage") return "stored";
  return keeping === "sessionOnly" && isBuiltIn ? "builtInSession" : keeping;
}
