import { actionsFor } from "../../core/registry/failureNotice";
import { failureWords } from "../../core/registry/failureWords";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import type { Language } from "../../core/text/language";
import type { NoticeAction } from "../../core/text/notice";
import { oneLine } from "../../core/text/plainText";
import { cureActions, type PageStep, type SkillPage } from "../../protocol/skillPage";

/** Makes the page of a skill that could not be read: that it is gone, or why and what may cure it. */
export function failedPage(
  slug: string,
  registryName: string,
  failure: RegistryFailure,
  language: Language,
): SkillPage {
  return failure.kind === "notFound"
    ? { kind: "gone", slug, registryName }
    : {
        kind: "failed",
        slug,
        message: oneLine(failureWords(failure, language), 1000),
        steps: cures(actionsFor(failure, language)),
      };
}

function cures(steps: readonly NoticeAction[]): PageStep[] {
  return steps.flatMap(({ action, title }) => {
    const known = cureActions.find((each) => each === action);
    return known === undefined ? [] : [{ action: known, title }];
  });
}
