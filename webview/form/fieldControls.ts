import type { FieldControl, FieldGroup } from "../../src/core/form/formField";
import type { Translate } from "../../src/core/text/language";
import { type Attributes, element, selectOf } from "../element";

/** The control of a field. */
export interface ControlView {
  readonly element: HTMLElement;
  readonly show: (control: FieldControl) => void;
}

/** The callbacks of a control: for typing, for a choice, for a check box, and for losing the focus after typing. */
interface ControlEvents {
  readonly onType: (text: string) => void;
  readonly onChoose: (text: string) => void;
  readonly onCheck: (index: number, isChosen: boolean) => void;
  readonly onLeave: () => void;
}

type ValueControl = Exclude<FieldControl, FieldGroup>;

/** Creates an empty control for a kind of value; `show` fills it. */
export function controlView(
  control: ValueControl,
  attributes: Attributes,
  events: ControlEvents,
  t: Translate,
): ControlView {
  switch (control.kind) {
    case "choice":
      return choice(control.options, attributes, events, t);
    case "choices":
      return choices(control.options, attributes, events);
    case "fixed":
    case "long":
      return shownText(attributes);
    case "json":
      return typed(lines({ ...attributes, class: "json-field" }), events);
    case "number":
      return typed(line("text", { ...attributes, inputmode: "decimal" }), events);
    case "text":
      if (control.input === "lines") return typed(lines(attributes), events);
      return typed(line(control.input === "date" ? "date" : "text", attributes), events);
  }
}

/** Returns a key for the kind of a control. A control with another key needs a new element. */
export function controlShape(control: FieldControl): string {
  switch (control.kind) {
    case "choice":
    case "choices":
      return `${control.kind} ${JSON.stringify(control.options)}`;
    case "text":
      return `text ${control.input}`;
    default:
      return control.kind;
  }
}

function line(type: "text" | "date", attributes: Attributes): HTMLInputElement {
  const given = { autocomplete: "off", spellcheck: "false", type, ...attributes };
  return element("input", given);
}

function lines(attributes: Attributes): HTMLTextAreaElement {
  return element("textarea", {
    rows: "1",
    spellcheck: "false",
    ...attributes,
  });
}

function typed(
  input: HTMLInputElement | HTMLTextAreaElement,
  { onType, onLeave }: ControlEvents,
): ControlView {
  input.addEventListener("input", () => onType(input.value));
  input.addEventListener("change", onLeave);
  return {
    element: input,
    show: (control) => {
      if ("text" in control && input.value !== control.text) input.value = control.text;
    },
  };
}

function choice(
  options: readonly string[],
  attributes: Attributes,
  { onChoose }: ControlEvents,
  t: Translate,
): ControlView {
  const listed = options.map((option, index) => [String(index), option] as const);
  const list = selectOf(attributes, [["", t("not set")], ...listed], onChoose);
  return {
    element: list,
    show: (control) => {
      if (control.kind === "choice") list.value = control.chosen < 0 ? "" : String(control.chosen);
    },
  };
}

function choices(
  options: readonly string[],
  attributes: Attributes,
  { onCheck }: ControlEvents,
): ControlView {
  const boxes = options.map((_, index) => {
    const box = element("input", { type: "checkbox" });
    box.addEventListener("change", () => onCheck(index, box.checked));
    return box;
  });
  const labels = boxes.map((box, index) =>
    element("label", { class: "check" }, box, options[index]),
  );
  return {
    element: element("div", { ...attributes, class: "boxes", role: "group" }, ...labels),
    show: (control) => {
      if (control.kind !== "choices") return;
      for (const [index, box] of boxes.entries()) box.checked = control.chosen.includes(index);
    },
  };
}

function shownText(attributes: Attributes): ControlView {
  const shown = element("code", { ...attributes, class: "fixed" });
  return {
    element: shown,
    show: (control) => {
      if ("text" in control) shown.textContent = control.text;
    },
  };
}
