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
import type { FormPart } from "../../../protocol/pageMessages";
import type { PayloadChecks } from "../../author/payloadChecks";
import { hostLanguage } from "../../ui/hostLanguage";
import { LatestRequest } from "../../ui/wait";

/** What the form of a page is made with. */
export interface PayloadFormParts {
  readonly checks: Pick<PayloadChecks, "form" | "checkText">;
  readonly sample: MakeSample;
}

/**
 * The payload that a page edits in a form, as long as the page shows its skill in the same version. Changes are carried
 * out one after the other, in the thread that reads the schema; the page is sent what came of each.
 */
export class PayloadForm {
  private draft: FormDraft | undefined;
  private form: Form | undefined;
  private shown: Record<string, number> = {};
  private revision = 0;
  private skill: SkillDetail | undefined;
  private work: Promise<unknown> = Promise.resolve();
  private readonly checking = new LatestRequest();

  constructor(
    private readonly parts: PayloadFormParts,
    private readonly send: (part: FormPart) => void,
  ) {}

  /** Forgets the payload of another skill or version. */
  keepFor(skill: SkillDetail): void {
    const { summary } = this.skill ?? {};
    const isSame =
      summary?.slug === skill.summary.slug && isSameVersion(summary.version, skill.summary.version);
    this.skill = skill;
    if (isSame) return;
    this.draft = undefined;
    this.form = undefined;
    this.shown = {};
  }

  /** Sends the form to a page that has none; without a payload, of the one that a new payload starts with. */
  read(): Promise<void> {
    return this.inOrder(async (skill) => {
      this.revision = 0;
      this.draft ??= await this.startOf(skill, undefined);
      await this.make(skill, undefined);
    });
  }

  /** Starts the payload anew. */
  start(from: TemplateKind): Promise<void> {
    return this.inOrder(async (skill) => {
      this.begin(await this.startOf(skill, from));
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

  /** Shows so many fields of a group. */
  showFields(pointer: string, count: number): Promise<void> {
    return this.inOrder(async (skill) => {
      this.shown = { ...this.shown, [pointer]: count };
      await this.make(skill, undefined);
    });
  }

  /**
   * Resolves to the payload with all changes so far. Undefined where there is none, or where a change is not in it: what
   * the form shows is not what would be sent then.
   */
  async whole(): Promise<string | undefined> {
    await this.work;
    const isWhole = this.form !== undefined && Object.keys(this.draft?.unread ?? {}).length === 0;
    return isWhole ? this.draft?.text : undefined;
  }

  /** Resolves to the payload as far as it is JSON. */
  async text(): Promise<string | undefined> {
    await this.work;
    return this.draft?.text;
  }

  dispose(): void {
    this.checking.dispose();
  }

  private inOrder(act: (skill: SkillDetail) => Promise<void>): Promise<void> {
    const { skill } = this;
    const done = this.work.then(async () => {
      // The page shows another skill by now.
      if (skill !== undefined && this.skill === skill) await act(skill);
    });
    this.work = done.catch(() => undefined);
    return done;
  }

  private begin(draft: FormDraft): void {
    this.draft = draft;
    this.shown = {};
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
    this.tell(skill, undefined);
    if (made !== undefined) void this.check(skill, made.form, made.draft);
  }

  /** Checks the payload as an editor's is checked. A newer one replaces it. */
  private async check(skill: SkillDetail, form: Form, draft: FormDraft): Promise<void> {
    const signal = this.checking.begin();
    const checking = this.parts.checks.checkText(inputSchemaOf(skill), draft.text, signal);
    const check = await checking.catch(() => undefined);
    if (check === undefined || signal.aborted || this.form !== form) return;
    this.tell(skill, formProblems(form, draft, check, hostLanguage()));
  }

  private tell(skill: SkillDetail, problems: FormProblems | undefined): void {
    const language = hostLanguage();
    const starts = templateKinds(skill)
      .slice(0, maxStarts)
      .map((kind) => ({ kind, title: templateTitle(skill, kind, language) }));
    const { form, revision } = this;
    this.send({ type: "form", form, problems, revision, starts });
  }
}

/** More examples are chosen in their own tab. */
const maxStarts = 20;
