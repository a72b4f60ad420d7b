import * as vscode from "vscode";
import { isSlug } from "../core/skill/skillAddress";
import { readFileRow } from "../core/skillList/rows/skillFileRows";
import type { SkillEntry } from "../core/skillList/rows/skillRows";
import { StoreProblem } from "../engine/store/storeProblem";
import { type CommandName, commandId } from "./ids";
import { showError } from "./ui/messages";
import { storeProblemText, warnWithLog } from "./ui/showNotice";

/** The handler of each command. Any extension may call it with any arguments, so it checks them. */
export type CommandHandlers = Readonly<
  Record<CommandName, (argument: unknown, option: unknown) => unknown>
>;

/** Runs a command with an argument from any source. Rejects only if the extension cannot be loaded. */
export type RunCommand = (name: CommandName, argument: unknown, option: unknown) => Promise<void>;

/** Registers commands, which `run` executes. They return nothing to their callers. */
export function registerCommands(
  names: readonly CommandName[],
  run: RunCommand,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.commands.registerCommand(commandId(name), (argument: unknown, option: unknown) =>
        run(name, argument, option),
      ),
    ),
  );
}

/** Returns a function that runs a command by its handler. An unexpected error is logged and shown. */
export function commandRunner(handlers: CommandHandlers, note: (text: string) => void): RunCommand {
  return async (name, argument, option) => {
    try {
      await handlers[name](argument, option);
    } catch (error) {
      note(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      if (error instanceof StoreProblem) return warnWithLog(storeProblemText(error));
      void showError(
        vscode.l10n.t(
          "An unexpected error occurred. See “Skill Registry Log” in the Output panel.",
        ),
      );
    }
  };
}

/**
 * Reads the skill of a command: a slug, or a row of the Skills view, which may be one of the skill's files. Undefined
 * for anything else, so that the command asks.
 */
export function slugArgument(argument: unknown): string | undefined {
  if (typeof argument === "string") return isSlug(argument) ? argument : undefined;
  if (typeof argument !== "object" || argument === null) return undefined;
  const row = argument as Partial<SkillEntry>;
  const slug: unknown = row.kind === "skill" ? row.skill?.slug : readFileRow(argument)?.slug;
  return typeof slug === "string" && isSlug(slug) ? slug : undefined;
}

/**
 * Reads the skills of a command: those of all selected rows (`option`) if it was run on one of them, else that of its
 * own row. Empty if there are none, so that the command asks.
 */
export function slugArguments(argument: unknown, option: unknown): readonly string[] {
  const slugs = rowArguments(argument, option)
    .map(slugArgument)
    .filter((slug) => slug !== undefined);
  return [...new Set(slugs)];
}

/**
 * Lists the rows for a command: all selected rows (`option`) if it was run on one of them, else only the row on which
 * it was run.
 */
export function rowArguments(argument: unknown, option: unknown): readonly unknown[] {
  const isOnSeveral = argument !== undefined && Array.isArray(option) && option.length > 1;
  return isOnSeveral ? option : [argument];
}
