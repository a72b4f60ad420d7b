import { exitCodes } from "../core/findings/report";
import {
  type Allowances,
  type GateStop,
  skillGate,
} from "../core/invocation/permission/unattendedConsent";
import { skillAtRegistry } from "../core/review/checkReviews";
import { reviewFolder } from "../core/review/reviewFiles";
import { teamStanding } from "../core/review/teamStanding";
import type { SkillDetail } from "../core/skill/skill";
import { english } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import { CliError, type CommandOption, type Given, type Terminal } from "./command";
import type { OpenRegistry } from "./openRegistry";
import { sha256 } from "./readSkill";
import { findTeamRoot, readTeamFolder } from "./teamFolder";

/** The options by which a person says beforehand what the editor would ask about. */
export const gateOptions: Readonly<Record<string, CommandOption>> = {
  yes: { text: "Agree to what the skill may do and costs." },
  unchecked: { text: "Send payloads that could not be checked." },
  secrets: { text: "Send payloads that seem to hold a credential." },
  unreviewed: {
    text: `Send although ${reviewFolder}/ says that the skill is not as it was reviewed.`,
  },
};

/** Reads what a person allowed. */
export function readAllowances(given: Given, maxCents?: number): Allowances {
  return {
    terms: given.isSet("yes"),
    unchecked: given.isSet("unchecked"),
    secrets: given.isSet("secrets"),
    unreviewed: given.isSet("unreviewed"),
    maxCents,
  };
}

/** Throws a `CliError` where the skill may not be invoked: what the editor would ask about needs an option. */
export async function passSkillGate(
  skill: SkillDetail,
  registry: OpenRegistry,
  allowed: Allowances,
  { cwd }: Terminal,
): Promise<void> {
  const folder = await readTeamFolder(await findTeamRoot(cwd));
  if (folder.kind === "broken") {
    throw new CliError(`A file in ${reviewFolder} is broken. \`skill-registry check\` says what.`);
  }
  const today = new Date().toISOString().slice(0, 10);
  const standing =
    folder.kind === "read"
      ? teamStanding(
          { files: [folder.files], broken: [], registry: registry.reviewName },
          skill.summary.slug,
          skillAtRegistry(skill, sha256),
          today,
        )
      : undefined;
  const { name, origin, isBuiltIn } = registry;
  const unattended = { skill, registry: name, origin, isBuiltIn, standing };
  const stop = skillGate(unattended, allowed, sha256, english);
  if (stop !== undefined) throw stopError(stop);
}

const cures: Readonly<Partial<Record<GateStop["kind"], string>>> = {
  terms: "Agree with --yes.",
  unreviewed: "Send it all the same with --unreviewed.",
  unchecked: "Send it all the same with --unchecked.",
  secrets: "Send it all the same with --secrets.",
};

/** Puts a stop into words, with the option that lets it pass. */
export function stopError({ kind, message, detail }: GateStop): CliError {
  const cure = cures[kind];
  const lines = [
    message,
    ...detail.map((line) => `  ${oneLine(line, 500)}`),
    ...(cure ? [cure] : []),
  ];
  return new CliError(lines.join("\n"), exitCodes.findings);
}
