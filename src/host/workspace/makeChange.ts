import type { Result } from "../../core/registry/registryFailure";
import { changeNotice } from "../../core/workspace/changes";
import { withProgress } from "../invoke/progress";
import { hostLanguage } from "../messages/hostLanguage";
import { showNotice } from "../messages/showNotice";
import type { CurrentProject } from "./currentProject";
import type { SignedIn } from "./signedIn";

/**
 * Changes something at the registry, once, and reads the project again whatever came of it, so that what
 * is shown is what is. Resolves to undefined where it failed; the user has then been notified.
 */
export async function makeChange<Value>(
  project: CurrentProject,
  who: SignedIn,
  title: string,
  work: (signal: AbortSignal) => Promise<Result<Value>>,
): Promise<Value | undefined> {
  const answer = await withProgress(title, work);
  const following = project.followChange(who, answer);
  // Who reads the notice and goes on at once finds the project as it is.
  if (!answer.ok) void showNotice(changeNotice(answer.failure, hostLanguage()));
  await following;
  return answer.ok ? answer.value : undefined;
}
