import * as vscode from "vscode";
import { failureNotice, type RegistryFailure } from "../../core/registry/registryFailure";
import { type LocalizableText, localize } from "../../core/text/language";
import type { Notice, NoticeAction, NoticeActionName } from "../../core/text/notice";
import type { StoreProblem } from "../../engine/store/storeProblem";
import { commandIds, logArgument } from "../ids";
import { settingSection } from "../settingRows";
import { hostLanguage } from "./hostLanguage";
import { inform, showError, warn } from "./messages";

/** The effects of a notice's buttons that the caller provides. They replace the general commands of `runAction`. */
export type NoticeEffects = Partial<Readonly<Record<NoticeActionName, () => unknown>>>;

/**
 * Shows a notice with its buttons and runs the chosen one's effect. Omits a button without an effect of the caller or a
 * general command. Resolves when the notice is gone.
 */
export async function showNotice(notice: Notice, effects: NoticeEffects = {}): Promise<void> {
  const actions = noticeActions(notice, effects);
  const titles = actions.map(({ title }) => title);
  const chosen = await messages[notice.severity](notice.message, ...titles);
  await actions.find(({ title }) => title === chosen)?.run();
}

/** Lists the buttons of a notice, at most three, each with its effect. */
export function noticeActions(
  { actions }: Notice,
  effects: NoticeEffects,
): readonly (NoticeAction & { readonly run: () => unknown })[] {
  const known = actions.flatMap(({ action, title }) => {
    const run = effects[action] ?? (actionCommands[action] && (() => runAction(action)));
    return run === undefined ? [] : [{ action, title, run }];
  });
  return known.slice(0, 3);
}

/** Shows that reading from the registry failed. Shows nothing for a cancellation. */
export async function showFailure(failure: RegistryFailure): Promise<void> {
  const notice = failureNotice(failure, hostLanguage());
  if (notice !== undefined) await showNotice(notice);
}

/** Shows a warning that the log describes in detail. */
export function warnWithLog(message: string): void {
  const actions = [{ action: "showLog", title: vscode.l10n.t("Show Log") }] as const;
  void showNotice({ severity: "warning", message, actions });
}

/** Returns the text of why something in the record of invocations cannot be shown or done. */
export function storeProblemText({ kind }: StoreProblem): string {
  return kind === "newer"
    ? vscode.l10n.t(
        "A newer version of Skill Registry wrote the record of invocations. Update this one.",
      )
    : vscode.l10n.t("The record of invocations cannot be used. The log says why.");
}

/** Shows why there is no registry, and offers to choose another. */
export function showNoConnection(problem: LocalizableText): Promise<void> {
  const language = hostLanguage();
  const title = language.t("Connect to Registry…");
  const actions = [{ action: "connect", title }] as const;
  return showNotice({ severity: "error", message: localize(problem, language), actions });
}

/** Runs the general effect of a notice's button. Does nothing if the effect depends on the notice. */
export async function runAction(action: NoticeActionName): Promise<void> {
  const [command, ...given] = actionCommands[action] ?? [];
  if (command !== undefined) await vscode.commands.executeCommand(command, ...given);
}

const messages: Readonly<Record<Notice["severity"], typeof inform>> = {
  information: inform,
  warning: warn,
  error: showError,
};

/** The commands behind actions, each with its argument. */
const actionCommands: Readonly<Partial<Record<NoticeActionName, readonly [string, string?]>>> = {
  connect: [commandIds.connect],
  refresh: [commandIds.refresh],
  useBuiltInRegistry: [commandIds.connect, ""],
  setProjectKey: [commandIds.setProjectKey],
  checkProjectKey: [commandIds.checkProjectKey],
  bindPayload: [commandIds.bindPayload],
  signIn: [commandIds.signIn],
  chooseProject: [commandIds.chooseProject],
  copyReport: [commandIds.copyReport],
  showOutput: [commandIds.showOutput],
  showLog: [commandIds.showOutput, logArgument],
  openSettings: ["workbench.action.openSettings", settingSection],
  openProxySettings: ["workbench.action.openSettings", "http.proxy"],
};

/** Returns the command of an action, for a row of a tree. Undefined if it depends on the notice. */
export function actionCommand({ action, title }: NoticeAction): vscode.Command | undefined {
  const [command, ...given] = actionCommands[action] ?? [];
  return command === undefined ? undefined : { command, title, arguments: given };
}
