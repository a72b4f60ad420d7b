import {
  actionsFor,
  type RegistryFailure,
  registryFailureText,
} from "../../registry/registryFailure";
import { type Language, type LocalizableText, localize } from "../../text/language";
import type { Notice, NoticeAction } from "../../text/notice";
import type { InvocationOutcome } from "../invocation";
import { setKey } from "../response/outcomeActions";
import type { KeyReading } from "./canInvoke";

/** The place where a registry's key is stored, which determines how long it lasts. */
export type KeyKeeping = "secretStorage" | "sessionOnly";

/** Why no key of a registry is usable. */
export type KeyMissing =
  | { readonly kind: "none" }
  /** The stored value is no valid key; `problem` does not contain it. */
  | { readonly kind: "wrongKind"; readonly problem: LocalizableText }
  /** The secret storage fails or does not respond. */
  | { readonly kind: "storageFails" };

/** The key of a registry, without its text. */
interface KeptKey {
  readonly kind: "key";
  /** `builtIn` where the built-in registry made it. */
  readonly keeping: KeyKeeping | "builtIn";
}

/** Whether a registry accepted a Project Key. */
export type KeyAnswer = "accepted" | "refused";

/** The known facts about the Project Key for a registry, without the key. */
export interface KeyFacts {
  /** The registry's origin; undefined for the built-in one. */
  readonly origin: string | undefined;
  readonly found: KeptKey | KeyMissing;
  /** Other registries that have a stored key. */
  readonly elsewhere: readonly string[];
  /** The registry's last response to this key in this window; undefined for none. */
  readonly lastAnswer: KeyAnswer | undefined;
  /** The registry's current response for the key, if it can be checked without an invocation. */
  readonly reading?: KeyReading;
}

/**
 * Returns whether the registry accepted the key, judged by an outcome. Undefined unless the registry checked the key
 * before it responded.
 */
export function answerAboutKey(outcome: InvocationOutcome): KeyAnswer | undefined {
  if (outcome.kind === "success" || outcome.kind === "skillError") return "accepted";
  if (outcome.kind !== "refused" || outcome.status === 0) return undefined;
  switch (outcome.reason) {
    case "unauthorized":
    case "missingKey":
      return "refused";
    case "policy":
    case "payment":
      return "accepted";
    default:
      return undefined;
  }
}

/** Describes the state of the Project Key and an action. Never shows the key. */
export function keyDiagnosis(facts: KeyFacts, language: Language): Notice {
  const { t } = language;
  const { found } = facts;
  const registry = facts.origin ?? t("the built-in registry");
  switch (found.kind) {
    case "storageFails":
      return {
        severity: "warning",
        message: t(
          "The editor's secret storage does not respond, so no Project Key for {registry} can be read. A key that you set now is kept only until this window closes.",
          { registry },
        ),
        actions: [setKey(language)],
      };
    case "wrongKind":
      return {
        severity: "error",
        message: `${t("The stored value for {registry} is not a valid Project Key.", { registry })} ${localize(found.problem, language)}`,
        actions: [setKey(language)],
      };
    case "none":
      return noKeyNotice(registry, facts.elsewhere, language);
    case "key":
      return keyNotice(registry, found, facts, language);
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

/** Builds the notice. The key's state comes first, since the editor shortens a long notice to its first line. */
function keyNotice(
  registry: string,
  { keeping }: KeptKey,
  facts: KeyFacts,
  language: Language,
): Notice {
  const { origin, reading, lastAnswer } = facts;
  if (reading?.kind === "failed") return uncheckedKeyNotice(registry, reading.failure, language);
  const isRefused = (reading?.kind ?? lastAnswer) === "refused";
  const words = isRefused
    ? refusalText(registry, reading !== undefined, language)
    : acceptanceText(registry, facts, language);
  const message = `${words} ${keepingText(keeping, origin, language)}`;
  if (isRefused) {
    return { severity: "error", message, actions: [setKey(language), connect(language)] };
  }
  return {
    severity: keeping === "sessionOnly" && origin !== undefined ? "warning" : "information",
    message,
    actions: keeping === "builtIn" ? [] : [setKey(language)],
  };
}

function uncheckedKeyNotice(
  registry: string,
  failure: RegistryFailure,
  language: Language,
): Notice {
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
  const status = isNow
    ? t("The Project Key does not work: {registry} does not accept it.", { registry })
    : t("The Project Key did not work when it was last used: {registry} rejected it.", {
        registry,
      });
  return `${status} ${cause}`;
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
          "The Project Key works: {registry} accepts it and lists 1 skill for it, which a policy may still block.",
          { registry },
        )
      : t(
          "The Project Key works: {registry} accepts it and lists {skills} skills for it, of which a policy may still block some.",
          { registry, skills },
        );
  }
  return lastAnswer === "accepted"
    ? t("The Project Key for {registry} worked when it was last used.", { registry })
    : t("A Project Key is set for {registry}. The next invocation shows whether it works.", {
        registry,
      });
}

function keepingText(
  keeping: KeptKey["keeping"],
  origin: KeyFacts["origin"],
  { t }: Language,
): string {
  switch (keeping) {
    case "sessionOnly":
      return origin === undefined
        ? t("It is kept until this window closes, like the registry itself.")
        : t(
            "It is kept until this window closes, since the editor's secret storage cannot be used.",
          );
    case "builtIn":
      return t("The built-in registry made it for this window.");
    case "secretStorage":
      return t("It is kept in the editor's secret storage.");
  }
}

function connect({ t }: Language): NoticeAction {
  return { action: "connect", title: t("Connect to Registry…") };
}
