import * as vscode from "vscode";
import {
  isValueName,
  typedValue,
  valueToType,
  withValue,
} from "../../core/environment/environmentsEdits";
import { environmentsPath } from "../../core/environment/environmentsPath";
import { shortestSecret } from "../../core/environment/payloadEnvironment";
import { ask } from "../ui/quickInput/ask";
import { editEnvironments } from "./environmentsEditor";
import type { ListedEnvironment, WorkspaceEnvironments } from "./workspaceEnvironments";

/** Asks for a value in the environment in use, and writes it to the folder's file. */
export async function setValue(
  environments: WorkspaceEnvironments,
  uri: vscode.Uri,
  name: string,
): Promise<void> {
  const found = await environments.inUse(uri);
  if (found === undefined || found.secrets.has(name) || !isValueName(name)) return;
  const json = found.values.get(name);
  const typed = await ask({
    title: vscode.l10n.t("Set Value of {0}…", name),
    prompt: vscode.l10n.t(
      "Its value in {0}: text, or JSON such as 20 or true. It is written to {1}.",
      found.name,
      environmentsPath,
    ),
    value: json === undefined ? "" : valueToType(json),
  });
  if (typed === undefined) return;
  await editEnvironments(found.folder, (text) =>
    withValue(text, found.name, name, typedValue(typed)),
  );
}

/** Asks for the value of a secret of the environment in use, and stores it. An empty value removes the stored one. */
export async function setSecret(
  environments: WorkspaceEnvironments,
  uri: vscode.Uri,
  name: string,
): Promise<void> {
  const found = await environments.inUse(uri);
  if (found === undefined || !found.secrets.has(name)) return;
  const isSet = (await environments.secrets.valuesOf(found)).has(name);
  const stays = vscode.l10n.t(
    "Its value for {0} stays in the editor's secret storage and is sent to {1} only.",
    found.name,
    found.registry,
  );
  const value = await ask({
    title: vscode.l10n.t("Set Secret {0}…", name),
    prompt: isSet ? `${stays} ${vscode.l10n.t("Leave it empty to remove it.")}` : stays,
    password: true,
    problemOf: (text) =>
      text.trim().length >= shortestSecret || (isSet && text.trim() === "")
        ? ""
        : vscode.l10n.t("A secret has at least {0} characters.", shortestSecret),
  });
  if (value === undefined) return;
  if (value === "") await environments.secrets.remove(found, name);
  else await environments.secrets.set(found, name, value);
}

/** Describes why a value or a secret cannot have a name; empty if it can. */
export function nameProblem(name: string, isTaken: boolean): string {
  if (!isValueName(name)) {
    return vscode.l10n.t("A name has letters, digits, - and _, and begins with a letter.");
  }
  return isTaken ? vscode.l10n.t("{0} is declared already. Choose another name.", name) : "";
}

/** Asks for the name of a new secret; undefined if the user canceled. */
export function askForSecretName(
  proposed: string,
  taken: Pick<ListedEnvironment, "values" | "secrets"> | undefined,
): Promise<string | undefined> {
  return ask({
    title: vscode.l10n.t("Move to a Secret"),
    prompt: vscode.l10n.t("Name of the secret, which replaces it in the payload"),
    value: proposed,
    problemOf: (text) => {
      const name = text.trim();
      return nameProblem(
        name,
        [taken?.values, taken?.secrets].some((item) => item?.has(name)),
      );
    },
  });
}
