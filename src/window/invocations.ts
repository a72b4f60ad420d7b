import type { Stopped } from "../core/invocation/permission/question";
import { finishedRecord, type InvocationRecord } from "../core/invocation/record/invocationRecord";
import type { Asker } from "../engine/asker";
import type { EndingSummary } from "../engine/attempt";
import type { Link, LinkEnd } from "./link";
import {
  asking,
  invoke,
  maxMessageBytes,
  open,
  outputPart,
  started,
  wait,
  withOutput,
} from "./protocol";
import type { InvokeRequest, OpenRequest } from "./requests";

/** An invocation of this command that the window runs. */
interface Call {
  readonly asker: Asker;
  /** The record of the running invocation; undefined while nothing can have been sent. */
  record: InvocationRecord | undefined;
  since: number;
  /** The error that prevented sending the payload. */
  failure: unknown;
  readonly output: string[];
  work: Promise<unknown>;
}

/**
 * An invocation that was not sent, because the window closed or does not answer, or because the payload is too long for
 * the connection.
 */
type NotSent =
  | { readonly kind: "windowEnded"; readonly why: LinkEnd }
  | { readonly kind: "tooLong" };

/** Invokes skills through the window. Answers the requests that the window sends meanwhile. */
export class WindowInvocations {
  private readonly calls = new Map<number, Call>();
  private count = 0;

  /** Calls `onQuestion` with the skill when the window shows a question. */
  constructor(
    private readonly link: Link,
    onQuestion: (skill: string) => void,
  ) {
    link.onNotification(asking, ({ skill }) => onQuestion(skill));
    link.onNotification(outputPart, ({ call, text }) => {
      this.calls.get(call)?.output.push(text);
    });
    link.onRequest(started, async ({ call, record }) => {
      const running = this.callOf(call);
      try {
        await running.asker.started(record);
      } catch (error) {
        running.failure = error;
        throw error;
      }
      running.record = record;
      running.since = performance.now();
      running.asker.waiting("send", running.work);
      return null;
    });
    link.onRequest(wait, async ({ call, question }) => {
      const { answers } = this.callOf(call).asker;
      return question.kind === "rateLimit"
        ? answers.rateLimit(question)
        : answers.inProgress(question);
    });
  }

  /** Asks a person, in the window, about several invocations. */
  async open(
    request: OpenRequest,
    signal: AbortSignal,
  ): Promise<Stopped | { readonly kind: "series"; readonly series: number } | NotSent> {
    try {
      return await this.link.sendRequest(open, request, signal);
    } catch (error) {
      return this.ended(error);
    }
  }

  /** Invokes once. If the connection ends after the payload may have been sent, the outcome is unknown. */
  async invoke(
    request: Omit<InvokeRequest, "call">,
    asker: Asker,
    signal: AbortSignal,
  ): Promise<EndingSummary | NotSent> {
    this.count += 1;
    const call = this.count;
    if (Buffer.byteLength(JSON.stringify(request)) > maxMessageBytes) {
      return { kind: "tooLong" };
    }
    const running: Call = {
      ...{ asker, record: undefined, failure: undefined, since: 0, output: [] },
      work: Promise.resolve(),
    };
    this.calls.set(call, running);
    const asked = this.link.sendRequest(invoke, { ...request, call }, signal);
    running.work = asked;
    try {
      const ending = await asked;
      return ending.kind === "stopped"
        ? ending
        : { ...ending, outcome: withOutput(ending.outcome, running.output.join("")) };
    } catch (error) {
      if (running.record === undefined) return this.ended(running.failure ?? error);
      const durationMs = Math.ceil(performance.now() - running.since);
      const failure = { kind: "windowGone" } as const;
      const outcome = { kind: "outcomeUnknown", failure, durationMs } as const;
      return {
        kind: "sent",
        outcome,
        record: finishedRecord(running.record, outcome),
        waitSeconds: 0,
      };
    } finally {
      this.calls.delete(call);
    }
  }

  /** Returns `windowEnded` if the connection has ended. Throws every other error. */
  private ended(error: unknown): NotSent {
    if (this.link.closed.aborted) return { kind: "windowEnded", why: this.link.end() };
    throw error;
  }

  private callOf(call: number): Call {
    const running = this.calls.get(call);
    if (running === undefined) throw new Error("There is no such call.");
    return running;
  }
}
