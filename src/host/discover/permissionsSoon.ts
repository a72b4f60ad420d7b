import type * as vscode from "vscode";
import type { Permissions } from "../../core/skill/permissions";
import type { SkillDetails } from "../inspect/skillDetails";

/** A tooltip is not worth a longer wait. */
const patienceMs = 1500;

/** Answers what a skill may do, where the registry says so while somebody still looks. */
export function permissionsSoon(details: SkillDetails) {
  return async (
    slug: string,
    token: vscode.CancellationToken,
  ): Promise<Permissions | undefined> => {
    let patience: NodeJS.Timeout | undefined;
    let subscription: vscode.Disposable | undefined;
    const givenUp = new Promise<undefined>((resolve) => {
      patience = setTimeout(() => resolve(undefined), patienceMs);
      subscription = token.onCancellationRequested(() => resolve(undefined));
    });
    const found = await Promise.race([details.find(slug), givenUp]);
    clearTimeout(patience);
    subscription?.dispose();
    return found?.ok ? found.value.permissions : undefined;
  };
}
