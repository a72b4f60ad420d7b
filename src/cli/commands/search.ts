import { exitCodes } from "../../core/findings/report";
import { levelBasis, permissionLevels, withUnderstated } from "../../core/skill/permissions";
import { sampleText } from "../../core/skill/price";
import type { SkillSummary } from "../../core/skill/skill";
import type { SkillListPage, SkillSort } from "../../core/skillList/skillQuery";
import { english, orList } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { CliError, type Command, type ParsedArguments, usageError } from "../command";
import { type TableColumn, tableOf } from "../output/table";
import { formatOption, readFormat } from "../output/writeReport";
import { failureText, openRegistry, registryOptions } from "../registry/openRegistry";

const sorts: readonly SkillSort[] = ["recommended", "adoption", "success", "low_risk", "recent"];
const usualLimit = 50;

/** The values that filters usually have; a registry may have its own. */
const usual = {
  runtime: ["http", "mcp", "local"],
  verification: ["verified", "submitted", "deprecated"],
  permission: permissionLevels,
  billing: ["free", "per_call", "subscription"],
} as const;

function oneOf(values: readonly string[]): string {
  return `${orList(values, english)}.`;
}

export const search: Command = {
  name: "search",
  operands: "[TEXT…]",
  summary: "List the skills of a registry.",
  details: [
    "Filters can be repeated: a skill matches if it has any of the values, but it needs all of the tags.",
  ],
  options: {
    task: { value: "TASK", text: "Task, such as data.", multiple: true },
    runtime: { value: "KIND", text: oneOf(usual.runtime), multiple: true },
    verification: { value: "STATE", text: oneOf(usual.verification), multiple: true },
    permission: { value: "LEVEL", text: oneOf(usual.permission), multiple: true },
    billing: { value: "MODEL", text: oneOf(usual.billing), multiple: true },
    publisher: { value: "NAME", text: "Name or slug of a publisher.", multiple: true },
    tag: { value: "TAG", text: "Tag that the skill has.", multiple: true },
    sort: { value: "ORDER", text: `One of ${sorts.join(", ")}.` },
    limit: { value: "N", text: `List at most N skills. Default: ${usualLimit}.` },
    ...formatOption,
    ...registryOptions,
  },
  examples: [
    "skill-registry search csv --permission low",
    "skill-registry search --billing free --format json",
  ],
  run: async (given, terminal) => {
    const format = readFormat(given, "search");
    const limit = given.count("limit", 1) ?? usualLimit;
    const query = queryOf(given);
    const registry = await openRegistry(given, terminal);
    try {
      const skills: SkillSummary[] = [];
      let page: SkillListPage | undefined;
      do {
        const answer = await registry.client.search(query, page?.nextCursor, terminal.signal);
        if (!answer.ok) {
          terminal.signal.throwIfAborted();
          throw new CliError(failureText(registry, answer.failure), exitCodes.unknown);
        }
        page = answer.value;
        skills.push(...page.skills);
      } while (page.nextCursor !== undefined && page.skills.length > 0 && skills.length < limit);
      const shown = skills.slice(0, limit);
      terminal.out(format === "json" ? jsonOf(shown) : textOf(shown, terminal.columns));
      if (skills.length > limit || page.nextCursor !== undefined) {
        terminal.err(
          `Showing the first ${shown.length}. Narrow the search or raise --limit to see others.\n`,
        );
      }
      if (shown.length > 0) return exitCodes.good;
      terminal.err(unusualValues(given).join(""));
      return exitCodes.nothing;
    } finally {
      registry.close();
    }
  },
};

function queryOf(given: ParsedArguments) {
  const sort = given.text("sort");
  if (sort !== undefined && !sorts.includes(sort as SkillSort)) {
    throw usageError("search", `--sort expects one of ${sorts.join(", ")}.`);
  }
  return {
    text: given.operands.join(" "),
    filters: {
      task: given.list("task"),
      runtime: given.list("runtime"),
      verification: given.list("verification"),
      permissionProfile: given.list("permission"),
      billingModel: given.list("billing"),
      publisher: given.list("publisher"),
      tags: given.list("tag"),
    },
    ...(sort !== undefined && { sort: sort as SkillSort }),
  };
}

/** Warns about values of filters that may be typing errors. */
function unusualValues(given: ParsedArguments): readonly string[] {
  return Object.entries(usual).flatMap(([name, values]) =>
    given
      .list(name)
      .filter((value) => !(values as readonly string[]).includes(value))
      .map((value) => `Unusual --${name} ${oneLine(value, 50)}. Usual values: ${oneOf(values)}\n`),
  );
}

function jsonOf(skills: readonly SkillSummary[]): string {
  const told = skills.map((skill) => ({ ...skill, permissionLevelFrom: levelBasis(skill) }));
  return `${JSON.stringify({ skills: told }, undefined, 2)}\n`;
}

/** The columns of the table, in their order. */
const columns: readonly TableColumn<SkillSummary>[] = [
  { head: "SLUG", of: ({ slug }) => slug },
  { head: "VERSION", of: ({ version }) => version },
  { head: "VERIFICATION", of: ({ verificationStatus = "" }) => verificationStatus },
  {
    head: "PERMISSIONS",
    of: (skill) => withUnderstated(skill.permissionLevel ?? "", skill, english),
  },
  { head: "RUNTIME", of: ({ runtimeType = "" }) => runtimeType },
  { head: "BILLING", of: billingOf },
  { head: "PUBLISHER", of: ({ publisher }) => publisher?.slug ?? publisher?.name ?? "" },
  { head: "NAME", of: ({ displayName }) => displayName },
];

/** The columns that a narrow terminal does without, the most dispensable first. */
const dispensable = ["NAME", "RUNTIME", "PUBLISHER", "BILLING", "VERSION"];

function billingOf({ billingModel = "", isSample }: SkillSummary): string {
  return sampleText(billingModel, isSample === true && billingModel !== "free", english);
}

function textOf(skills: readonly SkillSummary[], width: number | undefined): string {
  if (skills.length === 0) return "Nothing matched.\n";
  return tableOf(skills, columns, { dispensable, ...(width !== undefined && { width }) });
}
