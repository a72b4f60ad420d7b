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
 * Keeps the invocations that may be deleted together, in their order: no pinned one, and none whose end is still to be
 * written. With `days`, those that are older by `now`, in milliseconds since 1970.
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
 * Returns whether an invocation that is beyond the retention may be removed without a question: it is not pinned, how it
 * ended is known, and no agent's gate needs it. What runs or is unknown stays, since nobody could look it up.
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
  // By its record an invocation is known to have been made. Only a person can say that this no longer matters.
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
