import type { Language } from "../text/language";
import type { PayloadCheck } from "./payloadCheck";

/** Says in a few words how a check ended: `valid`, `3 problems` or `not checked`. */
export function checkWords(check: PayloadCheck, { translate }: Language): string {
  switch (check.state) {
    case "valid":
      return translate("valid");
    case "unchecked":
      return translate("not checked");
    case "invalid": {
      const count = errorCount(check);
      return count === 1 ? translate("1 problem") : translate("{count} problems", { count });
    }
  }
}

/** Counts the errors of a check, those not listed included. Warnings do not count. */
export function errorCount(check: PayloadCheck): number {
  const listed = check.problems.filter(({ severity }) => severity === "error").length;
  return listed + check.hiddenProblems;
}
