import { dayText } from "../text/dates";
import { numberFormat } from "../text/formats";
import { durationText, type Language } from "../text/language";
import { moneyText } from "../text/money";
import type { InstallUsage, ProjectSubscription } from "./project";

/** Describes a project's invocations of a skill and their cost on one line; empty without any. */
export function usageText(usage: InstallUsage | undefined, language: Language): string {
  const { t } = language;
  const { invocations = 0, cents = 0, currency } = usage ?? {};
  if (usage === undefined || invocations === 0) return "";
  const ran = (usage.succeeded ?? 0) + (usage.failed ?? 0);
  const parts = [
    invocations === 1
      ? t("1 invocation so far")
      : t("{count} invocations so far", { count: counted(invocations, language) }),
    ran === 0
      ? ""
      : t("{share} succeeded", { share: shareOf(usage.succeeded ?? 0, ran, language) }),
    usage.blocked ? t("{count} blocked", { count: counted(usage.blocked, language) }) : "",
    usage.averageLatencyMs
      ? t("{time} on average", { time: durationText(usage.averageLatencyMs, language) })
      : "",
    cents > 0 ? t("{cost} in all", { cost: moneyText(cents, currency, language) }) : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

/** Describes the number of open incidents of a skill; empty for none. */
export function incidentsText(usage: InstallUsage | undefined, language: Language): string {
  const { openIncidents: count = 0 } = usage ?? {};
  if (count <= 0) return "";
  return count === 1
    ? language.t("1 open incident")
    : language.t("{count} open incidents", { count: counted(count, language) });
}

/** Describes a project's subscription to a skill; empty for none. */
export function subscriptionText(
  subscription: ProjectSubscription | undefined,
  language: Language,
): string {
  if (subscription === undefined) return "";
  const { t } = language;
  const { currentPeriodEnd, status } = subscription;
  const what = status === "trialing" ? t("Trial") : t("Subscription: {status}", { status });
  return currentPeriodEnd === undefined
    ? what
    : t("{what}, until {day}", { what, day: dayText(currentPeriodEnd, language) });
}

function counted(count: number, { locale }: Language): string {
  return numberFormat(locale).format(count);
}

/** Formats a share in percent. A share below 1 is at most 99.9 %, so that rounding never makes it 100 %. */
function shareOf(part: number, all: number, { locale }: Language): string {
  const format = numberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const share = part / all;
  return format.format(part < all ? Math.min(share, 0.999) : share);
}
