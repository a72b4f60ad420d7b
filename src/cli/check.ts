import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../../package.json";
import { exitCodes, type Finding, type ReportItem } from "../core/findings/report";
import { isPayloadFile, slugsOfPayloadFile } from "../core/payload/payloadFileName";
import type { ReviewFiles } from "../core/review/coverage";
import { nearestReview } from "../core/review/coverage";
import { type CheckedSkill, type SkillAtRegistry, skillStanding } from "../core/review/drift";
import { driftText, notKnownText } from "../core/review/driftText";
import { policyFileName, reviewFolder, reviewsFileName } from "../core/review/reviewFiles";
import { isSuiteFile, readSuite } from "../core/suite/suite";
import { english } from "../core/text/language";
import { CliError, type Command, type Terminal } from "./command";
import { findFiles } from "./findFiles";
import { type OpenRegistry, openRegistry, registryOption } from "./openRegistry";
import { atRegistry, readSkill } from "./readSkill";
import { formatOption, readFormat, writeReport } from "./report";
import { readTeamFolder } from "./teamFolder";

export const check: Command = {
  name: "check",
  operands: "[FOLDER]",
  summary: "Compare the skills of a repository with its reviews.",
  details: [
    `Reads ${reviewFolder}/ of the folder (default: this one), asks the registry about every skill that is reviewed there or has a *.skill-input.json or *.skill-suite.json file, and lists what is no longer as it was reviewed, the worst first. Nothing is written and no Project Key is needed, so that it can run in CI.`,
  ],
  options: { ...formatOption, ...registryOption },
  examples: ["skill-registry check", "skill-registry check --format sarif > drift.sarif"],
  run: async (given, terminal) => {
    const format = readFormat(given, "check");
    const root = join(
      given.operands[0]?.startsWith("/") ? "" : terminal.cwd,
      given.operands[0] ?? ".",
    );
    const source = { command: "check", version: version };
    const folder = await readTeamFolder(root);
    if (folder.kind === "none") {
      throw new CliError(`There is no ${reviewFolder}/${policyFileName} here.`, exitCodes.nothing);
    }
    if (folder.kind === "broken") return writeReport(folder.items, format, source, terminal);
    const uses = await skillUses(root);
    const slugs = [...new Set([...uses.keys(), ...folder.files.reviews.map(({ skill }) => skill)])];
    if (slugs.length === 0) return writeReport([], format, source, terminal);
    const registry = await openRegistry(given, terminal);
    try {
      const items = await standings(slugs.toSorted(), folder.files, uses, registry, terminal);
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
  files: ReviewFiles,
  uses: ReadonlyMap<string, SkillUse>,
  registry: OpenRegistry,
  { cwd: _, signal }: Terminal,
): Promise<readonly ReportItem[]> {
  const today = new Date().toISOString().slice(0, 10);
  const items: ReportItem[] = [];
  for (let next = 0; next < slugs.length; next += maxAtOnce) {
    const some = slugs.slice(next, next + maxAtOnce).map(async (slug) => {
      const checked = await readChecked(
        slug,
        files,
        [...(uses.get(slug)?.versions ?? [])],
        registry,
        signal,
      );
      return itemOf(files, checked, uses.get(slug)?.file, today);
    });
    items.push(...(await Promise.all(some)));
  }
  return items;
}

/** Reads a skill's current version, and those that were reviewed or are used where they are others. */
async function readChecked(
  slug: string,
  files: ReviewFiles,
  usedVersions: readonly string[],
  registry: OpenRegistry,
  signal: AbortSignal,
): Promise<CheckedSkill> {
  const read = await readSkill(registry, { slug, version: "" }, signal);
  const current = read.ok ? { ok: true as const, value: atRegistry(read.value) } : read;
  const others: SkillAtRegistry[] = [];
  if (current.ok) {
    const { version } = current.value;
    const reviewed = nearestReview(files.reviews, { slug, version })?.version ?? "";
    for (const wanted of new Set([reviewed, ...usedVersions])) {
      if (wanted === "" || wanted === version) continue;
      const other = await readSkill(registry, { slug, version: wanted }, signal);
      if (other.ok) others.push(atRegistry(other.value));
    }
  }
  return { slug, usedVersions, current, others };
}

function itemOf(
  files: ReviewFiles,
  checked: CheckedSkill,
  usedIn: string | undefined,
  today: string,
): ReportItem {
  const { slug } = checked;
  const file = usedIn ?? `${reviewFolder}/${reviewsFileName}`;
  const { drift, notKnown } = skillStanding(files, checked, today);
  const finding = (rule: string, message: string, severity: Finding["severity"]): Finding => ({
    rule,
    severity,
    message,
    file,
  });
  return {
    name: slug,
    file,
    state: drift.length > 0 ? "findings" : notKnown.length > 0 ? "unknown" : "good",
    findings: [
      ...drift.map((one) => finding(one.kind, driftText(slug, one, english), "error")),
      ...notKnown.map((one) => finding("unknown", notKnownText(slug, one, english), "warning")),
    ],
  };
}

/** Where a skill is used, and in which versions; an empty one is the registry's current one. */
interface SkillUse {
  /** The first file that uses it. */
  readonly file: string;
  readonly versions: Set<string>;
}

/** The skills that the payload files and suites of a folder are for. What is broken in them is not asked here. */
async function skillUses(root: string): Promise<ReadonlyMap<string, SkillUse>> {
  const uses = new Map<string, SkillUse>();
  const add = (slug: string, version: string, file: string) => {
    const use = uses.get(slug) ?? { file, versions: new Set() };
    use.versions.add(version);
    uses.set(slug, use);
  };
  const isOurs = (name: string) => isPayloadFile(name) || isSuiteFile(name);
  for (const file of await findFiles(root, ["."], isOurs)) {
    if (isPayloadFile(file)) {
      const [slug] = slugsOfPayloadFile(file);
      if (slug !== undefined) add(slug, "", file);
    } else {
      const suite = readSuite(await readFile(join(root, file), "utf8").catch(() => ""), english);
      if (suite.ok) add(suite.value.address.slug, suite.value.address.version, file);
    }
  }
  return uses;
}
