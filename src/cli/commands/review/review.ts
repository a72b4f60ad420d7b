import { CommandError } from "../../../core/findings/commandError";
import { exitCodes } from "../../../core/findings/report";
import { sharedTextProblem } from "../../../core/payload/sharedText";
import { userTokenVariable } from "../../../core/registry/credential";
import { skillAtRegistry } from "../../../core/review/checkTeam";
import { requiredCriteria } from "../../../core/review/coverage";
import { changesText } from "../../../core/review/driftText";
import { policyFileName, reviewFolder } from "../../../core/review/files/reviewFiles";
import {
  changesSinceReview,
  filesToReview,
  isContractUnchanged,
  isRecorded,
  type NewReview,
  newReview,
  type ReviewRecording,
} from "../../../core/review/newReview";
import type { Contract } from "../../../core/skill/compare/contract";
import { isSameVersion } from "../../../core/skill/isNewerVersion";
import { english } from "../../../core/text/language";
import { oneLine } from "../../../core/text/plainText";
import { writeError } from "../../../engine/files/textFile";
import { gitUser } from "../../../engine/gitUser";
import { sha256 } from "../../../engine/sha256";
import { command } from "../../command";
import { brokenFolder, findTeamRoot, readTeamFolder, writeReview } from "../../files/teamFolder";
import { openRegistry, skillOptions } from "../../registry/openRegistry";
import { addressOf, requireSkill } from "../../registry/readSkill";
import { UsageError } from "../../terminal";

export const review = command({
  name: "review",
  operands: "SLUG[@VERSION]",
  summary: "Record that you reviewed a skill, as the registry describes it now.",
  details: [
    `Writes the entry and the contract to ${reviewFolder}/ in this folder. Commit them like any other change. If another version is already reviewed, the entry covers the step from that version. The first review also creates a policy to start with.`,
  ],
  options: {
    criteria: {
      value: "NAME",
      text: "A criterion that you attest. Default: those the policy requires.",
      multiple: true,
    },
    notes: { value: "TEXT", text: "What you reviewed, in your own words." },
    until: { value: "DATE", text: "The last day the review counts, such as 2027-06-30." },
    who: { value: "NAME", text: "The reviewer. Default: your name and email in git." },
    whole: { text: "Review the whole version, not only the step from the last reviewed one." },
    ...skillOptions,
  },
  examples: [
    ["Record a review", 'skill-registry review text-stats --notes "Schemas and permissions read."'],
  ],
  run: async ({ operands, options }, terminal) => {
    const address = addressOf(operands.length === 1 ? operands[0] : undefined);
    const { until } = options;
    if (until !== undefined && !/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(until)) {
      throw new UsageError("--until expects a date (YYYY-MM-DD).");
    }
    const cwd = await findTeamRoot(terminal.cwd);
    const folder = await readTeamFolder(cwd);
    if (folder.kind === "broken") throw brokenFolder();
    const files = filesToReview(folder);
    const required = requiredCriteria(files.policy, address.slug);
    const criteria = options.criteria.length > 0 ? options.criteria : required;
    const unknown = criteria.find((name) => !Object.hasOwn(files.policy.criteria, name));
    if (unknown !== undefined) {
      throw new CommandError(
        `${reviewFolder}/${policyFileName} defines no criterion "${oneLine(unknown, 60)}".`,
      );
    }
    const who = options.who ?? (await reviewer(cwd));
    if (who.trim() === "") throw new UsageError("--who expects a name.");
    const problem = sharedTextProblem(options.notes ?? "", english);
    if (problem !== "") throw new UsageError(`--notes: ${problem}`);
    const registry = await openRegistry(options, terminal);
    try {
      const skill = skillAtRegistry(await requireSkill(registry, address, terminal.signal), sha256);
      const made = newReview(files, {
        slug: address.slug,
        registry: registry.reviewName,
        skill,
        criteria,
        who,
        when: new Date().toISOString(),
        until,
        notes: options.notes,
        isWhole: options.whole,
      });
      if (made === undefined || !skill.contract.ok) {
        const isPartial = !skill.contract.ok && skill.contract.unknown === "manifest";
        const message = isPartial
          ? `The Project Key shows only a part of what a review covers. Set ${userTokenVariable}.`
          : "The registry did not return everything that a review covers. Try again later.";
        throw new CommandError(message, exitCodes.unknown);
      }
      if (isRecorded(files, made, { isWhole: options.whole })) {
        const { version } = made.review;
        terminal.print(`Already reviewed: ${address.slug}@${version}. Nothing was added.\n`);
        return exitCodes.good;
      }
      const recording = await writeReview(cwd, made);
      if (recording.kind !== "recorded") throw recordingError(recording);
      const { version, from } = made.review;
      const step = from === undefined ? "" : `, the step from ${from}`;
      terminal.print(
        `Recorded the review of ${address.slug}@${version}${step}: ${skill.contract.hash}\n`,
      );
      if (recording.policy !== undefined) {
        terminal.print(
          `Created ${reviewFolder}/${policyFileName}: every skill used in this repository must now be reviewed for ${recording.policy.require.join(", ")}. To undo that, delete the new files of ${reviewFolder}/.\n`,
        );
      }
      if (made.before !== undefined) {
        const since = isSameVersion(made.before.version, version)
          ? "it was reviewed"
          : made.before.version;
        terminal.print(`Changed since ${since}: ${changeText(made, made.before.contract)}.\n`);
      }
      return exitCodes.good;
    } finally {
      registry.close();
    }
  },
});

function changeText(made: NewReview, before: Contract): string {
  if (isContractUnchanged(made)) return "nothing in the contract";
  const sides = { before, after: made.contract };
  const changes = changesText(changesSinceReview(made) ?? [], sides, english);
  return changes || "nothing that a caller depends on";
}

/** Describes why nothing was recorded. */
function recordingError(recording: Exclude<ReviewRecording, { kind: "recorded" }>): CommandError {
  switch (recording.kind) {
    case "broken":
      return brokenFolder();
    case "refused": {
      const { file, problem } = recording;
      return new CommandError(
        `Nothing was written: ${reviewFolder}/${file} would be invalid. ${problem}`,
      );
    }
    case "failed":
      return writeError(`${reviewFolder}/${recording.file}`, recording.error);
  }
}

async function reviewer(repository: string): Promise<string> {
  try {
    return await gitUser(repository);
  } catch {
    throw new CommandError(
      "No git user is configured. Set user.name and user.email, or pass --who.",
    );
  }
}
