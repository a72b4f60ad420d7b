import { windowVariable } from "../../core/agents/agentSetup";
import { secretVariablePrefix } from "../../core/environment/environmentsFile";
import { projectKeyVariable } from "../../core/registry/credential";
import { homeVariable } from "../../engine/files/machine";
import type { Command } from "../command";
import { conditionText, type OptionTable, optionGroups, optionText } from "../options";
import { wrap } from "../output/width";

/** The variables that every command reads, and their purposes. */
export const environment: readonly (readonly [name: string, text: string])[] = [
  ["SKILL_REGISTRY_URL", "The registry to use without --registry."],
  [
    projectKeyVariable,
    "The Project Key for invocations. Never printed, and never read from an argument.",
  ],
  [
    windowVariable,
    "Set by the editor in its terminals. A command without its own registry and key uses that window, which asks you, has the key, and records.",
  ],
  ["SKILL_REGISTRY_USER_TOKEN", "The user token for project data and test runs. Never printed."],
  [
    `${secretVariablePrefix}…`,
    "A secret of an environment: SKILL_REGISTRY_SECRET_MAILTOKEN for mailToken. Never printed.",
  ],
  [
    homeVariable,
    "The folder of this machine's records, limits and agreements, as an absolute path. Default: one in your home folder.",
  ],
  [
    "OTEL_EXPORTER_OTLP_ENDPOINT, …",
    "Where --otlp exports to; also OTEL_EXPORTER_OTLP_HEADERS, OTEL_EXPORTER_OTLP_TIMEOUT, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES and OTEL_SDK_DISABLED.",
  ],
  ["HTTPS_PROXY, NO_PROXY, …", "The proxy to use, as in other programs."],
  ["NO_COLOR, FORCE_COLOR", "Never or always write colors. Default: on a terminal."],
  ["NODE_EXTRA_CA_CERTS", "A file of further certificate authorities to trust."],
];

/** The meaning of each exit code. */
export const exitCodeTexts: readonly (readonly [code: string, text: string])[] = [
  ["0", "Success."],
  ["1", "Findings: something is invalid, failed, or differs from its review."],
  ["2", "Usage error, or a file that cannot be read or written."],
  ["3", "Undecided: the registry could not be reached, or the outcome is unknown."],
  ["4", "Nothing matched."],
];

/** The maximum width of the help. */
const maxWidth = 78;

/** Up to this number of options, the help has no groups. */
const fewOptions = 10;

type Row = readonly [name: string, text: string, condition?: string];

/** Rows of a table, under a heading. */
type Section = readonly [heading: string, rows: readonly Row[]];

/** Lists the options of a command as rows of text, in groups if they are many. */
export function optionSections(options: OptionTable): readonly Section[] {
  const rows = Object.entries(options);
  const groupOf = (group: string = optionGroups[0]) =>
    rows.length > fewOptions ? group : optionGroups[0];
  return optionGroups.flatMap((group): readonly Section[] => {
    const own = rows.filter(([, row]) => groupOf(row.group) === group);
    if (own.length === 0) return [];
    const shown = own.map(([name, row]) => {
      const { value } = row;
      return [
        value === undefined ? `--${name}` : `--${name} ${value}`,
        optionText(row),
        conditionText(options, row),
      ] as const;
    });
    return [[group, shown]];
  });
}

/** Writes the help of a command for a width in columns. */
export function commandHelp(command: Command, columns = maxWidth): string {
  const { name, operands, summary, details, options, examples } = command;
  const width = Math.min(columns, maxWidth);
  const help = ["-h, --help", "Show this help."] as const;
  const sections = optionSections(options);
  const [first = [optionGroups[0], []] as const] = sections;
  return [
    `Usage: skill-registry ${name} ${operands} [options]`.replace("  ", " "),
    ...[summary, ...details].map((paragraph) => wrap(paragraph, 0, width)),
    ...[first, ...sections.slice(1)].map(([heading, rows], index) =>
      [`${heading}:`, table(index === 0 ? [...rows, help] : rows, width)].join("\n"),
    ),
    ["Examples:", ...examples.map(([purpose, line]) => `  # ${purpose}\n  ${line}`)].join("\n"),
  ].join("\n\n");
}

/** Writes the help of all commands for a width in columns. */
export function generalHelp(
  commands: readonly Command[],
  version: string,
  columns = maxWidth,
): string {
  const width = Math.min(columns, maxWidth);
  const names = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    `skill-registry ${version}: find, check and invoke the skills of a registry.`,
    "Usage: skill-registry COMMAND [options]",
    ["Commands:", table(names, width)].join("\n"),
    ["Environment:", table(environment, width)].join("\n"),
    wrap(
      "Without a registry, the built-in one is started for the command, with sample skills and its own Project Key and project. On a CI machine (CI is set), name one.",
      0,
      width,
    ),
    ["Exit codes:", table(exitCodeTexts, width)].join("\n"),
    "See skill-registry COMMAND --help for more about a command.",
  ].join("\n\n");
}

/** Writes two columns; the second is wrapped. */
function table(rows: Section[1], width: number): string {
  const indent = Math.min(32, Math.max(...rows.map(([first]) => first.length)) + 4);
  return rows
    .map(([first, ...second]) => {
      const start = `  ${first}`;
      const wrapped = wrap(second.join(" ").trimEnd(), indent, width);
      return start.length < indent
        ? start.padEnd(indent) + wrapped.trimStart()
        : `${start}\n${wrapped}`;
    })
    .join("\n");
}
