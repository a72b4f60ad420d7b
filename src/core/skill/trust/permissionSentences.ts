import type { Language } from "../../text/language";
import type { PermissionLevel, Permissions } from "../permissions";

/** One thing a skill may or may not do, in words. */
export interface PermissionSentence {
  readonly permission: "filesystem" | "secrets" | "network" | "browser";
  /** False where the skill declares that it does not do this. */
  readonly granted: boolean;
  /** How much power this one permission gives. */
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
  { translate }: Language,
): PermissionSentence {
  const permission = "filesystem";
  if (access === "write") {
    return {
      permission,
      granted: true,
      risk: "high",
      sentence: translate("Writes files on the machine it runs on"),
      consequence: translate("It can change or delete what is stored there."),
    };
  }
  if (access === "read") {
    return {
      permission,
      granted: true,
      risk: "medium",
      sentence: translate("Reads files on the machine it runs on"),
      consequence: translate("What it reads there may end up in its output."),
    };
  }
  return notGranted(permission, translate("Does not touch files"));
}

function secretsSentence(permissions: Permissions, { translate }: Language): PermissionSentence {
  const permission = "secrets";
  const { secretCount: count, secretNames: names } = permissions;
  if (count <= 0) return notGranted(permission, translate("Needs no secrets"));
  const sentence =
    count === 1
      ? translate("Uses 1 secret of the project")
      : translate("Uses {count} secrets of the project", { count });
  return {
    permission,
    granted: true,
    risk: "high",
    sentence: names.length > 0 ? `${sentence}: ${names.join(", ")}` : sentence,
    consequence: translate("It acts with the rights these credentials carry."),
  };
}

function networkSentence(granted: boolean, { translate }: Language): PermissionSentence {
  if (!granted) return notGranted("network", translate("Does not use the network"));
  return {
    permission: "network",
    granted,
    risk: "medium",
    sentence: translate("Connects to other services over the network"),
    consequence: translate("The input may be sent to them."),
  };
}

function browserSentence(granted: boolean, { translate }: Language): PermissionSentence {
  if (!granted) return notGranted("browser", translate("Does not drive a browser"));
  return {
    permission: "browser",
    granted,
    risk: "medium",
    sentence: translate("Drives a web browser"),
    consequence: translate("It can open pages, and act on them as a visitor would."),
  };
}

function notGranted(
  permission: PermissionSentence["permission"],
  sentence: string,
): PermissionSentence {
  return { permission, granted: false, risk: "low", sentence, consequence: "" };
}
