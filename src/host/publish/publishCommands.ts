import * as vscode from "vscode";
import { jsonEqual } from "../../core/json/jsonValue";
import { blockingProblems, type PublishingStep } from "../../core/manifest/manifestProblems";
import {
  changedSinceText,
  mayPublish,
  type OwnVersion,
  ownVersion,
  ownVersionText,
  type PublishingState,
  publishingQuestion,
  whyNotPublished,
} from "../../core/manifest/publishing";
import { addressText } from "../../core/skill/skillAddress";
import { verificationIcon } from "../../core/skill/verification";
import { payloadDocument, showDocument } from "../author/payloadDocument";
import type { CommandHandlers } from "../registerCommands";
import { openJson } from "../ui/documents";
import { hostLanguage } from "../ui/hostLanguage";
import { confirm, inform, showError, showStatus } from "../ui/messages";
import { readShown, withWaiting } from "../ui/progress";
import { choose } from "../ui/quickInput/choose";
import { type AccountParts, signedInUser } from "../workspace/account/accountCommands";
import { makeChange } from "../workspace/makeChange";
import type { SignedIn } from "../workspace/signedIn";
import { type CheckedManifest, isManifest, type ManifestChecks } from "./manifestChecks";
import type { ManifestStartParts } from "./manifestStart";
import { newManifest } from "./newManifest";

/** The dependencies of publishing. */
export interface PublishParts extends AccountParts, ManifestStartParts {
  readonly manifests: ManifestChecks;
  /** Rereads a skill and the public list. Called after the skill was changed. */
  readonly readAgain: (slug: string) => Promise<void>;
}

/** Builds the commands of publishers. */
export function publishCommands(parts: PublishParts) {
  return {
    saveDraft: (argument) => publish(parts, argument, "save"),
    submitSkill: (argument) => publish(parts, argument, "submit"),
    mySkills: () => showOwnSkills(parts),
    newManifest: () => newManifest(parts),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Saves the visible manifest as a draft, or submits it. The user's answer counts only for the state that the question
 * described. So role and versions are read again after the answer, and if they changed, the user is asked again.
 */
async function publish(
  parts: PublishParts,
  argument: unknown,
  step: PublishingStep,
): Promise<void> {
  const checked = await checkedManifest(parts, argument, step);
  if (checked?.skill === undefined) return;
  const { document, text, skill, changes, check } = checked;
  const { slug, version } = skill.summary;
  for (let asked: PublishingState | undefined; ; ) {
    const who = await publisherNow(parts);
    const versions = who && (await readVersions(parts, who, slug));
    if (who === undefined || versions === undefined) return;
    const account = who.session.tokenId;
    const warnings = check.problems.length;
    const state = { account, slug, version, versions, changes, warnings };
    const objection = whyNotPublished(state, step, hostLanguage());
    if (objection !== undefined) return void showError(objection);
    const question = publishingQuestion(state, step, asked, hostLanguage());
    if (question !== undefined) {
      if (!(await confirm(question))) return;
      asked = state;
    } else if (document.getText() === text) {
      return send(parts, who, checked, ownVersion(versions, version), step);
    } else {
      return void inform(
        vscode.l10n.t("The manifest changed in the meantime, so nothing was sent. Run this again."),
      );
    }
  }
}

/** Returns the visible manifest after a new check. Undefined if it may not be sent, which is shown. */
async function checkedManifest(
  { manifests }: PublishParts,
  argument: unknown,
  step: PublishingStep,
): Promise<CheckedManifest | undefined> {
  const document = payloadDocument(argument);
  if (document === undefined || !isManifest(document)) {
    void inform(vscode.l10n.t("Open a skillhub.json, then run this again."));
    return undefined;
  }
  const title = vscode.l10n.t("Checking the manifest");
  const checked = await withWaiting(title, () => manifests.check(document));
  if (checked === undefined) return undefined;
  const [first, ...others] = blockingProblems(checked.check.problems, step);
  const isChecked = checked.check.state !== "unchecked" && checked.skill !== undefined;
  if (first === undefined && isChecked) return checked;
  const editor = await showDocument(document);
  const at = document.positionAt(first?.start ?? 0);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(editor.selection);
  void showError(
    first === undefined
      ? vscode.l10n.t("The manifest could not be checked, so nothing was sent.")
      : others.length === 0
        ? vscode.l10n.t("Nothing was sent: the manifest has a problem. {0}", first.message)
        : vscode.l10n.t("Nothing was sent: the manifest has {0} problems.", others.length + 1),
  );
  return undefined;
}

/** Returns the signed-in user if their role may publish now. Undefined if not, which is shown. */
async function publisherNow(parts: PublishParts): Promise<SignedIn | undefined> {
  const who = await signedInUser(parts);
  if (who === undefined) return undefined;
  const account = await readShown(
    vscode.l10n.t("Reading your role"),
    (signal) => who.routes.account(signal),
    (failure) => parts.project.noteFailure(who.session, failure),
  );
  if (account === undefined || mayPublish(account.role)) return account && who;
  void showError(
    vscode.l10n.t("Only an owner, admin or publisher of the organization may publish skills."),
  );
  return undefined;
}

/** Reads the versions of a skill. The skill's open manifests are checked with these versions from then on. */
async function readVersions({ manifests, project }: PublishParts, who: SignedIn, slug: string) {
  const versions = await readShown(
    vscode.l10n.t("Reading the versions of {0}", slug),
    (signal) => who.routes.ownVersions(slug, signal),
    (failure) => project.noteFailure(who.session, failure),
  );
  if (versions !== undefined) await manifests.learn(slug, versions);
  return versions;
}

async function send(
  parts: PublishParts,
  who: SignedIn,
  { text, skill, manifest }: CheckedManifest,
  own: OwnVersion | undefined,
  step: PublishingStep,
): Promise<void> {
  const { slug = "", version = "" } = skill?.summary ?? {};
  const name = addressText(slug, version);
  const change = (title: string, work: Parameters<typeof makeChange<true>>[3]) =>
    makeChange(parts.project, who, title, work);
  const isSaved =
    (step === "submit" && jsonEqual(own?.manifest, manifest)) ||
    (await change(vscode.l10n.t("Saving the draft of {0}", name), (signal) =>
      who.routes.saveDraft(slug, text, signal),
    ));
  const isDone =
    step === "save" || isSaved !== true
      ? isSaved
      : await change(vscode.l10n.t("Submitting {0}", name), (signal) =>
          who.routes.submitVersion(slug, version, signal),
        );
  await readVersions(parts, who, slug);
  if (isDone !== true) return;
  const done =
    step === "submit"
      ? vscode.l10n.t("{0} is submitted for review.", name)
      : vscode.l10n.t("Draft of {0} saved.", name);
  showStatus("pass", done);
  await parts.readAgain(slug);
}

/** Lists the publisher's skills, then the versions of one with their reviews, and opens the manifest of the chosen one. */
async function showOwnSkills(parts: PublishParts): Promise<void> {
  const title = vscode.l10n.t("My Skills");
  const who = await publisherNow(parts);
  const skills = who && (await readShown(title, (signal) => who.routes.ownSkills(signal)));
  if (who === undefined || skills === undefined) return;
  const language = hostLanguage();
  const none = vscode.l10n.t("Your organization has no skills yet. Save a draft first.");
  const slug = await choose(
    skills.map((skill) => ({
      label: skill.name,
      description: `${addressText(skill.slug, skill.version)} · ${ownVersionText(skill, language)}`,
      icon: verificationIcon(skill.status),
      value: skill.slug,
    })),
    { title, none },
  );
  const versions = slug && (await readVersions(parts, who, slug));
  if (!versions) return;
  const manifest = await parts.manifests.manifestOf(slug);
  const chosen = await choose(
    versions.map((item) => ({
      label: item.version,
      // The row cuts a long detail, such as the reviewer's notes.
      description: [ownVersionText(item, language), changedSinceText(item, manifest, language)]
        .filter((text) => text !== "")
        .join(" · "),
      detail: item.notes ?? "",
      icon: verificationIcon(item.status),
      value: item,
    })),
    { title: vscode.l10n.t("Versions of {0}", slug) },
  );
  if (chosen !== undefined) await openJson(chosen.manifest ?? null);
}
