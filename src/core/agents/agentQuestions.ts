import { describeCallability } from "../invocation/permission/callability";
import type { CallabilityFacts } from "../invocation/permission/callabilityFacts";
import { permissionsLine, remoteText } from "../invocation/permission/consentQuestion";
import { prettyJson } from "../json/printJson";
import { assumedLevel, levelName } from "../skill/permissions";
import { pricesOf, skillPriceText } from "../skill/price";
import type { SkillDetail } from "../skill/skill";
import { utcDay } from "../text/dates";
import type { Language } from "../text/language";
import { type AgentAgreement, type AgentSettings, withAgreementAbout } from "./agentAgreements";
import { lastDayText } from "./agentOverview";
import { hasTooManyTools, noToolText } from "./typedTools";

/** The registry that receives an agent's payloads. */
interface AgentTarget {
  readonly origin: string;
  readonly isBuiltIn: boolean;
}

/** A question whose lines are facts; an empty line separates paragraphs. */
export interface AgentQuestion {
  readonly message: string;
  readonly detail: readonly string[];
}

/**
 * Builds the question whether agents may invoke a skill. It lists everything that a yes allows, including texts for a
 * model, and known obstacles. `settings` are the permissions so far.
 */
export function allowQuestion(
  skill: SkillDetail,
  agreement: AgentAgreement,
  target: AgentTarget,
  settings: AgentSettings,
  callability: CallabilityFacts,
  language: Language,
): AgentQuestion {
  const { t } = language;
  const { slug, version } = skill.summary;
  const { title, description } = agreement.text;
  const allowed = withAgreementAbout(settings, agreement);
  const isTooMany = hasTooManyTools(allowed, agreement.registry, utcDay(callability.now));
  const noTool = noToolText(agreement, isTooMany, language);
  return {
    message: t("Allow agents to invoke {skill}?", { skill: `${slug}@${version}` }),
    detail: [
      ...obstacles(skill, callability, language),
      ...skillLines(skill, target, callability.hasKey === true, language),
      ...(skill.isManifestUnknown
        ? [t("The registry does not show its permissions. Everything else matches the review.")]
        : []),
      t("Contract: {hash}", { hash: shortHash(agreement.contractHash) }),
      t("Until: {day}", { day: lastDayText(agreement, language) }),
      ...(noTool === "" ? [] : [noTool]),
      "",
      t("A model will read: {title}. {description}", { title, description }),
    ],
  };
}

/** Lists obstacles. Leaves out a missing key, since the agent may run on another machine that has one. */
function obstacles(skill: SkillDetail, callability: CallabilityFacts, language: Language) {
  const { t } = language;
  const { kind, needsKey, code, text, warning } = describeCallability(skill, callability, language);
  const isSubscribed = pricesOf(skill).some(({ billingModel }) => billingModel === "subscription");
  return [
    kind === "no" && !needsKey ? t("It cannot be invoked now: {reason}", { reason: text }) : "",
    warning,
    isSubscribed && code !== "subscription_required"
      ? t("Only a project with a subscription can invoke it.")
      : "",
  ].filter((line) => line !== "");
}

/** Builds the question whether an agent may make one invocation. `payload` is its text. */
export function callQuestion(
  skill: SkillDetail,
  {
    client,
    reason,
    payload,
  }: { readonly client: string; readonly reason: string; readonly payload: string },
  target: AgentTarget,
  language: Language,
): AgentQuestion {
  const { t } = language;
  return {
    message: t("{client} wants to invoke {skill}.", { client, skill: skill.summary.slug }),
    detail: [
      ...(reason === "" ? [] : [t("Reason it gives: “{reason}”", { reason })]),
      // Without a key, an agent's invocation ends before this question.
      ...skillLines(skill, target, true, language),
      "",
      ...prettyJson(payload, maxPayload).text.split("\n").slice(0, maxPayloadLines),
    ],
  };
}

/** The maximum number of payload characters in a dialog; the record has all of them. */
const maxPayload = 500;
const maxPayloadLines = 16;

/** Shortens a contract's hash for people. */
export function shortHash(hash: string): string {
  return hash.replace(/^contract-v1:sha256-/, "").slice(0, 12);
}

function skillLines(
  skill: SkillDetail,
  { origin, isBuiltIn }: AgentTarget,
  hasKey: boolean,
  language: Language,
) {
  const { t } = language;
  const { permissions, summary } = skill;
  return [
    `${levelName(assumedLevel(skill), language)}. ${permissionsLine({ ...(permissions && { permissions }) }, language)}`,
    t("Price: {price}", { price: skillPriceText(skill, language) }),
    t("Publisher: {name}", { name: summary.publisher?.name ?? t("unknown") }),
    isBuiltIn
      ? t("Sent to: the built-in registry, on this machine.")
      : remoteText(origin, hasKey, t),
  ];
}
