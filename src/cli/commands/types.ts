import { open, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { version } from "../../../package.json";
import {
  clientFileName,
  clientLanguages,
  clientSource,
  readClientHeader,
} from "../../core/clients/client";
import { pythonClient } from "../../core/clients/pythonClient";
import { pythonRuntime, runtimeHeader, runtimeModule } from "../../core/clients/pythonRuntime";
import { readShapes } from "../../core/clients/readShapes";
import { typescriptClient } from "../../core/clients/typescriptClient";
import { CommandError } from "../../core/findings/commandError";
import { exitCodes, type ReportItem } from "../../core/findings/report";
import { skillMistakes } from "../../core/findings/skillMistakes";
import { unknownContractText } from "../../core/review/driftText";
import { isVersionReview, type Review } from "../../core/review/files/reviewFiles";
import { readSchema } from "../../core/schema/read/readSchema";
import { readContract } from "../../core/skill/compare/contract";
import { addressText, type SkillAddress } from "../../core/skill/skillAddress";
import { english } from "../../core/text/language";
import { makeFolder } from "../../engine/files/inFolder";
import { pathInside } from "../../engine/files/repositoryFile";
import { fileReason, readError, readText, writeError } from "../../engine/files/textFile";
import { writeFileAtomic } from "../../engine/files/writeFileAtomic";
import { sha256 } from "../../engine/sha256";
import { command } from "../command";
import { openChecker, type PayloadChecker } from "../engine/payloadChecker";
import { findFiles, unreadItems } from "../files/findFiles";
import { brokenFolder, contractInFolder, findTeamRoot, readTeamFolder } from "../files/teamFolder";
import { type OptionTable, type OptionValues, rowsWith } from "../options";
import { readReport, reportOptions, writeReport } from "../output/writeReport";
import { openEnvironment, registryEnvironmentOption } from "../registry/environment";
import { type OpenRegistry, skillOptions } from "../registry/openRegistry";
import { addressOf, requireSkill } from "../registry/readSkill";
import { type Terminal, UsageError } from "../terminal";

const options = {
  out: { value: "DIR", text: "The folder for the files." },
  language: {
    value: "NAME",
    text: "The language of the code.",
    oneOf: clientLanguages,
    default: clientLanguages[0],
    not: ["check"],
  },
  check: { text: "Write nothing, and check the files in --out, or all in this folder." },
  ...rowsWith(reportOptions, { needs: ["check"] }),
  ...registryEnvironmentOption,
  ...skillOptions,
} as const satisfies OptionTable;

type Options = OptionValues<typeof options>;

export const types = command({
  name: "types",
  operands: "[SLUG[@VERSION]…]",
  summary: "Write typed code that invokes a skill, or check whether written code is current.",
  details: [
    "Each file has the input and the output of a skill as types, and one function that invokes it once. It needs no other package. Without a skill, writes files for all skills that the repository reviewed. The code of one skill is printed if --out is missing.",
    "--check compares the files in --out, or all in this folder, with the contract that was reviewed last, or with the registry's if none was reviewed. Exit codes: 0 if all files are current, 1 if a file was written from another contract, 3 if a contract is not known.",
  ],
  options,
  examples: [
    ["Print the code for a skill", "skill-registry types csv-profile"],
    ["Write code into a folder", "skill-registry types csv-profile text-stats --out src/skills"],
    ["Check in CI that code is current", "skill-registry types --check --format github"],
  ],
  run: async ({ operands, options: given }, terminal) => {
    const { out, language } = given;
    const addresses = operands.map((operand) => addressOf(operand));
    if (given.check) {
      const items = await checkFiles({ out: out ?? ".", addresses }, given, terminal);
      // A repository without generated code passes the check.
      if (items.length === 0 && out === undefined && addresses.length === 0) {
        terminal.err("No file was written by this command.\n");
        return exitCodes.good;
      }
      return writeReport(
        items,
        readReport(given),
        { command: "types", version, folder: terminal.cwd },
        terminal,
      );
    }
    if (out === undefined && addresses.length !== 1) {
      throw new UsageError("Specify one skill, or --out DIR.");
    }
    const wanted = addresses.length > 0 ? addresses : await reviewedSkills(terminal);
    if (wanted.length === 0) {
      terminal.err(
        "No skill is reviewed in this repository. Name one: skill-registry types SLUG\n",
      );
      return exitCodes.nothing;
    }
    const { registry } = await openEnvironment(given, terminal, { isKeyless: true });
    const checker = await openChecker(terminal);
    try {
      const failures: CommandError[] = [];
      for (const address of wanted) {
        try {
          await writeCode(address, { out, language }, { registry, checker }, terminal);
        } catch (error) {
          // One skill that fails does not stop the others.
          if (!(error instanceof CommandError) || wanted.length === 1) throw error;
          terminal.err(`${error.message}\n`);
          failures.push(error);
        }
      }
      if (out !== undefined && language === "python") {
        const name = join(out, `${runtimeModule}.py`);
        const isOurs = (existing: string) => existing.startsWith(runtimeHeader) || undefined;
        await writeClient(terminal.cwd, name, pythonRuntime(), isOurs);
        terminal.out(`${name}: the module that these clients share\n`);
      }
      return failures[0]?.exitCode ?? exitCodes.good;
    } finally {
      checker.close();
      registry.close();
    }
  },
});

/**
 * Writes the code of one skill into a file of the folder `out`, or to standard output. Tells on standard error about
 * mistakes in the skill's schemas, since the types repeat them.
 */
async function writeCode(
  address: SkillAddress,
  { out, language }: Pick<Options, "out" | "language">,
  { registry, checker }: { readonly registry: OpenRegistry; readonly checker: PayloadChecker },
  terminal: Terminal,
): Promise<void> {
  const skill = await requireSkill(registry, address, terminal.signal);
  const reviewed = await contractInFolder(terminal.cwd, registry.reviewName, skill);
  const source = await clientSource(skill, reviewed, sha256, (schema, lossyNumbers) =>
    readShapes(readSchema(schema), lossyNumbers),
  );
  const text =
    language === "python"
      ? pythonClient(source, { sharesRuntime: out !== undefined })
      : typescriptClient(source);
  for (const mistake of await skillMistakes(skill, checker.mistakes, english)) {
    terminal.err(`${mistake}\n`);
  }
  if (out === undefined) return terminal.out(text);
  const name = join(out, clientFileName(source.slug, language));
  await writeClient(terminal.cwd, name, text, (existing) => {
    const written = readClientHeader(existing);
    return written && (written.slug === source.slug || written.slug);
  });
  terminal.out(`${name}: ${source.slug}@${source.version}\n`);
}

/**
 * Writes a client into a file. Replaces only a file whose header names it as a client of this skill: never a user's own
 * file, and never the client of another skill with the same file name. A link cannot redirect the write: a link in
 * place of the file is replaced, and a folder that leads out of the command's working folder gets no file.
 */
async function writeClient(
  cwd: string,
  name: string,
  text: string,
  /**
   * Returns true if the file may be replaced. Otherwise returns the skill that the file is a client of, or undefined if
   * this command did not write the file.
   */
  ownerOf: (existing: string) => true | string | undefined,
): Promise<void> {
  const path = resolve(cwd, name);
  const leadsOut = await leadsOutside(cwd, dirname(path)).catch((error: unknown) => {
    throw writeError(name, error);
  });
  if (leadsOut) {
    throw new CommandError(
      `${name} was not written: a link on its path leads out of this folder. Choose another --out.`,
    );
  }
  const existing = await readExisting(path).catch((error: unknown) => {
    throw readError(name, error);
  });
  const owner = existing === undefined ? true : ownerOf(existing);
  if (typeof owner === "string") {
    throw new CommandError(`${name} is the code of ${owner}. Choose another --out.`);
  }
  if (owner === undefined) {
    throw new CommandError(
      `${name} was not written by this command. Move it, or choose another --out.`,
    );
  }
  try {
    await makeFolder(dirname(path));
    await writeFileAtomic(path, text, "shared");
  } catch (error) {
    throw writeError(name, error);
  }
}

/**
 * Reads an existing file. Undefined if there is none. Rejects with the system's error, and for a pipe as well, since
 * reading a pipe would wait for its writer.
 */
async function readExisting(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).isFile()) return await readText(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  throw Object.assign(new Error("Not a file."), { code: "EINVAL" });
}

/**
 * Returns whether a link on the path of a folder inside `cwd` leads out of it. False for a folder that the user named
 * outside of `cwd`. Rejects with the system's error.
 */
async function leadsOutside(cwd: string, folder: string): Promise<boolean> {
  const named = relative(cwd, folder);
  if (named === ".." || named.startsWith(`..${sep}`) || isAbsolute(named)) return false;
  return (await pathInside(cwd, folder)) === undefined;
}

/**
 * Lists the skills that the repository reviewed, each once, without versions, since code is written for the registry's
 * current version.
 */
async function reviewedSkills({ cwd }: Terminal): Promise<readonly SkillAddress[]> {
  const reviews = await readReviews(cwd);
  const slugs = new Set(reviews.filter(isVersionReview).map(({ skill }) => skill));
  return [...slugs].toSorted().map((slug) => ({ slug, version: "" }));
}

async function readReviews(cwd: string): Promise<readonly Review[]> {
  const folder = await readTeamFolder(await findTeamRoot(cwd));
  if (folder.kind === "broken") throw brokenFolder();
  return folder.kind === "read" ? folder.files.reviews : [];
}

/** The clients to check: those of the named skills in a folder, or all. */
interface WrittenClients {
  readonly out: string;
  readonly addresses: readonly SkillAddress[];
}

async function checkFiles(
  { out, addresses }: WrittenClients,
  given: Options,
  terminal: Terminal,
): Promise<readonly ReportItem[]> {
  const reviews = await readReviews(terminal.cwd);
  const items: ReportItem[] = [];
  let opened: OpenRegistry | undefined;
  const registry = async () => {
    opened ??= (await openEnvironment(given, terminal, { isKeyless: true })).registry;
    return opened;
  };
  try {
    const found = await findFiles(terminal.cwd, [out], (name) => /\.(?:ts|py)$/.test(name), {
      reportsLinks: false,
    });
    items.push(...unreadItems(found));
    for (const path of found.files) {
      let written: Awaited<ReturnType<typeof readHeader>>;
      try {
        written = await readHeader(terminal.cwd, path);
      } catch (error) {
        const reason = fileReason(error);
        items.push(...unreadItems({ unread: [{ path, reason, isFile: true }] }));
        continue;
      }
      const isWanted =
        addresses.length === 0 || addresses.some(({ slug }) => slug === written?.slug);
      if (written === undefined || !isWanted) continue;
      const now = await currentContract(written.slug, reviews, registry, terminal);
      items.push(checkedFile(path, written, now));
    }
    return items;
  } finally {
    opened?.close();
  }
}

/**
 * Reads only the header at the start of a file, since other files of the repository may be large. Rejects with the
 * system's error.
 */
async function readHeader(cwd: string, name: string) {
  const file = await open(resolve(cwd, name));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
    return readClientHeader(buffer.toString("utf8", 0, bytesRead));
  } finally {
    await file.close();
  }
}

const headerBytes = 4000;

/** The contract that a file should be written from, or why it is unknown. */
type CurrentContract =
  | { readonly isKnown: true; readonly hash: string; readonly version: string; readonly by: string }
  | { readonly isKnown: false; readonly why: string };

async function currentContract(
  slug: string,
  reviews: readonly Review[],
  registry: () => Promise<OpenRegistry>,
  terminal: Terminal,
): Promise<CurrentContract> {
  // Entries are only appended, so the last one is the newest.
  const review = reviews
    .filter(isVersionReview)
    .filter(({ skill }) => skill === slug)
    .at(-1);
  if (review !== undefined) {
    return { isKnown: true, hash: review.contract, version: review.version, by: "reviewed" };
  }
  try {
    const skill = await requireSkill(await registry(), { slug, version: "" }, terminal.signal);
    const contract = readContract(skill, sha256);
    if (!contract.ok) {
      const { version: read } = skill.summary;
      const why = unknownContractText(addressText(slug, read), contract.unknown, english);
      return { isKnown: false, why };
    }
    return {
      isKnown: true,
      hash: contract.hash,
      version: skill.summary.version,
      by: "registry's",
    };
  } catch (error) {
    if (error instanceof CommandError) return { isKnown: false, why: error.message };
    throw error;
  }
}

function checkedFile(
  file: string,
  written: NonNullable<ReturnType<typeof readClientHeader>>,
  now: CurrentContract,
): ReportItem {
  const item = { name: file, file: file.replaceAll("\\", "/") };
  const { slug } = written;
  const finding = (rule: string, message: string) => ({
    rule,
    severity: "error" as const,
    message,
    file: item.file,
    start: { line: 0, character: 0 },
  });
  if (!now.isKnown || written.contractHash === "") {
    const why = now.isKnown ? "It was written from an unknown contract." : now.why;
    const message = `The contract of ${slug} is not known. ${why}`;
    return { ...item, state: "unknown", findings: [finding("contract-unknown", message)] };
  }
  if (now.hash === written.contractHash) return { ...item, state: "good", findings: [] };
  const message = `Written from ${slug}@${written.version}, but the ${now.by} contract is another one (${now.version}). Run \`skill-registry types ${slug}\` again.`;
  return { ...item, state: "findings", findings: [finding("code-outdated", message)] };
}
