import type { InvocationOutcome } from "../core/invocation/invocation";
import type { AnswerTo, Question, QuestionOf } from "../core/invocation/permission/question";
import type { InvocationRecord } from "../core/invocation/record/invocationRecord";
import type { Agreement } from "./store/store";

/** A step of an invocation that may take a while. */
export type Step = "payload" | "key" | "skill" | "record" | "reviews" | "claim" | "send";

/** The answers to each kind of question: from a dialog, from options, or given once for many invocations. */
export type Answers = {
  readonly [Kind in Question["kind"]]: (
    question: QuestionOf<Kind>,
  ) => AnswerTo<Kind> | Promise<AnswerTo<Kind>>;
};

/** The caller of an invocation. Answers its questions, and is notified of each step. */
export interface Asker {
  readonly answers: Answers;
  /** Whether a person is present. Their earlier agreements, here or elsewhere, count. */
  readonly isPerson: boolean;
  /** Called instead of a question about terms that were agreed to before. */
  readonly agreedBefore: (agreement: Agreement) => void;
  /** Called with a step that lasts until `work` settles. */
  readonly waiting: (step: Step, work: Promise<unknown>) => void;
  /**
   * Called with the record of the running invocation. The payload is sent after this resolves, and not at all if it
   * rejects.
   */
  readonly started: (record: InvocationRecord) => void | Promise<void>;
  /** Called when the invocation ended. The end may not be on disk yet. */
  readonly ended: (record: InvocationRecord, outcome: InvocationOutcome) => void;
}
