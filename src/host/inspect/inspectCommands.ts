import * as vscode from "vscode";
import { compareArgument, maxCompared, minCompared } from "../../core/skill/compare/compareSkills";
import { readSkillAddress, readSkillLink } from "../../core/skill/skill";
import { areOthers, checkedAfter, stableRows } from "../../core/skillList/skillPicker";
import type { RegistryConnection } from "../connect/registryConnection";
import { findSkills, skillRow } from "../discover/pickSkill";
import { type CommandHandlers, slugArgument, slugArguments } from "../registerCommands";
import type { ComparisonPages } from "./comparisonPages";
import type { SkillPages } from "./skillPages";

/** The dependencies of the commands that show skills. */
interface InspectParts {
  readonly connection: RegistryConnection;
  readonly pages: SkillPages;
  readonly comparisons: ComparisonPages;
  /** Lets the user choose a skill. Undefined where they canceled. */
  readonly pickSkill: (title: string) => Promise<string | undefined>;
  /** The Skills view, whose selected rows are compared where no skill is named. */
  readonly view: { readonly selection: readonly unknown[] };
}

/** Builds the commands that show one skill or several. */
export function inspectCommands({
  connection,
  pages,
  comparisons,
  pickSkill,
  view,
}: InspectParts): Pick<CommandHandlers, "openSkill" | "compareSkills"> {
  return {
    openSkill: async (argument, option) => {
      const address = readSkillAddress(argument);
      if (address !== undefined) return pages.open(address.slug, option, address.version);
      const slugs = slugArguments(argument, option);
      if (slugs.length > 0) return openSkills(pages, slugs);
      const slug = await pickSkill(vscode.l10n.t("Open Skill"));
      if (slug !== undefined) await pages.open(slug);
    },
    compareSkills: async (argument, option) => {
      const given = compareArgument(argument, option, view.selection, slugArgument);
      const slugs = given.enough
        ? given.slugs
        : await chooseSkillsToCompare(connection, given.slugs);
      if (slugs !== undefined) comparisons.open(slugs);
    },
  };
}

/** Selecting a whole list takes one key; opening more pages than this is more likely a mistake. */
const maxUnasked = 10;

/** Opens the page of each skill, the last one in front; asks first where there are more than ten. */
async function openSkills(pages: SkillPages, slugs: readonly string[]): Promise<void> {
  if (slugs.length > maxUnasked && !(await isMeant(slugs.length))) return;
  for (const slug of slugs) await pages.open(slug);
}

async function isMeant(count: number): Promise<boolean> {
  const open = vscode.l10n.t("Open Pages");
  const question = vscode.l10n.t("Open the pages of {0} skills?", count);
  return (await vscode.window.showWarningMessage(question, { modal: true }, open)) === open;
}

/**
 * Opens the page of the skill in a link into the editor; a link can do nothing else. Other links are reported
 * as invalid.
 */
export async function openSkillLink(pages: SkillPages, path: string): Promise<void> {
  const address = readSkillLink(path);
  if (address !== undefined) return pages.open(address.slug, undefined, address.version);
  void vscode.window.showWarningMessage(
    vscode.l10n.t("Invalid skill link. Expected …/skill/<name>."),
  );
}

const pauseBeforeAskingMs = 200;

interface SkillItem extends vscode.QuickPickItem {
  readonly slug: string;
}

/**
 * Lets the user check two to four skills in one list that searches the registry while they type. Checked
 * skills stay checked across searches; `start` is checked initially. Undefined where they canceled.
 */
function chooseSkillsToCompare(
  connection: RegistryConnection,
  start: readonly string[],
): Promise<readonly string[] | undefined> {
  const pick = vscode.window.createQuickPick<SkillItem>();
  let checked: readonly SkillItem[] = start.map((slug) => ({
    slug,
    label: slug,
    alwaysShow: true,
  }));
  let rows: readonly SkillItem[] = checked;
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
    const found = await findSkills(connection, pick.value.trim(), signal);
    while (sending !== undefined) await sending;
    if (signal.aborted) return;
    pick.busy = false;
    isAnswered = true;
    notes = found.notes;
    show(found.skills.map((skill) => ({ ...skillRow(skill, skill.slug), slug: skill.slug })));
  };
  return new Promise((resolve) => {
    pick.onDidChangeValue(() => {
      asking.abort();
      clearTimeout(pause);
      pause = setTimeout(() => void ask(), pauseBeforeAskingMs);
    });
    let told: readonly SkillItem[] = [];
    pick.onDidChangeSelection((items) => {
      told = items;
      const shown = isAnswered ? rows.filter(({ alwaysShow }) => alwaysShow) : [];
      noteChecked(checkedAfter(checked, told, shown));
      // Setting `items` fires onDidChangeSelection twice: first empty, then restored.
      if (areOthers(told, checked)) setTimeout(() => areOthers(told, checked) && mark());
    });
    pick.onDidAccept(() => {
      if (checked.length < minCompared || checked.length > maxCompared) return;
      resolve(checked.map(({ slug }) => slug));
      pick.hide();
    });
    pick.onDidHide(() => {
      clearTimeout(pause);
      asking.abort();
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
