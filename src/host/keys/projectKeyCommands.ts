import * as vscode from "vscode";
import { type KeyKeeping, keyDiagnosis } from "../../core/invocation/permission/keyDiagnosis";
import { readProjectKey } from "../../core/registry/credential";
import { localize } from "../../core/text/language";
import { labelText, oneLine } from "../../core/text/plainText";
import type { PolicyCache } from "../connect/policyCache";
import {
  type ConnectedRegistry,
  type RegistryConnection,
  registryTitle,
} from "../connect/registryConnection";
import { withRegistry } from "../connect/withRegistry";
import type { CommandHandlers } from "../registerCommands";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform, showError, showStatus, warn } from "../ui/messages";
import { withProgress, withWaiting } from "../ui/progress";
import { ask, type TextQuestion } from "../ui/quickInput/ask";
import { choose } from "../ui/quickInput/choose";
import { showNotice } from "../ui/showNotice";
import type { KeyFinding, ProjectKeys } from "./projectKeys";

/** The dependencies of the commands for Project Keys. */
interface ProjectKeyParts {
  readonly connection: RegistryConnection;
  readonly keys: ProjectKeys;
  readonly policies: PolicyCache;
  /** Asks the user for a key and stores it. Undefined if they canceled. */
  readonly askForKey: (registry: ConnectedRegistry) => Promise<string | undefined>;
}

/** Builds the commands for the Project Key of the registry in use. None shows or returns a key. */
export function projectKeyCommands(parts: ProjectKeyParts) {
  const withRegistryInUse =
    (work: (parts: ProjectKeyParts, registry: ConnectedRegistry) => Promise<void>) => () =>
      withRegistry(parts.connection, (registry) => work(parts, registry));
  return {
    setProjectKey: withRegistryInUse(setProjectKey),
    removeProjectKey: withRegistryInUse(removeProjectKey),
    checkProjectKey: withRegistryInUse(checkProjectKey),
  } satisfies Partial<CommandHandlers>;
}

async function setProjectKey(
  { askForKey }: ProjectKeyParts,
  registry: ConnectedRegistry,
): Promise<void> {
  const key = await askForKey(registry);
  if (key === undefined) return;
  const name = labelText(registry.name, 100);
  showStatus("key", vscode.l10n.t("Project Key set for {0}.", name));
}

/** Looks up the key; undefined if the user stops waiting for the secret storage. */
function examine(
  { keys }: ProjectKeyParts,
  registry: ConnectedRegistry,
): Promise<KeyFinding | undefined> {
  return withWaiting(vscode.l10n.t("Reading the Project Key"), () => keys.examine(registry));
}

async function removeProjectKey(
  parts: ProjectKeyParts,
  registry: ConnectedRegistry,
): Promise<void> {
  const { name } = registry;
  const found = await examine(parts, registry);
  if (found === undefined) return;
  if (found.kind === "none") {
    const message = vscode.l10n.t("There is no Project Key for {0}.", name);
    void inform(message);
    return;
  }
  const isSure = await confirm({
    message: vscode.l10n.t("Remove the Project Key for {0}?", name),
    detail: registry.isBuiltIn
      ? vscode.l10n.t("Nothing has to be pasted again: the built-in registry has a key of its own.")
      : vscode.l10n.t("To invoke skills there again, you need to paste it again."),
    agree: vscode.l10n.t("Remove"),
  });
  if (!isSure) return;
  try {
    await parts.keys.remove(registry);
    await parts.policies.forget(registry);
  } catch {
    const wasOfSession = found.kind === "key" && found.keeping === "sessionOnly";
    void showError(
      wasOfSession
        ? vscode.l10n.t(
            "The Project Key for {0} was removed from this window. The editor's secret storage does not respond, so a copy may remain there.",
            name,
          )
        : vscode.l10n.t(
            "The Project Key for {0} could not be removed: the editor's secret storage does not respond.",
            name,
          ),
    );
    return;
  }
  const message = vscode.l10n.t("The Project Key for {0} was removed.", name);
  void inform(message);
}

/** An alternative to pasting a key. */
export interface KeyOffer {
  /** The project that the key would be for. */
  readonly project: string;
  /** Creates a key and stores it. Undefined if the user canceled, or if it failed and they were notified. */
  readonly create: () => Promise<string | undefined>;
}

/**
 * Asks for the Project Key of a registry and stores it, or creates one if that is offered. Resolves to the key;
 * undefined if the user canceled.
 */
export async function askForProjectKey(
  keys: ProjectKeys,
  registry: ConnectedRegistry,
  offer: KeyOffer | undefined,
): Promise<string | undefined> {
  if (offer === undefined) return pasteProjectKey(keys, registry);
  const create = vscode.l10n.t("Create a Project Key for {0}", oneLine(offer.project));
  const paste = () => pasteProjectKey(keys, registry);
  const rows = [
    { label: create, value: offer.create },
    { label: vscode.l10n.t("Paste a Project Key"), value: paste },
  ];
  const getKey = await choose(rows, {
    title: titleFor(registry),
    placeHolder: vscode.l10n.t("Skills are invoked with a Project Key"),
  });
  return getKey?.();
}

function titleFor(registry: ConnectedRegistry): string {
  return vscode.l10n.t("Project Key for {0}", registryTitle(registry));
}

async function pasteProjectKey(
  keys: ProjectKeys,
  registry: ConnectedRegistry,
): Promise<string | undefined> {
  const pasted = await ask({
    title: titleFor(registry),
    ...keyInputOptions(registry),
    placeHolder: vscode.l10n.t("skh_… or sk_proj_…"),
    password: true,
    problemOf: (text) => {
      const read = readProjectKey(text);
      return text === "" || read.ok ? "" : localize(read.problem, hostLanguage());
    },
  });
  const read = pasted === undefined ? undefined : readProjectKey(pasted);
  if (!read?.ok) return undefined;
  const keeping = await withWaiting(vscode.l10n.t("Saving the Project Key"), () =>
    keys.keep(registry, read.key),
  );
  // The key is usable immediately, without waiting for the secret storage.
  if (keeping === undefined) keys.keepForSession(registry, read.key);
  warnUnlessStored(keeping, registry);
  return read.key;
}

/**
 * Warns that a key will be lost when the window closes. Does not warn for the built-in registry, whose key is useless
 * after that.
 */
export function warnUnlessStored(
  keeping: KeyKeeping | undefined,
  { isBuiltIn }: ConnectedRegistry,
): void {
  if (keeping === "secretStorage" || isBuiltIn) return;
  void warn(
    vscode.l10n.t(
      "The editor's secret storage cannot be used, so the Project Key is kept until this window closes. It is not written anywhere.",
    ),
  );
}

/** Pre-fills the key of the built-in registry, since users have none of their own for it. */
function keyInputOptions({
  origin,
  ownKey,
}: ConnectedRegistry): Pick<TextQuestion, "prompt" | "value"> {
  return ownKey === undefined
    ? {
        prompt: vscode.l10n.t(
          "Paste a key that was created at {0}, or sign in to create one here. It is stored in secret storage and sent to this registry only.",
          origin,
        ),
      }
    : {
        prompt: vscode.l10n.t(
          "A Project Key lets you invoke skills for one project. The built-in registry has made one for this window: press Enter.",
        ),
        value: ownKey,
      };
}

/**
 * Shows the state of the Project Key of the registry in use. Queries the registry if that is free. Never shows or
 * returns the key.
 */
async function checkProjectKey(parts: ProjectKeyParts, registry: ConnectedRegistry): Promise<void> {
  const found = await examine(parts, registry);
  if (found === undefined) return;
  const facts = parts.keys.factsOf(registry, found);
  if (found.kind !== "key") {
    void showNotice(keyDiagnosis(facts, hostLanguage()));
    return;
  }
  const { key } = found;
  const reading = await withProgress(vscode.l10n.t("Checking the Project Key"), (signal) =>
    registry.client.readKey(key, signal),
  );
  if (reading.kind === "failed" && reading.failure.kind === "cancelled") return;
  await parts.policies.note(registry, key, reading);
  const known = reading.kind === "unknown" ? facts : { ...facts, reading };
  void showNotice(keyDiagnosis(known, hostLanguage()));
}
