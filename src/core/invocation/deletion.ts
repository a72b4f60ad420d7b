import { isKeptForAgents } from "../agents/agentGates";
import { dayMs, timeFormats } from "../text/dates";
import type { Language } from "../text/language";
import type { DialogQuestion } from "../text/notice";
import { isOver, outcomeOf } from "./outcome";
import { invocationCountText } from "./record/invocationLabels";
import type { InvocationRecord } from "./record/invocationRecord";

/** The ages in days by which invocations are offered to be deleted. */
export const deletionDays = [1, 7, 30, 90] as const;

/**
 * Selects the invocations that may be deleted together, in their order: none that is pinned or still running. With
 * `days`, only those older than that by `now`, in milliseconds since 1970.
 */
export function deletableRecords(
  records: readonly InvocationRecord[],
  now: number,
  days = 0,
): readonly InvocationRecord[] {
  return records.filter(
    ({ pinned, startedAt, status }) =>
      pinned !== true && isOver({ status }) && startedAt <= now - days * dayMs,
  );
}

/**
 * Returns whether retention may remove an invocation without a question: it is not pinned, its outcome is known, and no
 * agent's gate needs it.
 */
export function mayExpire(record: InvocationRecord, now: number): boolean {
  const isKnown = outcomeOf(record).counts !== "undecided";
  return record.pinned !== true && isKnown && !isKeptForAgents(record, now);
}

/** Builds the question whether to remove invocations from the record of this machine. */
export function deletionQuestion(
  records: readonly [InvocationRecord, ...InvocationRecord[]],
  now: number,
  language: Language,
): DialogQuestion {
  const { t } = language;
  const [{ skillSlug: skill, startedAt }, ...others] = records;
  const isOne = others.length === 0;
  const time = timeFormats(language).moment(startedAt);
  const invocations = invocationCountText(records.length, language);
  // The record is the only proof of an invocation. Only a person can decide that it no longer matters.
  const lets = records.some((record) => isKeptForAgents(record, now))
    ? [t("Agents may then make the same invocation again, and it may be billed twice.")]
    : [];
  return {
    message: isOne
      ? t("Delete the invocation of {skill} from {time}?", { skill, time })
      : t("Delete {invocations}?", { invocations }),
    detail: [
      isOne
        ? t("Its record on this machine is removed for good. The registry keeps its own.")
        : t("Their records on this machine are removed for good. The registry keeps its own."),
      ...lets,
    ],
    agree: t("Delete"),
  };
}
