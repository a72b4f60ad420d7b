import { exitCodes } from "../../core/findings/report";
import { type Command, usageError } from "../command";

/** How a shell completes words by a list of them. */
const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: (commands) => `_skill_registry() {
  local words
  case "\${COMP_WORDS[1]}" in
${cases(commands, (options) => `words="${options}"`)}
    *) words="" ;;
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
  if [[ "$words[CURRENT]" != -* ]]; then
    _files
    return
  fi
  case "$words[2]" in
${cases(commands, (options) => `compadd -- ${options}`)}
  esac
}
compdef _skill_registry skill-registry
`,
  fish: (commands) =>
    commands
      .flatMap(({ name, summary, options }) => [
        `complete -c skill-registry -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
        ...Object.entries(options).map(
          ([option, { value, text }]) =>
            `complete -c skill-registry -n "__fish_seen_subcommand_from ${name}" -l ${option}${value === undefined ? "" : " -r"} -d ${quoted(text)}`,
        ),
      ])
      .map((line) => `${line}\n`)
      .join(""),
  powershell: (
    commands,
  ) => `Register-ArgumentCompleter -Native -CommandName skill-registry -ScriptBlock {
  param($word, $ast, $cursor)
  $options = @{
${commands.map((one) => `    "${one.name}" = "${optionsOf(one)}"`).join("\n")}
  }
  $given = $ast.CommandElements
  $isName = $given.Count -lt 2 -or ($given.Count -eq 2 -and $word -ne "")
  $words = if ($isName) { "${namesOf(commands)}" } else { $options["$($given[1])"] }
  "$words".Split(" ") | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_)
  }
}
`,
};

/** Makes the command that writes what completes all `commands` in a shell. */
export function completion(commands: () => readonly Command[]): Command {
  const names = Object.keys(shells);
  return {
    name: "completion",
    operands: names.join("|"),
    summary: "Print a script that completes commands and options in a shell.",
    details: [],
    options: {},
    examples: [
      "source <(skill-registry completion bash)",
      "skill-registry completion fish > ~/.config/fish/completions/skill-registry.fish",
    ],
    run: async ({ operands }, { out }) => {
      const [shell = "", ...more] = operands;
      const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
      if (write === undefined || more.length > 0) {
        throw usageError("completion", `Specify one shell: ${names.join(", ")}.`);
      }
      out(write(commands()));
      return exitCodes.good;
    },
  };
}

function namesOf(commands: readonly Command[]): string {
  return commands.map(({ name }) => name).join(" ");
}

function optionsOf({ options }: Command): string {
  return [...Object.keys(options), "help"].map((option) => `--${option}`).join(" ");
}

function cases(commands: readonly Command[], write: (options: string) => string): string {
  return commands.map((one) => `    ${one.name}) ${write(optionsOf(one))} ;;`).join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
