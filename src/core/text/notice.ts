/** A message for the user: what happened, and what to do about it. */
export interface Notice {
  readonly severity: "information" | "warning" | "error";
  /** May contain text of a registry; the presenter escapes all of it. */
  readonly message: string;
  /** At most three, the most helpful first. */
  readonly actions: readonly NoticeAction[];
}

/** The action of a notice's button. */
export type NoticeActionName =
  | "setProjectKey"
  | "openSkill"
  | "showInput"
  | "showOutput"
  | "showLog"
  | "showRecord"
  | "connect"
  | "refresh"
  | "useBuiltInRegistry"
  | "openSettings"
  | "openProxySettings"
  | "sendAgain"
  | "sendWhenAllowed"
  | "drop"
  | "openRegistry"
  | "copyReport"
  | "checkProjectKey"
  | "bindPayload"
  | "updatePayload"
  | "signIn"
  | "chooseProject"
  | "invoke"
  | "installSkill"
  | "restoreSkill"
  | "approveSkill"
  | "allowInPolicy"
  | "editPolicy"
  | "openCheckout"
  | "askOwner"
  | "askPublisher"
  | "showWhy";

/** A button of a notice. */
export interface NoticeAction {
  readonly action: NoticeActionName;
  readonly title: string;
}

/** A question before something that cannot be undone, for a dialog with a button to go on. */
export interface DialogQuestion {
  readonly message: string;
  /** One fact per line; an empty line separates unrelated facts. */
  readonly detail: readonly string[];
  /** The title of the button to go on. */
  readonly agree: string;
}
