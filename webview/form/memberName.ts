import type { Translate } from "../../src/core/text/language";
import { button } from "../buttons";
import { element } from "../element";
import { icon } from "../icons";

/** A control for the name of a new member of an object. */
export class MemberName {
  readonly element: HTMLElement;

  constructor(id: string, t: Translate, add: (name: string) => void) {
    const input = element("input", {
      id: `${id}:name`,
      type: "text",
      maxlength: "1000",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: t("Name"),
      "aria-label": t("Name of a new member"),
    });
    const submit = () => {
      if (input.value === "") return input.focus();
      add(input.value);
      input.value = "";
    };
    input.addEventListener("keydown", ({ key, isComposing }) => {
      if (key === "Enter" && !isComposing) submit();
    });
    this.element = element(
      "div",
      { class: "member-name" },
      input,
      button(t("Add…"), submit, { id: `${id}:add` }, icon("added", "start")),
    );
  }
}
