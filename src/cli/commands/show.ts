import { exitCodes } from "../../core/findings/report";
import { termsOf } from "../../core/invocation/permission/terms";
import { readContract } from "../../core/review/contract";
import { levelName, permissionSentences } from "../../core/skill/permissions";
import { pricesText } from "../../core/skill/price";
import { originText } from "../../core/skill/publisherText";
import type { SkillDetail } from "../../core/skill/skill";
import { verificationText } from "../../core/skill/verification";
import { english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import type { Command } from "../command";
import { addressOf, openRegistry, registryOption, requireSkill, sha256 } from "../openRegistry";
import { formatOption, plainFormats, readFormat } from "../writeReport";

export const show: Command = {
  name: "show",
  operands: "SLUG[@VERSION]",
  summary: "Show a skill's permissions, price, input and contract hash.",
  details: ["--format json adds the schemas and the whole contract."],
  options: { ...formatOption(plainFormats), ...registryOption },
  examples: [
    "skill-registry show text-stats",
    "skill-registry show csv-profile@1.0.0 --format json",
  ],
  run: async (given, terminal) => {
    const format = readFormat(given, "show", plainFormats);
    const address = addressOf(given.operands.length === 1 ? given.operands[0] : undefined, "show");
    const registry = await openRegistry(given, terminal);
    try {
      const skill = await requireSkill(registry, address, terminal.signal);
      terminal.out(format === "json" ? jsonOf(skill) : textOf(skill, registry.name));
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

function textOf(skill: SkillDetail, registry: string): string {
  const { summary, permissions, runtime } = skill;
  const contract = readContract(skill, sha256);
  const terms = termsOf(registry, skill, sha256);
  const granted =
    permissions && permissionSentences(permissions, english).filter((one) => one.granted);
  const rows = [
    ["Skill", `${summary.slug}@${summary.version || "(no version)"}`],
    ["Verification", verificationText(summary.verificationStatus, english).word],
    ["Level", levelName(summary.permissionLevel ?? "", english) || "not provided"],
    ["Permissions", permissionsText(granted?.map(({ sentence }) => sentence))],
    ["Price", terms.isPriceUnanswered ? "unknown" : pricesText(terms, english) || "not provided"],
    [
      "Runtime",
      runtime === undefined ? "not provided" : [runtime.type, runtime.entry ?? ""].join(" "),
    ],
    ["Input", inputText(terms.input)],
    ["Contract", contract.ok ? contract.hash : `unknown (${contract.unknown})`],
  ];
  return [
    oneLine(summary.displayName),
    oneLine(summary.description, 500),
    "",
    ...rows.map(([name = "", value = ""]) => `${`${name}:`.padEnd(14)}${oneLine(value, 500)}`),
    // Their labels come with them.
    ...originText(summary, english).map((line) =>
      oneLine(line, 300).replace(/^[A-Z]\w+: /, (label) => label.padEnd(14)),
    ),
    "",
  ].join("\n");
}

function permissionsText(granted: readonly string[] | undefined): string {
  if (granted === undefined) return "not provided; assume full access";
  return granted.length === 0 ? "compute only" : granted.join("; ");
}

function inputText(
  members: readonly { readonly name: string; readonly required: boolean }[],
): string {
  const names = members.map(({ name, required }) => (required ? name : `${name}?`));
  return names.length === 0 ? "see --format json" : names.join(", ");
}
