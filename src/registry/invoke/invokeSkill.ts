import type { Invocation, InvocationOutcome } from "../../core/invocation/invocation";
import { invokeBody } from "../../core/invocation/invocation";
import type { Credential } from "../../core/registry/credential";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import { given } from "../decode/field";
import { readCutInvocationId } from "../decode/readInvokeAnswer";
import { requestHeaders } from "../requestHeaders";
import { runYielding } from "../runYielding";
import type { Transport } from "../transport/transport";
import type { ExchangeLimits, WireAnswer } from "../transport/wire";
import { readOutcome } from "./readOutcome";
import { redactOutcome } from "./redactOutcome";

/** How invocations travel. */
export interface InvokeRoute {
  readonly transport: Transport;
  readonly url: URL;
  readonly limits: ExchangeLimits;
  readonly redactor: KeyRedactor;
}

/**
 * Sends a call once and says what became of it. Nothing is sent again, whatever happens: a call can
 * be billed and has no idempotency key.
 */
export async function invokeSkill(
  { transport, url, limits, redactor }: InvokeRoute,
  call: Invocation,
  credential: Credential,
  signal: AbortSignal,
): Promise<InvocationOutcome> {
  const headers = {
    ...requestHeaders(),
    "content-type": "application/json",
  };
  const body = Buffer.from(invokeBody(call), "utf8");
  const started = performance.now();
  const exchange = await transport.exchange(
    { method: "POST", path: url.pathname, headers, credential, body },
    limits,
    signal,
  );
  const durationMs = Math.ceil(performance.now() - started);
  if (exchange.kind === "answered") {
    const outcome = await runYielding(readOutcome(exchange.answer, url, durationMs, redactor));
    return runYielding(redactOutcome(outcome, redactor));
  }
  const { failure, left, partial } = exchange;
  const outcome: InvocationOutcome = left
    ? {
        kind: "outcomeUnknown",
        failure,
        durationMs,
        ...given("invocationId", cutId(partial, redactor)),
      }
    : { kind: "notSent", failure };
  return runYielding(redactOutcome(outcome, redactor));
}

/** The ID stands at the front of an answer as a rule, so the first part of it will do. */
function cutId(partial: WireAnswer | undefined, redactor: KeyRedactor): string | undefined {
  return partial && readCutInvocationId(partial.body.subarray(0, 65_536), redactor);
}
