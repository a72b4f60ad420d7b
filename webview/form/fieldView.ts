import {
  type FieldGroup,
  type FormEdit,
  type FormField,
  fieldsAtOnce,
  isGroup,
} from "../../src/core/form/formField";
import type { FieldProblem } from "../../src/core/form/formProblems";
import type { Translate } from "../../src/core/text/language";
import { plainButton } from "../buttons";
import { type Content, element, quietNote, refill, selectOf } from "../element";
import { icon } from "../icons";
import { type ControlView, controlShape, controlView } from "./fieldControls";
import { MemberName } from "./memberName";

/** Callbacks of a field to its form. */
export interface FieldActions {
  readonly t: Translate;
  /** Sends a change after a short delay, together with later typing. Returns the revision that will contain it. */
  readonly type: (edit: FormEdit) => number;
  /**
   * Sends a change immediately. Once it is shown, focuses the field at the pointer `focus`. Returns the revision that
   * contains it.
   */
  readonly change: (edit: FormEdit, focus?: string) => number;
  readonly showFields: (pointer: string, count: number) => void;
  /** Sends pending changes. */
  readonly flush: () => void;
}

/** The state of a form besides its fields. */
interface FormState {
  readonly problems: readonly FieldProblem[];
  /** The revision of the last change that the fields contain. */
  readonly revision: number;
}

const typable = ["input", "textarea", "select"].join();
/** The elements of a field that can be focused. */
const focusable = [typable, "button", "vscode-button"].join();

/** The view of one field. It keeps its element while the value changes. */
export class FieldView {
  readonly element: HTMLElement;
  private field: FormField;
  private readonly id: string;
  private readonly shape: string;
  private readonly head = element("div", { class: "field-head" });
  private readonly about = element("div", { class: "field-about" });
  private readonly problems: HTMLElement;
  private readonly below = element("div", { class: "field-below" });
  private readonly end = element("div", { class: "field-end" });
  private readonly control: ControlView | undefined;
  private readonly memberName: MemberName;
  private readonly children = new Map<string, FieldView>();
  private drawn = "";
  /** The revision that contains the last typing in this field. An older form does not overwrite it. */
  private typedRevision = 0;

  constructor(
    field: FormField,
    private readonly actions: FieldActions,
  ) {
    this.field = field;
    this.shape = shapeOf(field);
    this.id = `field:${field.pointer}`;
    const { pointer, control } = field;
    const isOne = !isGroup(control);
    const isLabelled = control.kind === "choices" && pointer !== "";
    this.problems = element("ul", {
      class: "problems",
      id: `${this.id}:problems`,
      "aria-live": "polite",
    });
    this.about.id = `${this.id}:about`;
    this.control = isGroup(control)
      ? undefined
      : controlView(
          control,
          {
            id: this.id,
            "aria-describedby": `${this.about.id} ${this.problems.id}`,
            "aria-label": pointer === "" ? actions.t("Payload") : undefined,
            "aria-labelledby": isLabelled ? `${this.id}:label` : undefined,
          },
          {
            onType: (text) => {
              this.typedRevision = actions.type({ what: "write", pointer, text });
            },
            onChoose: (text) => actions.change({ what: "write", pointer, text }),
            onCheck: (index, isChosen) => {
              this.typedRevision = actions.change({ what: "choose", pointer, index, isChosen });
            },
            onLeave: () => actions.flush(),
          },
          actions.t,
        );
    this.memberName = new MemberName(this.id, actions.t, (name) => {
      const added = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      actions.change({ what: "addMember", pointer, name }, added);
    });
    this.element = element(
      "div",
      {
        class: isOne ? "field" : "field group",
        role: isOne ? undefined : "group",
        "aria-labelledby": !isOne && pointer !== "" ? `${this.id}:label` : undefined,
        "aria-label": !isOne && pointer === "" ? actions.t("Payload") : undefined,
      },
      this.head,
      this.control?.element,
      this.about,
      this.problems,
      this.below,
      this.end,
    );
  }

  /** Returns whether this view can show a field. If not, the field needs a new view. */
  canShow(field: FormField): boolean {
    return this.field.pointer === field.pointer && this.shape === shapeOf(field);
  }

  update(field: FormField, state: FormState): void {
    this.field = field;
    const { control } = field;
    const { fields = [] } = isGroup(control) ? control : {};
    const drawn = JSON.stringify([
      { ...field, control: isGroup(control) ? { ...control, fields: fields.length } : 0 },
    ]);
    if (drawn !== this.drawn) this.drawAbout(field);
    this.drawn = drawn;
    if (this.control !== undefined && state.revision >= this.typedRevision)
      this.control.show(control);
    this.drawProblems(state.problems);
    if (isGroup(control)) this.drawGroup(control, state);
  }

  /** Focuses the field at a pointer, or its nearest visible parent. Returns whether the field is in this view. */
  focusAt(pointer: string): boolean {
    for (const child of this.children.values()) {
      const at = child.field.pointer;
      if ((pointer === at || pointer.startsWith(`${at}/`)) && child.focusAt(pointer)) return true;
    }
    const first = this.element.querySelector<HTMLElement>(focusable);
    first?.focus();
    return first !== null;
  }

  /** Focuses the first required field without a value, else the first control that takes typing or a choice. */
  focusFirst(): void {
    const unfilled = this.firstUnfilled();
    if (unfilled !== undefined && this.focusAt(unfilled)) return;
    const first =
      this.element.querySelector<HTMLElement>(typable) ??
      this.element.querySelector<HTMLElement>(focusable);
    first?.focus();
  }

  private firstUnfilled(): string | undefined {
    const { pointer, isRequired, control } = this.field;
    const isEmpty =
      "text" in control ? control.text === "" : "chosen" in control && control.chosen === -1;
    if (isRequired && isEmpty) return pointer;
    for (const child of this.children.values()) {
      const found = child.firstUnfilled();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private drawAbout(field: FormField): void {
    const { t } = this.actions;
    const { pointer, label, name, description, facts, isRequired, isDeprecated, fallback, note } =
      field;
    const isOne = this.control !== undefined;
    const titled =
      this.control === undefined || field.control.kind === "choices"
        ? element("span", { id: `${this.id}:label`, class: "name" }, label)
        : element("label", { for: this.id, class: "name" }, label);
    const marks = [
      name !== "" && element("code", { class: "quiet" }, name),
      isRequired && element("span", { class: "required" }, t("required")),
      isDeprecated && element("span", { class: "required" }, t("deprecated")),
    ];
    const head = pointer === "" && label === "" ? [] : [pointer !== "" && titled, ...marks];
    refill(this.head, [...head, ...this.unions(field), this.removal(field)]);
    refill(this.about, [
      description !== "" && element("p", { class: "words quiet" }, description),
      facts.length > 0 && isOne && quietNote(facts.join(" · ")),
      fallback !== "" && this.fallback(field),
      note !== "" && element("p", { class: "words" }, note),
      field.control.kind === "long" && quietNote(t("Too long to edit here. Open it as JSON.")),
      this.suggestions(field),
    ]);
    if (this.control?.element.matches(typable)) {
      this.control.element.setAttribute("aria-required", String(isRequired));
    }
  }

  private fallback({ fallback, pointer, label }: FormField): HTMLElement {
    const { t, change } = this.actions;
    const use = () => change({ what: "default", pointer }, pointer);
    const name = t("Use default: {name}", { name: label || t("Payload") });
    return element(
      "p",
      { class: "fallback quiet" },
      t("Default: {value}", { value: fallback }),
      plainButton("link", t("Use default"), use, { "aria-label": name }),
    );
  }

  private unions({ unions, pointer, label }: FormField): HTMLElement[] {
    const { t, change } = this.actions;
    return unions.map(({ labels, chosen }, union) => {
      const id = `${this.id}:union${union}`;
      const name = t("Kind of {name}", { name: label || t("Payload") });
      const options = labels.map((item, index) => [String(index), item] as const);
      const list = selectOf(
        { id, "aria-label": name },
        chosen < 0 ? [["", t("not set")], ...options] : options,
        (value) =>
          value !== "" &&
          change({ what: "branch", pointer, union, branch: Number(value) }, pointer),
      );
      list.value = chosen < 0 ? "" : String(chosen);
      return list;
    });
  }

  private removal({ canRemove, pointer, label }: FormField): Content {
    const { t, change } = this.actions;
    if (!canRemove) return undefined;
    const parent = pointer.slice(0, pointer.lastIndexOf("/"));
    const remove = () => change({ what: "remove", pointer }, parent);
    const name = t("Remove {name}", { name: label });
    return plainButton("subtle", t("Remove"), remove, { "aria-label": name });
  }

  private suggestions({ suggestions, pointer, label }: FormField): Content {
    const { t, change } = this.actions;
    if (suggestions.length === 0) return undefined;
    return element(
      "ul",
      { class: "tags", "aria-label": t("Suggestions for {name}", { name: label }) },
      ...suggestions.map((text, index) =>
        element(
          "li",
          {},
          plainButton("tag", text, () => change({ what: "suggest", pointer, index }, pointer)),
        ),
      ),
    );
  }

  private drawProblems(problems: readonly FieldProblem[]): void {
    const own = problems.filter(({ pointer }) => pointer === this.field.pointer);
    const text = own.map(({ message }) => message).join("\n");
    this.control?.element.setAttribute(
      "aria-invalid",
      String(own.some(({ severity }) => severity === "error")),
    );
    if (this.problems.dataset["text"] === text) return;
    this.problems.dataset["text"] = text;
    this.problems.replaceChildren(
      ...own.map(({ message, severity }) => element("li", { class: severity }, message)),
    );
  }

  private drawGroup(control: FieldGroup, state: FormState): void {
    const pointers = new Set(control.fields.map(({ pointer }) => pointer));
    for (const [pointer, child] of this.children) {
      if (pointers.has(pointer)) continue;
      child.element.remove();
      this.children.delete(pointer);
    }
    let before: Element | null = this.below.firstElementChild;
    for (const field of control.fields) {
      const known = this.children.get(field.pointer);
      const child = known?.canShow(field) ? known : new FieldView(field, this.actions);
      if (known !== undefined && known !== child) {
        if (before === known.element) before = child.element;
        known.element.replaceWith(child.element);
      }
      this.children.set(field.pointer, child);
      if (child.element === before) before = before.nextElementSibling;
      else this.below.insertBefore(child.element, before);
      child.update(field, state);
    }
    this.drawEnd(control);
  }

  private drawEnd({ kind, fields, more, isOpen, adds }: FieldGroup): void {
    const { t, change, showFields } = this.actions;
    const { pointer, isSet, label } = this.field;
    const name = label || t("Payload");
    const next = `${pointer}/${fields.length + more}`;
    const add = () => change({ what: "add", pointer }, isSet ? next : pointer);
    const shape = JSON.stringify([kind, fields.length, more, isOpen, adds, isSet, label]);
    if (this.end.dataset["shape"] === shape) return;
    this.end.dataset["shape"] = shape;
    const show = (text: string, wanted: number) =>
      plainButton("subtle", text, () => showFields(pointer, wanted), {
        "aria-label": `${text}: ${name}`,
      });
    const addButton = (text: string, label: string) =>
      plainButton("subtle", [icon("added"), text], add, { "aria-label": label });
    if (!isSet) {
      refill(this.end, [pointer !== "" && addButton(t("Add"), t("Add {name}", { name }))]);
      return;
    }
    const showMore =
      fields.length === 0
        ? t("Show {count}", { count: more })
        : t("Show More ({count})", { count: more });
    refill(this.end, [
      kind === "list" && addButton(t("Add Item"), t("Add Item: {name}", { name })),
      isOpen && adds === "member" && this.memberName.element,
      more > 0 && show(showMore, fields.length + fieldsAtOnce),
      pointer !== "" && fields.length > 0 && show(t("Hide"), 0),
    ]);
  }
}

function shapeOf({ control }: FormField): string {
  return controlShape(control);
}
