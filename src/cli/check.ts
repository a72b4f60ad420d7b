import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { version } from "../../package.json";
import { exitCodes, type ReportItem } from "../core/findings/report";
import { checkSkill, type ReadSkill, readOnce, standingItem } from "../core/review/checkSkill";
import { policyFileName, reviewFolder } from "../core/review/reviewFiles";
import { isUsingFile, type SkillUse, skillUses } from "../core/review/skillUses";
import { english } from "../core/text/language";
import { CliError, type Command } from "./command";
import { findFiles } from "./findFiles";
import { openRegistry, registryOption } from "./openRegistry";
import { readSkill, sha256 } from "./readSkill";
import { formatOption, readFormat, writeReport } from "./report";
import { readTeamFolder, type TeamFolder } from "./teamFolder";

export const check: Command = {
  name: "check",
  operands: "[FOLDER]",
  summary: "Compare the skills of a repository with its reviews.",
  details: [
    `Reads ${reviewFolder}/ of the folder (default: this one), asks the registry about every skill that is reviewed there or has a *.skill-input.json or *.skill-suite.json file, and lists what is no longer as it was reviewed, the worst first. Nothing is written and no Project Key is needed, so that it can run in CI.`,
  ],
  options: { ...formatOption(), ...registryOption },
  examples: ["skill-registry check", "skill-registry check --format sarif > drift.sarif"],
  run: async (given, terminal) => {
    const format = readFormat(given, "check");
    const root = resolve(terminal.cwd, given.operands[0] ?? ".");
    const source = { command: "check", version: version };
    const folder = await readTeamFolder(root);
    if (folder.kind === "none") {
      throw new CliError(`There is no ${reviewFolder}/${policyFileName} here.`, exitCodes.nothing);
    }
    if (folder.kind === "broken") return writeReport(folder.items, format, source, terminal);
    const files = await findFiles(root, ["."], isUsingFile);
    const reviewed = folder.files.reviews.map(({ skill }) => skill);
    if (files.length + reviewed.length === 0) return writeReport([], format, source, terminal);
    const registry = await openRegistry(given, terminal);
    try {
      const read = readOnce((address) => readSkill(registry, address, terminal.signal));
      const readText = (file: string) => readFile(join(root, file), "utf8");
      const uses = await skillUses(files, readText, read, english);
      const slugs = [...new Set([...uses.keys(), ...reviewed])];
      const items = await standings(slugs.toSorted(), folder, uses, read, registry.reviewName);
      return writeReport(items, format, source, terminal);
    } finally {
      registry.close();
    }
  },
};

/** So many skills are asked about at the same time. */
const maxAtOnce = 4;

async function standings(
  slugs: readonly string[],
  { files, reviewsText }: Extract<TeamFolder, { kind: "read" }>,
  uses: ReadonlyMap<string, SkillUse>,
  read: ReadSkill,
  registry: string,
): Promise<readonly ReportItem[]> {
  const today = new Date().toISOString().slice(0, 10);
  const items: ReportItem[] = [];
  for (let next = 0; next < slugs.length; next += maxAtOnce) {
    const some = slugs.slice(next, next + maxAtOnce).map(async (slug) => {
      const { versions = [], file } = uses.get(slug) ?? {};
      const check = { files, read, digest: sha256, registry, today };
      const standing = await checkSkill(slug, [...versions], check);
      return standingItem(standing, files, file, reviewsText, english);
    });
    items.push(...(await Promise.all(some)));
  }
  return items;
}
