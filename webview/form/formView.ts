import type { FormEdit } from "../../src/core/form/formField";
import type { ExampleTrial } from "../../src/core/skill/description/exampleTrial";
import type { SkillDescription } from "../../src/core/skill/description/skillDescription";
import type { FormPart, ReadyPage } from "../../src/protocol/pageMessages";
import { button, type PageContext } from "../buttons";
import { element, section } from "../element";
import { icon, levelIcon, toneIcon } from "../icons";
import { type PagePart, redrawing } from "../parts/part";
import { trialView } from "../parts/trialView";
import { runSigns } from "../skillHead";
import { type FieldActions, FieldView } from "./fieldView";

/** The facts that the form shows: the skill, whether it can be invoked, and the last invocation. */
type FormFacts = Pick<ReadyPage, "run"> & {
  readonly skill: Pick<SkillDescription, "version" | "prices" | "permissionLevel"> & {
    readonly absentPrice: string;
  };
  readonly trial: ExampleTrial | undefined;
};

/** While a person types, changes are sent together after this many milliseconds. */
const typingMs = 120;

/**
 * The form of a payload. It draws the host's form, and sends what is typed. Fields keep their element and cursor while
 * the rest is redrawn.
 */
export class FormView implements PagePart {
  readonly element: HTMLElement;
  private readonly fields = element("div", { class: "form-fields" });
  private readonly note = slot();
  private readonly tools = slot();
  private readonly result = slot();
  private facts: FormFacts | undefined;
  private part: FormPart | undefined;
  private root: FieldView | undefined;
  private revision = 0;
  private isRead = false;
  private typing: { readonly timer: number; readonly edit: FormEdit } | undefined;
  /** The next focus, set once the change is shown. */
  private focusNext: { readonly revision: number; readonly pointer: string } | undefined;

  constructor(private readonly context: PageContext) {
    const { t } = context;
    this.element = section(
      "try-it",
      t("Try it"),
      this.note.element,
      this.fields,
      this.tools.element,
      this.result.element,
    );
  }

  update({ skill, run, trials }: ReadyPage): void {
    const { version, prices, permissionLevel, absent } = skill;
    const isOther = this.facts !== undefined && this.facts.skill.version !== version;
    this.facts = {
      skill: { version, prices, permissionLevel, absentPrice: absent.prices },
      run,
      trial: trials.form,
    };
    if (isOther) this.startOver();
    this.draw();
  }

  /** Requests the form, once. */
  read(): void {
    if (this.isRead) return;
    this.isRead = true;
    this.context.send({ type: "readForm" });
  }

  /** Shows a form from the host. */
  receive(part: FormPart): void {
    this.part = { ...part, problems: part.problems ?? this.part?.problems };
    this.drawFields(this.part);
    this.draw();
    if (this.focusNext === undefined || part.revision < this.focusNext.revision) return;
    this.root?.focusAt(this.focusNext.pointer);
    this.focusNext = undefined;
  }

  /** Another version has another schema. */
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
    const notes = [text, part?.problems?.more ?? ""].filter((one) => one !== "");
    this.note.show(notes, () =>
      notes.map((one) => element("p", { class: "quiet", role: "status" }, one)),
    );
    const state = {
      starts: part?.starts,
      isMade: part?.form !== undefined,
      facts: { ...facts, trial: trial?.kind },
    };
    this.tools.show(state, () => (part === undefined ? [] : [this.toolsOf(part, facts)]));
    this.result.show(trial, () =>
      trial === undefined ? [] : [trialView(trial, { name: t("Try it"), trial: "form" }, context)],
    );
  }

  private toolsOf(part: FormPart, facts: FormFacts): HTMLElement {
    const { context } = this;
    const { t, send } = context;
    const { trial } = facts;
    const invoke = button(
      t("Invoke"),
      () => {
        this.flush();
        send({ type: "invokeForm" });
      },
      {
        id: "invoke-form",
        appearance: "primary",
        disabled: part.form === undefined || trial?.kind === "running",
      },
      icon("play", "start"),
    );
    const open = button(
      t("Open as JSON"),
      () => {
        this.flush();
        send({ type: "openForm" });
      },
      { id: "open-form" },
      icon("edit", "start"),
    );
    return element(
      "div",
      { class: "form-tools" },
      element("div", { class: "actions" }, invoke, open, this.startsOf(part)),
      element("ul", { class: "stakes" }, ...stakes(facts, context)),
    );
  }

  /** Lists the payloads to start from. */
  private startsOf({ starts }: FormPart): HTMLElement {
    const { t } = this.context;
    const list = element(
      "select",
      { id: "start-form", "aria-label": t("Start anew from") },
      element("option", { value: "" }, t("Start anew from…")),
      ...starts.map(({ title }, index) => element("option", { value: String(index) }, title)),
    ) as HTMLSelectElement;
    list.addEventListener("change", () => {
      const from = starts[Number(list.value)]?.kind;
      if (list.value === "" || from === undefined) return;
      list.value = "";
      this.context.send({ type: "startForm", from });
    });
    return list;
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

/** Creates an element whose content is redrawn when its facts have changed. */
function slot() {
  const place = element("div", {});
  const redraw = redrawing(place);
  let drawn = "";
  return {
    element: place,
    show: (shown: unknown, draw: () => readonly HTMLElement[]) => {
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

/** Shows what an invocation costs, what the skill may do, and whether it is expected to run. */
function stakes({ skill, run }: FormFacts, { t }: PageContext): HTMLElement[] {
  const { prices, absentPrice, permissionLevel } = skill;
  const price = prices.length === 0 ? absentPrice : prices.join(", ");
  return [
    element("li", {}, t("Price: {price}", { price })),
    element(
      "li",
      {},
      levelIcon(permissionLevel.bars, permissionLevel.tone),
      t("Permission level: {level}", { level: permissionLevel.word }),
    ),
    element(
      "li",
      {},
      toneIcon(runSigns[run.kind]),
      t("Can I invoke it? {answer}", { answer: run.word }),
    ),
  ];
}
