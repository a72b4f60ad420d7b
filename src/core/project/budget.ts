import type { Language } from "../text/language";
import { moneyText } from "../text/money";
import type { InstalledSkill } from "./project";

/**
 * Returns what is left this month of the project's budget for a skill, at least, in hundredths: the registry tells what
 * was spent of all time. Infinity where the policy has no budget; undefined where either is not known.
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

/** Says what is spent of the project's budget for a skill; empty where it has none. */
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
