import type { Language } from "../text/language";

/** What decides which commands about Project Keys can do something. */
interface KeySituation {
  /** Whether this editor has a Project Key; undefined if that is unknown. */
  readonly hasKey: boolean | undefined;
  readonly isSignedIn: boolean;
}

/** A command about Project Keys, with its icon and the heading of its group. */
interface ProjectKeyRow {
  readonly label: string;
  readonly heading: string;
  readonly icon: string;
  readonly command:
    | "setProjectKey"
    | "checkProjectKey"
    | "removeProjectKey"
    | "createProjectKey"
    | "rotateProjectKey"
    | "revokeProjectKey";
}

/**
 * Lists the commands about Project Keys that can do something: those for this editor's key unless it certainly has
 * none, and those for the keys of the project for a signed-in user.
 */
export function projectKeyRows(
  { hasKey, isSignedIn }: KeySituation,
  { t }: Language,
): readonly ProjectKeyRow[] {
  const mayHaveKey = hasKey !== false;
  const editor = { heading: t("In this editor"), isOffered: true };
  const ofKey = { ...editor, isOffered: mayHaveKey };
  const project = { heading: t("In the project"), isOffered: isSignedIn };
  const ofBoth = { ...project, isOffered: isSignedIn && mayHaveKey };
  const rows = [
    { ...editor, label: t("Set Project Key…"), icon: "key", command: "setProjectKey" },
    { ...ofKey, label: t("Check Project Key"), icon: "pass", command: "checkProjectKey" },
    { ...ofKey, label: t("Remove Project Key…"), icon: "trash", command: "removeProjectKey" },
    { ...project, label: t("Create Project Key…"), icon: "add", command: "createProjectKey" },
    { ...ofBoth, label: t("Rotate Project Key…"), icon: "sync", command: "rotateProjectKey" },
    {
      ...project,
      label: t("Revoke Project Key…"),
      icon: "circle-slash",
      command: "revokeProjectKey",
    },
  ] as const;
  return rows.filter(({ isOffered }) => isOffered);
}
