import * as vscode from "vscode";
import { oneLine } from "../../core/text/plainText";
import type { NamedTarget } from "../connect/connectToRegistry";
import { commandIds } from "../ids";
import { codeAction } from "../marks";
import { addressOfEnvironment, type WorkspaceEnvironments } from "./workspaceEnvironments";

/** The maximum number of environments that are offered at once. */
const maxOffered = 5;

/**
 * Offers to connect to the workspace's environments at other registries, for a skill that the registry in use does not
 * have. No registry is asked before the user chooses it, so the skill may be missing there too.
 */
export async function connectActions(
  environments: Pick<WorkspaceEnvironments, "list" | "place">,
  diagnostics: readonly vscode.Diagnostic[],
): Promise<vscode.CodeAction[]> {
  const { address } = environments.place;
  const others = (await environments.list()).filter(
    (item) => addressOfEnvironment(item) !== address,
  );
  const names = [...new Map(others.map((item) => [item.name, item])).values()];
  return names.slice(0, maxOffered).map(({ name, registry }) => {
    const title = vscode.l10n.t("Connect to {0}…", oneLine(name, 80));
    const target: NamedTarget = { registry, environment: name };
    const command = { title, command: commandIds.connect, arguments: [target] };
    return codeAction(title, { command, diagnostics: [...diagnostics] });
  });
}
