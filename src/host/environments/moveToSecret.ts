import * as vscode from "vscode";
import {
  type MovableSecret,
  newEnvironmentsText,
  withSecret,
} from "../../core/environment/environmentsEdits";
import { environmentsPath } from "../../core/environment/environmentsPath";
import { localize } from "../../core/text/language";
import { commandIds } from "../ids";
import { workspaceEdit } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { inform, showError, showStatus } from "../ui/messages";
import { createEnvironments, editEnvironments } from "./environmentsEditor";
import { askForSecretName } from "./valueQuestions";
import { environmentRegistry } from "./windowPlace";
import type { ListedEnvironment, WorkspaceEnvironments } from "./workspaceEnvironments";

/** The name of the environment that is created in a folder without environments. */
const firstName = "default";

/**
 * Moves a credential from a payload into a secret: declares its name in the environment in use, stores its value, and
 * replaces it by the placeholder. A folder without environments gets its first one, for the registry in use.
 */
export async function moveToSecret(
  environments: WorkspaceEnvironments,
  document: vscode.TextDocument,
  found: MovableSecret,
): Promise<void> {
  const { uri, version } = document;
  const folder = environments.folderFor(uri);
  if (folder === undefined) return;
  const now = await environments.of(uri);
  if (now.kind === "unusable") {
    const choose = vscode.l10n.t("Choose Environment…");
    const answer = await inform(localize(now.problem, hostLanguage()), choose);
    if (answer === choose) await vscode.commands.executeCommand(commandIds.connect);
    return;
  }
  const before = await environments.inUse(uri);
  const name = await askForSecretName(found.proposedName, before);
  if (name === undefined) return;
  const { place, secrets } = environments;
  const registry = environmentRegistry(place);
  const target: ListedEnvironment = before ?? {
    name: firstName,
    registry,
    values: new Map(),
    secrets: new Set(),
    folder,
  };
  const isSame = () => !document.isClosed && document.version === version;
  const after = await environments.inUse(uri);
  // Storing would replace the value of a secret that got the same name during the question.
  const isFree =
    after?.name === before?.name && !after?.secrets.has(name) && !after?.values.has(name);
  if (!isFree || !isSame() || environmentRegistry(place) !== target.registry) {
    return void showChanged();
  }
  await secrets.set(target, name, found.value);
  const isDeclared =
    before === undefined
      ? await createEnvironments(folder, newEnvironmentsText(firstName, registry, name))
      : await editEnvironments(folder, (text) => withSecret(text, target.name, name));
  if (!isDeclared || !isSame()) {
    // An undeclared secret would stay in the storage forever.
    if (!isDeclared) await secrets.remove(target, name);
    return void showChanged();
  }
  if (before === undefined) await place.choose({ address: place.address, environment: firstName });
  const edit = { ...found.range, text: found.placeholder(name) };
  if (!(await vscode.workspace.applyEdit(workspaceEdit(document, [edit])))) {
    return void showChanged();
  }
  showStatus("lock", vscode.l10n.t("Moved to the secret {0} of {1}", name, target.name));
}

function showChanged(): void {
  void showError(
    vscode.l10n.t(
      "The payload or {0} changed in the meantime, so the credential is where it was.",
      environmentsPath,
    ),
  );
}
