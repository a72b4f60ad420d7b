import type { InvocationOutcome } from "../core/invocation/invocation";
import type { AnswerTo, Question, QuestionOf } from "../core/invocation/permission/question";
import type { InvocationRecord } from "../core/invocation/record/invocationRecord";
import type { Agreement } from "./store/store";

/** A step of an invocation that may take a while. */
export type Step = "payload" | "key" | "skill" | "record" | "reviews" | "claim" | "send";

/**
 * The answers to each kind of question. They come from a dialog, from options, or from one answer for many invocations.
 */
export type Answers = {
  readonly [Kind in Question["kind"]]: (
    question: QuestionOf<Kind>,
  ) => AnswerTo<Kind> | Promise<AnswerTo<Kind>>;
};

/** The caller of an invocation, which answers its questions and is notified of its progress. */
export interface Asker {
  readonly answers: Answers;
  /** Whether a person is present. Then the person's earlier agreements on this machine count. */
  readonly isPerson: boolean;
  /** Called instead of asking about terms that the person agreed to before. */
  readonly agreedBefore: (agreement: Agreement) => void;
  /** Called with a step that lasts until `work` settles. */
  readonly waiting: (step: Step, work: Promise<unknown>) => void;
  /**
   * Called with the record of the running invocation. The payload is sent after this resolves. If it rejects, nothing
   * is sent.
   */
  readonly started: (record: InvocationRecord) => void | Promise<void>;
  /** Called when the invocation ended. The end may not be on disk yet. */
  readonly ended: (record: InvocationRecord, outcome: InvocationOutcome) => void;
}
