import {
  actionsFor,
  type RegistryFailure,
  registryFailureText,
} from "../../registry/registryFailure";
import { type Language, type LocalizableText, localize } from "../../text/language";
import type { Notice, NoticeAction } from "../../text/notice";
import type { ListedSkill } from "./canInvoke";

/** What is known about the Project Key for a registry, without the key. */
export interface KeyFacts {
  /** The registry's origin; undefined for the built-in one. */
  readonly origin: string | undefined;
  /** Where the key is, or why there is none to use. */
  readonly state:
    | "none"
    | "wrongKind"
    | "stored"
    /** The secret storage cannot be used. */
    | "sessionOnly"
    /** Made by the built-in registry. */
    | "builtIn"
    /** Set by the user for the built-in registry, and kept as long as that runs. */
    | "builtInSession"
    | "storageFails";
  /** What is wrong with a key of the wrong kind; holds no key. */
  readonly problem?: LocalizableText;
  /** Other registries a key is kept for. */
  readonly elsewhere: readonly string[];
  /** The registry's response to this key when it was last used, in this window. */
  readonly lastAnswer?: "accepted" | "refused";
  /** What the registry returns for the key now, where it can be checked without an invocation. */
  readonly reading?: KeyReading;
}

/** The result of reading what a key may invoke, which is free. */
export type KeyReading =
  | {
      readonly kind: "accepted";
      /** How many skills are listed as callable. */
      readonly skills: number;
      /** What is listed, skill by skill. */
      readonly listed: readonly (readonly [slug: string, listed: ListedSkill])[];
      /** True where a skill that is not listed is not installed. */
      readonly complete: boolean;
    }
  | { readonly kind: "refused" }
  /** The registry has no such route, or ignores the key there. */
  | { readonly kind: "unknown" }
  /** The registry did not respond. */
  | { readonly kind: "failed"; readonly failure: RegistryFailure };

/** Describes the state of the Project Key and what to do, without ever showing the key. */
export function keyDiagnosis(facts: KeyFacts, language: Language): Notice {
  const { t } = language;
  const registry = facts.origin ?? t("the built-in registry");
  switch (facts.state) {
    case "storageFails":
      return {
        severity: "warning",
        message: t(
          "The editor's secret storage does not respond, so no Project Key for {registry} can be read. A key that you set now is kept only until this window closes.",
          { registry },
        ),
        actions: [setKey(language)],
      };
    case "wrongKind": {
      const problem = facts.problem === undefined ? "" : ` ${localize(facts.problem, language)}`;
      return {
        severity: "error",
        message: `${t("The stored value for {registry} is not a valid Project Key.", { registry })}${problem}`,
        actions: [setKey(language)],
      };
    }
    case "none":
      return noKeyNotice(registry, facts.elsewhere, language);
    default:
      return keyNotice(registry, facts, language);
  }
}

function noKeyNotice(registry: string, elsewhere: readonly string[], language: Language): Notice {
  const { t } = language;
  if (elsewhere.length === 0) {
    const message = t(
      "There is no Project Key for {registry}. You are asked for it with the first invocation.",
      { registry },
    );
    return { severity: "information", message, actions: [setKey(language)] };
  }
  return {
    severity: "warning",
    message: t(
      "There is no Project Key for {registry}. The keys stored for {others} are not sent here.",
      { registry, others: elsewhere.slice(0, 3).join(", ") },
    ),
    actions: [setKey(language), connect(language)],
  };
}

/** Builds the notice with the key's state first: the editor cuts a long notice to its first line. */
function keyNotice(registry: string, facts: KeyFacts, language: Language): Notice {
  const { reading, lastAnswer, state } = facts;
  if (reading?.kind === "failed") return notHeardNotice(registry, reading.failure, language);
  const isRefused = (reading?.kind ?? lastAnswer) === "refused";
  const words = isRefused
    ? refusalText(registry, reading !== undefined, language)
    : acceptanceText(registry, facts, language);
  const message = `${words} ${keyStateText(state, language)}`;
  if (isRefused) {
    return { severity: "error", message, actions: [setKey(language), connect(language)] };
  }
  return {
    severity: state === "sessionOnly" ? "warning" : "information",
    message,
    actions: state === "builtIn" ? [] : [setKey(language)],
  };
}

function notHeardNotice(registry: string, failure: RegistryFailure, language: Language): Notice {
  const { t } = language;
  const words = t("The Project Key for {registry} could not be checked.", { registry });
  return {
    severity: "warning",
    message: `${words} ${registryFailureText(failure, language)}`,
    actions: actionsFor(failure, language),
  };
}

function refusalText(registry: string, isNow: boolean, { t }: Language): string {
  const cause = t("It may be revoked, or belong to another project or registry.");
  const said = isNow
    ? t("The Project Key does not work: {registry} does not accept it.", { registry })
    : t("The Project Key did not work when it was last used: {registry} rejected it.", {
        registry,
      });
  return `${said} ${cause}`;
}

function acceptanceText(
  registry: string,
  { reading, lastAnswer }: KeyFacts,
  { t }: Language,
): string {
  if (reading?.kind === "accepted") {
    const { skills } = reading;
    return skills === 1
      ? t(
          "The Project Key works: {registry} accepts it and lists 1 skill for it. A policy may still block an invocation.",
          { registry },
        )
      : t(
          "The Project Key works: {registry} accepts it and lists {skills} skills for it. A policy may still block an invocation.",
          { registry, skills },
        );
  }
  return lastAnswer === "accepted"
    ? t("The Project Key for {registry} worked when it was last used.", { registry })
    : t("A Project Key is set for {registry}. The next invocation shows whether it works.", {
        registry,
      });
}

function keyStateText(state: KeyFacts["state"], { t }: Language): string {
  switch (state) {
    case "sessionOnly":
      return t(
        "It is kept until this window closes, since the editor's secret storage cannot be used.",
      );
    case "builtIn":
      return t("The built-in registry made it for this window.");
    case "builtInSession":
      return t("It is kept until this window closes, like the registry itself.");
    default:
      return t("It is kept in the editor's secret storage.");
  }
}

function setKey({ t }: Language): NoticeAction {
  return { action: "setProjectKey", title: t("Set Project Key…") };
}

function connect({ t }: Language): NoticeAction {
  return { action: "connect", title: t("Connect to Registry…") };
}
