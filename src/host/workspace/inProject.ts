import * as vscode from "vscode";
import { noProjectNotice } from "../../core/project/projectState";
import type { InvocationHistory } from "../../engine/record/invocationHistory";
import type { OutputDocuments } from "../audit/outputDocuments";
import type { PayloadChecks } from "../author/payloadChecks";
import type { ThisSkill } from "../discover/thisSkill";
import type { SkillDetails } from "../inspect/skillDetails";
import type { SkillFiles } from "../skillFiles";
import { hostLanguage } from "../ui/hostLanguage";
import { withWaiting } from "../ui/progress";
import { showFailure, showNotice } from "../ui/showNotice";
import { type AccountParts, chooseProject, signIn } from "./account/accountCommands";
import type { InProject } from "./signedIn";

/** The dependencies of the commands for a project. */
export interface ProjectParts extends AccountParts {
  readonly history: InvocationHistory;
  readonly outputs: Pick<OutputDocuments, "words">;
  /** Finds and checks the payloads of the workspace. */
  readonly payloads: {
    readonly files: SkillFiles;
    readonly details: SkillDetails;
    readonly checks: PayloadChecks;
  };
  readonly thisSkill: ThisSkill;
}

/**
 * Returns the current project, after sign-in and a choice if needed. Its state is at most a minute old, or newly read
 * if `reading` is "anew", since nobody should act on an outdated state. Undefined if it could not be read, which is
 * shown.
 */
export async function inProject(
  parts: AccountParts,
  reading: "recent" | "anew" = "recent",
  signingIn: AccountParts = parts,
): Promise<InProject | undefined> {
  const { project } = parts;
  if ((await project.accounts.inUse()) === undefined && (await signIn(signingIn)) === undefined) {
    return undefined;
  }
  const read = reading === "anew" ? project.refresh() : project.refreshIfOld();
  const isRead = read.then(() => true);
  const title = vscode.l10n.t("Reading the project");
  if ((await withWaiting(title, () => isRead)) === undefined) return undefined;
  if (["choose", "gone", "noProjects"].includes(project.state.kind)) await chooseProject(parts);
  const { state } = project;
  if (state.kind === "project" && state.problem !== undefined) {
    void showFailure(state.problem);
    return undefined;
  }
  const at = await project.inChosen();
  if (at !== undefined) return at;
  await parts.showView();
  const notice = noProjectNotice(project.state, hostLanguage());
  if (notice !== undefined) void showNotice(notice);
  return undefined;
}
