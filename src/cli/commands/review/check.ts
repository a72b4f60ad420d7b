import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { version } from "../../../../package.json";
import { CommandError } from "../../../core/findings/commandError";
import { exitCodes } from "../../../core/findings/report";
import { checkTeam, contractParts, isUsingFile } from "../../../core/review/checkTeam";
import { policyFileName, reviewFolder } from "../../../core/review/files/reviewFiles";
import { utcDay } from "../../../core/text/dates";
import { english } from "../../../core/text/language";
import { readError, readText } from "../../../engine/files/textFile";
import { sha256 } from "../../../engine/sha256";
import { command } from "../../command";
import { findFiles, unreadItems } from "../../files/findFiles";
import { findTeamRoot, readTeamFolder } from "../../files/teamFolder";
import { readReport, reportOptions, writeReport } from "../../output/writeReport";
import { openEnvironment, registryEnvironmentOption } from "../../registry/environment";
import { skillOptions } from "../../registry/openRegistry";
import { readSkill } from "../../registry/readSkill";
import { type Terminal, UsageError } from "../../terminal";

export const check = command({
  name: "check",
  operands: "[FOLDER]",
  summary: "Compare the skills of a repository with its reviews.",
  details: [
    `Reads ${reviewFolder}/ in the folder. Default: the current one, or the nearest above it in the repository that has one. Looks up every skill that is reviewed there, or has a *.skill-input.json or *.skill-suite.json file, and lists what differs from its review, worst first. Nothing is written and no Project Key is needed, so it can run in CI.`,
  ],
  options: { ...reportOptions, ...registryEnvironmentOption, ...skillOptions },
  examples: [
    ["See what changed since it was reviewed", "skill-registry check"],
    ["Write a report for a code scanner", "skill-registry check --format sarif > drift.sarif"],
  ],
  run: async ({ operands, options }, terminal) => {
    const forms = readReport(options);
    const root = await rootOf(operands, terminal);
    const source = { command: "check", version, folder: root };
    const folder = await readTeamFolder(root);
    if (folder.kind === "none") {
      throw new CommandError(
        `No ${reviewFolder}/${policyFileName} found. Create one with \`skill-registry review SLUG\`.`,
        exitCodes.nothing,
      );
    }
    if (folder.kind === "broken") return writeReport(folder.items, forms, source, terminal);
    const found = await findFiles(root, ["."], isUsingFile);
    const unread = unreadItems(found);
    const reviewed = folder.files.reviews.map(({ skill }) => skill);
    if (found.files.length + reviewed.length === 0) {
      return writeReport(unread, forms, source, terminal);
    }
    const { registry } = await openEnvironment(options, terminal, { isKeyless: true });
    try {
      const items = await checkTeam({
        files: folder.files,
        reviewsText: folder.reviewsText,
        usingFiles: found.files,
        readText: (file) => readText(join(root, file)),
        read: (address) => readSkill(registry, address, terminal.signal, contractParts),
        digest: sha256,
        registry: registry.reviewName,
        today: utcDay(Date.now()),
        language: english,
      });
      return writeReport([...items, ...unread], forms, source, terminal);
    } finally {
      registry.close();
    }
  },
});

async function rootOf(operands: readonly string[], { cwd }: Terminal): Promise<string> {
  const [named, ...more] = operands;
  if (more.length > 0) throw new UsageError("Specify one folder.");
  if (named === undefined) return findTeamRoot(cwd);
  const root = resolve(cwd, named);
  const stats = await stat(root).catch((error: unknown) => {
    throw readError(named, error);
  });
  if (!stats.isDirectory()) throw readError(named, { code: "ENOTDIR" });
  return root;
}
