import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import type { InstalledSkill } from "./project";

/**
 * Returns the least remaining amount of this month's project budget for a skill, in hundredths. The registry returns
 * only the spending of all time. Infinity without a budget in the policy; undefined if either is unknown.
 */
export function leftOfBudget(
  skill: Partial<Pick<InstalledSkill, "isPolicyMissing" | "policy" | "usage">> | undefined,
): number | undefined {
  if (skill === undefined || skill.isPolicyMissing === true) return undefined;
  const { monthlyBudgetCents: budget } = skill.policy ?? {};
  const { cents: spent } = skill.usage ?? {};
  if (budget === undefined) return undefined;
  if (budget === 0) return Number.POSITIVE_INFINITY;
  return spent === undefined ? undefined : budget - spent;
}

/** Describes the spent part of the project's budget for a skill; empty without a budget. */
export function budgetText({ policy, usage, price }: InstalledSkill, language: Language): string {
  const { monthlyBudgetCents: budget = 0 } = policy ?? {};
  if (budget === 0 || price?.billingModel === "free") return "";
  const money = (cents: number) => moneyText(cents, usage?.currency ?? price?.currency, language);
  const { t } = language;
  return usage?.cents === undefined
    ? t("budget {budget} a month", { budget: money(budget) })
    : t("budget {budget} a month, {spent} spent in all", {
        budget: money(budget),
        spent: money(usage.cents),
      });
}
