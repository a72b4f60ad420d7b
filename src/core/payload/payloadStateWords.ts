import type { Language, Translate } from "../text/language";
import type { PayloadCheck } from "./payloadCheck";

/** Says in a few words how a check ended: `valid`, `3 problems`, `not checked` or `3 problems, not all checked`. */
export function checkWords(check: PayloadCheck, { translate }: Language): string {
  const count = errorCount(check);
  switch (check.state) {
    case "valid":
      return translate("valid");
    case "unchecked":
      return count === 0
        ? translate("not checked")
        : translate("{problems}, not all checked", { problems: problemWords(count, translate) });
    case "invalid":
      return problemWords(count, translate);
  }
}

function problemWords(count: number, translate: Translate): string {
  return count === 1 ? translate("1 problem") : translate("{count} problems", { count });
}

/** Counts the errors of a check, those not listed included. Warnings do not count. */
export function errorCount(check: PayloadCheck): number {
  const listed = check.problems.filter(({ severity }) => severity === "error").length;
  return listed + check.hiddenProblems;
}
