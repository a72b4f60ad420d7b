import * as vscode from "vscode";
import type { ChangeQuestion } from "../../../core/project/changes";
import {
  eventText,
  handledQuestion,
  ignoreQuestion,
  type OpenUpdate,
  readScheduleDay,
  scheduleProblem,
} from "../../../core/project/updateInbox";
import { isSameVersion } from "../../../core/skill/isNewerVersion";
import { labelText } from "../../../core/text/plainText";
import type { UpdateAction } from "../../../registry/workspace/workspaceRoutes";
import { hostLanguage } from "../../ui/hostLanguage";
import { confirm, showStatus } from "../../ui/messages";
import { ask } from "../../ui/quickInput/ask";
import { choose } from "../../ui/quickInput/choose";
import { inProject, type ProjectParts } from "../inProject";
import { makeChange } from "../makeChange";
import type { InProject } from "../signedIn";

/**
 * Lets the user decide on an update for everybody in the project: acknowledge, schedule or ignore it. An event without
 * a version, such as an incident, can be marked as handled.
 */
export async function decideUpdate(parts: ProjectParts, argument: unknown): Promise<void> {
  const title = vscode.l10n.t("Decide on Update");
  const none = vscode.l10n.t("The update inbox of this project has no such entry.");
  const found = await findUpdate(parts, argument, { title, none, isFit: () => true });
  if (found === undefined) return;
  const { targetVersion, ids, skillName } = found.update;
  const isInInbox = ids.length > 0;
  const heading = `${title}: ${labelText(skillName, 60)}`;
  const row = (label: string, icon: string, value: () => Promise<unknown>) => ({
    label,
    icon,
    value,
  });
  const chosen = await choose(
    [
      ...(isInInbox && targetVersion === undefined
        ? [row(vscode.l10n.t("Mark as Handled…"), "check", () => markHandled(parts, found, title))]
        : []),
      ...(isInInbox
        ? [
            row(vscode.l10n.t("Acknowledge"), "eye", () => acknowledge(parts, found, title)),
            row(vscode.l10n.t("Schedule…"), "calendar", () => schedule(parts, found, heading)),
          ]
        : []),
      row(vscode.l10n.t("Ignore…"), "bell-slash", () => ignore(parts, found, title)),
    ],
    { title: heading },
  );
  await chosen?.();
}

async function markHandled(parts: ProjectParts, found: FoundUpdate, title: string): Promise<void> {
  const question = handledQuestion(found.update, found.at.detail.summary, hostLanguage());
  if (!(await agrees(question))) return;
  const done = ["check", vscode.l10n.t("Marked as handled.")] as const;
  await decide(parts, found, title, { status: "adopted" }, done);
}

async function acknowledge(parts: ProjectParts, found: FoundUpdate, title: string): Promise<void> {
  const done = ["check", vscode.l10n.t("Update acknowledged.")] as const;
  await decide(parts, found, title, { status: "acknowledged" }, done);
}

async function schedule(parts: ProjectParts, found: FoundUpdate, title: string): Promise<void> {
  const day = await ask({
    title,
    prompt: vscode.l10n.t("The planned day. Nothing is adopted by itself."),
    placeHolder: vscode.l10n.t("YYYY-MM-DD"),
    problemOf: (text) => scheduleProblem(text, Date.now(), hostLanguage()),
  });
  const time = day === undefined ? undefined : readScheduleDay(day);
  if (time === undefined) return;
  const change = { status: "scheduled", scheduledFor: new Date(time).toISOString() } as const;
  const done = ["calendar", vscode.l10n.t("Update scheduled.")] as const;
  await decide(parts, found, title, change, done);
}

/** Ignores an update in the inbox, and in this workspace, since the public list may offer it too. */
async function ignore(parts: ProjectParts, found: FoundUpdate, title: string): Promise<void> {
  const { update, at } = found;
  if (!(await agrees(ignoreQuestion(update, at.detail.summary, hostLanguage())))) return;
  const { skillSlug, targetVersion } = update;
  const done = ["check", vscode.l10n.t("Update ignored.")] as const;
  if (!(await decide(parts, found, title, { status: "ignored" }, done))) return;
  if (targetVersion === undefined) return;
  // Pass the project of the update, since another one may have been chosen meanwhile.
  await parts.project.ignoreVersion(at, skillSlug, targetVersion);
}

/** The updates to which a command applies. `none` is shown if no update `isFit`. */
export interface UpdateChoice {
  readonly title: string;
  readonly none: string;
  readonly isFit: (update: OpenUpdate) => boolean;
}

/** An update and its project. */
export interface FoundUpdate {
  readonly at: InProject;
  readonly update: OpenUpdate;
}

/**
 * Finds the update of a command: that of its row in the Project view, that of its skill, or the user's choice among
 * those that `isFit`. Undefined if there is none, which is shown, or if the user canceled.
 */
export async function findUpdate(
  parts: ProjectParts,
  argument: unknown,
  { title, none, isFit }: UpdateChoice,
): Promise<FoundUpdate | undefined> {
  const at = await inProject(parts);
  if (at === undefined) return undefined;
  const all = parts.project.openUpdates().filter(isFit);
  const given = rowArgument(argument);
  const slug = given?.skillSlug ?? parts.thisSkill.find(argument);
  const update = all.find(
    (item) =>
      item.skillSlug === slug &&
      (given === undefined ||
        (isSameVersion(item.targetVersion, given.targetVersion) && item.title === given.title)),
  );
  const chosen = update ?? (await chooseUpdate(all, { title, none }));
  return chosen && { at, update: chosen };
}

/** Reads the update of a row of the Project view. */
function rowArgument(argument: unknown): Partial<OpenUpdate> | undefined {
  const row = (argument ?? {}) as {
    readonly kind?: unknown;
    readonly update?: Partial<OpenUpdate>;
  };
  return row.kind === "update" ? row.update : undefined;
}

function chooseUpdate(
  updates: readonly OpenUpdate[],
  { title, none }: Pick<UpdateChoice, "title" | "none">,
): Promise<OpenUpdate | undefined> {
  return choose(
    updates.map((update) => ({
      label: update.skillName,
      description: updateVersions(update),
      detail: update.targetVersion === undefined ? update.title : "",
      value: update,
    })),
    { title, placeHolder: vscode.l10n.t("Select an update"), none },
  );
}

/** Names an update: by its two versions, or its event. */
export function updateVersions({ currentVersion, targetVersion, eventType }: OpenUpdate): string {
  return targetVersion === undefined
    ? eventText(eventType, hostLanguage())
    : `${currentVersion ?? "?"} → ${targetVersion}`;
}

function agrees(question: ChangeQuestion): Promise<boolean> {
  return confirm({ severity: "information", ...question });
}

/** Sends a decision for every row of the inbox for an update. Resolves to whether the registry accepted all of them. */
async function decide(
  { project }: ProjectParts,
  { at, update }: FoundUpdate,
  title: string,
  change: UpdateAction,
  [icon, done]: readonly [icon: string, text: string],
): Promise<boolean> {
  const { routes, detail } = at;
  const [first, ...others] = update.ids;
  if (first === undefined) return true;
  const settle = (id: string, signal: AbortSignal) =>
    routes.settleUpdate(detail.summary.slug, id, change, signal);
  const answer = await makeChange(project, at, title, async (signal) => {
    const answers = [await settle(first, signal)];
    for (const id of others)
      if (answers.every(({ ok }) => ok)) answers.push(await settle(id, signal));
    return answers.find(({ ok }) => !ok) ?? { ok: true, value: {} };
  });
  if (answer === undefined) return false;
  showStatus(icon, done);
  return true;
}
