import * as vscode from "vscode";
import { maxCompared, minCompared } from "../../core/skill/compare/compareSkills";
import type { SkillSummary } from "../../core/skill/skill";
import { areDifferent, checkedAfter, stableRows } from "../../core/skillList/skillPicker";
import { findSkills, type SkillSource, skillRow } from "../discover/pickSkill";

const pauseBeforeAskingMs = 200;

interface SkillItem extends vscode.QuickPickItem {
  readonly slug: string;
}

/**
 * Lets the user check two to four skills in one list that searches the registry while they type. Checked
 * skills stay checked across searches; `start` is checked initially. Undefined where they canceled.
 */
export function chooseSkillsToCompare(
  source: SkillSource,
  start: readonly string[],
): Promise<readonly string[] | undefined> {
  const pick = vscode.window.createQuickPick<SkillItem>();
  let checked: readonly SkillItem[] = start.map((slug) => ({
    slug,
    label: slug,
    alwaysShow: true,
  }));
  let rows: readonly SkillItem[] = checked;
  let skills: readonly SkillSummary[] = [];
  let notes: readonly string[] = [];
  let asking = new AbortController();
  let isAnswered = false;
  let pause: NodeJS.Timeout | undefined;
  /**
   * Set while check marks wait to be sent. The editor sends all properties set in one turn in the order in
   * which they were first set, and would look for marks that precede new rows among the old ones.
   */
  let sending: Promise<void> | undefined;
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const show = (found: readonly SkillItem[]) => {
    rows = stableRows(rows, found, checked);
    pick.items = rows;
    noteChecked(checked);
    mark();
  };
  /** The checked skills among the current rows; a result may have arrived between a check and its event. */
  const noteChecked = (items: readonly SkillItem[]) => {
    checked = rows.filter(({ slug }) => items.some((item) => item.slug === slug));
    pick.title = [titleFor(checked.length), ...notes].join(" · ");
  };
  const mark = () => {
    pick.selectedItems = checked;
    // The editor sends with a timer of its own, which was started just before.
    sending = new Promise<void>((sent) => setTimeout(sent)).then(() => {
      sending = undefined;
    });
  };
  const ask = async () => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    pick.busy = true;
    const found = await findSkills(source, pick.value.trim(), signal);
    while (sending !== undefined) await sending;
    if (signal.aborted) return;
    pick.busy = false;
    isAnswered = true;
    notes = found.notes;
    skills = found.skills;
    showSkills();
  };
  const showSkills = () =>
    show(
      skills
        .map((skill) => source.details.complete(skill))
        .map((skill) => ({ ...skillRow(skill, skill.slug), slug: skill.slug })),
    );
  const learning = source.details.onDidChange(async () => {
    while (sending !== undefined) await sending;
    if (isAnswered && !asking.signal.aborted) showSkills();
  });
  return new Promise((resolve) => {
    pick.onDidChangeValue(() => {
      asking.abort();
      clearTimeout(pause);
      pause = setTimeout(() => void ask(), pauseBeforeAskingMs);
    });
    let reported: readonly SkillItem[] = [];
    pick.onDidChangeSelection((items) => {
      reported = items;
      const shown = isAnswered ? rows.filter(({ alwaysShow }) => alwaysShow) : [];
      noteChecked(checkedAfter(checked, reported, shown));
      // Setting `items` fires onDidChangeSelection twice: first empty, then restored.
      if (areDifferent(reported, checked))
        setTimeout(() => areDifferent(reported, checked) && mark());
    });
    pick.onDidAccept(() => {
      if (checked.length < minCompared || checked.length > maxCompared) return;
      resolve(checked.map(({ slug }) => slug));
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(pause);
      asking.abort();
      learning.dispose();
      pick.dispose();
      resolve(undefined);
    });
    pick.placeholder = vscode.l10n.t(
      "Select {0}–{1} skills, then press Enter",
      minCompared,
      maxCompared,
    );
    show([]);
    pick.show();
    void ask();
  });
}

/** Describes why a choice cannot be compared yet, if so. */
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
