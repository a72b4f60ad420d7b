import { CommandError } from "../core/findings/commandError";
import { type FindMode, type Given, type OptionTable, readArguments } from "./options";
import { type Terminal, UsageError } from "./terminal";

/** What a command is for, in its help. */
interface CommandText {
  readonly name: string;
  /** What follows the name, such as `SLUG FILE`. */
  readonly operands: string;
  readonly summary: string;
  /** Further paragraphs of its help. */
  readonly details: readonly string[];
  readonly examples: readonly Example[];
  /** Words that the first operand may be, for completion. */
  readonly words?: readonly string[];
  /** Words for ways to run it that its operands choose, which its options may name in `needs` and `not`. */
  readonly modes?: readonly string[];
}

/** What somebody wants, and the command line for it. */
type Example = readonly [purpose: string, line: string];

/** A command: the texts of its help, and what it does. */
export interface Command extends CommandText {
  readonly options: OptionTable;
  /**
   * Reads arguments. Returns how to run the command with them, or undefined where they ask for its help. Running
   * resolves to the exit code. Both throw a `CommandError`: reading for a usage error, running for what cannot be read.
   */
  readonly read: (args: readonly string[]) => ((terminal: Terminal) => Promise<number>) | undefined;
}

interface CommandSpec<Table extends OptionTable> extends CommandText {
  readonly options: Table;
  readonly modeOf?: FindMode;
  readonly run: (given: Given<Table>, terminal: Terminal) => Promise<number>;
}

/** Makes a command of its option table and its `run`, which can read only the options of that table. */
export function command<const Table extends OptionTable>(spec: CommandSpec<Table>): Command {
  const { modeOf = () => undefined, run, ...text } = spec;
  const withHelp = (error: unknown) =>
    error instanceof UsageError
      ? new CommandError(`${error.message}\nSee: skill-registry ${text.name} --help`)
      : error;
  return {
    ...text,
    read: (args) => {
      try {
        const given = readArguments(text.options, args, modeOf);
        if (given.isHelp) return undefined;
        return async (terminal) =>
          run(given, terminal).catch((error: unknown) => {
            throw withHelp(error);
          });
      } catch (error) {
        throw withHelp(error);
      }
    },
  };
}
