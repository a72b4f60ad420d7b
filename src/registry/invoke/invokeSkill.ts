import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import { invokeBody } from "../../core/invocation/invokeBody";
import { given } from "../decode/field";
import { readCutInvocationId } from "../decode/readInvokeAnswer";
import { requestHeaders } from "../requestHeaders";
import { inTurns } from "../steps";
import type { Transport } from "../transport/transport";
import type { ExchangeLimits, WireAnswer } from "../transport/wire";
import { readOutcome } from "./readOutcome";
import { redactOutcome } from "./redactOutcome";

/** How invocations travel. */
export interface InvokeRoute {
  readonly transport: Transport;
  readonly url: URL;
  readonly limits: ExchangeLimits;
  readonly redact: (text: string) => string;
}

/**
 * Sends a call once and says what became of it. Nothing is sent again, whatever happens: a call can
 * be billed and has no idempotency key. `projectKey` is one that `readProjectKey` has read.
 */
export async function invokeSkill(
  { transport, url, limits, redact }: InvokeRoute,
  call: Invocation,
  projectKey: string,
  signal: AbortSignal,
): Promise<InvocationOutcome> {
  const headers = {
    ...requestHeaders(),
    "content-type": "application/json",
    authorization: `Bearer ${projectKey}`,
  };
  const body = Buffer.from(invokeBody(call), "utf8");
  const started = performance.now();
  const exchange = await transport.exchange(
    { method: "POST", path: url.pathname, headers, body },
    limits,
    signal,
  );
  const durationMs = performance.now() - started;
  if (exchange.kind === "answered") {
    const outcome = await inTurns(readOutcome(exchange.answer, url, durationMs, redact));
    return redactOutcome(outcome, redact);
  }
  const { failure, left, partial } = exchange;
  const outcome: InvocationOutcome = left
    ? {
        kind: "outcomeUnknown",
        failure,
        durationMs,
        ...given("invocationId", cutId(partial, redact)),
      }
    : { kind: "notSent", failure };
  return redactOutcome(outcome, redact);
}

/** The ID stands at the front of an answer as a rule, so the first part of it will do. */
function cutId(
  partial: WireAnswer | undefined,
  redact: (text: string) => string,
): string | undefined {
  return partial && readCutInvocationId(partial.body.subarray(0, 65_536), redact);
}
