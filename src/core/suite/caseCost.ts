import { totalCents } from "../invocation/cost";
import { targetLine } from "../invocation/permission/consentQuestion";
import type { WindowTarget } from "../invocation/record/invocationLabels";
import { builtInRegistryName } from "../registry/registryName";
import { invocationPrice } from "../skill/price";
import type { SkillDetail } from "../skill/skill";
import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import type { DialogQuestion } from "../text/notice";
import type { SuiteCase } from "./suite";

/** How far cases go, the cheapest first: nothing sent, unbilled test runs, invocations. */
export type CaseLevel = "offline" | "testRun" | "live";

/** A level at which cases are sent. The questions before an invocation are asked once for all cases of a skill. */
export type SentLevel = Exclude<CaseLevel, "offline">;

/** A skill, and the number of its cases to send. */
export interface PlannedCases {
  readonly skill: SkillDetail;
  readonly count: number;
}

/** The maximum cost of cases. */
export interface CaseCost {
  readonly count: number;
  /** In hundredths, by currency; an empty name is an unknown currency. */
  readonly cents: ReadonlyMap<string, number>;
  /** False if a skill is billed and has no known amount. */
  readonly isKnown: boolean;
}

/** Selects the cases to send: those whose payload should be valid. */
export function sentCases(cases: readonly SuiteCase[]): readonly SuiteCase[] {
  return cases.filter(({ expect }) => expect?.invalid === undefined);
}

/** Adds up the cost of cases. */
export function caseCost(planned: readonly PlannedCases[]): CaseCost {
  const cents = new Map<string, number>();
  let isKnown = true;
  for (const { skill, count } of planned) {
    const price = invocationPrice(skill);
    if (price.kind === "unknown" && count > 0) isKnown = false;
    if (price.kind !== "amount" || count === 0) continue;
    cents.set(price.currency, (cents.get(price.currency) ?? 0) + price.cents * count);
  }
  return { count: planned.reduce((sum, { count }) => sum + count, 0), cents, isKnown };
}

/** Returns whether cases could cost more than `maxCents` (`totalCents`). */
export function mayCostMore({ cents, isKnown }: CaseCost, maxCents: number): boolean {
  const sums = [...cents].map(([currency, sum]) => ({ cents: sum, currency }));
  return !isKnown || totalCents(sums) > maxCents;
}

/** Formats the number of cases and their cost, such as `2 invocations, at most $0.04.` */
export function caseCostText(
  { count, cents, isKnown }: CaseCost,
  level: SentLevel,
  language: Language,
): string {
  const { t } = language;
  if (level === "testRun") {
    return count === 1
      ? t("1 test run, not billed.")
      : t("{count} test runs, not billed.", { count });
  }
  const money = [...cents].map(([currency, sum]) =>
    moneyText(sum, currency || undefined, language),
  );
  const cost = !isKnown
    ? t("at a price that is not known")
    : money.length === 0
      ? t("free")
      : t("at most {money}", { money: money.join(" + ") });
  return count === 1
    ? t("1 invocation, {cost}.", { cost })
    : t("{count} invocations, {cost}.", { count, cost });
}

/** Builds the question whether cases may be sent, with their cost and where they go. */
export function casesQuestion(
  planned: readonly PlannedCases[],
  level: SentLevel,
  { registry, environment }: WindowTarget,
  language: Language,
): DialogQuestion {
  const { t } = language;
  const cost = caseCostText(caseCost(planned), level, language);
  const isTestRun = level === "testRun";
  const isBuiltIn = registry === builtInRegistryName;
  const to = targetLine({ origin: registry, isBuiltIn, isTestRun, environment }, language);
  if (!isTestRun) {
    const message = t("Run the cases by invoking their skills?");
    return { message, detail: [cost, to], agree: t("Invoke All") };
  }
  return {
    message: t("Run the cases in the project?"),
    detail: [`${cost} ${t("The skills really run, and count toward the rate limit.")}`, to],
    agree: t("Run All"),
  };
}
