import type { Stop } from "../core/invocation/permission/question";
import { lineResult } from "../core/invocation/run/lineResult";
import { afterLine } from "../core/invocation/run/runJournal";
import type { Asker } from "../engine/asker";
import type { EndingSummary, SentPayload } from "../engine/attempt";
import { outputOf } from "../engine/sendInvocation";
import type { SendLine } from "./lineDispatcher";

/** A batch of invocations that a person agreed to, sent by this program's engine or by a window. */
interface LineBatch {
  readonly invoke: (
    payload: SentPayload,
    signal: AbortSignal,
    asker: Asker,
  ) => Promise<EndingSummary>;
}

/** Creates a function that sends lines as invocations of a batch. `why` describes why a line was not sent. */
export function lineSender(
  batch: LineBatch,
  asker: Asker,
  payloadOf: (text: string, source: string) => SentPayload,
  why: (stop: Stop) => string,
): SendLine {
  return async ({ text, source }, { beforeSend, onAnswer, mayWait }, signal) => {
    const answers: Asker["answers"] = {
      ...asker.answers,
      rateLimit: async (question) =>
        (await mayWait(question.seconds)) ? asker.answers.rateLimit(question) : "no",
    };
    const ended: Asker["ended"] = (record, outcome) => {
      asker.ended(record, outcome);
      if (afterLine(outcome) !== "ended") return;
      onAnswer(lineResult({ record, outcome, waitSeconds: 0 }, outputOf(outcome)));
    };
    const own = { ...asker, answers, started: beforeSend, ended };
    const ending = await batch.invoke(payloadOf(text, source), signal, own);
    if (ending.kind === "sent") {
      return { kind: "ended", result: lineResult(ending, outputOf(ending.outcome)) };
    }
    const { stop } = ending;
    return { kind: "stopped", why: stop.kind === "canceled" ? "" : why(stop) };
  };
}
