import type { Language } from "../text/language";

/** What a window uses. */
export interface WindowFacts {
  readonly registry: string;
  /** The environment in use; undefined for none. */
  readonly environment: string | undefined;
  /** The signed-in account; undefined for none. */
  readonly account: string | undefined;
  /** The project of this workspace; undefined for none. */
  readonly project: string | undefined;
  /** Whether there is a Project Key; undefined if that is unknown. */
  readonly hasKey: boolean | undefined;
}

/** One fact about a window, and the command that changes it. */
export interface WindowRow {
  readonly label: string;
  readonly description: string;
  readonly command: "connect" | "signIn" | "chooseProject" | "projectKey";
}

/** Lists what a window uses, each with the command that changes it. */
export function windowRows(facts: WindowFacts, { t }: Language): readonly WindowRow[] {
  const { registry, environment, account, project, hasKey } = facts;
  // A key that was set before the project was chosen may belong to another one, and is not used for this one.
  const noKey = project === undefined ? t("not set") : t("not set for this project");
  const key = hasKey === undefined ? t("unknown") : hasKey ? t("set") : noKey;
  return [
    { label: t("Registry"), description: registry, command: "connect" },
    { label: t("Environment"), description: environment ?? t("not chosen"), command: "connect" },
    { label: t("Account"), description: account ?? t("not signed in"), command: "signIn" },
    { label: t("Project"), description: project ?? t("not chosen"), command: "chooseProject" },
    { label: t("Project Key"), description: key, command: "projectKey" },
  ];
}
