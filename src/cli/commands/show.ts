import { exitCodes } from "../../core/findings/report";
import { isJsonObject, type JsonValue } from "../../core/json/jsonValue";
import { readContract } from "../../core/review/contract";
import { levelName, permissionSentences } from "../../core/skill/permissions";
import { activePrices, isPriceUnanswered, pricesOf, pricesText } from "../../core/skill/price";
import { originText } from "../../core/skill/publisherText";
import type { SkillDetail } from "../../core/skill/skill";
import { verificationText } from "../../core/skill/verification";
import { english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { sha256 } from "../../engine/sha256";
import { type Command, wrap } from "../command";
import { formatOption, readFormat } from "../output/writeReport";
import { addressOf, openRegistry, registryOptions, requireSkill } from "../registry/openRegistry";

export const show: Command = {
  name: "show",
  operands: "SLUG[@VERSION]",
  summary: "Show a skill's permissions, price, input and contract hash.",
  details: ["--format json adds the schemas and the whole contract."],
  options: { ...formatOption, ...registryOptions },
  examples: [
    "skill-registry show text-stats",
    "skill-registry show csv-profile@1.0.0 --format json",
  ],
  run: async (given, terminal) => {
    const format = readFormat(given, "show");
    const address = addressOf(given.operands.length === 1 ? given.operands[0] : undefined, "show");
    const registry = await openRegistry(given, terminal);
    try {
      const skill = await requireSkill(registry, address, terminal.signal);
      terminal.out(format === "json" ? jsonOf(skill) : textOf(skill, terminal.columns));
      return exitCodes.good;
    } finally {
      registry.close();
    }
  },
};

function jsonOf(skill: SkillDetail): string {
  const { summary, inputSchema, outputSchema, permissions, runtime, prices, examples } = skill;
  const contract = readContract(skill, sha256);
  const shown = {
    ...summary,
    permissions,
    runtime,
    prices,
    inputSchema,
    outputSchema,
    examples,
    contract,
  };
  return `${JSON.stringify(shown, undefined, 2)}\n`;
}

/** Where values start, after their labels. */
const valueColumn = 14;

function textOf(skill: SkillDetail, columns = Number.POSITIVE_INFINITY): string {
  const { summary, permissions, runtime } = skill;
  const contract = readContract(skill, sha256);
  const granted =
    permissions && permissionSentences(permissions, english).filter((one) => one.granted);
  const rows = [
    ["Skill", `${summary.slug}@${summary.version || "(no version)"}`],
    ...projectRows(skill),
    ["Verification", verificationText(summary.verificationStatus, english).word],
    ["Level", levelName(summary.permissionLevel ?? "", english) || "not provided"],
    ["Permissions", permissionsText(granted?.map(({ sentence }) => sentence))],
    ["Price", isPriceUnanswered(skill) ? "unknown" : priceText(skill)],
    [
      "Runtime",
      runtime === undefined ? "not provided" : [runtime.type, runtime.entry ?? ""].join(" "),
    ],
    ["Input", inputText(skill.inputSchema)],
    ["Contract", contract.ok ? contract.hash : `unknown (${contract.unknown})`],
  ];
  const labeled = (label: string, value: string) =>
    label.padEnd(valueColumn) + wrap(value, valueColumn, columns).slice(valueColumn);
  return [
    wrap(oneLine(summary.displayName), 0, columns),
    wrap(oneLine(summary.description, 500), 0, columns),
    "",
    ...rows.map(([name = "", value = ""]) => labeled(`${name}:`, oneLine(value, 500))),
    // Their labels come with them.
    ...originText(summary, english).map((line) => {
      const [label = ""] = /^[A-Z]\w+: /.exec(line) ?? [];
      return labeled(label, oneLine(line.slice(label.length), 300));
    }),
    "",
  ].join("\n");
}

/** Where a project runs a version: which one, and which the registry offers meanwhile. */
function projectRows({ pinned, latestVersion = "" }: SkillDetail): readonly string[][] {
  if (pinned === undefined) return [];
  const { project, version } = pinned;
  const runs = `${project || "your project"} runs ${version}`;
  const isNewest = latestVersion === "" || latestVersion === version;
  return [["Project", isNewest ? runs : `${runs}; the newest is ${latestVersion}`]];
}

function priceText(skill: SkillDetail): string {
  const isSample = skill.summary.isSample === true;
  const text = pricesText({ prices: pricesOf(skill) }, english, isSample) || "not provided";
  const costs = activePrices(skill.prices).some(({ billingModel }) => billingModel !== "free");
  return isSample && costs ? `${text}. The built-in registry bills nothing` : text;
}

function permissionsText(granted: readonly string[] | undefined): string {
  if (granted === undefined) return "not provided; assume full access";
  return granted.length === 0 ? "compute only" : granted.join("; ");
}

function inputText(schema: JsonValue | undefined): string {
  const { properties, required } = isJsonObject(schema) ? schema : {};
  if (!isJsonObject(properties)) return "see --format json";
  const needed: readonly JsonValue[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties);
  const shown = names.slice(0, maxNames);
  return (
    [
      ...shown.map((name) => (needed.includes(name) ? name : `${name}?`)),
      ...(names.length > maxNames ? [`and ${names.length - maxNames} more`] : []),
    ].join(", ") || "see --format json"
  );
}

/** A paragraph of a terminal; `--format json` has the whole schema. */
const maxNames = 100;
