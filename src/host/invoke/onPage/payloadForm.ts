import * as vscode from "vscode";
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

/** The dependencies of a page's form. */
export interface PayloadFormParts {
  readonly checks: Pick<PayloadChecks, "form" | "checkText">;
  readonly sample: MakeSample;
}

/** A document's payload to edit in a form. */
export interface BroughtPayload {
  readonly skill: SkillAddress;
  readonly text: string;
  readonly document: vscode.TextDocument;
}

/** A document, with its text when it last equaled the form. */
interface FormDocument {
  readonly document: vscode.TextDocument;
  readonly text: string;
}

/**
 * The payload in a page's form, while the page shows its skill in the same version. Changes are applied in order in the
 * language thread, and each result is sent to the page.
 */
export class PayloadForm {
  private draft: FormDraft | undefined;
  private document: FormDocument | undefined;
  /** A payload that waits until the page shows its skill. */
  private brought: BroughtPayload | undefined;
  private form: Form | undefined;
  private problems: FormProblems | undefined;
  private shown: Record<string, number> = {};
  private revision = 0;
  private skill: SkillDetail | undefined;
  private work: Promise<unknown> = Promise.resolve();
  private readonly checking = new LatestRequest();

  constructor(
    private readonly parts: PayloadFormParts,
    private readonly send: (part: FormPart) => void,
  ) {}

  /** Drops the payload of another skill or version. */
  keepFor(skill: SkillDetail): void {
    const { summary } = this.skill ?? {};
    const isSame =
      summary?.slug === skill.summary.slug && isSameVersion(summary.version, skill.summary.version);
    this.skill = skill;
    if (!isSame) {
      this.draft = undefined;
      this.form = undefined;
      this.document = undefined;
      this.shown = {};
    }
    this.takeBrought();
  }

  /** Edits the payload of a document, once the page shows its skill. */
  bring(payload: BroughtPayload): void {
    this.brought = payload;
    this.takeBrought();
  }

  /** Sends the form to a page that has none yet. Without a payload, starts a new one. */
  read(): Promise<void> {
    return this.inOrder(async (skill) => {
      this.revision = 0;
      this.draft ??= await this.startOf(skill, undefined);
      await this.make(skill, undefined);
    });
  }

  /** Starts a new payload from a template. */
  start(from: TemplateKind): Promise<void> {
    return this.inOrder(async (skill) => {
      this.begin(await this.startOf(skill, from), undefined);
      await this.make(skill, undefined);
    });
  }

  /** Changes the payload. */
  edit(edit: FormEdit, revision: number): Promise<void> {
    return this.inOrder(async (skill) => {
      this.revision = revision;
      await this.make(skill, edit);
    });
  }

  /** Shows this many fields of a group. */
  showFields(pointer: string, count: number): Promise<void> {
    return this.inOrder(async (skill) => {
      this.shown = { ...this.shown, [pointer]: count };
      await this.make(skill, undefined);
    });
  }

  /**
   * Resolves to the payload with all changes. Undefined if there is none, or if a field's text is not in it: the sent
   * payload would then differ from the shown form.
   */
  async whole(): Promise<string | undefined> {
    await this.work;
    const isWhole = this.form !== undefined && Object.keys(this.draft?.unread ?? {}).length === 0;
    return isWhole ? this.draft?.text : undefined;
  }

  /** Focuses the first field whose text is not in the payload. */
  showUnread(): void {
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
    await this.work;
    const text = this.draft?.text;
    if (text === undefined) return;
    const { document, text: before } = this.document ?? {};
    const isKept = document?.isClosed === false && document.getText() === before;
    if (!isKept) {
      const editor = await open(text);
      this.document = { document: editor.document, text: editor.document.getText() };
      return;
    }
    if (text !== before) await vscode.workspace.applyEdit(wholeTextEdit(document, text));
    // The document may use other line ends than the form.
    this.document = { document, text: document.getText() };
    await showDocument(document);
  }

  dispose(): void {
    this.checking.dispose();
  }

  private inOrder(act: (skill: SkillDetail) => Promise<void>): Promise<void> {
    const { skill } = this;
    const done = this.work.then(async () => {
      // The page may show another skill by now.
      if (skill !== undefined && this.skill === skill) await act(skill);
    });
    this.work = done.catch(() => undefined);
    return done;
  }

  private begin(draft: FormDraft, document: FormDocument | undefined): void {
    this.draft = draft;
    this.document = document;
    this.shown = {};
  }

  private takeBrought(): void {
    const { brought, skill } = this;
    if (brought === undefined || skill?.summary.slug !== brought.skill.slug) return;
    if (!isSameVersion(skill.summary.version, brought.skill.version)) return;
    this.brought = undefined;
    const { document, text } = brought;
    void this.inOrder(async () => {
      this.begin({ text, unread: {} }, { document, text });
      await this.make(skill, undefined);
    });
  }

  private async startOf(skill: SkillDetail, from: TemplateKind | undefined): Promise<FormDraft> {
    const { sample } = this.parts;
    const asked = from === undefined ? undefined : await payloadTemplate(skill, from, sample);
    const { value } = asked ?? (await sampleTemplate(skill, "example", sample));
    return { text: JSON.stringify(value, undefined, 2), unread: {} };
  }

  private async make(skill: SkillDetail, edit: FormEdit | undefined): Promise<void> {
    const { draft } = this;
    if (draft === undefined) return;
    const shown: ShownFields = this.shown;
    const made = await this.parts.checks.form(skill, { ...draft, shown, ...(edit && { edit }) });
    if (this.skill !== skill) return;
    this.form = made?.form;
    if (made !== undefined) this.draft = made.draft;
    this.problems = undefined;
    this.send(this.part(skill));
    if (made !== undefined) void this.check(skill, made.form, made.draft);
  }

  /** Checks the payload as an editor does. A newer check replaces it. */
  private async check(skill: SkillDetail, form: Form, draft: FormDraft): Promise<void> {
    const signal = this.checking.begin();
    const checking = this.parts.checks.checkText(inputSchemaOf(skill), draft.text, signal);
    const check = await checking.catch(() => undefined);
    if (check === undefined || signal.aborted || this.form !== form) return;
    this.problems = formProblems(form, draft, check, hostLanguage());
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

/** Identifies a payload of a form. A result belongs to the form's payload if both have the same mark. */
export function payloadMark(text: string): string {
  return sha256(text).slice(0, 16);
}

/** The maximum number of examples to start from. The others are in their own tab. */
const maxStarts = 20;
