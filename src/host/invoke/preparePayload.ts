import * as vscode from "vscode";
import { isJsonText } from "../../core/invocation/invocationCopies";
import { type FoundSecret, findSecrets } from "../../core/payload/findSecrets";
import { errorCount, type PayloadCheck } from "../../core/payload/payloadCheck";
import type { SkillDetail } from "../../core/skill/skill";
import { localize } from "../../core/text/language";
import { notificationText } from "../../core/text/plainText";
import type { CheckedPayload, PayloadChecks } from "../author/payloadChecks";
import { showDocument, showFirstProblem } from "../author/payloadDocument";
import type { SkillDetails } from "../inspect/skillDetails";
import { hostLanguage } from "../messages/hostLanguage";
import { showFailure, showNotice } from "../messages/showNotice";
import { withWaiting } from "./progress";

/** An input that may be sent: the exact text that was checked, and its skill. */
interface PreparedPayload {
  readonly skill: SkillDetail;
  readonly inputText: string;
}

/** The dependencies of preparing a payload. */
interface PreparationParts {
  readonly checks: PayloadChecks;
  readonly details: Pick<SkillDetails, "refresh">;
}

/**
 * Checks a document and returns what may be sent. Notifies the user and returns undefined where the input is
 * invalid or the user canceled; asks where it could not be checked. `lookForKey` returns the key that the
 * input must not contain, or undefined where the user canceled.
 */
export async function preparePayload(
  parts: PreparationParts,
  document: vscode.TextDocument,
  lookForKey: () => Promise<{ readonly key: string | undefined } | undefined>,
): Promise<PreparedPayload | undefined> {
  const prepared = await checkedPayload(parts, document);
  const found = prepared && (await lookForKey());
  if (prepared === undefined || found === undefined) return undefined;
  const maySend = await askAboutSecrets("send", document, prepared.inputText, found.key);
  return maySend ? prepared : undefined;
}

async function checkedPayload(
  { checks, details }: PreparationParts,
  document: vscode.TextDocument,
): Promise<PreparedPayload | undefined> {
  const checking = checkByLatestSchema(checks, details, document);
  const checked = await withWaiting(vscode.l10n.t("Checking the payload"), checking);
  if (checked === undefined || checked.state.kind === "checking") return undefined;
  const { state } = checked;
  if (!(await isMeantSkill(checks, checked))) return undefined;
  if (state.kind === "unavailable") {
    void showFailure(state.failure);
    return undefined;
  }
  const prepared = { skill: state.skill, inputText: checked.text };
  switch (state.check.state) {
    case "valid":
      return prepared;
    case "invalid":
      await showInvalid(checked, errorCount(state.check));
      return undefined;
    case "unchecked":
      if (!isJsonText(checked.text)) {
        showNotJson(checked);
        return undefined;
      }
      if (errorCount(state.check) > 0) await showFirstProblem(checked);
      return (await askToSendUnchecked(state.check)) ? prepared : undefined;
  }
}

/** Asks once where the registry does not know the skill in the file's name. */
async function isMeantSkill(checks: PayloadChecks, checked: CheckedPayload): Promise<boolean> {
  const { slug, unknownSlug } = checked.binding;
  if (unknownSlug === undefined) return true;
  const invoke = vscode.l10n.t("Invoke {0}", slug);
  const detail = vscode.l10n.t(
    "The file is named after {0}, which this registry does not list.",
    unknownSlug,
  );
  const question = vscode.l10n.t("Send this payload to {0}?", slug);
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, invoke);
  if (answer !== invoke) return false;
  await checks.keepBinding(checked);
  return true;
}

/** With a schema that was read a while ago, a check may find problems that no longer exist in the current one. */
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

async function showInvalid(checked: CheckedPayload, count: number): Promise<void> {
  await showFirstProblem(checked);
  const { slug } = checked.binding;
  const message =
    count === 1
      ? vscode.l10n.t("Not sent: the payload for {0} has a problem.", slug)
      : vscode.l10n.t("Not sent: the payload for {0} has {1} problems.", slug, count);
  void showNotice(
    {
      severity: "error",
      message,
      actions: [{ action: "showInput", title: vscode.l10n.t("Show Problems") }],
    },
    { showInput: () => vscode.commands.executeCommand("workbench.actions.view.problems") },
  );
}

/** A text too long to be checked may not even be JSON, which cannot be put into a request. */
function showNotJson({ binding }: CheckedPayload): void {
  const message = vscode.l10n.t("Not sent: the payload for {0} is not JSON.", binding.slug);
  void showNotice({ severity: "error", message, actions: [] });
}

/** Asks whether to send a payload that could not be checked, or only in part. */
export async function askToSendUnchecked(check: PayloadCheck): Promise<boolean> {
  const count = errorCount(check);
  const send = vscode.l10n.t("Send Unchecked");
  const warning = vscode.l10n.t(
    "Registries do not validate payloads either, so a mistake may cost money.",
  );
  const answer = await vscode.window.showWarningMessage(
    uncheckedText(count),
    {
      modal: true,
      detail: notificationText(`${check.reason ?? ""} ${warning}`.trim()),
    },
    send,
  );
  return answer === send;
}

/** `count` problems were found in the part that could be checked. */
function uncheckedText(count: number): string {
  if (count === 0) return vscode.l10n.t("The payload could not be checked. Send it anyway?");
  return count === 1
    ? vscode.l10n.t(
        "The payload has a problem, and not all of it could be checked. Send it anyway?",
      )
    : vscode.l10n.t(
        "The payload has {0} problems, and not all of it could be checked. Send it anyway?",
        count,
      );
}

/** What a text is about to be used for. */
type SecretUse = "send" | "copy";

/**
 * Stops before a text is sent or copied that seems to contain a credential (`key` is the Project Key in use):
 * goes to the locations and asks. Resolves to true where there is none, or the user agrees this once.
 */
export async function askAboutSecrets(
  use: SecretUse,
  document: vscode.TextDocument,
  text: string,
  key: string | undefined,
): Promise<boolean> {
  const found = findSecrets(text, key === undefined ? [] : [key]);
  const [first] = found;
  if (first === undefined) return true;
  const editor = await showDocument(document);
  const locations = found.map(
    ({ start, end }) => new vscode.Selection(document.positionAt(start), document.positionAt(end)),
  );
  editor.selections = locations;
  const line = document.positionAt(first.start).line;
  editor.revealRange(document.lineAt(line).range, vscode.TextEditorRevealType.InCenter);
  const { goOn, detail } = secretUseTexts(use);
  const message = questionFor(use, line + 1, first, found.length - 1);
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, goOn);
  return answer === goOn;
}

function questionFor(use: SecretUse, line: number, { kind }: FoundSecret, more: number): string {
  const secret = localize(kind, hostLanguage());
  if (use === "send") {
    return more === 0
      ? vscode.l10n.t("Line {0} appears to contain {1}. Send anyway?", line, secret)
      : vscode.l10n.t(
          "Line {0} appears to contain {1} (and {2} more). Send anyway?",
          line,
          secret,
          more,
        );
  }
  return more === 0
    ? vscode.l10n.t("Line {0} appears to contain {1}. Copy anyway?", line, secret)
    : vscode.l10n.t(
        "Line {0} appears to contain {1} (and {2} more). Copy anyway?",
        line,
        secret,
        more,
      );
}

function secretUseTexts(use: SecretUse): { readonly goOn: string; readonly detail: string } {
  return use === "send"
    ? {
        goOn: vscode.l10n.t("Send This Once"),
        detail: vscode.l10n.t(
          "Whoever runs the skill could use it. Remove it from the payload, or send it this once if the skill is meant to have it.",
        ),
      }
    : {
        goOn: vscode.l10n.t("Copy This Once"),
        detail: vscode.l10n.t(
          "The copied text would contain it in plain sight. Remove it from the payload, or copy it this once.",
        ),
      };
}
