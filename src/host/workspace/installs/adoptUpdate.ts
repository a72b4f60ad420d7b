import * as vscode from "vscode";
import { parsedJson } from "../../../core/json/jsonValue";
import type { PayloadCheck } from "../../../core/payload/payloadCheck";
import { renameWarning } from "../../../core/project/changes";
import { type InstalledSkill, isApproved } from "../../../core/project/project";
import type { OpenUpdate } from "../../../core/project/updateInbox";
import {
  type BrokenPayload,
  brokenBy,
  brokenCountText,
  brokenText,
  earlierVersions,
  rollBackQuestion,
  toSkillDetail,
  updateDifference,
} from "../../../core/project/updates";
import type { Result } from "../../../core/registry/registryFailure";
import { isSameVersion } from "../../../core/skill/isNewerVersion";
import { inputSchemaOf, type SkillDetail } from "../../../core/skill/skill";
import { suiteParts } from "../../../core/suite/suiteText";
import { labelText, oneLine } from "../../../core/text/plainText";
import { maxTextBytes } from "../../../engine/files/repositoryFile";
import type { AdoptedUpdate } from "../../../registry/workspace/workspaceRoutes";
import { isExpectedValid } from "../../suites/suiteChecks";
import { showFile } from "../../ui/documents";
import { hostLanguage } from "../../ui/hostLanguage";
import { confirm, inform, showStatus } from "../../ui/messages";
import { withProgress, withWaiting } from "../../ui/progress";
import { choose } from "../../ui/quickInput/choose";
import { readEditedFile } from "../../workspaceFile";
import type { ProjectParts } from "../inProject";
import { makeChange } from "../makeChange";
import type { InProject } from "../signedIn";
import { findInstall } from "./installCommands";
import { findUpdate, updateVersions } from "./updateActions";

/** Pins the version of an update after showing its changes, and then offers to roll back. */
export async function adoptUpdate(parts: ProjectParts, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Adopt Update");
  const isVersion = ({ targetVersion }: OpenUpdate) => targetVersion !== undefined;
  const none = vscode.l10n.t("All skills of this project are up to date.");
  const found = await findUpdate(parts, argument, { title, none, isFit: isVersion });
  if (found === undefined) return;
  const { at, update } = found;
  const { targetVersion = "" } = update;
  const breaking = await agreesTo(parts, at, update, targetVersion);
  if (breaking === undefined) return;
  const name = labelText(`${update.skillSlug}@${targetVersion}`);
  const adopted = await makeChange(
    parts.project,
    at,
    vscode.l10n.t("Adopting {0}", name),
    (signal) => adopt(at, update, targetVersion, signal),
  );
  if (adopted === undefined) return;
  const needsApproval = isApproved(adopted.approvalState) === false;
  await showAdopted(parts, at, update, { needsApproval, breaking });
}

/** Adopts an update of the project's inbox, or installs a version that only the public list offers. */
async function adopt(
  { routes, detail }: InProject,
  { ids, skillSlug }: OpenUpdate,
  targetVersion: string,
  signal: AbortSignal,
): Promise<Result<AdoptedUpdate>> {
  const { slug } = detail.summary;
  const [id, ...others] = ids;
  if (id === undefined) return routes.install(slug, skillSlug, targetVersion, signal);
  const answer = await routes.settleUpdate(slug, id, { status: "adopted" }, signal);
  // The inbox may have several entries for one release. Ignore the others, which would stay open forever.
  const rest = { status: "ignored", note: "Adopted with another entry." } as const;
  if (answer.ok) {
    await Promise.all(others.map((other) => routes.settleUpdate(slug, other, rest, signal)));
  }
  return answer;
}

/**
 * Lists the changes, with the adoption as the first row: Enter adopts, Escape does not. Resolves to the files that the
 * adoption breaks; undefined without consent.
 */
async function agreesTo(
  { payloads }: ProjectParts,
  { registry, routes, detail }: InProject,
  update: OpenUpdate,
  targetVersion: string,
): Promise<readonly BrokenFile[] | undefined> {
  const { skillSlug } = update;
  const compared = await withWaiting(
    vscode.l10n.t("Comparing the versions of {0}", labelText(skillSlug)),
    async (signal) => {
      const [pinned, offered] = await Promise.all([
        routes.pinnedSkill(detail.summary.slug, skillSlug, signal),
        registry.client.skill(skillSlug, targetVersion, signal),
      ]);
      const isBoth =
        pinned.ok && offered.ok && isSameVersion(offered.value.summary.version, targetVersion);
      const breaking = isBoth
        ? await brokenPayloads(payloads, toSkillDetail(pinned.value), offered.value, signal).catch(
            () => [],
          )
        : [];
      return { pinned, offered, breaking };
    },
  );
  if (compared === undefined) return undefined;
  const { pinned, offered, breaking } = compared;
  const language = hostLanguage();
  const difference = updateDifference(
    pinned.ok ? pinned.value : undefined,
    offered.ok ? offered.value : undefined,
    targetVersion,
    language,
  );
  // Adopting an update of the inbox never renames the project; installing a version may.
  const renames = update.ids.length > 0 ? "" : renameWarning(detail.summary, language);
  const note = (label: string, icon: string, value?: vscode.Uri) => ({ label, icon, value });
  const chosen = await choose<"adopt" | vscode.Uri | undefined>(
    [
      {
        label: vscode.l10n.t("Adopt {0}", oneLine(targetVersion, 40)),
        icon: "arrow-circle-up",
        description: difference.note,
        value: "adopt",
      },
      ...(renames === "" ? [] : [note(renames, "warning")]),
      ...breaking.map((file) => note(brokenText(file, language), "error", file.uri)),
      ...difference.changes.map(({ text, needsLook }) =>
        note(text, needsLook ? "warning" : "circle-small"),
      ),
    ],
    {
      title: `${oneLine(update.skillName, 60)} ${oneLine(updateVersions(update), 60)}`,
      placeHolder: vscode.l10n.t(
        "Press Enter to adopt this version in {0}",
        oneLine(detail.summary.name, 60),
      ),
    },
  );
  if (chosen instanceof vscode.Uri) await showFile(chosen);
  return chosen === "adopt" ? breaking : undefined;
}

/** Opens one of the files that an update broke, with its problems marked. */
async function showBroken(files: readonly BrokenFile[]): Promise<void> {
  const [first, ...others] = files;
  const uri =
    others.length === 0
      ? first?.uri
      : await choose(
          files.map(({ uri, path, first: problem }) => ({
            label: oneLine(path, 80),
            description: oneLine(problem, 200),
            value: uri,
          })),
          { title: vscode.l10n.t("Files That Are No Longer Valid") },
        );
  if (uri !== undefined) await showFile(uri);
}

async function showAdopted(
  parts: ProjectParts,
  at: InProject,
  { skillSlug, currentVersion, targetVersion = "" }: OpenUpdate,
  became: { readonly needsApproval: boolean; readonly breaking: readonly BrokenFile[] },
): Promise<void> {
  const { detail } = at;
  const name = `${skillSlug}@${targetVersion}`;
  const { needsApproval, breaking } = became;
  const text = needsApproval
    ? vscode.l10n.t(
        "{0} is pinned in {1}. An owner or admin has to approve it.",
        name,
        detail.summary.name,
      )
    : vscode.l10n.t("{0} is pinned in {1}.", name, detail.summary.name);
  const back = vscode.l10n.t("Roll Back");
  const show = vscode.l10n.t("Show Files");
  const buttons = [
    ...(breaking.length === 0 ? [] : [show]),
    ...(currentVersion === undefined ? [] : [back]),
  ];
  const broken = brokenCountText(breaking.length, hostLanguage());
  const answer = await inform([text, broken].filter(Boolean).join(" "), ...buttons);
  if (answer === show) await showBroken(breaking);
  if (answer !== back || currentVersion === undefined) return;
  const skill = detail.skills.find(({ slug }) => slug === skillSlug);
  if (skill === undefined) return;
  await rollBack(parts, at, { ...skill, version: targetVersion }, currentVersion);
}

/** Pins an earlier version of a skill: one that was pinned before, or an older listed one. */
export async function rollBackSkill(parts: ProjectParts, argument: unknown): Promise<void> {
  const found = await findInstall(parts, argument, {
    title: vscode.l10n.t("Roll Back Skill"),
    none: vscode.l10n.t("No skill is installed in this project."),
    isFit: ({ status }) => status === "installed",
  });
  if (found === undefined) return;
  const { at, skill } = found;
  const name = labelText(skill.name, 80);
  const read = await withProgress(vscode.l10n.t("Loading {0}", name), (signal) =>
    at.registry.client.ownDetail(skill.slug, signal),
  );
  const listed = read.ok ? read.value.versions : [];
  const versions = earlierVersions(skill, parts.project.pinnedBefore(skill.slug), listed);
  const target = await choose(
    versions.map((version) => ({ label: version, value: version })),
    {
      title: vscode.l10n.t("Roll Back {0}, now {1}", name, labelText(skill.version, 40)),
      placeHolder: vscode.l10n.t("Select a version"),
      none: vscode.l10n.t("No earlier version of {0} is known.", name),
    },
  );
  if (target === undefined) return;
  await rollBack(parts, at, skill, target);
}

/** Pins an earlier version after consent, since that changes the project for everybody. */
async function rollBack(
  parts: ProjectParts,
  at: InProject,
  skill: InstalledSkill,
  version: string,
): Promise<void> {
  const { routes, detail } = at;
  const question = rollBackQuestion(skill, version, detail.summary, hostLanguage());
  if (!(await confirm(question))) return;
  const earlier = labelText(`${skill.slug}@${version}`);
  const title = vscode.l10n.t("Rolling back to {0}", earlier);
  const restored = await makeChange(parts.project, at, title, (signal) =>
    routes.install(detail.summary.slug, skill.slug, version, signal),
  );
  if (restored === undefined) return;
  showStatus("history", vscode.l10n.t("{0} is pinned again.", earlier));
}

/** The maximum number of checked files. Larger workspaces can use the Testing view. */
const maxFiles = 200;

/** A payload of the workspace, in a file of its own or in a suite. */
interface UsedPayload {
  readonly uri: vscode.Uri;
  readonly text: string;
}

/** A payload that an update breaks, and its file. */
type BrokenFile = BrokenPayload & { readonly uri: vscode.Uri };

/**
 * Finds the files of the workspace with a payload that is valid for one version of a skill and not for the other: open
 * or saved payloads, and suites. Skips unreadable files. Rejects only when aborted.
 */
async function brokenPayloads(
  { files, details, checks }: ProjectParts["payloads"],
  before: SkillDetail,
  after: SkillDetail,
  signal: AbortSignal,
): Promise<readonly BrokenFile[]> {
  const { slug } = after.summary;
  const payloads = await files.payloadsOf(slug, (other) => details.exists(other));
  const broken = new Map<string, BrokenFile>();
  for (const { uri, text } of [
    ...(await textsOf(payloads)),
    ...(await textsOf(await files.suites())).flatMap((suite) => payloadsIn(suite, slug)),
  ]) {
    if (broken.has(`${uri}`)) continue;
    const check = async (skill: SkillDetail): Promise<PayloadCheck> =>
      (await checks.checkIn(uri, inputSchemaOf(skill), text, signal)).check;
    const path = vscode.workspace.asRelativePath(uri);
    const brokenPayload = brokenBy(path, await check(before), await check(after));
    if (brokenPayload !== undefined) broken.set(`${uri}`, { ...brokenPayload, uri });
  }
  return [...broken.values()];
}

async function textsOf(uris: readonly vscode.Uri[]): Promise<readonly UsedPayload[]> {
  const found: UsedPayload[] = [];
  for (const uri of uris.slice(0, maxFiles)) {
    const read = await readEditedFile(uri, maxTextBytes);
    if (read.kind === "text") found.push({ uri, text: read.text });
  }
  return found;
}

/**
 * Lists the payloads of a suite for a skill. An update changes only suites without a version, which follow the project.
 */
function payloadsIn({ uri, text }: UsedPayload, slug: string): readonly UsedPayload[] {
  const written = parsedJson(text);
  const { address, payloads } = suiteParts(text);
  if (written === undefined || address?.slug !== slug || address.version !== "") return [];
  return payloads
    .filter(isExpectedValid(written))
    .map(({ start, end }) => ({ uri, text: text.slice(start, end) }));
}
