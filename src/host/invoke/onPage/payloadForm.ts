import * as vscode from "vscode";
import { withoutPlaceholders } from "../../../core/environment/placeholders";
import type { Form, FormDraft, FormEdit, ShownFields } from "../../../core/form/formField";
import { type FormProblems, formProblems } from "../../../core/form/formProblems";
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
import type { FormPart } from "../../../protocol/pageMessages";
import type { PayloadChecks } from "../../author/payloadChecks";
import { showDocument } from "../../author/payloadDocument";
import { wholeTextEdit } from "../../marks";
import { hostLanguage } from "../../ui/hostLanguage";
import { LatestRequest } from "../../ui/wait";
import { askAboutEmpty } from "../preparePayload";

/** The dependencies of a page's form. */
export interface PayloadFormParts {
  readonly checks: Pick<PayloadChecks, "form" | "checkIn" | "resolve" | "onDidStartOver">;
  readonly sample: MakeSample;
}

/** A document's payload to edit in a form. */
export interface DocumentPayload {
  readonly skill: SkillAddress;
  readonly text: string;
  readonly document: vscode.TextDocument;
}

/** The URI of a payload without a document. In a workspace with a single folder, it belongs to that folder. */
const newPayload = vscode.Uri.from({ scheme: "untitled", path: "form" });

/** A document, with its text when it last equaled the form. */
interface FormDocument {
  readonly document: vscode.TextDocument;
  readonly text: string;
}

/** A change of a form, with the revision number that the page gave it. */
interface FormChange {
  readonly edit: FormEdit;
  readonly revision: number;
}

/**
 * The payload in a page's form, while the page shows its skill in the same version. Changes are applied in order in the
 * language thread, and each result is sent to the page.
 */
export class PayloadForm {
  private draft: FormDraft | undefined;
  private document: FormDocument | undefined;
  /** A payload that waits until the page shows its skill. */
  private pending: DocumentPayload | undefined;
  private form: Form | undefined;
  private problems: FormProblems | undefined;
  private shown: Record<string, number> = {};
  private revision = 0;
  private skill: SkillDetail | undefined;
  private work: Promise<unknown> = Promise.resolve();
  /** Its signal is aborted when the page shows another skill or version. */
  private readonly showing = new LatestRequest();
  private readonly checking = new LatestRequest();
  /** A new payload in which texts were left empty, until the user agrees to send it. */
  private unfilled: { readonly text: string; readonly count: number } | undefined;
  private readonly startingOver: vscode.Disposable;

  constructor(
    private readonly parts: PayloadFormParts,
    private readonly send: (part: FormPart) => void,
  ) {
    this.startingOver = parts.checks.onDidStartOver(() => {
      const { skill, form, draft } = this;
      if (skill && form && draft) void this.check(skill, form, draft);
    });
  }

  /** The document whose environment replaces the placeholders of the form. */
  get environmentUri(): vscode.Uri {
    return this.document?.document.uri ?? newPayload;
  }

  /** Drops the payload of another skill or version. */
  keepFor(skill: SkillDetail): void {
    const { summary } = this.skill ?? {};
    const isSame =
      summary?.slug === skill.summary.slug && isSameVersion(summary.version, skill.summary.version);
    this.skill = skill;
    if (!isSame) {
      this.showing.begin();
      this.draft = undefined;
      this.form = undefined;
      this.document = undefined;
      this.shown = {};
    }
    this.loadPending();
  }

  /** Edits the payload of a document, once the page shows its skill. */
  load(payload: DocumentPayload): void {
    this.pending = payload;
    this.loadPending();
  }

  /** Sends the form to a page that has none yet. Without a payload, starts a new one. */
  read(): Promise<void> {
    return this.inOrder(async (skill, showing) => {
      this.revision = 0;
      const draft = this.draft ?? (await this.startOf(skill, undefined));
      if (showing.aborted) return;
      this.draft = draft;
      await this.make(skill, undefined, showing);
    });
  }

  /** Starts a new payload from a template. */
  start(from: TemplateKind): Promise<void> {
    return this.inOrder(async (skill, showing) => {
      const draft = await this.startOf(skill, from);
      if (showing.aborted) return;
      this.begin(draft, undefined);
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
  async completePayload(): Promise<string | undefined> {
    await this.work;
    const isWhole = this.form !== undefined && Object.keys(this.draft?.unread ?? {}).length === 0;
    return isWhole ? this.draft?.text : undefined;
  }

  /** Asks about texts that were left empty if nobody has changed the payload since. Asks until the user agrees. */
  async maySend(): Promise<boolean> {
    const { unfilled, skill } = this;
    if (!unfilled?.count || unfilled.text !== this.draft?.text || skill === undefined) return true;
    if (!(await askAboutEmpty(skill.summary.slug, unfilled.count))) return false;
    this.unfilled = undefined;
    return true;
  }

  /** Focuses the first field whose text is not in the payload. */
  focusUnreadField(): void {
    const [pointer] = Object.keys(this.draft?.unread ?? {});
    if (this.skill !== undefined && pointer !== undefined) {
      this.send({ ...this.part(this.skill), focus: pointer });
    }
  }

  /**
   * Shows the payload in its document. If the document was changed or closed meanwhile, `open` shows the payload in
   * another one.
   */
  async openAsJson(open: (text: string) => Promise<vscode.TextEditor>): Promise<void> {
    const showing = this.showing.signal;
    await this.work;
    const text = this.draft?.text;
    if (text === undefined || showing.aborted) return;
    const written = await this.documentWith(text);
    const document = written ?? (await open(text)).document;
    // The page may show another skill by now, whose form must not write into this document. The document may use other
    // line ends than the form, so its own text is remembered.
    if (!showing.aborted) this.document = { document, text: document.getText() };
    if (written !== undefined) await showDocument(document);
  }

  /** Writes a text into the form's document. Undefined if the document was changed or closed meanwhile. */
  private async documentWith(text: string): Promise<vscode.TextDocument | undefined> {
    const { document, text: before } = this.document ?? {};
    if (document?.isClosed !== false || document.getText() !== before) return undefined;
    const isWritten =
      text === before || (await vscode.workspace.applyEdit(wholeTextEdit(document, text)));
    return isWritten ? document : undefined;
  }

  dispose(): void {
    this.startingOver.dispose();
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

  private begin(draft: FormDraft, document: FormDocument | undefined): void {
    this.draft = draft;
    this.document = document;
    this.shown = {};
  }

  private loadPending(): void {
    const { pending, skill } = this;
    if (pending === undefined || skill?.summary.slug !== pending.skill.slug) return;
    if (!isSameVersion(skill.summary.version, pending.skill.version)) return;
    this.pending = undefined;
    const { document, text } = pending;
    void this.inOrder(async (shownSkill, showing) => {
      this.begin({ text, unread: {} }, { document, text });
      await this.make(shownSkill, undefined, showing);
    });
  }

  private async startOf(skill: SkillDetail, from: TemplateKind | undefined): Promise<FormDraft> {
    const { sample } = this.parts;
    const asked = from === undefined ? undefined : await payloadTemplate(skill, from, sample);
    const { value, empty } = asked ?? (await sampleTemplate(skill, "example", sample));
    const text = JSON.stringify(value, undefined, 2);
    const resolution = await this.parts.checks.resolve(newPayload, text);
    const isPlain = resolution.ok && resolution.value.written === undefined;
    // A registry's text must not choose which value or secret is sent.
    const draft = { text: isPlain ? text : withoutPlaceholders(text), unread: {} };
    this.unfilled = { text: draft.text, count: empty.length };
    return draft;
  }

  private async make(
    skill: SkillDetail,
    change: FormChange | undefined,
    showing: AbortSignal,
  ): Promise<void> {
    const { draft } = this;
    if (draft === undefined) return;
    const shown: ShownFields = this.shown;
    const edit = change && { edit: change.edit };
    const made = await this.parts.checks.form(skill, { ...draft, shown, ...edit });
    if (showing.aborted) return;
    // Set the revision only now: until here, a check may have sent the form without this change.
    if (change !== undefined) this.revision = change.revision;
    this.form = made?.form;
    if (made !== undefined) this.draft = made.draft;
    this.problems = undefined;
    this.send(this.part(skill));
    if (made !== undefined) void this.check(skill, made.form, made.draft);
  }

  /** Checks the payload as an editor does, with the values of the environment. A newer check replaces it. */
  private async check(skill: SkillDetail, form: Form, draft: FormDraft): Promise<void> {
    const signal = this.checking.begin();
    const { checks } = this.parts;
    const schema = inputSchemaOf(skill);
    const checking = checks.checkIn(this.environmentUri, schema, draft.text, signal);
    const checked = await checking.catch(() => undefined);
    if (checked === undefined || signal.aborted || this.form !== form) return;
    this.problems = formProblems(form, draft, checked, hostLanguage());
    this.send(this.part(skill));
  }

  private part(skill: SkillDetail): FormPart {
    const language = hostLanguage();
    const starts = templateKinds(skill)
      .slice(0, maxStarts)
      .map((kind) => ({ kind, title: templateTitle(skill, kind, language) }));
    const { form, problems, revision, draft } = this;
    const payload = draft === undefined ? "" : payloadMark(draft.text);
    return { type: "form", form, problems, revision, starts, payload };
  }
}

/** Returns a short hash that identifies a payload. A result belongs to the form's payload if their hashes are equal. */
export function payloadMark(text: string): string {
  return sha256(text).slice(0, 16);
}

/** The maximum number of examples to start from. The others are in their own tab. */
const maxStarts = 20;
