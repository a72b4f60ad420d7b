import { exitCodes } from "../../core/findings/report";
import { type Command, command } from "../command";
import type { OptionRow } from "../options";
import { UsageError } from "../terminal";

/**
 * The completion scripts, by shell. Each is generated from the names of commands, a command's options, and the values
 * of an option.
 */
const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: (commands) => `_skill_registry() {
  local words
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${valueLists(commands)
  .map(({ name, option, values }) => `    "${name} --${option}") words="${values}" ;;`)
  .join("\n")}
    *) case "\${COMP_WORDS[1]}" in
${commands.map((item) => `      ${item.name}) words="${wordsOf(item)}" ;;`).join("\n")}
      *) words="" ;;
    esac ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${namesOf(commands)}"
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _skill_registry skill-registry
`,
  zsh: (commands) => `#compdef skill-registry
_skill_registry() {
  if (( CURRENT == 2 )); then
    compadd -- ${namesOf(commands)}
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${valueLists(commands)
  .map(({ name, option, values }) => `    "${name} --${option}") compadd -- ${values}; return ;;`)
  .join("\n")}
  esac
  if [[ "$words[CURRENT]" != -* ]]; then
    case "$words[2]" in
${commands.flatMap(({ name, words = [] }) => (words.length === 0 ? [] : [`      ${name}) compadd -- ${words.join(" ")}; return ;;`])).join("\n")}
    esac
    _files
    return
  fi
  case "$words[2]" in
${commands.map((item) => `    ${item.name}) compadd -- ${optionsOf(item)} ;;`).join("\n")}
  esac
}
compdef _skill_registry skill-registry
`,
  fish: (commands) =>
    commands
      .flatMap(({ name, summary, options, words = [] }) => [
        `complete -c skill-registry -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        ...(words.length === 0
          ? []
          : [
              `complete -c skill-registry -n "__fish_seen_subcommand_from ${name}" -a ${quoted(words.join(" "))}`,
            ]),
        ...Object.entries(options).map(([option, row]) => {
          const values = valuesOf(row);
          const taken = row.value === undefined ? "" : " -r";
          const offered = values.length === 0 ? "" : ` -a ${quoted(values.join(" "))}`;
          return `complete -c skill-registry -n "__fish_seen_subcommand_from ${name}" -l ${option}${taken}${offered} -d ${quoted(row.text)}`;
        }),
      ])
      .map((line) => `${line}\n`)
      .join(""),
  powershell: (
    commands,
  ) => `Register-ArgumentCompleter -Native -CommandName skill-registry -ScriptBlock {
  param($word, $ast, $cursor)
  $options = @{
${commands.map((item) => `    "${item.name}" = "${wordsOf(item)}"`).join("\n")}
  }
  $values = @{
${valueLists(commands)
  .map(({ name, option, values }) => `    "${name} --${option}" = "${values}"`)
  .join("\n")}
  }
  $given = $ast.CommandElements
  $isName = $given.Count -lt 2 -or ($given.Count -eq 2 -and $word -ne "")
  $before = if ($word -eq "") { "$($given[-1])" } else { "$($given[-2])" }
  $own = $values["$($given[1]) $before"]
  $words = if ($isName) { "${namesOf(commands)}" } elseif ($own) { $own } else { $options["$($given[1])"] }
  "$words".Split(" ") | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_)
  }
}
`,
};

/** Creates the command that writes a shell's completion script for all `commands`. */
export function completion(commands: () => readonly Command[]): Command {
  const names = Object.keys(shells);
  return command({
    name: "completion",
    operands: names.join("|"),
    summary: "Print a script that completes commands, options and their values in a shell.",
    details: [],
    options: {},
    words: names,
    examples: [
      ["Complete in this bash", "source <(skill-registry completion bash)"],
      [
        "Complete in every fish",
        "skill-registry completion fish > ~/.config/fish/completions/skill-registry.fish",
      ],
    ],
    run: async ({ operands }, { out }) => {
      const [shell = "", ...more] = operands;
      const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
      if (write === undefined || more.length > 0) {
        throw new UsageError(`Specify one shell: ${names.join(", ")}.`);
      }
      out(write(commands()));
      return exitCodes.good;
    },
  });
}

function namesOf(commands: readonly Command[]): string {
  return commands.map(({ name }) => name).join(" ");
}

function optionsOf({ options }: Command): string {
  return [...Object.keys(options), "help"].map((option) => `--${option}`).join(" ");
}

function wordsOf(command: Command): string {
  return [...(command.words ?? []), optionsOf(command)].join(" ");
}

function valuesOf({ oneOf = [], usual = [] }: OptionRow): readonly string[] {
  // A shell would offer a value of several words as several values.
  return [...oneOf, ...usual].filter((value) => /^[\w-]+$/.test(value));
}

/** Returns, for all commands, the options whose values are known. */
function valueLists(commands: readonly Command[]) {
  return commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, row]) => {
      const values = valuesOf(row).join(" ");
      return values === "" ? [] : [{ name, option, values }];
    }),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
