import * as vscode from "vscode";
import { sharedTextProblem } from "../../core/payload/sharedText";
import { skillAtRegistry } from "../../core/review/checkTeam";
import { requiredCriteria } from "../../core/review/coverage";
import {
  policyFileName,
  type ReviewPolicy,
  reviewedRegistry,
  reviewFolder,
  reviewsFileName,
} from "../../core/review/files/reviewFiles";
import type { BrokenFile } from "../../core/review/files/reviewFolder";
import {
  criterionText,
  filesToReview,
  isContractUnchanged,
  type NewReview,
  newReview,
  type ReviewRecording,
} from "../../core/review/newReview";
import {
  attestPrompt,
  brokenReviewsText,
  checkedSkillsText,
  recordingProblem,
  reviewTitle,
} from "../../core/review/reviewText";
import { gitUser } from "../../engine/gitUser";
import { sha256 } from "../../engine/sha256";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { withRegistry } from "../connect/withRegistry";
import type { ThisSkill } from "../discover/thisSkill";
import type { CommandHandlers } from "../registerCommands";
import { showFile } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { inform, offer, showError, warn } from "../ui/messages";
import { readShown, withProgress } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { chooseMany } from "../ui/quickInput/choose";
import { askInTurn, type GoneBack, type Step } from "../ui/quickInput/quickInput";
import { addCiWorkflow } from "./addCiWorkflow";
import { checkReadiness, type ReadinessSources } from "./checkReadiness";
import type { ReviewOption, ReviewProblems } from "./checkReviews";
import type { ContractDocuments } from "./contractDocuments";
import { readerOf, readReviewedFolder, reviewUri, writeReview } from "./workspaceReviews";

/** The dependencies of the commands for a team's reviews. */
export interface ReviewParts {
  readonly connection: RegistryConnection;
  readonly contracts: ContractDocuments;
  readonly problems: ReviewProblems;
  readonly readiness: ReadinessSources;
  readonly extension: vscode.Uri;
  readonly thisSkill: ThisSkill;
}

/** Builds the commands for a team's reviews. */
export function reviewCommands(parts: ReviewParts) {
  const { connection, contracts, problems, readiness, thisSkill, extension } = parts;
  return {
    reviewSkill: async (argument, option) => {
      const { folder, isOnlyShown = false } = (option ?? {}) as Partial<ReviewOption>;
      const roots = vscode.workspace.workspaceFolders ?? [];
      const why = vscode.l10n.t("Open a folder first: reviews are kept in it, for the whole team.");
      const root = roots.find(({ uri }) => uri.toString() === folder) ?? (await chooseFolder(why));
      if (root === undefined) return;
      const slug = await thisSkill.choose(argument, vscode.l10n.t("Review a Skill"));
      if (slug === undefined) return;
      await withRegistry(connection, (registry) =>
        reviewSkill(slug, root, registry, contracts, isOnlyShown === true),
      );
    },
    addCiWorkflow: async () => {
      const root = await chooseFolder(
        vscode.l10n.t("Open a folder first: the workflow is saved in it."),
      );
      if (root === undefined) return;
      await withRegistry(connection, (registry) => addCiWorkflow(root, registry, extension));
    },
    checkReadiness: async (argument) => {
      const title = vscode.l10n.t("Check the Readiness of a Skill");
      const slug = await thisSkill.choose(argument, title);
      if (slug === undefined) return;
      await withRegistry(connection, (registry) => checkReadiness(slug, registry, readiness));
    },
    checkReviews: () =>
      withRegistry(connection, async (registry) => {
        const title = vscode.l10n.t("Comparing skills with their reviews");
        const items = await withProgress(title, (signal) => problems.check(registry, signal));
        if (items === "canceled") return;
        if (items === undefined) {
          return void inform(
            vscode.l10n.t(
              "No skills are reviewed in this workspace. Start with “Skill Registry: Review This Skill…”.",
            ),
          );
        }
        const { areGood, text } = checkedSkillsText(items, hostLanguage());
        if (areGood) return void inform(text);
        const show = () => vscode.commands.executeCommand("workbench.actions.view.problems");
        // The command ends without waiting for the user's answer.
        void offer(text, vscode.l10n.t("Show Problems"), show, warn);
      }),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Lets the user choose a folder of the workspace. In a window without a folder, explains its purpose with `why` and
 * offers to open one.
 */
async function chooseFolder(why: string): Promise<vscode.WorkspaceFolder | undefined> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  if (roots.length === 0) {
    const open = () => vscode.commands.executeCommand("vscode.openFolder");
    // The command ends without waiting for an answer, since opening a folder restarts the window.
    void offer(why, vscode.l10n.t("Open Folder…"), open);
    return undefined;
  }
  return roots.length === 1 ? roots[0] : vscode.window.showWorkspaceFolderPick();
}

async function reviewSkill(
  slug: string,
  root: vscode.WorkspaceFolder,
  registry: ConnectedRegistry,
  contracts: ContractDocuments,
  isOnlyShown: boolean,
): Promise<void> {
  const { reviews } = await readReviewedFolder(root);
  if (reviews.kind === "broken") return showBroken(root, reviews.broken);
  const files = filesToReview(reviews);
  const { policy } = files;
  const required = requiredCriteria(policy, slug);
  const skill = await readShown(vscode.l10n.t("Loading {0}", slug), (signal) =>
    readerOf(registry, signal)({ slug, version: "" }),
  );
  if (skill === undefined) return;
  const draft = newReview(files, {
    slug,
    registry: reviewedRegistry(registry),
    skill: skillAtRegistry(skill, sha256),
    criteria: required,
    who: "",
    when: new Date().toISOString(),
    isWhole: false,
  });
  if (draft === undefined) {
    void showError(
      vscode.l10n.t(
        "The registry did not provide everything a review of {0} covers. Try again later.",
        slug,
      ),
    );
    return;
  }
  const isChanged = !isContractUnchanged(draft);
  if (draft.before !== undefined && isChanged) {
    await contracts.showDifference(draft.before, draft);
  }
  if (isOnlyShown) {
    if (!isChanged) void inform(vscode.l10n.t("Nothing to compare: its contract is unchanged."));
    return;
  }
  const title = reviewTitle(draft, hostLanguage());
  const answers = await askInTurn<[readonly string[], string, string]>(
    (step, before = required) => chooseCriteria(draft, policy.criteria, before, step),
    (step, value = "") =>
      ask({
        title,
        prompt: vscode.l10n.t("What did you check? (Optional)"),
        problemOf: (typed) => sharedTextProblem(typed, hostLanguage()),
        value,
        ...step,
      }),
    (step) => askWho(root, step),
  );
  if (answers === undefined) return;
  const [criteria, notes, who] = answers;
  const review = { ...draft.review, criteria, who, ...(notes !== "" && { notes }) };
  await showRecording(root, await writeReview(root, { ...draft, review }));
}

/** Shows the recorded entry, or why none was recorded. */
async function showRecording(
  root: vscode.WorkspaceFolder,
  recording: ReviewRecording,
): Promise<void> {
  if (recording.kind === "broken") return showBroken(root, recording.broken);
  if (recording.kind !== "recorded") {
    return void showError(recordingProblem(recording, hostLanguage()));
  }
  // The new entry is the last one in the file.
  const line = recording.reviewsText.split("\n").lastIndexOf("    {");
  const entry = new vscode.Position(Math.max(0, line), 4);
  const selection = new vscode.Range(entry, entry);
  await showFile(reviewUri(root, reviewsFileName), { selection });
  if (recording.policy !== undefined) showFirstPolicy(root, recording.policy);
}

/** Reports that the first review created a policy, which affects every skill. */
function showFirstPolicy(root: vscode.WorkspaceFolder, { require }: ReviewPolicy): void {
  const message = vscode.l10n.t(
    "Created {0}: every skill used in {1} must now be reviewed for {2}.",
    `${reviewFolder}/${policyFileName}`,
    root.name,
    require.join(", "),
  );
  // The command ends without waiting for the user's answer.
  void offer(message, vscode.l10n.t("Open Policy"), () =>
    showFile(reviewUri(root, policyFileName), { preview: false }),
  );
}

/** Opens the first invalid file, if it can be opened. */
async function showBroken(
  root: vscode.WorkspaceFolder,
  [first]: readonly BrokenFile[],
): Promise<void> {
  void showError(brokenReviewsText(hostLanguage()));
  if (first === undefined) return;
  const file = reviewUri(root, first.name);
  await showFile(file);
}

async function chooseCriteria(
  draft: NewReview,
  criteria: Readonly<Record<string, { readonly description: string }>>,
  picked: readonly string[],
  step: Step,
): Promise<readonly string[] | GoneBack | undefined> {
  const rows = Object.entries(criteria).map(([name, { description }]) => ({
    label: name,
    detail: criterionText(description, hostLanguage()),
    picked: picked.includes(name),
    value: name,
  }));
  const title = reviewTitle(draft, hostLanguage());
  const placeHolder = attestPrompt(draft, hostLanguage());
  const chosen = await chooseMany(rows, { title, placeHolder, ...step });
  return typeof chosen === "object" && chosen.length === 0 ? undefined : chosen;
}

/** Asks for the reviewer's name. Suggests the name from git, if the workspace is trusted to run git. */
async function askWho(
  root: vscode.WorkspaceFolder,
  step: Step,
): Promise<string | GoneBack | undefined> {
  const canAsk = vscode.workspace.isTrusted && root.uri.scheme === "file";
  const value = canAsk ? await gitUser(root.uri.fsPath).catch(() => "") : "";
  return ask({
    title: vscode.l10n.t("Who reviewed it?"),
    prompt: vscode.l10n.t("Anyone who sees the file can read it."),
    value,
    problemOf: (name) => (name.trim() === "" ? vscode.l10n.t("Enter a name.") : ""),
    ...step,
  });
}
