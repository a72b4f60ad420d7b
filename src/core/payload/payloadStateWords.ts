import type { Language, Translate } from "../text/language";
import type { PayloadCheck } from "./payloadCheck";

/** Says in a few words how a check ended: `valid`, `3 problems`, `not checked` or `3 problems, not all checked`. */
export function checkWords(check: PayloadCheck, { t }: Language): string {
  const count = errorCount(check);
  switch (check.state) {
    case "valid":
      return t("valid");
    case "unchecked":
      return count === 0
        ? t("not checked")
        : t("{problems}, not all checked", { problems: problemWords(count, t) });
    case "invalid":
      return problemWords(count, t);
  }
}

function problemWords(count: number, t: Translate): string {
  return count === 1 ? t("1 problem") : t("{count} problems", { count });
}

/** Counts the errors of a check, those not listed included. Warnings do not count. */
export function errorCount(check: PayloadCheck): number {
  const listed = check.problems.filter(({ severity }) => severity === "error").length;
  return listed + check.hiddenProblems;
}
