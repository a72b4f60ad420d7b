import { timeFormats } from "../text/dates";
import type { Language } from "../text/language";
import type { DialogQuestion } from "../text/notice";
import { blocksRepeat, outcomeOf } from "./outcome";
import { invocationCountText } from "./record/invocationLabels";
import { type InvocationRecord, isAgent } from "./record/invocationRecord";

/** The ages in days that are offered for deletion. */
export const deletionDays = [1, 7, 30, 90] as const;

/**
 * Returns whether retention may remove an invocation without a question: it is not pinned, its outcome is known, and no
 * agent's gate needs it.
 */
export function mayExpire(record: InvocationRecord, now: number): boolean {
  const isKnown = outcomeOf(record).counts !== "undecided";
  return record.pinned !== true && isKnown && !isKeptForAgents(record, now);
}

/** The invocations to delete together. */
export interface Deletion {
  readonly count: number;
  /** The record, if only one is deleted. */
  readonly only: Pick<InvocationRecord, "skillSlug" | "startedAt"> | undefined;
  /** Whether one of them keeps agents from repeating an invocation. */
  readonly isForAgents: boolean;
}

/** Describes the deletion of these invocations. */
export function deletionOf(records: readonly InvocationRecord[], now: number): Deletion {
  return {
    count: records.length,
    only: records.length === 1 ? records[0] : undefined,
    isForAgents: records.some((record) => isKeptForAgents(record, now)),
  };
}

/** Builds the question whether to remove invocations from the record of this machine. */
export function deletionQuestion(
  { count, only, isForAgents }: Deletion,
  language: Language,
): DialogQuestion {
  const { t } = language;
  const invocations = invocationCountText(count, language);
  // The record is the only proof of an invocation. Only a person can decide that it no longer matters.
  const lets = isForAgents
    ? [t("Agents may then make the same invocation again, and it may be billed twice.")]
    : [];
  return {
    message:
      only === undefined
        ? t("Delete {invocations}?", { invocations })
        : t("Delete the invocation of {skill} from {time}?", {
            skill: only.skillSlug,
            time: timeFormats(language).moment(only.startedAt),
          }),
    detail: [
      only === undefined
        ? t(
            "Their records on this machine are deleted permanently. The registry keeps its own records.",
          )
        : t(
            "Its record on this machine is deleted permanently. The registry keeps its own record.",
          ),
      ...lets,
    ],
    agree: t("Delete"),
  };
}

/** Builds the question whether to remove all trials of manifests from this machine. */
export function deleteTrialsQuestion(count: number, { t }: Language): DialogQuestion {
  return {
    message: count === 1 ? t("Delete the trial?") : t("Delete {count} trials?", { count }),
    detail: [t("They are deleted permanently. Invocations stay on record.")],
    agree: t("Delete"),
  };
}

/**
 * Returns whether the gates need a record to keep an agent from repeating its invocation. Such a record is stored
 * despite any retention setting.
 */
function isKeptForAgents(record: InvocationRecord, now: number): boolean {
  return isAgent(record.caller.kind) && blocksRepeat(record, now);
}
