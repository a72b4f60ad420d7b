import type { Language } from "../../text/language";
import { revealHiddenIn } from "../../text/plainText";
import { type Change, difference } from "../difference";
import {
  changePath,
  changeText,
  mostSerious,
  partTitle,
  type Sides,
  summaryText,
} from "../differenceText";
import type { SkillDetail } from "../skill";
import { declarationOf } from "./contract";
import { type ChangeGroup, changeKindText, type VersionDifference } from "./versionDifference";

/** Describes the differences between two versions of a skill. Pure. The result may be sent to the page unchanged. */
export function describeChanges(
  before: SkillDetail,
  after: SkillDetail,
  language: Language,
): VersionDifference {
  const sides = { before: declarationOf(before), after: declarationOf(after) };
  const changes = difference(sides.before, sides.after);
  const shownParts = new Set(changes.map(({ part }) => part));
  return revealHiddenIn<VersionDifference>({
    before: before.summary.version.slice(0, 100),
    after: after.summary.version.slice(0, 100),
    summary: summaryText(changes, sides, language),
    needsLook: changes.some(({ impact }) => impact !== "safe"),
    groups: [...shownParts].map((part) =>
      changeGroup(
        part,
        changes.filter((change) => change.part === part),
        sides,
        language,
      ),
    ),
  });
}

/** The maximum number of shown changes; the diff editor shows all. */
const maxShown = 200;

function changeGroup(
  part: Change["part"],
  changes: readonly Change[],
  sides: Sides,
  language: Language,
): ChangeGroup {
  const shown = mostSerious(changes).slice(0, maxShown);
  const leftOut = changes.length - shown.length;
  return {
    part,
    title: partTitle(part, language),
    changes: shown.map((change) => ({
      ...changeKindText(change.isNegated ? "changed" : change.kind, language),
      path: changePath(change),
      text: changeText(change, sides, language).slice(0, 1000),
      impact: change.impact,
    })),
    note: leftOut === 0 ? "" : language.t("And {count} more changes.", { count: leftOut }),
  };
}
