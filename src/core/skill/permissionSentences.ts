import type { Language } from "../text/language";
import type { PermissionLevel, Permissions } from "./permissions";

/** One thing a skill may or may not do, in words. */
export interface PermissionSentence {
  readonly permission: "filesystem" | "secrets" | "network" | "browser";
  /** False where the skill declares that it does not do this. */
  readonly granted: boolean;
  /** How much this one permission grants. */
  readonly risk: PermissionLevel;
  readonly sentence: string;
  /** What could come of it; empty where it is not granted. */
  readonly consequence: string;
}

/** Puts permissions into sentences, the most powerful first, those not granted last. */
export function permissionSentences(
  permissions: Permissions,
  language: Language,
): PermissionSentence[] {
  const all = [
    filesystemSentence(permissions.filesystem, language),
    secretsSentence(permissions, language),
    networkSentence(permissions.network, language),
    browserSentence(permissions.browser, language),
  ];
  const order = { high: 0, medium: 1, low: 2 };
  return all.sort((a, b) => order[a.risk] - order[b.risk]);
}

function filesystemSentence(
  access: Permissions["filesystem"],
  { t }: Language,
): PermissionSentence {
  const permission = "filesystem";
  if (access === "write") {
    return {
      permission,
      granted: true,
      risk: "high",
      sentence: t("Writes files on the machine it runs on"),
      consequence: t("It can change or delete what is stored there."),
    };
  }
  if (access === "read") {
    return {
      permission,
      granted: true,
      risk: "medium",
      sentence: t("Reads files on the machine it runs on"),
      consequence: t("What it reads there may end up in its output."),
    };
  }
  return notGranted(permission, t("Does not touch files"));
}

function secretsSentence(permissions: Permissions, { t }: Language): PermissionSentence {
  const permission = "secrets";
  const { secretCount: count, secretNames: names } = permissions;
  if (count <= 0) return notGranted(permission, t("Needs no secrets"));
  const sentence =
    count === 1
      ? t("Uses 1 secret of the project")
      : t("Uses {count} secrets of the project", { count });
  return {
    permission,
    granted: true,
    risk: "high",
    sentence: names.length > 0 ? `${sentence}: ${names.join(", ")}` : sentence,
    consequence: t("It acts with the permissions of these credentials."),
  };
}

function networkSentence(granted: boolean, { t }: Language): PermissionSentence {
  if (!granted) return notGranted("network", t("Does not use the network"));
  return {
    permission: "network",
    granted,
    risk: "medium",
    sentence: t("Connects to other services over the network"),
    consequence: t("The payload may be sent to them."),
  };
}

function browserSentence(granted: boolean, { t }: Language): PermissionSentence {
  if (!granted) return notGranted("browser", t("Does not drive a browser"));
  return {
    permission: "browser",
    granted,
    risk: "medium",
    sentence: t("Drives a web browser"),
    consequence: t("It can open pages, and act on them as a visitor would."),
  };
}

function notGranted(
  permission: PermissionSentence["permission"],
  sentence: string,
): PermissionSentence {
  return { permission, granted: false, risk: "low", sentence, consequence: "" };
}
