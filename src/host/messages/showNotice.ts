import * as vscode from "vscode";
import { failureNotice, type RegistryFailure } from "../../core/registry/registryFailure";
import { type LocalizableText, localize } from "../../core/text/language";
import type { Notice, NoticeAction, NoticeActionName } from "../../core/text/notice";
import { notificationText } from "../../core/text/plainText";
import { commandIds, settingSection } from "../ids";
import { hostLanguage } from "./hostLanguage";

/** What the buttons of a notice do where the caller knows better than the general command. */
export type NoticeEffects = Partial<Readonly<Record<NoticeActionName, () => unknown>>>;

/**
 * Shows a notice with its buttons and does what the chosen one says. A button that has neither an
 * effect of the caller's nor a general command is left out. Resolves when the notice is gone.
 */
export async function showNotice(notice: Notice, effects: NoticeEffects = {}): Promise<void> {
  const effectOf = (action: NoticeActionName) =>
    effects[action] ?? (commandOf(action) && (() => runAction(action)));
  const actions = notice.actions.filter(({ action }) => effectOf(action) !== undefined).slice(0, 3);
  const titles = actions.map(({ title }) => title);
  const chosen = await show(notice.severity, notificationText(notice.message), titles);
  const action = actions.find(({ title }) => title === chosen);
  if (action !== undefined) await effectOf(action.action)?.();
}

/** Tells that something could not be read from the registry. Says nothing of a cancellation. */
export async function showFailure(failure: RegistryFailure): Promise<void> {
  const notice = failureNotice(failure, hostLanguage());
  if (notice !== undefined) await showNotice(notice);
}

/** Tells why there is no registry to work with, and offers to choose another. */
export function showNoConnection(problem: LocalizableText): Promise<void> {
  const language = hostLanguage();
  const title = language.t("Connect to Registry…");
  const actions = [{ action: "connect", title }] as const;
  return showNotice({ severity: "error", message: localize(problem, language), actions });
}

/** Does what a button of a notice does everywhere. Nothing where that depends on the notice. */
export async function runAction(action: NoticeActionName): Promise<void> {
  const [command, ...given] = commandOf(action) ?? [];
  if (command !== undefined) await vscode.commands.executeCommand(command, ...given);
}

function show(
  severity: Notice["severity"],
  message: string,
  titles: string[],
): Thenable<string | undefined> {
  switch (severity) {
    case "information":
      return vscode.window.showInformationMessage(message, ...titles);
    case "warning":
      return vscode.window.showWarningMessage(message, ...titles);
    case "error":
      return vscode.window.showErrorMessage(message, ...titles);
  }
}

/** The commands behind actions, each with its argument. */
const actionCommands = {
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
  showLog: [commandIds.showLog],
  openSettings: ["workbench.action.openSettings", settingSection],
  openProxySettings: ["workbench.action.openSettings", "http.proxy"],
} as const satisfies Partial<Record<NoticeActionName, readonly [string, string?]>>;

/** The command that an action stands for, as a row of a tree runs it. Undefined where it depends on the notice. */
export function actionCommand({ action, title }: NoticeAction): vscode.Command | undefined {
  const [command, ...given] = commandOf(action) ?? [];
  return command === undefined ? undefined : { command, title, arguments: given };
}

function commandOf(action: NoticeActionName): readonly [string, string?] | undefined {
  const commands: Partial<Record<NoticeActionName, readonly [string, string?]>> = actionCommands;
  return commands[action];
}
