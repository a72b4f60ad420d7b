import {
  type Invocation,
  type InvocationOutcome,
  invokeBody,
} from "../../core/invocation/invocation";
import type { Credential } from "../../core/registry/credential";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { Chunked } from "../../core/text/chunked";
import { given } from "../decode/field";
import { readCutInvocationId } from "../decode/readInvokeAnswer";
import { requestHeaders } from "../requestHeaders";
import { runYielding } from "../runYielding";
import type { Transport } from "../transport/transport";
import type { ExchangeLimits, WireAnswer } from "../transport/wire";
import { readOutcome } from "./readOutcome";

/** How invocations travel. */
export interface InvokeRoute {
  readonly transport: Transport;
  readonly url: URL;
  readonly limits: ExchangeLimits;
  readonly redactor: KeyRedactor;
}

/**
 * Sends an invocation once and says what became of it. Nothing is sent again, whatever happens: an invocation can
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

/** Takes secrets out of every text of an outcome, so that no new field can be forgotten. */
function* redactOutcome(
  outcome: InvocationOutcome,
  redactor: KeyRedactor,
): Chunked<InvocationOutcome> {
  return (yield* redactValue(outcome, redactor)) as InvocationOutcome;
}

function* redactValue(value: unknown, redactor: KeyRedactor): Chunked<unknown> {
  if (typeof value === "string") return yield* redactor.redactChunked(value);
  if (typeof value !== "object" || value === null) return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of Object.entries(value)) {
    members.push([name, yield* redactValue(member, redactor)]);
  }
  return Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members);
}
