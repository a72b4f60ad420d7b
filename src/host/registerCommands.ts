import * as vscode from "vscode";
import { commandIds } from "./ids";

/** What each command does; arguments come from anywhere and are checked by the handler. */
export type CommandHandlers = Readonly<
  Record<keyof typeof commandIds, (argument: unknown, option: unknown) => unknown>
>;

/**
 * Registers every command. None returns anything to its caller; an unexpected error is noted and
 * told in plain words.
 */
export function registerCommands(
  handlers: CommandHandlers,
  note: (text: string) => void,
): vscode.Disposable {
  const names = Object.keys(commandIds) as (keyof typeof commandIds)[];
  const registrations = names.map((name) =>
    vscode.commands.registerCommand(commandIds[name], async (argument, option) => {
      try {
        await handlers[name](argument, option);
      } catch (error) {
        note(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        void vscode.window.showErrorMessage(
          "Something went wrong that should not have. “Skills: Show Log” says more.",
        );
      }
    }),
  );
  return vscode.Disposable.from(...registrations);
}
