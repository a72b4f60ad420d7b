import type { InvocationOutcome } from "../core/invocation/invocation";
import type { AnswerTo, Question, QuestionOf } from "../core/invocation/permission/question";
import type { InvocationRecord } from "../core/invocation/record/invocationRecord";
import type { Agreement } from "./store/store";

/** A step of an invocation that may take a while. */
export type Step = "payload" | "key" | "skill" | "record" | "reviews" | "claim" | "send";

/** Answers each kind of question: by a dialog, by options, or for many invocations at once. */
export type Answers = {
  readonly [Kind in Question["kind"]]: (
    question: QuestionOf<Kind>,
  ) => AnswerTo<Kind> | Promise<AnswerTo<Kind>>;
};

/** Whoever an invocation is made for. Answers its questions, and is notified of each step. */
export interface Asker {
  readonly answers: Answers;
  /** Whether a person is there. What they agreed to before, here or elsewhere, counts for them. */
  readonly isPerson: boolean;
  /** Called where nothing is asked about the terms because they were agreed to before. */
  readonly agreedBefore: (agreement: Agreement) => void;
  /** A step takes until `work` settles. */
  readonly waiting: (step: Step, work: Promise<unknown>) => void;
  /**
   * The record of the running invocation was begun. The payload leaves once this resolves, and stays where it rejects.
   */
  readonly started: (record: InvocationRecord) => void | Promise<void>;
  /** The invocation ended. Its end may not be on disk yet. */
  readonly ended: (record: InvocationRecord, outcome: InvocationOutcome) => void;
}
