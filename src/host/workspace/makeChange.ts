import * as vscode from "vscode";
import { changeNotice } from "../../core/project/changes";
import type { Result } from "../../core/registry/registryFailure";
import { hostLanguage } from "../ui/hostLanguage";
import { showError } from "../ui/messages";
import { withProgress } from "../ui/progress";
import { showNotice } from "../ui/showNotice";
import type { CurrentProject } from "./currentProject";
import type { SignedIn } from "./signedIn";

/**
 * Makes a change at the registry, once, and reads the project again after any result, so that the view is current.
 * Changes nothing if the user signed out or the registry was switched since `who` was read, for example during a
 * question. Resolves to undefined on failure, which was shown.
 */
export async function makeChange<Value>(
  project: CurrentProject,
  who: SignedIn,
  title: string,
  work: (signal: AbortSignal) => Promise<Result<Value>>,
): Promise<Value | undefined> {
  if (!(await project.accounts.isStillHere(who))) return void showSwitched();
  const answer = await withProgress(title, work);
  const following = project.followChange(who, answer);
  // A user who reads the notice and continues immediately finds the current project.
  if (!answer.ok) void showNotice(changeNotice(answer.failure, hostLanguage()));
  await following;
  return answer.ok ? answer.value : undefined;
}

/** Reports that an answer was given for an account or registry that is no longer in use. */
export function showSwitched(): void {
  void showError(
    vscode.l10n.t(
      "The account or registry was switched in the meantime, so nothing was changed. Run this again.",
    ),
  );
}
