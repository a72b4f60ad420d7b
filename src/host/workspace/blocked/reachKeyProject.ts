import * as vscode from "vscode";
import { accountKey } from "../../../core/account/sessions";
import { labelText } from "../../../core/text/plainText";
import { findKeyProject } from "../../keys/keyProject";
import { warn } from "../../ui/messages";
import { withWaiting } from "../../ui/progress";
import { signIn } from "../account/accountCommands";
import { inProject, type ProjectParts } from "../inProject";
import { keepNewProjectKey } from "../keyCommands";
import { showSwitched } from "../makeChange";

/**
 * Ensures that the chosen project is the one of a key, since changes for the key's invocations are possible only there.
 * Offers to choose that project, or to use a key of the chosen one. Resolves to "newKey" if the editor uses another key
 * now, and to "stay" if nothing changed, which was shown.
 */
export async function reachKeyProject(
  parts: ProjectParts,
  key: string,
): Promise<"reached" | "newKey" | "stay"> {
  const at = await inProject(parts);
  if (at === undefined) return "stay";
  const { project } = parts;
  const everybody = await project.accounts.all();
  const title = vscode.l10n.t("Looking for the project of the Project Key");
  const place = await withWaiting(title, (signal) => findKeyProject(key, at, everybody, signal));
  if (place === undefined) return "stay";
  const { name } = at.detail.summary;
  switch (place.kind) {
    case "here":
    case "unknown":
      return "reached";
    case "elsewhere": {
      const { who, summary } = place;
      const choose = vscode.l10n.t("Choose {0}", labelText(summary.name, 40));
      const text = vscode.l10n.t(
        "This editor's Project Key belongs to {0}, and {1} is chosen here. Choose {0} to change what blocks its invocations.",
        summary.name,
        name,
      );
      const answer = await warn(text, choose);
      if (answer !== choose) return "stay";
      // The notification may be answered much later.
      const isSame =
        (await project.accounts.isStillHere(who)) && (await parts.keys.find(who.registry)) === key;
      if (!isSame) {
        showSwitched();
        return "stay";
      }
      const { slug } = summary;
      const chosen = { account: accountKey(who.session), slug, name: summary.name };
      // Keys are stored by project: remove the key from the project chosen before, and store it for this one.
      await parts.keys.remove(who.registry).catch(() => undefined);
      await project.choose(who.registry, chosen);
      await parts.keys.keep(who.registry, key);
      return project.state.kind === "project" ? "reached" : "stay";
    }
    case "notHere": {
      const create = vscode.l10n.t("Create a Project Key for {0}…", labelText(name, 40));
      const another = vscode.l10n.t("Sign In…");
      const text = vscode.l10n.t(
        "This editor's Project Key belongs to none of your projects. Use a key of {0}, or sign in with an account that may see the key's project.",
        name,
      );
      const answer = await warn(text, create, another);
      if (answer === create) {
        return (await keepNewProjectKey(parts)) === undefined ? "stay" : "newKey";
      }
      const isNew = answer === another && (await signIn(parts)) !== undefined;
      return isNew ? reachKeyProject(parts, key) : "stay";
    }
  }
}
