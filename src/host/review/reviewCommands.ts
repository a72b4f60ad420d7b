import * as vscode from "vscode";
import type { ReportItem } from "../../core/findings/report";
import {
  contractParts,
  type ReadSkill,
  readVersion,
  skillAtRegistry,
} from "../../core/review/checkTeam";
import {
  policyFileName,
  type ReviewPolicy,
  reviewFolder,
  reviewsFileName,
} from "../../core/review/files/reviewFiles";
import type { BrokenFile } from "../../core/review/files/reviewFolder";
import {
  changesSinceReview,
  firstPolicy,
  isContractUnchanged,
  type NewReview,
  newReview,
  type ReviewRecording,
} from "../../core/review/newReview";
import { contractPartTitle } from "../../core/skill/differenceText";
import { notificationText, oneLine } from "../../core/text/plainText";
import { gitUser } from "../../engine/gitUser";
import { sha256 } from "../../engine/sha256";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { withRegistry } from "../connect/withRegistry";
import { type CommandHandlers, slugArgument } from "../registerCommands";
import { readSettings } from "../settings";
import { hostLanguage } from "../ui/hostLanguage";
import { inform, showError, warn } from "../ui/messages";
import { readShown, withProgress } from "../ui/progress";
import { ask } from "../ui/quickInput/ask";
import { chooseMany } from "../ui/quickInput/choose";
import { askInTurn, type GoneBack, type Step } from "../ui/quickInput/quickInput";
import { addCiWorkflow } from "./addCiWorkflow";
import { checkReadiness, type ReadinessSources } from "./checkReadiness";
import type { ReviewOption, ReviewProblems } from "./checkReviews";
import type { ContractDocuments } from "./contractDocuments";
import { readReviewedFolder, reviewedRegistry, reviewUri, writeReview } from "./workspaceReviews";

/** The dependencies of the commands for a team's reviews. */
export interface ReviewParts {
  readonly connection: RegistryConnection;
  readonly contracts: ContractDocuments;
  readonly problems: ReviewProblems;
  readonly readiness: Omit<ReadinessSources, "readerOf">;
  /** The folder of this extension. */
  readonly extension: vscode.Uri;
  /** Lets the user choose a skill. Undefined where they canceled. */
  readonly chooseThis: (title: string) => Promise<string | undefined>;
}

/** Builds the commands for a team's reviews. */
export function reviewCommands(
  parts: ReviewParts,
): Pick<CommandHandlers, "reviewSkill" | "checkReviews" | "checkReadiness" | "addCiWorkflow"> {
  const { connection, contracts, problems, readiness, chooseThis, extension } = parts;
  return {
    reviewSkill: async (argument, option) => {
      const { folder, isOnlyShown = false } = (option ?? {}) as Partial<ReviewOption>;
      const roots = vscode.workspace.workspaceFolders ?? [];
      const root = roots.find(({ uri }) => uri.toString() === folder) ?? (await chooseFolder());
      if (root === undefined) return;
      const slug = slugArgument(argument) ?? (await chooseThis(vscode.l10n.t("Review a Skill")));
      if (slug === undefined) return;
      await withRegistry(connection, (registry) =>
        reviewSkill(slug, root, registry, contracts, isOnlyShown === true),
      );
    },
    addCiWorkflow: async () => {
      const root = await chooseFolder();
      if (root === undefined) return;
      await withRegistry(connection, (registry) => addCiWorkflow(root, registry, extension));
    },
    checkReadiness: async (argument) => {
      const title = vscode.l10n.t("Check the Readiness of a Skill");
      const slug = slugArgument(argument) ?? (await chooseThis(title));
      if (slug === undefined) return;
      await withRegistry(connection, (registry) =>
        checkReadiness(slug, registry, { ...readiness, readerOf }),
      );
    },
    checkReviews: () =>
      withRegistry(connection, async (registry) => {
        const title = vscode.l10n.t("Comparing skills with their reviews");
        const items = await withProgress(title, (signal) =>
          problems.check(readerOf(registry, signal), reviewedRegistry(registry), signal),
        );
        if (items === "canceled") return;
        if (items === undefined) {
          void inform(
            vscode.l10n.t(
              "No skills are reviewed in this workspace. Start with “Skill Registry: Review This Skill…”.",
            ),
          );
          return;
        }
        const differing = items.filter(({ state }) => state !== "good").length;
        if (differing === 0) {
          void inform(matchText(items.length));
          return;
        }
        const show = vscode.l10n.t("Show Problems");
        const message = differenceText(differing, items);
        // The command is done; it does not wait for an answer.
        void warn(message, show).then((answer) => {
          if (answer === show)
            void vscode.commands.executeCommand("workbench.actions.view.problems");
        });
      }),
  };
}

function matchText(count: number): string {
  if (count === 0) return vscode.l10n.t("No skill is used or reviewed in this workspace yet.");
  return count === 1
    ? vscode.l10n.t("The skill matches its review.")
    : vscode.l10n.t("All {0} skills match their reviews.", count);
}

function differenceText(differing: number, items: readonly ReportItem[]): string {
  if (items.some(({ state }) => state === "broken")) {
    return vscode.l10n.t("A review file is invalid. Fix it first.");
  }
  if (differing > 1) {
    return vscode.l10n.t(
      "{0} of {1} skills differ from their reviews or could not be compared.",
      differing,
      items.length,
    );
  }
  const name = items.find(({ state }) => state !== "good")?.name ?? "";
  return vscode.l10n.t(
    "{0} differs from its review or could not be compared.",
    notificationText(oneLine(name, 100)),
  );
}

/** Reviews are stored in a folder; without one that is reported. */
async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  if (roots.length === 0) {
    void inform(vscode.l10n.t("Open a folder first: reviews are kept in it, for the whole team."));
    return undefined;
  }
  return roots.length === 1 ? roots[0] : vscode.window.showWorkspaceFolderPick();
}

function readerOf({ client }: ConnectedRegistry, signal: AbortSignal): ReadSkill {
  return (address) => {
    const reading = { withinSeconds: readSettings().requestTimeoutSeconds, needs: contractParts };
    return readVersion(client, address, reading, signal, hostLanguage());
  };
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
  const files =
    reviews.kind === "read"
      ? reviews.files
      : { policy: firstPolicy(), reviews: [], contracts: new Map() };
  const skill = await readShown(vscode.l10n.t("Loading {0}", slug), (signal) =>
    readerOf(registry, signal)({ slug, version: "" }),
  );
  if (skill === undefined) return;
  const attestation = {
    slug,
    registry: reviewedRegistry(registry),
    skill: skillAtRegistry(skill, sha256),
    criteria: [...files.policy.require],
    who: "",
    when: new Date().toISOString(),
    isWhole: false,
  };
  const draft = newReview(files, attestation);
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
  const { policy } = files;
  const title = titleOf(draft);
  const answers = await askInTurn<[readonly string[], string, string]>(
    (step, before = policy.require) => chooseCriteria(draft, policy.criteria, before, step),
    (step, value = "") =>
      ask({ title, prompt: vscode.l10n.t("What did you check? (Optional)"), value, ...step }),
    (step) => askWho(root, step),
  );
  if (answers === undefined) return;
  const [criteria, notes, who] = answers;
  if (who === "") return;
  const made = newReview(files, {
    ...attestation,
    criteria,
    who,
    notes: notes || undefined,
  });
  if (made === undefined) return;
  await showRecording(root, await writeReview(root, made));
}

/** Shows the recorded entry, or why none was recorded. */
async function showRecording(
  root: vscode.WorkspaceFolder,
  recording: ReviewRecording,
): Promise<void> {
  switch (recording.kind) {
    case "recorded": {
      // The new entry is the last one.
      const line = recording.reviewsText.split("\n").lastIndexOf("    {");
      const entry = new vscode.Position(Math.max(0, line), 4);
      const selection = new vscode.Range(entry, entry);
      await vscode.window.showTextDocument(reviewUri(root, reviewsFileName), { selection });
      if (recording.policy !== undefined) showFirstPolicy(root, recording.policy);
      return;
    }
    case "broken":
      return showBroken(root, recording.broken);
    case "refused": {
      const { file, problem } = recording;
      void showError(
        vscode.l10n.t(
          "The review was not written: {0} would be invalid. {1}",
          `${reviewFolder}/${file}`,
          problem,
        ),
      );
      return;
    }
    case "failed": {
      const { error } = recording;
      const detail = error instanceof Error ? error.message : String(error);
      void showError(vscode.l10n.t("The review was not written. {0}", detail));
    }
  }
}

/** The first review makes a policy, which concerns every skill. */
function showFirstPolicy(root: vscode.WorkspaceFolder, { require }: ReviewPolicy): void {
  const open = vscode.l10n.t("Open Policy");
  const message = vscode.l10n.t(
    "Created {0}: every skill used in {1} must now be reviewed for {2}.",
    `${reviewFolder}/${policyFileName}`,
    root.name,
    require.join(", "),
  );
  // The command is done; it does not wait for an answer.
  void inform(message, open).then((answer) => {
    const file = reviewUri(root, policyFileName);
    if (answer === open) void vscode.window.showTextDocument(file, { preview: false });
  });
}

/** Opens the first invalid file, where it can be opened. */
async function showBroken(
  root: vscode.WorkspaceFolder,
  [first]: readonly BrokenFile[],
): Promise<void> {
  void showError(vscode.l10n.t("A review file is invalid. Fix it first."));
  if (first === undefined) return;
  const file = reviewUri(root, first.name);
  await vscode.window.showTextDocument(file).then(undefined, () => undefined);
}

/** Names the subject of a review: a version, or the step to it. */
function titleOf({ review: { skill, version, from } }: NewReview): string {
  if (from === undefined) return oneLine(vscode.l10n.t("Review {0}@{1}", skill, version), 120);
  return oneLine(vscode.l10n.t("Review {0}: changes from {1} to {2}", skill, from, version), 120);
}

async function chooseCriteria(
  draft: NewReview,
  criteria: Readonly<Record<string, { readonly description: string }>>,
  picked: readonly string[],
  step: Step,
): Promise<readonly string[] | GoneBack | undefined> {
  const rows = Object.entries(criteria).map(([name, { description }]) => ({
    label: name,
    detail: description,
    picked: picked.includes(name),
    value: name,
  }));
  const choice = { title: titleOf(draft), placeHolder: sinceReview(draft), ...step };
  const chosen = await chooseMany(rows, choice);
  return typeof chosen === "object" && chosen.length === 0 ? undefined : chosen;
}

/** Asks what is attested, after what changed since the last review. */
function sinceReview(draft: NewReview): string {
  const changes = changesSinceReview(draft);
  if (changes === undefined) return vscode.l10n.t("What do you attest?");
  if (isContractUnchanged(draft)) {
    return vscode.l10n.t("Its contract is unchanged. What do you attest?");
  }
  const parts = new Set(changes.map(({ part }) => contractPartTitle(part, hostLanguage())));
  return parts.size === 0
    ? vscode.l10n.t("Nothing that a caller depends on has changed. What do you attest?")
    : vscode.l10n.t("Changed: {0}. What do you attest?", [...parts].join(", "));
}

/** The person's name by git, where the folder is trusted to run it; to be confirmed. */
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
    ...step,
  });
}
