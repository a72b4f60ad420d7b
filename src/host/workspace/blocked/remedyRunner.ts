import * as vscode from "vscode";
import { trialQuestion } from "../../../core/project/changes";
import {
  type BlockCode,
  type RemedyName,
  remedyNames,
  spellCode,
} from "../../../core/project/gateway/codes";
import type { PredictedResponse } from "../../../core/project/gateway/projectChecks";
import {
  type BlockedBinding,
  installedVersion,
  ownerRequest,
  publisherRequest,
  stillBlockedNotice,
  unblockingPolicy,
  verifiedVersion,
  WaitingInvocations,
} from "../../../core/project/gateway/remedies";
import type { InstalledSkill, PolicyRow } from "../../../core/project/project";
import { labelText, oneLine } from "../../../core/text/plainText";
import { currentRegistry, currentRegistryName } from "../../connect/currentRegistry";
import { registryTitle } from "../../connect/registryConnection";
import { commandIds } from "../../ids";
import { hostLanguage } from "../../ui/hostLanguage";
import { confirm, inform, offer, openInBrowser, showStatus, warn } from "../../ui/messages";
import { Owner } from "../../ui/owner";
import { withProgress } from "../../ui/progress";
import { showFailure, showNotice } from "../../ui/showNotice";
import { inProject, type ProjectParts } from "../inProject";
import {
  approveSkill,
  changeInstall,
  copyRequest,
  installSkill,
  offerRequest,
} from "../installs/installCommands";
import { makeChange } from "../makeChange";
import {
  changePolicy,
  onlyOwnersText,
  type PolicyDocuments,
  readPolicyToChange,
} from "../policyDocuments";
import type { InProject } from "../signedIn";
import { reachKeyProject } from "./reachKeyProject";

/** An invocation that a project blocked, or would block. */
export interface BlockedInvocation extends BlockedBinding {
  /** Continues the invocation; left out if nothing was invoked yet. */
  readonly stopped?: StoppedInvocation;
}

interface StoppedInvocation {
  /** Its Project Key; left out for a test run, which belongs to the chosen project. */
  readonly key?: string;
  /** Moves its payload to another version. Resolves to whether it may be sent to that version. */
  readonly useVersion: (version: string) => Promise<boolean>;
  /** Continues the stopped invocation with the same payload. */
  readonly resume: () => unknown;
  /** Invokes with the current text and version of the payload. */
  readonly invokeCurrentPayload: () => unknown;
}

/**
 * Changes a project so that it no longer blocks an invocation, and offers to continue the invocation: at once, or after
 * anybody has changed the project.
 */
export class RemedyRunner extends Owner {
  /** Invocations that wait to be continued. */
  private readonly waiting = new WaitingInvocations<BlockedInvocation>();

  constructor(
    private readonly parts: ProjectParts,
    private readonly policies: PolicyDocuments,
  ) {
    super();
    this.own(parts.project.onDidChange(() => this.refresh()));
  }

  /** Carries out a remedy in the blocking project. Resolves when it is done or abandoned. */
  async run(remedy: RemedyName, blocked: BlockedInvocation): Promise<void> {
    const { slug, stopped } = blocked;
    if (!(await this.isAtRegistryOf(blocked))) return;
    const isOfProject = remedy !== "askPublisher";
    // The registry has just blocked the invocation, so the known state of the project is outdated.
    const isContradicted = isOfProject && stopped !== undefined;
    if (isContradicted && (await inProject(this.parts, "anew")) === undefined) return;
    if (isOfProject && stopped?.key !== undefined) {
      const reached = await reachKeyProject(this.parts, stopped.key);
      if (reached === "newKey") await stopped.resume();
      if (reached !== "reached") return;
    }
    if (!(await this.isAtRegistryOf(blocked))) return;
    if (stopped !== undefined) this.waiting.add(blocked);
    const { parts } = this;
    const remedies: Readonly<Record<RemedyName, () => Promise<unknown>>> = {
      installSkill: async () => (await this.useInstalled(blocked)) || installSkill(parts, slug),
      restoreSkill: () => changeInstall(parts, "restore", slug),
      approveSkill: () => approveSkill(parts, slug),
      allowInPolicy: () => this.allow(blocked),
      editPolicy: () => this.policies.edit(slug),
      openCheckout: () => this.checkout(blocked),
      askOwner: () => this.askOwner(blocked),
      askPublisher: () => this.askPublisher(blocked),
    };
    await remedies[remedy]();
  }

  /**
   * Returns whether the blocked invocation's registry is in use. Another registry may have an unrelated skill and
   * project of the same name.
   */
  private async isAtRegistryOf({ registry, slug }: BlockedInvocation): Promise<boolean> {
    if ((await currentRegistryName(this.parts.connection)) === registry) return true;
    const text = vscode.l10n.t(
      "Not connected to the registry that blocked {0}. Connect to it first.",
      labelText(slug),
    );
    void warn(text);
    return false;
  }

  private refresh(): void {
    const { state } = this.parts.project;
    if (state.kind !== "project") return;
    const settled = this.waiting.settle(state.registry, (blocked) => this.answerTo(blocked));
    for (const { blocked, next } of settled) {
      if (next.kind === "goesOn") void this.offerAgain(blocked);
      else void this.showNextBlock({ ...blocked, code: next.code });
    }
  }

  /** Returns the project's current prediction; undefined if no project is known. */
  private answerTo({ slug, version, stopped }: BlockedInvocation): PredictedResponse | undefined {
    return this.parts.project.predictionOf(slug, version, stopped?.key)?.prediction;
  }

  private offerAgain({ slug, stopped }: BlockedInvocation): Promise<void> {
    const text = vscode.l10n.t("{0} is no longer blocked.", labelText(slug));
    return offer(text, vscode.l10n.t("Invoke Again"), () => stopped?.resume());
  }

  /** Shows the next cause after one is removed. */
  private async showNextBlock(
    blocked: BlockedInvocation & { readonly code: BlockCode },
  ): Promise<void> {
    const { slug, code } = blocked;
    const status = this.installOf(slug)?.status ?? "";
    await showNotice(stillBlockedNotice(labelText(slug), code, status, hostLanguage()), {
      showWhy: () => vscode.commands.executeCommand(commandIds.showWhy, slug),
      ...Object.fromEntries(remedyNames.map((remedy) => [remedy, () => this.run(remedy, blocked)])),
    });
  }

  private installOf(slug: string): InstalledSkill | undefined {
    const { state } = this.parts.project;
    if (state.kind !== "project") return undefined;
    return state.detail.skills.find((item) => item.slug === slug);
  }

  /**
   * Offers to move the payload to the version that the project runs. Resolves to false if nothing was offered, or if
   * the user wants to install instead.
   */
  private async useInstalled(blocked: BlockedInvocation): Promise<boolean> {
    const { slug, version, stopped } = blocked;
    if (stopped === undefined) return false;
    const installed = installedVersion(this.installOf(slug), version);
    if (installed === undefined) return false;
    const other = vscode.l10n.t("Install…");
    const text = vscode.l10n.t(
      "The project runs {0} {1}; this payload targets {2}.",
      labelText(slug),
      installed,
      version,
    );
    return (await this.offerVersion(blocked, stopped, installed, { text, other })) !== other;
  }

  /** Offers to invoke another version with the same payload. Resolves to the chosen button. */
  private async offerVersion(
    blocked: BlockedInvocation,
    { useVersion, invokeCurrentPayload }: StoppedInvocation,
    version: string,
    { text, other }: { readonly text: string; readonly other: string },
  ): Promise<string | undefined> {
    const use = vscode.l10n.t("Use {0} and Invoke", oneLine(version, 40));
    const answer = await inform(text, use, other);
    if (answer !== other) this.waiting.remove(blocked);
    if (answer !== use) return answer;
    if (await useVersion(version)) await invokeCurrentPayload();
    return answer;
  }

  /** Offers a verified version if the registry has one. Otherwise only the publisher can help. */
  private async askPublisher(blocked: BlockedInvocation): Promise<void> {
    const { slug, version, stopped } = blocked;
    const registry = await currentRegistry(this.parts.connection);
    if (registry === undefined) return;
    const { client } = registry;
    const title = vscode.l10n.t("Loading {0}", labelText(slug));
    const read = await withProgress(title, (signal) => client.skill(slug, undefined, signal));
    const verified = read.ok ? verifiedVersion(read.value.summary, version) : undefined;
    if (stopped !== undefined && verified !== undefined) {
      const other = vscode.l10n.t("Copy Request");
      const text = vscode.l10n.t(
        "{0} {1} is verified; this payload targets {2}.",
        labelText(slug),
        verified,
        version,
      );
      const answer = await this.offerVersion(blocked, stopped, verified, { text, other });
      if (answer !== other) return;
    }
    const request = publisherRequest({ slug, version }, registryTitle(registry), hostLanguage());
    await copyRequest(request);
  }

  /** After the user agreed, changes only the part of the policy that causes the error code. */
  private async allow(blocked: BlockedInvocation): Promise<void> {
    const at = await inProject(this.parts);
    if (at === undefined) return;
    const { slug, code } = blocked;
    const { project } = this.parts;
    const skill = at.detail.skills.find((item) => item.slug === slug);
    if (skill === undefined) return installSkill(this.parts, slug);
    const read = () => readPolicyToChange(project, { at, skill });
    const first = await read();
    if (first === undefined) return;
    const before = first.policy;
    if (unblockingPolicy(before, skill, code) === undefined) return this.policies.edit(slug);
    const merge = (now: PolicyRow) => unblockingPolicy(now, skill, code) ?? now;
    const { kind } = await changePolicy(project, first, { before, merge, read });
    if (kind === "forbidden")
      await offerRequest(onlyOwnersText(skill), this.requestOf(at, blocked));
    // Another user has allowed it since the last reading.
    if (kind === "nothingToChange") await project.refresh();
  }

  private async checkout(blocked: BlockedInvocation): Promise<void> {
    const at = await inProject(this.parts);
    if (at === undefined) return;
    const { slug, code } = blocked;
    const title = vscode.l10n.t("Starting the checkout for {0}", labelText(slug));
    const page = await withProgress(title, async (signal) => {
      const isRequired = spellCode(code) === "subscription_required";
      const pays = isRequired ? await at.registry.client.acceptsPayments(signal) : undefined;
      // Without payments, each checkout fails; a trial needs none.
      if (pays?.ok && !pays.value) return undefined;
      return at.routes.checkout(at.detail.summary.slug, slug, signal);
    });
    if (page === undefined) return this.startTrial(at, slug);
    if (!page.ok) {
      await this.parts.project.noteFailure(at.session, page.failure);
      return showFailure(page.failure);
    }
    const question = vscode.l10n.t("Open the checkout in the browser?");
    if (!(await openInBrowser(question, page.value))) return;
    const text = vscode.l10n.t(
      "Continue here once the checkout of {0} is complete.",
      labelText(slug),
    );
    await offer(text, vscode.l10n.t("I Have Subscribed"), () => inProject(this.parts, "anew"));
  }

  private async startTrial(at: InProject, slug: string): Promise<void> {
    const { summary } = at.detail;
    const question = trialQuestion(slug, summary, hostLanguage());
    if (!(await confirm({ severity: "information", ...question }))) return;
    const title = vscode.l10n.t("Starting a trial of {0}", labelText(slug));
    const started = await makeChange(this.parts.project, at, title, (signal) =>
      at.routes.startTrial(summary.slug, slug, signal),
    );
    if (started !== true) return;
    showStatus("pass", vscode.l10n.t("Trial of {0} started.", slug));
  }

  private async askOwner(blocked: BlockedInvocation): Promise<void> {
    const at = await inProject(this.parts);
    if (at !== undefined) await copyRequest(this.requestOf(at, blocked));
  }

  private requestOf(at: InProject, { slug, version, code }: BlockedInvocation): string {
    const skill = this.installOf(slug) ?? { slug, version, status: "" };
    const asked = { origin: registryTitle(at.registry), code };
    return ownerRequest(skill, at.detail.summary, asked, hostLanguage());
  }
}
