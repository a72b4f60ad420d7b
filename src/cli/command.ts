import { CommandError } from "../core/findings/commandError";
import { type FindMode, type OptionTable, type ParsedArguments, readArguments } from "./options";
import { type Terminal, UsageError } from "./terminal";

/** The texts of a command's help. */
interface CommandText {
  readonly name: string;
  /** The operands after the name, such as `SLUG FILE`. */
  readonly operands: string;
  readonly summary: string;
  /** Further paragraphs of its help. */
  readonly details: readonly string[];
  readonly examples: readonly Example[];
  /** Values of the first operand, for completion. */
  readonly words?: readonly string[];
  /** Modes that the operands choose. Options may name them in `needs` and `not`. */
  readonly modes?: readonly string[];
}

type Example = readonly [purpose: string, line: string];

/** A command: its help texts and its implementation. */
export interface Command extends CommandText {
  readonly options: OptionTable;
  /**
   * Parses arguments. Returns a function that runs the command, or undefined if the arguments ask for help. Running
   * resolves to the exit code. Both throw a `CommandError`: parsing for a usage error, running for unreadable input.
   */
  readonly read: (args: readonly string[]) => ((terminal: Terminal) => Promise<number>) | undefined;
}

interface CommandSpec<Table extends OptionTable> extends CommandText {
  readonly options: Table;
  readonly modeOf?: FindMode;
  readonly run: (given: ParsedArguments<Table>, terminal: Terminal) => Promise<number>;
}

/** Creates a command from its option table and its `run`, which can read only the options of that table. */
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
