import * as vscode from "vscode";
import {
  type ExampleTrial,
  endedTrial,
  runningTrial,
  trialWithNotice,
} from "../../../core/invocation/output/exampleTrial";
import { outputParts } from "../../../core/invocation/output/outputParts";
import { registryChangedNotice } from "../../../core/invocation/permission/gateNotices";
import { invalidText } from "../../../core/invocation/permission/payloadQuestions";
import type { InvocationRecord } from "../../../core/invocation/record/invocationRecord";
import { jsonEqual } from "../../../core/json/jsonValue";
import { registryName } from "../../../core/registry/registryName";
import { isSameVersion } from "../../../core/skill/isNewerVersion";
import { inputSchemaOf, type SkillDetail } from "../../../core/skill/skill";
import type { TrialName } from "../../../protocol/pageMessages";
import type { ResultTarget } from "../../../protocol/readPageMessage";
import { runYielding } from "../../../registry/wait";
import type { OutputDocuments } from "../../audit/outputDocuments";
import type { PayloadChecks } from "../../author/payloadChecks";
import { commandIds } from "../../ids";
import type { SkillDetails } from "../../inspect/skillDetails";
import { hostLanguage } from "../../ui/hostLanguage";
import { showStatus } from "../../ui/messages";
import { withWaiting } from "../../ui/progress";
import { askForFile, fileName, writeBytes, writeText } from "../../ui/saveText";
import { noticeActions, showNotice } from "../../ui/showNotice";
import type { InvocationOrigin } from "../invocationOrigin";
import type { Invoker } from "../invoker";
import { askAboutSecrets, mayStayUnfilled } from "../preparePayload";
import { payloadMark } from "./payloadForm";

/** The dependencies of invoking from a page. */
export interface TrialParts {
  readonly invoker: Pick<Invoker, "invokeFrom">;
  readonly checks: Pick<PayloadChecks, "checkIn" | "unfilled">;
  readonly outputs: Pick<OutputDocuments, "remember" | "output" | "hold" | "open" | "copy">;
  readonly details: Pick<SkillDetails, "registryOf">;
  /** Whether invocations are recorded. Otherwise, their results are there only on the page and in its documents. */
  readonly isRecorded: boolean;
}

/** A payload to invoke from a page: an example, or the payload of its form. */
export interface TrialPayload {
  readonly name: TrialName;
  readonly text: string;
  /** The document whose environment replaces placeholders; undefined for an example, which is sent as it is. */
  readonly environmentUri?: vscode.Uri;
  /** Opens the text as a payload. */
  readonly open: () => Promise<unknown>;
}

/** The page to invoke from. */
export interface TrialPage {
  /** Returns whether the page is visible now. */
  readonly isSeen: () => boolean;
  /** Called when the shown results changed. */
  readonly changed: () => void;
  readonly showVersion: (version: string) => void;
}

/** An invocation from a page, with facts that the page does not need. */
interface Trial {
  /** The skill in the invoked version. */
  readonly skill: SkillDetail;
  shown: ExampleTrial;
  readonly payload: string | undefined;
  actions: ReturnType<typeof noticeActions>;
  record: InvocationRecord | undefined;
  /** Settles when its end is shown. */
  ending: Promise<void>;
  cancel: () => void;
}

/** The scheme of pages' payloads in the record. No document has it. */
const exampleScheme = "skill-example";

const resultCommands = {
  output: commandIds.openOutput,
  copy: commandIds.copyOutput,
  record: commandIds.openInvocation,
  test: commandIds.saveAsTest,
  payload: commandIds.useAsPayload,
} as const satisfies Record<ResultTarget, string>;

/**
 * Invokes the examples and the form of one page, with the steps and questions of every invocation. Keeps the results
 * while the page shows the same examples. The text of a page comes from a registry and could mislead. So the first
 * invocation always asks about the terms in a dialog of the editor, even after an agreement, unless the skill is
 * harmless.
 */
export class PageTrials {
  private readonly trials = new Map<TrialName, Trial>();
  private skill: SkillDetail | undefined;
  private isAgreed = false;

  constructor(
    private readonly parts: TrialParts,
    private readonly page: TrialPage,
  ) {}

  /** The results by name. */
  get shown(): Readonly<Partial<Record<TrialName, ExampleTrial>>> {
    return Object.fromEntries(
      [...this.trials].map(([name, { shown, payload }]) => [
        name,
        payload === undefined ? shown : { ...shown, payload },
      ]),
    );
  }

  /** Drops the results if the page now shows another registry, skill or version, or if its examples changed. */
  keepFor(skill: SkillDetail): void {
    const { details } = this.parts;
    const { summary, examples } = this.skill ?? {};
    const isSame =
      this.skill !== undefined &&
      details.registryOf(this.skill) === details.registryOf(skill) &&
      summary?.slug === skill.summary.slug &&
      isSameVersion(summary.version, skill.summary.version) &&
      jsonEqual(examples, skill.examples);
    this.skill = skill;
    if (isSame) return;
    this.trials.clear();
    this.isAgreed = false;
  }

  /** Invokes a skill with a payload while the page is visible. Resolves when the invocation ended. */
  async invoke(skill: SkillDetail, payload: TrialPayload): Promise<void> {
    const { name } = payload;
    if (!this.page.isSeen()) return;
    const before = this.trials.get(name);
    if (before?.shown.kind === "running") return;
    const trial: Trial = {
      skill,
      shown: runningTrial(false, hostLanguage()),
      payload: name === "form" ? payloadMark(payload.text) : undefined,
      actions: [],
      record: undefined,
      ending: Promise.resolve(),
      cancel: () => undefined,
    };
    this.trials.set(name, trial);
    this.page.changed();
    await this.parts.invoker.invokeFrom(this.originOf(skill, payload, trial));
    // Nothing was sent and no notice appeared, since the user declined: show the earlier result again.
    if (trial.shown.kind !== "running" || trial.record !== undefined) return;
    if (this.trials.get(name) !== trial) return;
    if (before === undefined) this.trials.delete(name);
    else this.trials.set(name, before);
    this.page.changed();
  }

  /** Cancels an invocation that is in progress. */
  cancel(name: TrialName): void {
    this.trials.get(name)?.cancel();
  }

  runAction(name: TrialName, action: number): void {
    void this.trials.get(name)?.actions[action]?.run();
  }

  /** Opens or copies the result of an invocation. */
  async openResult(name: TrialName, what: ResultTarget): Promise<void> {
    const { outputs, isRecorded } = this.parts;
    const record = this.trials.get(name)?.record;
    if (record === undefined) return;
    if (isRecorded) await vscode.commands.executeCommand(resultCommands[what], { id: record.id });
    else if (what === "output") await outputs.open(record);
    else if (what === "copy") await outputs.copy(record);
  }

  /** Saves an image, a text or a file from an invocation's output. */
  async savePart(name: TrialName, index: number): Promise<void> {
    const { record, skill } = this.trials.get(name) ?? {};
    const output = record && (await this.parts.outputs.output(record.id));
    // Use the schema of this output's skill, since the page may show another skill by now.
    const part = output && outputParts(output, skill?.outputSchema)[index];
    if (!part) return;
    const { content, fileName: suggested } = part;
    const title = vscode.l10n.t("Save as File");
    const target = await askForFile({ title, name: suggested, filters: {} });
    if (target === undefined) return;
    const isSaved =
      content.kind === "text"
        ? await writeText(target, content.text)
        : await writeBytes(target, Buffer.from(content.base64, "base64"));
    if (isSaved) showStatus("save", vscode.l10n.t("Saved as {0}", fileName(target)));
  }

  private originOf(
    skill: SkillDetail,
    { name, text, environmentUri, open }: TrialPayload,
    trial: Trial,
  ): InvocationOrigin {
    const { slug, version } = skill.summary;
    const { checks, details, outputs, isRecorded } = this.parts;
    const isShown = () => this.trials.get(name) === trial;
    const show = (shown: ExampleTrial) => {
      trial.shown = shown;
      if (isShown()) this.page.changed();
    };
    const notify: typeof showNotice = async (notice, effects = {}) => {
      await trial.ending;
      trial.actions = noticeActions(notice, effects);
      show(trialWithNotice(trial.shown, { ...notice, actions: trial.actions }, hostLanguage()));
      if (!isShown() || !this.page.isSeen()) await showNotice(notice, effects);
    };
    const page = this;
    const uri = vscode.Uri.from({ scheme: exampleScheme, path: `/${slug}@${version}/${name}` });
    // An example belongs to no folder, so nothing is replaced in it: a registry's text must not choose which value or
    // secret is sent.
    const place = environmentUri ?? uri;
    return {
      uri,
      environmentUri: place,
      text,
      get asksTerms() {
        // If the page shows another skill by now, an agreement on the page does not cover this invocation.
        return !(isShown() && page.isAgreed);
      },
      prepare: async (registry) => {
        if (details.registryOf(skill) !== registryName(registry)) {
          await notify(registryChangedNotice(slug, hostLanguage()));
          return undefined;
        }
        const { signal } = new AbortController();
        const checking = checks.checkIn(place, inputSchemaOf(skill), text, signal);
        const checked = await withWaiting(vscode.l10n.t("Checking the payload"), () => checking);
        if (checked === undefined) return undefined;
        const mayBeSent = checked.check.state !== "invalid";
        if (mayBeSent && !(await mayStayUnfilled(checks, slug, text))) return undefined;
        return { text, skill, ...checked };
      },
      show: open,
      // The page already shows the payload, and the dialog names the unchecked parts.
      showProblem: async () => undefined,
      agreesToSecrets: (checked, found) => askAboutSecrets("send", checked, found),
      agreed: () => {
        if (isShown()) this.isAgreed = true;
      },
      useVersion: async (other) => {
        // The page may show another skill by now, which has no such version.
        if (this.skill?.summary.slug === slug) this.page.showVersion(other);
        else await vscode.commands.executeCommand(commandIds.openSkill, slug);
        return false;
      },
      began: (cancel) => {
        trial.cancel = cancel;
        trial.actions = [];
        show(runningTrial(false, hostLanguage()));
      },
      started: (record) => {
        trial.record = record;
        show(runningTrial(true, hostLanguage()));
      },
      ended: (record, output) => {
        if (isRecorded) outputs.remember(record, output);
        else outputs.hold(record, output);
        trial.ending = this.ended(record, skill).then(show);
      },
      showInvalid: ({ check }) =>
        notify(
          {
            severity: "error",
            message: invalidText(slug, check, hostLanguage()),
            actions: [{ action: "showInput", title: vscode.l10n.t("Open Payload") }],
          },
          { showInput: open },
        ),
      notify,
    };
  }

  private async ended(
    record: InvocationRecord,
    { outputSchema }: SkillDetail,
  ): Promise<ExampleTrial> {
    const { outputs, isRecorded } = this.parts;
    const output = await outputs.output(record.id);
    const reader = { language: hostLanguage(), now: Date.now() };
    const shown = await runYielding(endedTrial(record, output, reader, outputSchema));
    return isRecorded ? shown : { ...shown, isUnrecorded: true };
  }
}
