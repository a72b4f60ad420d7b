import { exitCodes } from "../../core/findings/report";
import { isJsonObject, type JsonValue } from "../../core/json/jsonValue";
import { type ContractReading, readContract } from "../../core/skill/compare/contract";
import { describeSkill } from "../../core/skill/description/describeSkill";
import { levelBasis, type PermissionSentence } from "../../core/skill/permissions";
import { activePrices } from "../../core/skill/price";
import { originText } from "../../core/skill/publisherText";
import type { Price, SkillDetail } from "../../core/skill/skill";
import { versionOfStatus } from "../../core/skill/verification";
import { english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { sha256 } from "../../engine/sha256";
import { command } from "../command";
import { colorOf, type Piece } from "../output/colors";
import { wrap } from "../output/width";
import { formatOption } from "../output/writeReport";
import { openEnvironment, registryEnvironmentOption } from "../registry/environment";
import { type OpenRegistry, skillOptions } from "../registry/openRegistry";
import { addressOf, requireSkill } from "../registry/readSkill";

export const show = command({
  name: "show",
  operands: "SLUG[@VERSION]",
  summary: "Show a skill's permissions, price, input and contract hash.",
  details: ["--format json adds the schemas and the whole contract."],
  options: { ...formatOption, ...registryEnvironmentOption, ...skillOptions },
  examples: [
    ["See what a skill does and needs", "skill-registry show text-stats"],
    ["Read the schemas of a version", "skill-registry show csv-profile@1.0.0 --format json"],
  ],
  run: async ({ operands, options }, terminal) => {
    const address = addressOf(operands.length === 1 ? operands[0] : undefined);
    const { registry } = await openEnvironment(options, terminal, { isKeyless: true });
    try {
      const skill = await requireSkill(registry, address, terminal.signal);
      const isJson = options.format === "json";
      if (isJson) terminal.out(jsonOf(skill));
      else terminal.paint(painted(textOf(skill, registry, terminal.columns), skill));
      return exitCodes.good;
    } finally {
      registry.close();
    }
  },
});

function jsonOf(skill: SkillDetail): string {
  const { summary, inputSchema, outputSchema, permissions, runtime, prices, examples } = skill;
  const contract = readContract(skill, sha256);
  const shown = {
    ...summary,
    permissionLevelFrom: levelBasis(summary),
    verificationOf: versionOfStatus(skill),
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

/** Colors the values of verification and permission level, in the lines that begin with their labels. */
function painted(text: string, { summary }: SkillDetail): readonly Piece[] {
  const { verificationStatus, permissionLevel } = summary;
  const rows = [
    ["Verification:", colorOf(verificationStatus)],
    ["Level:", colorOf(permissionLevel)],
  ] as const;
  return text.split(/(?<=\n)/).flatMap((line): readonly Piece[] => {
    const color = rows.find(([label]) => line.startsWith(label))?.[1];
    const [, label = "", word = ""] = /^(\S+ +)([^\s.]+)/.exec(line) ?? [];
    if (color === undefined || word === "") return [line];
    return [label, { text: word, color }, line.slice(label.length + word.length)];
  });
}

/** The column where values start. */
const valueColumn = 14;

/** Describes a skill in the same words as its page in the editor. */
function textOf(
  skill: SkillDetail,
  { name, isBuiltIn }: OpenRegistry,
  columns = Number.POSITIVE_INFINITY,
): string {
  const { summary, runtime } = skill;
  const contract = readContract(skill, sha256);
  const { absent, permissionLevel, permissions, prices, verification, versionNote } = describeSkill(
    skill,
    { registry: { name, builtIn: isBuiltIn }, now: Date.now(), language: english },
  );
  const price = prices.join(", ") || absent.prices;
  const isInvented = isBuiltIn && activePrices(skill.prices).some(isBilledPrice);
  const rows = [
    ["Skill", `${summary.slug}@${summary.version || "(no version)"}`],
    ...(versionNote === undefined ? [] : [["Note", versionNote.text]]),
    ["Verification", sentences(verification.word, verification.advice)],
    ["Level", sentences(permissionLevel.word, permissionLevel.conflict)],
    ["Permissions", permissionsText(permissions)],
    ["Price", isInvented ? `${price}. The built-in registry bills nothing` : price],
    [
      "Runtime",
      runtime === undefined ? "not provided" : [runtime.type, runtime.entry ?? ""].join(" "),
    ],
    ["Input", inputText(skill.inputSchema)],
    ["Contract", contract.ok ? contract.hash : `unknown (${unknownPart(contract.unknown)})`],
  ];
  const labeled = (label: string, value: string) =>
    label.padEnd(valueColumn) + wrap(value, valueColumn, columns).slice(valueColumn);
  return [
    wrap(oneLine(summary.displayName), 0, columns),
    wrap(oneLine(summary.description, 500), 0, columns),
    "",
    ...rows.map(([name = "", value = ""]) => labeled(`${name}:`, oneLine(value, 500))),
    // Each of these lines already starts with its label, so split it off.
    ...originText(summary, english).map((line) => {
      const [label = ""] = /^[A-Z]\w+: /.exec(line) ?? [];
      return labeled(label, oneLine(line.slice(label.length), 300));
    }),
    "",
  ].join("\n");
}

function isBilledPrice({ billingModel }: Price): boolean {
  return billingModel !== "free";
}

function sentences(word: string, more = ""): string {
  return more === "" ? word : `${word}. ${more}`;
}

function permissionsText(permissions: readonly PermissionSentence[] | undefined): string {
  if (permissions === undefined) return "not provided; assume full access";
  const granted = permissions
    .filter((permission) => permission.granted)
    .map(({ sentence }) => sentence);
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

/** The maximum number of names in a paragraph; `--format json` has the whole schema. */
const maxNames = 100;

/** Names the unknown part of a contract. For a manifest, names the permissions, which matter most. */
function unknownPart(part: Extract<ContractReading, { readonly ok: false }>["unknown"]): string {
  return part === "manifest" ? "permissions" : part;
}
