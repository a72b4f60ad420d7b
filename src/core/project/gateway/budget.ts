import type { Amount } from "../../invocation/cost";
import type { Language } from "../../text/language";
import { currencyOf, moneyText } from "../../text/money";
import type { InstalledSkill } from "../project";

/**
 * Returns a lower bound of what remains of this month's project budget for a skill. It is the budget minus the spending
 * of all time, since registries do not return the month's spending. Infinity if the policy has no budget; undefined if
 * budget or spending is unknown, or if the spending is in another currency than the price. A budget names no currency.
 */
export function minRemainingBudget(
  skill:
    | Partial<Pick<InstalledSkill, "isPolicyMissing" | "policy" | "usage" | "price">>
    | undefined,
): Amount | undefined {
  if (skill === undefined || skill.isPolicyMissing === true) return undefined;
  const { monthlyBudgetCents: budget } = skill.policy ?? {};
  const { cents: spent } = skill.usage ?? {};
  if (budget === undefined) return undefined;
  if (budget === 0) return { cents: Number.POSITIVE_INFINITY, currency: "" };
  const currency = currencyOfBudget(skill);
  return spent === undefined || currency === undefined
    ? undefined
    : { cents: budget - spent, currency };
}

/** Returns the currency of a skill's spending and price, empty if neither names one. Undefined if they differ. */
function currencyOfBudget({
  usage,
  price,
}: Partial<Pick<InstalledSkill, "usage" | "price">>): string | undefined {
  const [spent, listed] = [usage?.currency, price?.currency].map((word = "") => currencyOf(word));
  if (!spent || !listed || usage?.cents === 0) return listed || spent || "";
  return spent === listed ? listed : undefined;
}

/** Describes a project's monthly budget for a skill, and the spending of all time; empty without a budget. */
export function budgetText(skill: InstalledSkill, language: Language): string {
  const { policy, usage, price } = skill;
  const { monthlyBudgetCents: cents = 0 } = policy ?? {};
  if (cents === 0 || price?.billingModel === "free") return "";
  const currency = currencyOfBudget(skill);
  const budget = moneyText(cents, currency, language);
  const { t } = language;
  if (usage?.cents === undefined) return t("budget {budget} a month", { budget });
  const spent = moneyText(usage.cents, usage.currency ?? currency, language);
  return currency === undefined
    ? t("budget {budget} a month in an unknown currency, {spent} spent in all", { budget, spent })
    : t("budget {budget} a month, {spent} spent in all", { budget, spent });
}
