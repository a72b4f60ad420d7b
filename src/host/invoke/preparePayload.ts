import * as vscode from "vscode";
import type { PayloadResolution } from "../../core/environment/resolvedPayload";
import { unreadSkillNotice } from "../../core/invocation/outcomeNotice";
import { secretsQuestion } from "../../core/invocation/permission/payloadQuestions";
import type { FoundSecret } from "../../core/payload/findSecrets";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import type { SkillDetail } from "../../core/skill/skill";
import type { CheckedPayload, PayloadChecks } from "../author/payloadChecks";
import { showDocument } from "../author/payloadDocument";
import { editorCommandIds } from "../ids";
import type { SkillDetails } from "../inspect/skillDetails";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm } from "../ui/messages";
import { withWaiting } from "../ui/progress";
import { showNotice } from "../ui/showNotice";

/** A checked payload: its text as written, the sent text, and its skill. */
export interface PreparedPayload {
  readonly text: string;
  readonly resolution: PayloadResolution;
  readonly skill: SkillDetail;
  readonly check: PayloadCheck;
}

/** The dependencies of preparing a payload. */
export interface PreparationParts {
  readonly checks: PayloadChecks;
  readonly details: Pick<SkillDetails, "refresh">;
}

/**
 * Checks a document against its bound skill. Undefined if the skill cannot be read, which is shown, if the document is
 * meant for another skill, or if the user canceled.
 */
export async function preparePayload(
  { checks, details }: PreparationParts,
  document: vscode.TextDocument,
): Promise<PreparedPayload | undefined> {
  const checking = checkByLatestSchema(checks, details, document);
  const checked = await withWaiting(vscode.l10n.t("Checking the payload"), () => checking);
  if (checked === undefined || checked.state.kind === "checking") return undefined;
  if (!(await mayUseOtherSkill(checks, checked))) return undefined;
  const { state } = checked;
  if (state.kind === "checked") {
    const { text, resolution = { ok: true, value: { text } } } = checked;
    const { slug } = state.skill.summary;
    const mayBeSent = state.check.state !== "invalid";
    if (mayBeSent && !(await mayStayUnfilled(checks, slug, text))) return undefined;
    return { text, resolution, skill: state.skill, check: state.check };
  }
  const { failure } = state;
  const notice = unreadSkillNotice(checked.binding.slug, failure, hostLanguage());
  const returned = failure.kind === "notFound" ? failure.returned : undefined;
  const { moveToVersion } = editorCommandIds;
  const updatePayload = () => vscode.commands.executeCommand(moveToVersion, document.uri, returned);
  if (notice !== undefined) void showNotice(notice, returned ? { updatePayload } : {});
  return undefined;
}

/**
 * Resolves to whether the payload may be sent although its file is named after a skill that the registry does not have.
 * Asks the user, and remembers their agreement.
 */
async function mayUseOtherSkill(checks: PayloadChecks, checked: CheckedPayload): Promise<boolean> {
  const { slug, unknownSlug } = checked.binding;
  if (unknownSlug === undefined) return true;
  const agree = vscode.l10n.t("Invoke {0}", slug);
  const detail = vscode.l10n.t(
    "The file is named after {0}, which this registry does not list.",
    unknownSlug,
  );
  const message = vscode.l10n.t("Send this payload to {0}?", slug);
  if (!(await confirm({ message, detail, agree }))) return false;
  await checks.keepBinding(checked);
  return true;
}

/** Resolves to whether a new payload may be sent although values were left to the user. Asks until the user agrees. */
export async function mayStayUnfilled(
  { unfilled }: Pick<PayloadChecks, "unfilled">,
  slug: string,
  text: string,
): Promise<boolean> {
  const count = unfilled.countIn(slug, text);
  if (count === 0) return true;
  const message =
    count === 1
      ? vscode.l10n.t("Invoke {0} with a value that nobody filled in?", slug)
      : vscode.l10n.t("Invoke {0} with {1} values that nobody filled in?", slug, count);
  const detail = vscode.l10n.t("Nobody has changed this payload since it was made.");
  if (!(await confirm({ message, detail, agree: vscode.l10n.t("Invoke {0}", slug) }))) return false;
  unfilled.forget(slug, text);
  return true;
}

/** Checks again with the current schema if an older schema found problems. */
async function checkByLatestSchema(
  checks: PayloadChecks,
  details: PreparationParts["details"],
  document: vscode.TextDocument,
): Promise<CheckedPayload | undefined> {
  const checked = await checks.check(document);
  if (checked?.state.kind !== "checked" || checked.state.check.state !== "invalid") return checked;
  const { slug, version } = checked.binding;
  const read = await details.refresh(slug, version);
  return read.ok && read.value !== checked.state.skill ? checks.check(document) : checked;
}

/**
 * Selects the credentials `found` in a document that has this `text`. Does nothing if there are none, or if the
 * document has changed, since the ranges would not fit.
 */
export async function showSecrets(
  document: vscode.TextDocument,
  text: string,
  found: readonly FoundSecret[],
): Promise<void> {
  if (found.length === 0 || document.getText() !== text) return;
  const editor = await showDocument(document);
  editor.selections = found.map(
    ({ start, end }) => new vscode.Selection(document.positionAt(start), document.positionAt(end)),
  );
  const [first] = editor.selections;
  if (first === undefined) return;
  const { range } = document.lineAt(first.start.line);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenter);
}

/**
 * Asks before sending or copying a text that seems to contain the credentials `found`. Resolves to true if there are
 * none, or the user agrees this once.
 */
export async function askAboutSecrets(
  use: "send" | "copy",
  text: string,
  found: readonly FoundSecret[],
): Promise<boolean> {
  const question = secretsQuestion(use, text, found, hostLanguage());
  return question === undefined || confirm(question);
}
