import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { version } from "../../../../package.json";
import { CommandError } from "../../../core/findings/commandError";
import { exitCodeOf } from "../../../core/findings/report";
import {
  type InvocationRecord,
  readWrittenRecord,
  withPresumedEnd,
} from "../../../core/invocation/record/invocationRecord";
import type { RecordQuery } from "../../../core/invocation/record/recordQuery";
import { readinessOf, readinessReport, readinessText } from "../../../core/readiness/readiness";
import {
  findKeyOccurrences,
  projectFacts,
  type ReadinessFacts,
  skippedFolders,
  teamFacts,
} from "../../../core/readiness/readinessFacts";
import { projectKeyVariable } from "../../../core/registry/credential";
import { policyFileName, reviewFolder } from "../../../core/review/files/reviewFiles";
import type { SkillAddress } from "../../../core/skill/skillAddress";
import { english } from "../../../core/text/language";
import { readRepositoryFile } from "../../../engine/files/repositoryFile";
import { readError, readText } from "../../../engine/files/textFile";
import { sha256 } from "../../../engine/sha256";
import { command } from "../../command";
import { openRecord } from "../../engine/cliEngine";
import { findFiles } from "../../files/findFiles";
import { brokenFolder, findTeamRoot, readTeamFolder } from "../../files/teamFolder";
import { readReport, reportOptions, writeReport, writeReportFiles } from "../../output/writeReport";
import { type OpenRegistry, openRegistry, skillOptions } from "../../registry/openRegistry";
import { chosenProject, type ProjectValues } from "../../registry/project";
import { addressOf, readSkill, requireSkill } from "../../registry/readSkill";
import type { Terminal } from "../../terminal";

export const ready = command({
  name: "ready",
  operands: "SLUG[@VERSION]",
  summary: "Check, with evidence, whether customers can depend on a skill.",
  details: [
    "Covers ownership, key scope, retry behavior, logs and manual fallback. Each of the five is yes, no or not known, in one sentence, with its evidence. Without evidence it is not known.",
    `What only people know comes from statements in ${reviewFolder}/reviews.json: who is responsible for the skill, how callers retry, where production logs are, and the runbook. Project data is read with the user token from the environment. Invocations are read from the record of this machine; --record reads those of another machine instead.`,
  ],
  options: {
    record: {
      value: "FILE",
      text: "Invocations of another machine, exported as JSON Lines, instead of the record of this one.",
    },
    ...reportOptions,
    ...skillOptions,
  },
  examples: [
    ["Check a skill", "skill-registry ready text-stats"],
    [
      "Check it by the record of production",
      "skill-registry ready text-stats --project shop --record invocations.jsonl --format sarif",
    ],
  ],
  run: async ({ operands, options }, terminal) => {
    const forms = readReport(options);
    const address = addressOf(operands.length === 1 ? operands[0] : undefined);
    const exported = await readRecord(options.record, terminal);
    const registry = await openRegistry(options, terminal);
    try {
      const skill = await requireSkill(registry, address, terminal.signal);
      const now = Date.now();
      const root = await findTeamRoot(terminal.cwd);
      const atRoot = { ...terminal, cwd: root };
      const [team, project, key] = await Promise.all([
        teamOf(address, registry, atRoot, now),
        projectOf(address, registry, options, terminal),
        keyOf(registry, atRoot),
      ]);
      const wanted = { registry: registry.name, skills: [skill.summary.slug] };
      const record = exported ?? (await recordOfMachine(wanted, terminal));
      const facts = { now, skill, registry: registry.name, team, project, ...key, record };
      const readiness = readinessOf(facts, english);
      const items = readinessReport(readiness);
      const source = { command: "ready", version, folder: root };
      if (forms.format !== "text") return await writeReport(items, forms, source, terminal);
      terminal.signal.throwIfAborted();
      terminal.print(readinessText(readiness, english).text);
      await writeReportFiles(items, forms, source, terminal);
      return exitCodeOf(items);
    } finally {
      registry.close();
    }
  },
});

async function teamOf(
  address: SkillAddress,
  registry: OpenRegistry,
  { cwd, signal }: Terminal,
  now: number,
): Promise<ReadinessFacts["team"]> {
  const folder = await readTeamFolder(cwd);
  if (folder.kind === "broken") throw brokenFolder();
  if (folder.kind === "none") {
    const values = { file: `${reviewFolder}/${policyFileName}`, slug: address.slug };
    return { why: { text: "No {file} found. Run “skill-registry review {slug}” first.", values } };
  }
  const { files, reviewsText } = folder;
  const sources = {
    files,
    reviewsText,
    read: (wanted: SkillAddress) => readSkill(registry, wanted, signal),
    digest: sha256,
    registry: registry.reviewName,
    exists: async (file: string) =>
      (await stat(join(cwd, file)).catch(() => undefined))?.isFile() ?? false,
  };
  return teamFacts(address, sources, now);
}

async function projectOf(
  { slug }: SkillAddress,
  registry: OpenRegistry,
  options: Partial<ProjectValues>,
  { signal }: Terminal,
): Promise<ReadinessFacts["project"]> {
  const project = await chosenProject(registry, options, signal);
  if (!project.isChosen) return { why: { text: project.why } };
  return projectFacts(project.who.routes, project.slug, slug, english, signal);
}

/** Asks the registry about the key, and searches for it in the files of the folder. */
async function keyOf(
  registry: OpenRegistry,
  { cwd, signal }: Terminal,
): Promise<Pick<ReadinessFacts, "key" | "keyOccurrences">> {
  if (!registry.hasKey) {
    const more = registry.window === undefined ? "" : ", and add --no-window";
    const none = { why: { text: `No Project Key. Set ${projectKeyVariable}${more}.` } };
    return { key: none, keyOccurrences: none };
  }
  const key = registry.projectKey();
  const { kind } = await registry.client.readKey(key, signal);
  const isRefused = kind === "accepted" || kind === "refused" ? kind === "refused" : undefined;
  const entries = await readdir(cwd, { withFileTypes: true }).catch(() => []);
  const hidden = entries.flatMap((entry) =>
    entry.isDirectory() && entry.name.startsWith(".") ? [entry.name] : [],
  );
  const folders = [".", ...hidden.filter((name) => !skippedFolders.includes(name))];
  const all = await findFiles(cwd, folders, () => true, { reportsLinks: false });
  const read = async (name: string, maxBytes: number) => {
    const found = await readRepositoryFile(cwd, join(cwd, name), maxBytes);
    return found.kind === "bytes" ? found.bytes.toString("utf8") : undefined;
  };
  const files = { names: all.files, hasMore: all.unread.length > 0, read };
  const keyOccurrences = await findKeyOccurrences(key, files, signal);
  signal.throwIfAborted();
  return { key: { last4: key.slice(-4), isRefused, at: Date.now() }, keyOccurrences };
}

/** Reads the record of this machine. An empty one is no evidence: a new CI machine has one too. */
async function recordOfMachine(
  wanted: RecordQuery,
  terminal: Terminal,
): Promise<ReadinessFacts["record"]> {
  const { history, close } = await openRecord(terminal);
  try {
    const records = await history.list(wanted);
    if (records.length > 0 || (await history.list({ limit: 1 })).length > 0) return records;
    const text =
      "No invocation is recorded on this machine. Pass those of another one with --record.";
    return { why: { text } };
  } finally {
    await close();
  }
}

/** Reads the invocations of an exported file; undefined if no file is named. */
async function readRecord(
  name: string | undefined,
  { cwd }: Terminal,
): Promise<readonly InvocationRecord[] | undefined> {
  if (name === undefined) return undefined;
  const path = resolve(cwd, name);
  try {
    const lines = (await readText(path)).split("\n").filter((line) => line.trim() !== "");
    return lines.map((line, index) => {
      const record = readWrittenRecord(line);
      if (record === undefined || record === "newer") {
        throw new CommandError(
          `${name}:${index + 1}: Not an exported invocation. Export the record as JSON Lines.`,
        );
      }
      return withPresumedEnd(record, Date.now(), () => false);
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw readError(name, error);
  }
}
