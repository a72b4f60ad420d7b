import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import type { InstalledSkill } from "./project";

/**
 * Returns a lower bound of what remains of this month's project budget for a skill, in hundredths. It is the budget
 * minus the spending of all time, since registries do not return the month's spending. Infinity if the policy has no
 * budget; undefined if budget or spending is unknown.
 */
export function minRemainingBudget(
  skill: Partial<Pick<InstalledSkill, "isPolicyMissing" | "policy" | "usage">> | undefined,
): number | undefined {
  if (skill === undefined || skill.isPolicyMissing === true) return undefined;
  const { monthlyBudgetCents: budget } = skill.policy ?? {};
  const { cents: spent } = skill.usage ?? {};
  if (budget === undefined) return undefined;
  if (budget === 0) return Number.POSITIVE_INFINITY;
  return spent === undefined ? undefined : budget - spent;
}

/** Describes a project's monthly budget for a skill, and the spending of all time; empty without a budget. */
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
