import { changeNotice } from "../../core/project/changes";
import type { Result } from "../../core/registry/registryFailure";
import { hostLanguage } from "../ui/hostLanguage";
import { withProgress } from "../ui/progress";
import { showNotice } from "../ui/showNotice";
import type { CurrentProject } from "./currentProject";
import type { SignedIn } from "./signedIn";

/**
 * Makes a change at the registry, once, and reads the project again after any result, so that the view is current.
 * Resolves to undefined on failure, which was shown.
 */
export async function makeChange<Value>(
  project: CurrentProject,
  who: SignedIn,
  title: string,
  work: (signal: AbortSignal) => Promise<Result<Value>>,
): Promise<Value | undefined> {
  const answer = await withProgress(title, work);
  const following = project.followChange(who, answer);
  // A user who reads the notice and continues immediately finds the current project.
  if (!answer.ok) void showNotice(changeNotice(answer.failure, hostLanguage()));
  await following;
  return answer.ok ? answer.value : undefined;
}
