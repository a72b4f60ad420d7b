import * as vscode from "vscode";
import { maxCompared, minCompared } from "../../core/skill/compare/compareSkills";
import type { SkillSummary } from "../../core/skill/skill";
import { areDifferent, checkedAfter, stableRows } from "../../core/skillList/skillPicker";
import { findSkills, type SkillSource, skillRow } from "../discover/pickSkill";
import { listItems, openList, searchWhileTyping, untilDrawn } from "../ui/quickInput/choose";

interface SkillItem extends vscode.QuickPickItem {
  readonly slug: string;
}

/**
 * Lets the user check two to four skills in a list that searches the registry while they type. Checked skills stay
 * checked across searches. The skills of `start` are checked at first. Undefined if they canceled.
 */
export function chooseSkillsToCompare(
  source: SkillSource,
  start: readonly string[],
): Promise<readonly string[] | undefined> {
  let checked: readonly SkillItem[] = start.map((slug) => ({
    slug,
    label: slug,
    alwaysShow: true,
  }));
  let rows: readonly SkillItem[] = checked;
  let skills: readonly SkillSummary[] = [];
  let notes: readonly string[] = [];
  let isAnswered = false;
  /** The check marks of each time that rows were sent and the editor has not confirmed yet. */
  const sent: (readonly SkillItem[])[] = [];
  /** The check marks of the editor's latest report. */
  let reported: readonly SkillItem[] = [];
  const question = {
    title: titleFor(checked.length),
    placeHolder: vscode.l10n.t("Select {0}–{1} skills, then press Enter", minCompared, maxCompared),
    closesOnBlur: true,
  };
  return openList<SkillItem, readonly string[]>(question, (list, end, ended) => {
    list.canSelectMany = true;
    const fill = async (): Promise<void> => {
      const before = reported;
      sent.push(checked);
      list.items = rows;
      list.selectedItems = checked;
      await untilDrawn();
      sent.shift();
      const isOver = sent.length === 0 && !ended.aborted;
      if (isOver && reported !== before && areDifferent(reported, checked)) await fill();
    };
    /** Remembers the checked skills among the current rows. A result may arrive between a check and its event. */
    const noteChecked = (items: readonly SkillItem[]) => {
      checked = rows.filter(({ slug }) => items.some((item) => item.slug === slug));
      list.title = [titleFor(checked.length), ...notes].join(" · ");
    };
    const show = (found: readonly SkillItem[]) => {
      rows = stableRows(rows, found, checked);
      noteChecked(checked);
      void fill();
    };
    const showSkills = () =>
      show(
        skills.flatMap((one) => {
          const skill = source.details.complete(one);
          return listItems([skillRow(skill, skill.slug)]).map((item) => ({
            ...item,
            slug: skill.slug,
          }));
        }),
      );
    const learning = source.details.onDidChange(() => {
      if (isAnswered && !list.busy) showSkills();
    });
    list.onDidHide(() => learning.dispose());
    list.onDidChangeSelection((now) => {
      const before = reported;
      reported = now;
      noteChecked(checkedAfter(checked, { before, now, sent }));
    });
    list.onDidAccept(() => {
      if (checked.length < minCompared || checked.length > maxCompared) return;
      end(checked.map(({ slug }) => slug));
    });
    show([]);
    searchWhileTyping(list, async (text, signal) => {
      const found = await findSkills(source, text, signal);
      if (signal.aborted) return;
      isAnswered = true;
      ({ notes, skills } = found);
      showSkills();
    });
  });
}

/** Returns the title, which explains why a choice cannot be compared yet. */
function titleFor(count: number): string {
  if (count > maxCompared) {
    return vscode.l10n.t(
      "Compare Skills: {0} selected, at most {1} fit side by side",
      count,
      maxCompared,
    );
  }
  return count > 0 && count < minCompared
    ? vscode.l10n.t("Compare Skills: 1 selected, select at least one more")
    : vscode.l10n.t("Compare Skills");
}
