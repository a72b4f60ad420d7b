import { CommandError } from "../../core/findings/commandError";
import { exitCodes } from "../../core/findings/report";
import { levelBasis, permissionLevels, withUnderstated } from "../../core/skill/permissions";
import { sampleText } from "../../core/skill/price";
import type { SkillSummary } from "../../core/skill/skill";
import type { SkillFilterName, SkillListPage, SkillSort } from "../../core/skillList/skillQuery";
import { english, orList } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { command } from "../command";
import type { OptionTable, OptionValues, ParsedArguments } from "../options";
import { colorOf, type Piece } from "../output/colors";
import { paintedTable, type TableColumn } from "../output/table";
import { formatOption } from "../output/writeReport";
import { openEnvironment, registryEnvironmentOption } from "../registry/environment";
import { registryOptions } from "../registry/openRegistry";
import { failureText } from "../registry/readSkill";

const sorts = [
  "recommended",
  "adoption",
  "success",
  "low_risk",
  "recent",
] as const satisfies readonly SkillSort[];

/** The usual values of filters. A registry may have others. */
const usual = {
  runtime: ["http", "mcp", "local"],
  verification: ["verified", "submitted", "deprecated"],
  permission: permissionLevels,
  billing: ["free", "per_call", "subscription"],
} as const;
const usualNames = ["runtime", "verification", "permission", "billing"] as const;

const options = {
  task: { value: "TASK", text: "Task, such as data.", multiple: true },
  runtime: { value: "KIND", text: "Runtime.", usual: usual.runtime, multiple: true },
  verification: {
    value: "STATE",
    text: "Verification.",
    usual: usual.verification,
    multiple: true,
  },
  permission: {
    value: "LEVEL",
    text: "Permission level.",
    usual: usual.permission,
    multiple: true,
  },
  billing: { value: "MODEL", text: "Billing.", usual: usual.billing, multiple: true },
  publisher: { value: "NAME", text: "Name or slug of a publisher.", multiple: true },
  tag: { value: "TAG", text: "Tag that the skill has.", multiple: true },
  sort: { value: "ORDER", text: "The order of the list.", oneOf: sorts, group: "Output" },
  limit: {
    value: "N",
    text: "List at most N skills.",
    count: { min: 1 },
    default: 50,
    group: "Output",
  },
  ...formatOption,
  ...registryEnvironmentOption,
  ...registryOptions,
} as const satisfies OptionTable;

export const search = command({
  name: "search",
  operands: "[TEXT…]",
  summary: "List the skills of a registry.",
  details: [
    "Filters can be repeated: a skill matches if it has one of the values, and all of the tags.",
  ],
  options,
  examples: [
    [
      "Find skills for CSV files that need few permissions",
      "skill-registry search csv --permission low",
    ],
    ["List what is free, for a script", "skill-registry search --billing free --format json"],
  ],
  run: async (given, terminal) => {
    const { format, limit } = given.options;
    const query = queryOf(given);
    const { registry } = await openEnvironment(given.options, terminal, { isKeyless: true });
    try {
      const skills: SkillSummary[] = [];
      let page: SkillListPage | undefined;
      do {
        const answer = await registry.client.search(query, page?.nextCursor, terminal.signal);
        if (!answer.ok) {
          terminal.signal.throwIfAborted();
          throw new CommandError(failureText(registry, answer.failure), exitCodes.unknown);
        }
        page = answer.value;
        skills.push(...page.skills);
      } while (page.nextCursor !== undefined && page.skills.length > 0 && skills.length < limit);
      const shown = skills.slice(0, limit);
      if (format === "json") terminal.out(jsonOf(shown));
      else terminal.paint(textOf(shown, terminal.columns));
      if (skills.length > limit || page.nextCursor !== undefined) {
        terminal.err(
          `Showing the first ${shown.length}. Narrow the search or raise --limit to see others.\n`,
        );
      }
      if (shown.length > 0) return exitCodes.good;
      terminal.err(unusualValues(given.options).join(""));
      return exitCodes.nothing;
    } finally {
      registry.close();
    }
  },
});

function queryOf({ operands, options: wanted }: ParsedArguments<typeof options>) {
  const { sort } = wanted;
  return {
    text: operands.join(" "),
    filters: {
      task: wanted.task,
      runtime: wanted.runtime,
      verification: wanted.verification,
      permissionProfile: wanted.permission,
      billingModel: wanted.billing,
      publisher: wanted.publisher,
      tags: wanted.tag,
    } satisfies Record<SkillFilterName, readonly string[]>,
    ...(sort !== undefined && { sort }),
  };
}

/** Warns about filter values that may be typing errors. */
function unusualValues(given: OptionValues<typeof options>): readonly string[] {
  return usualNames.flatMap((name) =>
    given[name]
      .filter((value) => !usual[name].some((item) => item === value))
      .map((value) => {
        const values = orList(usual[name], english);
        return `Unusual --${name} ${oneLine(value, 50)}. Usual values: ${values}.\n`;
      }),
  );
}

function jsonOf(skills: readonly SkillSummary[]): string {
  const rows = skills.map((skill) => ({ ...skill, permissionLevelFrom: levelBasis(skill) }));
  return `${JSON.stringify({ skills: rows }, undefined, 2)}\n`;
}

/** The columns of the table, in their order. */
const columns: readonly TableColumn<SkillSummary>[] = [
  { head: "SLUG", of: ({ slug }) => slug },
  { head: "VERSION", of: ({ version }) => version },
  {
    head: "VERIFICATION",
    of: ({ verificationStatus = "" }) => verificationStatus,
    color: ({ verificationStatus }) => colorOf(verificationStatus),
  },
  {
    head: "PERMISSIONS",
    of: (skill) => withUnderstated(skill.permissionLevel ?? "", skill, english),
    color: ({ permissionLevel }) => colorOf(permissionLevel),
  },
  { head: "RUNTIME", of: ({ runtimeType = "" }) => runtimeType },
  { head: "BILLING", of: billingOf },
  { head: "PUBLISHER", of: ({ publisher }) => publisher?.slug ?? publisher?.name ?? "" },
  { head: "NAME", of: ({ displayName }) => displayName },
];

/** The columns that a narrow terminal omits, in this order. */
const dispensable = ["NAME", "RUNTIME", "PUBLISHER", "BILLING", "VERSION"];

function billingOf({ billingModel = "", isSample }: SkillSummary): string {
  return sampleText(billingModel, isSample === true && billingModel !== "free", english);
}

function textOf(skills: readonly SkillSummary[], width: number | undefined): readonly Piece[] {
  if (skills.length === 0) return ["Nothing matched.\n"];
  return paintedTable(skills, columns, { dispensable, ...(width !== undefined && { width }) });
}
