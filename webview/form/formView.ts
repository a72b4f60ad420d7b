import type { FormEdit } from "../../src/core/form/formField";
import type { ExampleTrial } from "../../src/core/invocation/output/exampleTrial";
import type { FormPart, ReadyPage } from "../../src/protocol/pageMessages";
import type { PageContext } from "../buttons";
import { type Content, element, quietNote, section } from "../element";
import { type PagePart, redrawing } from "../parts/part";
import { trialView } from "../parts/trialView";
import { priceLine } from "../skillHead";
import { type FieldActions, FieldView } from "./fieldView";
import { formTools, type Stakes } from "./formTools";

/** The data beside the fields of a form: the cost and risks of an invocation, and the last result. */
interface FormFacts extends Stakes {
  readonly version: string;
  readonly isLocal: boolean;
  readonly offersInvoke: boolean;
  readonly trial: ExampleTrial | undefined;
}

/** Debounce delay for typing, in milliseconds. */
const typingMs = 120;

/**
 * The view of the form of a payload. It draws the host's form and sends changes. Fields keep their element and cursor
 * on a redraw.
 */
export class FormView implements PagePart {
  readonly element: HTMLElement;
  private readonly fields = element("div", { class: "form-fields" });
  private readonly note = slot();
  private readonly tools = slot("form-bar");
  private readonly result = slot("form-result");
  private facts: FormFacts | undefined;
  private part: FormPart | undefined;
  private root: FieldView | undefined;
  private revision = 0;
  private isRead = false;
  private typing: { readonly timer: number; readonly edit: FormEdit } | undefined;
  /** The field to focus once its revision is shown. */
  private focusNext: { readonly revision: number; readonly pointer: string } | undefined;
  /** Whether to focus the first field as soon as there is one. */
  private takesFocus = false;
  /** Whether to scroll to the result when the invocation ends. */
  private awaitsEnd = false;

  constructor(private readonly context: PageContext) {
    const { t } = context;
    this.element = section(
      "try-it",
      t("Try It"),
      this.tools.element,
      this.note.element,
      element("div", { class: "form-body" }, this.fields, this.result.element),
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.invoke();
    });
  }

  update({ skill, run, trials }: ReadyPage): void {
    const { version, prices, permissionLevel, absent, isLocal, offersInvoke } = skill;
    const isOther = this.facts !== undefined && this.facts.version !== version;
    const price = priceLine(prices, absent.prices);
    const stakes = { version, price, permissionLevel, run };
    this.facts = { ...stakes, trial: trials.form, isLocal, offersInvoke };
    if (isOther) this.startOver();
    this.draw();
  }

  /** Requests the form, once. */
  read(): void {
    if (this.isRead) return;
    this.isRead = true;
    this.context.send({ type: "readForm" });
  }

  /** Focuses the first field as soon as there is one. */
  takeFocus(): void {
    this.takesFocus = this.root === undefined;
    this.root?.focusFirst();
  }

  receive(part: FormPart): void {
    this.part = { ...part, problems: part.problems ?? this.part?.problems };
    this.drawFields(this.part);
    this.draw();
    if (this.takesFocus) this.takeFocus();
    if (part.focus !== undefined) this.root?.focusAt(part.focus);
    if (this.focusNext === undefined || part.revision < this.focusNext.revision) return;
    this.root?.focusAt(this.focusNext.pointer);
    this.focusNext = undefined;
  }

  /** Discards the form, because another version has another schema. */
  private startOver(): void {
    if (this.typing !== undefined) clearTimeout(this.typing.timer);
    this.typing = undefined;
    this.part = undefined;
    this.root = undefined;
    this.revision = 0;
    this.fields.replaceChildren();
    if (!this.isRead) return;
    this.isRead = false;
    this.read();
  }

  private drawFields({ form, problems, revision }: FormPart): void {
    if (form === undefined) {
      this.root = undefined;
      this.fields.replaceChildren();
      return;
    }
    if (this.root === undefined || !this.root.canShow(form.root)) {
      this.root = new FieldView(form.root, this.actions());
      this.fields.replaceChildren(this.root.element);
    }
    this.root.update(form.root, { problems: problems?.all ?? [], revision });
  }

  private draw(): void {
    const { context, facts, part } = this;
    if (facts === undefined) return;
    const { t } = context;
    const { trial } = facts;
    const text = part === undefined ? t("Loading…") : (part.form?.note ?? noForm(context));
    const { notes: aboutDocument = [], problems } = part ?? {};
    const notes = [...aboutDocument, text, problems?.more ?? ""].filter((item) => item !== "");
    this.note.show(notes, () =>
      notes.map((note) => element("p", { class: "quiet form-note", role: "status" }, note)),
    );
    const shown = part && {
      starts: part.starts,
      hasForm: part.form !== undefined,
      isRunning: trial?.kind === "running",
      problem: part.problems?.summary,
      ...facts,
      trial: undefined,
    };
    const open = () => {
      this.flush();
      context.send({ type: "openForm" });
    };
    const invoke = () => this.invoke();
    const focusAt = (pointer: string) => this.root?.focusAt(pointer);
    this.tools.show(shown, () => [shown && formTools(shown, context, { invoke, open, focusAt })]);
    this.drawResult(trial, part);
  }

  private drawResult(trial: ExampleTrial | undefined, part: FormPart | undefined): void {
    const { context } = this;
    const { t } = context;
    const isEarlier =
      trial?.kind === "ended" && part !== undefined && trial.payload !== part.payload;
    this.result.show({ trial, isEarlier }, () =>
      trial === undefined
        ? []
        : [
            element("h3", {}, t("Result")),
            isEarlier && quietNote(t("This is the result of an earlier payload.")),
            trialView(trial, { name: t("Try It"), trial: "form" }, context),
          ],
    );
    if (trial === undefined || trial.kind === "running" || !this.awaitsEnd) return;
    this.awaitsEnd = false;
    this.result.element.scrollIntoView({ block: "nearest" });
  }

  private invoke(): void {
    if (this.part?.form === undefined || this.facts?.trial?.kind === "running") return;
    if (this.facts?.offersInvoke !== true) return;
    this.flush();
    this.awaitsEnd = true;
    this.context.send({ type: "invokeForm" });
  }

  private actions(): FieldActions {
    return {
      t: this.context.t,
      type: (edit) => {
        const { typing } = this;
        if (typing !== undefined && typing.edit.pointer !== edit.pointer) this.flush();
        else if (typing !== undefined) clearTimeout(typing.timer);
        this.typing = { edit, timer: window.setTimeout(() => this.flush(), typingMs) };
        return this.revision + 1;
      },
      change: (edit, focus) => {
        this.flush();
        this.sendEdit(edit);
        if (focus !== undefined) this.focusNext = { revision: this.revision, pointer: focus };
        return this.revision;
      },
      showFields: (pointer, count) => {
        this.flush();
        this.context.send({ type: "showFields", pointer, count });
      },
      flush: () => this.flush(),
    };
  }

  /** Sends pending changes. */
  private flush(): void {
    const { typing } = this;
    if (typing === undefined) return;
    clearTimeout(typing.timer);
    this.typing = undefined;
    this.sendEdit(typing.edit);
  }

  private sendEdit(edit: FormEdit): void {
    this.revision += 1;
    this.context.send({ type: "editForm", edit, revision: this.revision });
  }
}

/** Creates an element that redraws its content only when its data changes. */
function slot(name?: string) {
  const place = element("div", { class: name });
  const redraw = redrawing(place);
  let drawn = "";
  return {
    element: place,
    show: (shown: unknown, draw: () => readonly Content[]) => {
      const text = JSON.stringify(shown) ?? "";
      if (text === drawn) return;
      drawn = text;
      redraw(draw());
    },
  };
}

function noForm({ t }: PageContext): string {
  return t("This form could not be made. Open the payload as JSON instead.");
}
