import * as vscode from "vscode";
import { withoutPlaceholders } from "../../../core/environment/placeholders";
import type { Form, FormDraft, FormEdit } from "../../../core/form/formField";
import { type FormProblems, formProblems } from "../../../core/form/formProblems";
import { indentedJson, textStyle } from "../../../core/payload/fixes/textEdit";
import {
  type MakeSample,
  payloadTemplate,
  sampleTemplate,
  type TemplateKind,
  templateKinds,
  templateTitle,
} from "../../../core/payload/payloadTemplates";
import { isSameVersion } from "../../../core/skill/isNewerVersion";
import { inputSchemaOf, type SkillDetail } from "../../../core/skill/skill";
import type { SkillAddress } from "../../../core/skill/skillAddress";
import { sha256 } from "../../../engine/sha256";
import type { MadeForm } from "../../../language/languageMessages";
import type { FormPart } from "../../../protocol/pageMessages";
import { addressOfChecked, type PayloadChecks } from "../../author/payloadChecks";
import { indentFor } from "../../author/payloadDocument";
import { hostLanguage } from "../../ui/hostLanguage";
import { LatestRequest } from "../../ui/wait";
import { FormText, newPayloadUri } from "./formText";

/** The dependencies of a page's form. */
export interface PayloadFormParts {
  readonly checks: Pick<
    PayloadChecks,
    "check" | "form" | "checkIn" | "resolve" | "unfilled" | "onDidStartOver" | "onDidMove"
  >;
  readonly sample: MakeSample;
}

/** A document to edit in the form of its skill. */
export interface DocumentPayload {
  readonly skill: SkillAddress;
  readonly document: vscode.TextDocument;
}

/** The payload of a form as it can be sent. `show` shows its document; `open` shows a text in a new one. */
interface CompletePayload {
  readonly text: string;
  /** The document whose environment replaces the placeholders. */
  readonly environmentUri: vscode.Uri;
  readonly show: FormText["show"];
}

/** A change of a form, with the revision number that the page gave it. */
interface FormChange {
  readonly edit: FormEdit;
  readonly revision: number;
}

/**
 * The payload in a page's form, while the page shows its skill in the same version. Changes are applied in order in the
 * language thread, and each result is written to the payload's text and sent to the page.
 */
export class PayloadForm {
  private payload: FormText | undefined;
  private unread: FormDraft["unread"] = {};
  /** Changes that wait until the text is JSON again. */
  private waiting: FormChange[] = [];
  /** A payload that waits until the page shows its skill. */
  private pending: DocumentPayload | undefined;
  /** The document of an earlier window's form, until it is open. */
  private earlier: vscode.Uri | undefined;
  /** The form as shown, and the text that it was made from. */
  private form: Form | undefined;
  private formText = "";
  private problems: FormProblems | undefined;
  private shown: Record<string, number> = {};
  private revision = 0;
  private skill: SkillDetail | undefined;
  private work: Promise<unknown> = Promise.resolve();
  /** Its signal is aborted when the page shows another skill or version. */
  private readonly showing = new LatestRequest();
  private readonly checking = new LatestRequest();
  private readonly watching: vscode.Disposable;

  constructor(
    private readonly parts: PayloadFormParts,
    private readonly send: (part: FormPart) => void,
  ) {
    this.watching = vscode.Disposable.from(
      parts.checks.onDidStartOver(() => {
        const { skill, form } = this;
        if (skill && form) void this.check(skill, form);
      }),
      // The editor restores an unsaved document after its page.
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        if (this.earlier && isRestored(uri, this.earlier)) void this.resumeOpened();
      }),
    );
  }

  /** Drops the payload of another skill or version. */
  keepFor(skill: SkillDetail): void {
    const { summary } = this.skill ?? {};
    const isSame =
      summary?.slug === skill.summary.slug && isSameVersion(summary.version, skill.summary.version);
    this.skill = skill;
    if (!isSame) {
      this.showing.begin();
      this.form = undefined;
      if (summary !== undefined) this.earlier = undefined;
      this.begin(undefined);
    }
    this.loadPending();
  }

  /** Edits the payload of a document, once the page shows its skill. */
  load(payload: DocumentPayload): void {
    this.pending = payload;
    this.loadPending();
  }

  /** Edits the document again that the form of an earlier window edited, if it is still a payload of the skill. */
  resume(document: string): void {
    this.earlier = vscode.Uri.parse(document);
  }

  /** Sends the form to a page that has none yet. Without a payload, starts a new one. */
  read(): Promise<void> {
    return this.inOrder(async (skill, showing) => {
      this.revision = 0;
      if (this.payload === undefined) {
        const found = await this.earlierDocument(skill);
        const payload = found ?? (await this.startOf(skill, undefined, ""));
        if (showing.aborted) return;
        this.begin(payload);
      }
      await this.make(skill, undefined, showing);
    });
  }

  /** Starts over from a template. In a document, this is a change like any other, which the editor can undo. */
  start(from: TemplateKind): Promise<void> {
    return this.inOrder(async (skill, showing) => {
      const before = this.payload?.text ?? "";
      const text = await this.startOf(skill, from, before);
      if (showing.aborted) return;
      if (this.payload === undefined) this.begin(text);
      else if (!(await this.payload.write(before, text))) return;
      this.unread = {};
      this.shown = {};
      await this.make(skill, undefined, showing);
    });
  }

  /** Changes the payload. */
  edit(edit: FormEdit, revision: number): Promise<void> {
    return this.inOrder(async (skill, showing) => {
      await this.make(skill, { edit, revision }, showing);
    });
  }

  /** Shows this many fields of a group. */
  showFields(pointer: string, count: number): Promise<void> {
    return this.inOrder(async (skill, showing) => {
      this.shown = { ...this.shown, [pointer]: count };
      await this.make(skill, undefined, showing);
    });
  }

  /**
   * Resolves to the payload with all changes. Undefined if there is none, or if a field's text is not in it: the sent
   * payload would then differ from the shown form.
   */
  async completePayload(): Promise<CompletePayload | undefined> {
    await this.work;
    const { payload, form, unread } = this;
    if (payload === undefined || form === undefined) return undefined;
    if (Object.keys(unread).length > 0) return undefined;
    const { text, uri: environmentUri } = payload;
    return { text, environmentUri, show: (open) => payload.show(open) };
  }

  /** Focuses the first field whose text is not in the payload. */
  focusUnreadField(): void {
    const [pointer] = Object.keys(this.unread);
    if (this.skill !== undefined && pointer !== undefined) {
      this.send({ ...this.part(this.skill), focus: pointer });
    }
  }

  /** Shows the payload in its document. Without one, `open` shows it in a new one, which the form then edits. */
  async openAsJson(open: (text: string) => Promise<vscode.TextEditor>): Promise<void> {
    const showing = this.showing.signal;
    await this.work;
    if (!showing.aborted) await this.payload?.show(open);
  }

  dispose(): void {
    this.payload?.dispose();
    this.watching.dispose();
    this.showing.dispose();
    this.checking.dispose();
  }

  private inOrder(act: (skill: SkillDetail, showing: AbortSignal) => Promise<void>): Promise<void> {
    const showing = this.showing.signal;
    const done = this.work.then(async () => {
      // Use the current skill: the page may show another one by now, or a newly read copy of the same version.
      const { skill } = this;
      if (skill !== undefined && !showing.aborted) await act(skill, showing);
    });
    this.work = done.catch(() => undefined);
    return done;
  }

  private begin(payload: string | vscode.TextDocument | undefined): void {
    this.payload?.dispose();
    const changed = () => void this.refresh();
    this.payload =
      payload === undefined
        ? undefined
        : new FormText(payload, this.parts.checks.onDidMove, changed);
    this.unread = {};
    this.waiting = [];
    this.shown = {};
  }

  /** Begins with the document of an earlier window, unless the form was changed meanwhile. */
  private resumeOpened(): Promise<void> {
    return this.inOrder(async (skill, showing) => {
      if (this.payload === undefined || this.revision > 0) return;
      const found = await this.earlierDocument(skill);
      if (found === undefined || showing.aborted) return;
      this.begin(found);
      await this.make(skill, undefined, showing);
    });
  }

  /**
   * Resolves to the document of an earlier window's form. Undefined if it cannot be opened, or if it is not bound to
   * the skill: a stored page must not show any other file.
   */
  private async earlierDocument(skill: SkillDetail): Promise<vscode.TextDocument | undefined> {
    const { earlier } = this;
    if (earlier === undefined) return undefined;
    // To open an untitled document that the editor has not restored yet would create an empty one.
    const document =
      vscode.workspace.textDocuments.find(({ uri }) => isRestored(uri, earlier)) ??
      (earlier.scheme === "untitled"
        ? undefined
        : await Promise.resolve(vscode.workspace.openTextDocument(earlier)).catch(() => undefined));
    const checked = document && (await this.parts.checks.check(document));
    if (checked === undefined) return undefined;
    this.earlier = undefined;
    const { slug, version } = addressOfChecked(checked);
    const { summary } = skill;
    return slug === summary.slug && isSameVersion(version, summary.version) ? document : undefined;
  }

  private loadPending(): void {
    const { pending, skill } = this;
    if (pending === undefined || skill?.summary.slug !== pending.skill.slug) return;
    if (!isSameVersion(skill.summary.version, pending.skill.version)) return;
    this.pending = undefined;
    void this.inOrder(async (shownSkill, showing) => {
      this.begin(pending.document);
      await this.make(shownSkill, undefined, showing);
    });
  }

  /** Shows the text and its note again after a change that the form did not make. */
  private refresh(): Promise<void> {
    return this.inOrder(async (skill, showing) => {
      const { payload, form } = this;
      if (payload === undefined || form === undefined) return;
      if (payload.text === this.formText) this.send(this.part(skill));
      else await this.make(skill, undefined, showing);
      if (this.waiting.length === 0 || this.form?.root.control.kind === "long") return;
      for (const change of this.waiting.splice(0)) await this.make(skill, change, showing);
    });
  }

  /** Returns the text of a template, in the style of the text that it replaces. */
  private async startOf(
    skill: SkillDetail,
    from: TemplateKind | undefined,
    before: string,
  ): Promise<string> {
    const { sample, checks } = this.parts;
    const asked = from === undefined ? undefined : await payloadTemplate(skill, from, sample);
    const { value, empty } = asked ?? (await sampleTemplate(skill, "example", sample));
    const style = textStyle(before, indentFor(this.payload?.uri ?? newPayloadUri));
    const written = indentedJson(value, style, "") + style.lineEnd;
    const resolution = await checks.resolve(newPayloadUri, written);
    const isPlain = resolution.ok && resolution.value.written === undefined;
    // A registry's text must not choose which value or secret is sent.
    const text = isPlain ? written : withoutPlaceholders(written);
    checks.unfilled.add(skill.summary.slug, text, empty.length);
    return text;
  }

  /** Makes the form of the text, after a change if there is one. Begins again if the text changed meanwhile. */
  private async make(
    skill: SkillDetail,
    change: FormChange | undefined,
    showing: AbortSignal,
  ): Promise<void> {
    const edit = change && { edit: change.edit };
    for (let isWritten = false; !isWritten; ) {
      const { payload, unread, shown } = this;
      if (payload === undefined) return;
      const { text } = payload;
      const made = await this.parts.checks.form(skill, { text, unread, shown, ...edit });
      if (showing.aborted) return;
      isWritten = made === undefined || (await payload.write(text, made.draft.text));
      if (showing.aborted) return;
      if (isWritten) this.take(made, change);
    }
    this.send(this.part(skill));
    if (this.form !== undefined) void this.check(skill, this.form);
  }

  private take(made: MadeForm | undefined, change: FormChange | undefined): void {
    // Set the revision only now: until here, a check may have sent the form without this change.
    if (change !== undefined) this.revision = Math.max(this.revision, change.revision);
    this.form = made?.form;
    this.problems = undefined;
    if (made === undefined) return;
    this.unread = made.draft.unread;
    this.formText = made.draft.text;
    // A text that is not JSON has no fields, so the change cannot be in it.
    if (change !== undefined && made.form.root.control.kind === "long") this.waiting.push(change);
  }

  /** Checks the payload as an editor does, with the values of the environment. A newer check replaces it. */
  private async check(skill: SkillDetail, form: Form): Promise<void> {
    const { payload, formText: text, unread } = this;
    if (payload === undefined) return;
    const signal = this.checking.begin();
    const checking = this.parts.checks.checkIn(payload.uri, inputSchemaOf(skill), text, signal);
    const checked = await checking.catch(() => undefined);
    if (checked === undefined || signal.aborted || this.form !== form) return;
    this.problems = formProblems(form, { text, unread }, checked, hostLanguage());
    this.send(this.part(skill));
  }

  private part(skill: SkillDetail): FormPart {
    const language = hostLanguage();
    const starts = templateKinds(skill)
      .slice(0, maxStarts)
      .map((kind) => ({ kind, title: templateTitle(skill, kind, language) }));
    const { form, problems, revision, waiting } = this;
    const payload = this.payload === undefined ? "" : payloadMark(this.formText);
    const notes = [this.payload?.note ?? "", waitingText(waiting.length)].filter(Boolean);
    const document = this.payload?.editedUri;
    const edited = document !== undefined && { document };
    return { type: "form", form, problems, revision, starts, payload, notes, ...edited };
  }
}

/** Returns whether the editor restored a document. A remote window gives an untitled one its own authority. */
function isRestored(uri: vscode.Uri, earlier: vscode.Uri): boolean {
  if (uri.scheme !== "untitled") return uri.toString() === earlier.toString();
  return earlier.scheme === "untitled" && uri.path === earlier.path;
}

function waitingText(count: number): string {
  if (count === 0) return "";
  return vscode.l10n.t("Your last change is written as soon as the document is JSON again.");
}

/** Returns a short hash that identifies a payload. A result belongs to the form's payload if their hashes are equal. */
export function payloadMark(text: string): string {
  return sha256(text).slice(0, 16);
}

/** The maximum number of examples to start from. The others are in their own tab. */
const maxStarts = 20;
