import * as vscode from "vscode";
import { skillGroupings, skillOrders } from "../core/skillList/skillOrder";
import { arrangementCommandId, commandIds } from "./ids";

/** The name of a command in the code. */
export type CommandName = keyof typeof commandIds;

/** What each command does; arguments come from anywhere and are checked by the handler. */
export type CommandHandlers = Readonly<
  Record<CommandName, (argument: unknown, option: unknown) => unknown>
>;

/**
 * Registers every command; `run` carries one out. None returns anything to its caller; an unexpected error is noted and
 * told in plain words.
 */
export function registerCommands(
  run: (name: CommandName, argument: unknown, option: unknown) => Promise<unknown>,
  note: (text: string) => Promise<void>,
): vscode.Disposable {
  const register = (id: string, name: CommandName, given?: string) =>
    vscode.commands.registerCommand(id, async (argument: unknown, option: unknown) => {
      try {
        await run(name, given ?? argument, option);
      } catch (error) {
        await note(
          `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
        void vscode.window.showErrorMessage(
          vscode.l10n.t("An unexpected error occurred. See “Skill Registry: Show Log”."),
        );
      }
    });
  const names = Object.keys(commandIds) as CommandName[];
  return vscode.Disposable.from(
    ...names.map((name) => register(commandIds[name], name)),
    ...[true, false].flatMap((isActive) => [
      ...skillOrders.map((order) =>
        register(arrangementCommandId("sortBy", order, isActive), "sortSkills", order),
      ),
      ...skillGroupings.map((grouping) =>
        register(arrangementCommandId("groupBy", grouping, isActive), "groupSkills", grouping),
      ),
    ]),
  );
}
