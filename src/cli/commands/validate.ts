import { resolve } from "node:path";
import { version } from "../../../package.json";
import type { PayloadEnvironment } from "../../core/environment/payloadEnvironment";
import { checkResolved, resolvePayload } from "../../core/environment/resolvedPayload";
import { CommandError } from "../../core/findings/commandError";
import {
  type Finding,
  findingsOf,
  type ReportItem,
  stateOfCheck,
} from "../../core/findings/report";
import {
  type NotOnePayload,
  notOnePayload,
  signatureText,
} from "../../core/invocation/run/inputKind";
import { isPayloadFile, slugsOfPayloadFile } from "../../core/payload/payloadBinding";
import { lineStartsOf, type PositionRange, positionsIn } from "../../core/payload/payloadCheck";
import { projectKeyVariable } from "../../core/registry/credential";
import { contractOf } from "../../core/review/files/contractFiles";
import { isVersionReview } from "../../core/review/files/reviewFiles";
import { isSameVersion } from "../../core/skill/isNewerVersion";
import { inputSchemaOf, type SkillSchema } from "../../core/skill/skill";
import type { SkillAddress } from "../../core/skill/skillAddress";
import { isSuiteFile } from "../../core/suite/suite";
import { createTurns } from "../../core/suite/turns";
import { english } from "../../core/text/language";
import {
  fileReason,
  NotTextError,
  readFoundText,
  readStandardInput,
} from "../../engine/files/textFile";
import { command } from "../command";
import { defaultJobs } from "../engine/cliEngine";
import { openChecker, type PayloadChecker } from "../engine/payloadChecker";
import { findFiles, nothingFoundText, unreadItems } from "../files/findFiles";
import { findTeamRoot, readTeamFolder } from "../files/teamFolder";
import type { OptionTable, OptionValues } from "../options";
import { readReport, reportOptions, writeReport } from "../output/writeReport";
import { environmentOption, offlineEnvironment, openEnvironment } from "../registry/environment";
import { skillOptions } from "../registry/openRegistry";
import { addressOf, failureText, readSkill } from "../registry/readSkill";
import { type Terminal, UsageError } from "../terminal";

const options = {
  skill: {
    value: "SLUG[@VERSION]",
    text: "The skill that all files are for, regardless of their names.",
  },
  offline: {
    text: "Use the contracts in .skill-registry/ instead of a registry.",
    not: Object.keys(skillOptions),
  },
  ...reportOptions,
  ...environmentOption,
  ...skillOptions,
} as const satisfies OptionTable;

export const validate = command({
  name: "validate",
  operands: "FILES…",
  summary: "Check payloads against the input schemas of their skills, as the editor does.",
  details: [
    "FILES are files, folders, patterns such as 'data/*.json', or - for the standard input.",
    "A file name starts with the skill that the payload is for, and may add a label: text-stats.skill-input.json, text-stats.large.skill-input.json. In a folder, all *.skill-input.json files are checked. Nothing is invoked and no Project Key is needed; with a key or user token in the environment, payloads are checked against the versions that the project runs.",
  ],
  options,
  examples: [
    ["Check all payloads below this folder", "skill-registry validate ."],
    ["Check files for a skill", "skill-registry validate data/*.json --skill csv-profile"],
    ["Mark problems in a pull request", "skill-registry validate . --offline --format github"],
  ],
  run: async ({ operands, options: given }, terminal) => {
    const forms = readReport(given);
    if (operands.length === 0) throw new UsageError("Specify files or folders.");
    const chosen = given.skill;
    const address = chosen === undefined ? undefined : addressOf(chosen);
    const isPiped = operands.includes(standardInput);
    if (isPiped && address === undefined) {
      throw new UsageError("Name the skill of the standard input with --skill.");
    }
    const named = operands.filter((operand) => operand !== standardInput);
    const found = await findFiles(terminal.cwd, named, isPayloadFile);
    const files = [...(isPiped ? [standardInput] : []), ...found.files];
    const unread = unreadItems(found);
    const source = { command: "validate", version, folder: terminal.cwd };
    if (files.length === 0) {
      const nothing = nothingFoundText("*.skill-input.json", operands);
      return writeReport(unread, forms, { ...source, nothing }, terminal);
    }
    // The thread of the checker starts while the registry answers.
    const checker = await openChecker(terminal);
    try {
      const schemas = await openSchemas(given, terminal);
      try {
        const items: ReportItem[] = [];
        const waiting = files.entries();
        const checkWaiting = async () => {
          for (const [index, file] of waiting) {
            items[index] = await checkFile(file, address, schemas, checker, terminal);
          }
        };
        await Promise.all(Array.from({ length: filesAtOnce }, checkWaiting));
        return await writeReport([...items, ...unread], forms, source, terminal);
      } finally {
        schemas.close();
      }
    } finally {
      checker.close();
    }
  },
});

/** The number of files in progress. It keeps disk, registry and thread busy while large files still fit in memory. */
const filesAtOnce = 64;

/** The operand for standard input. */
const standardInput = "-";

/** The source of skills' input schemas, or why none is available. */
interface Schemas {
  readonly find: (
    address: SkillAddress,
  ) => Promise<
    | { readonly ok: true; readonly schema: SkillSchema }
    | { readonly ok: false; readonly reason: () => string; readonly isMissing: boolean }
  >;
  /** Replaces placeholders. */
  readonly environment: PayloadEnvironment;
  readonly close: () => void;
}

async function openSchemas(
  given: OptionValues<typeof options>,
  terminal: Terminal,
): Promise<Schemas> {
  const reads = new Map<string, ReturnType<Schemas["find"]>>();
  const turns = createTurns(defaultJobs);
  const once =
    (find: Schemas["find"]): Schemas["find"] =>
    (address) => {
      const name = `${address.slug}@${address.version}`;
      const read = reads.get(name) ?? turns(() => find(address));
      reads.set(name, read);
      return read;
    };
  if (given.offline) {
    const environment = await offlineEnvironment(given, terminal);
    return { find: once(await contractSchemas(terminal)), environment, close: () => {} };
  }
  const { registry, environment } = await openEnvironment(given, terminal, { isKeyless: true });
  const find: Schemas["find"] = async (address) => {
    // A skill's own route may omit the version, which the registry's list states.
    const needs = address.version === "" ? [] : (["listing"] as const);
    const read = await readSkill(registry, address, terminal.signal, needs);
    if (read.ok) return { ok: true, schema: inputSchemaOf(read.value) };
    const { failure } = read;
    return {
      ok: false,
      reason: () => failureText(registry, failure, address),
      isMissing: failure.kind === "notFound",
    };
  };
  return { find: once(find), environment, close: registry.close };
}

/** Returns the contracts of the folder; for a skill without a version, the last reviewed one. */
async function contractSchemas({ cwd }: Terminal): Promise<Schemas["find"]> {
  const folder = await readTeamFolder(await findTeamRoot(cwd));
  if (folder.kind !== "read") {
    throw new CommandError(
      "--offline needs a .skill-registry folder that `skill-registry check` can read.",
    );
  }
  const { reviews, contracts } = folder.files;
  return async ({ slug, version }) => {
    // Includes reviews of every registry, since no request is sent here.
    const last = reviews
      .filter(isVersionReview)
      .findLast(
        (review) =>
          review.skill === slug && (version === "" || isSameVersion(review.version, version)),
      );
    const contract = last && contractOf(contracts, last)?.contract;
    if (contract !== undefined) {
      const schema = contract.inputSchema ?? undefined;
      // A contract is stored only if its numbers are exact.
      return { ok: true, schema: { schema, lossyNumbers: undefined } };
    }
    const reason = () => `There is no reviewed contract of ${slug}${version && `@${version}`}.`;
    return { ok: false, reason, isMissing: true };
  };
}

async function checkFile(
  name: string,
  chosen: SkillAddress | undefined,
  schemas: Schemas,
  checker: PayloadChecker,
  { cwd, env }: Terminal,
): Promise<ReportItem> {
  // Piped text has no path in the repository.
  const file = name === standardInput ? "" : name;
  const of = (state: ReportItem["state"], findings: readonly Finding[]): ReportItem => ({
    name,
    file,
    state,
    findings,
  });
  const broken = (message: string, at?: PositionRange) =>
    of("broken", [{ rule: "file", severity: "error", message, file, ...at }]);
  const notOne = ({ message, start }: NotOnePayload) =>
    broken(message, positionsIn(lineStartsOf(text), { start, end: start }));
  const unchecked = (message: string): Finding => ({
    rule: "unchecked",
    severity: "warning",
    message,
    file,
  });
  let text: string;
  try {
    text = await (file === "" ? readStandardInput() : readFoundText(resolve(cwd, file)));
  } catch (error) {
    const format = error instanceof NotTextError ? signatureText(name, error.head) : undefined;
    return broken(format ?? `This file could not be read: ${fileReason(error)}.`);
  }
  const addresses = chosen
    ? [chosen]
    : slugsOfPayloadFile(name).map((slug) => ({ slug, version: "" }));
  if (addresses.length === 0) {
    const message = isSuiteFile(name)
      ? "This is a suite. Check it with `skill-registry test`."
      : "The file name does not start with a skill's slug (letters a to z, digits and dashes). Rename it to <slug>.skill-input.json, or pass --skill.";
    const other = notOnePayload(name, text, undefined);
    return other === undefined ? broken(message) : notOne(other);
  }
  let reason: (() => string) | undefined;
  for (const address of addresses) {
    const found = await schemas.find(address);
    if (found.ok) {
      const other = notOnePayload(name, text, found.schema.schema);
      if (other !== undefined) return notOne(other);
      const key = env[projectKeyVariable];
      const resolution = resolvePayload(text, schemas.environment, english);
      const check = await checkResolved(
        resolution,
        (resolved, allowedSecrets) =>
          checker.check(resolved, found.schema, { key, allowedSecrets }),
        english,
      );
      return of(stateOfCheck(check), findingsOf(check.problems, text, file));
    }
    // `a.b` means the skill `a` with the label `b` only if no skill is named `a.b`.
    reason ??= found.reason;
    if (!found.isMissing) break;
  }
  return of("unknown", [unchecked(`This payload could not be checked. ${reason?.()}`)]);
}
