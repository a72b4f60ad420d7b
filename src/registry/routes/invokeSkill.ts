import {
  type Answered,
  type Invocation,
  type InvocationOutcome,
  invokeBody,
  type RefusalReason,
} from "../../core/invocation/invocation";
import { pauseSeconds, retryAfterSeconds } from "../../core/invocation/rateLimit";
import {
  classifyResponse,
  type ResponseKind,
} from "../../core/invocation/response/classifyResponse";
import { isJsonObject, optional } from "../../core/json/jsonValue";
import type { Credential } from "../../core/registry/credential";
import { isSuccessStatus } from "../../core/registry/httpStatus";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import type { Chunked } from "../../core/text/chunked";
import { foreignAnswer } from "../decode/foreignAnswer";
import { parseJson } from "../decode/parseJson";
import {
  type InvokeResponse,
  readCutInvocationId,
  readInvokeResponse,
} from "../decode/readInvokeResponse";
import type { Transport } from "../transport/transport";
import {
  type ExchangeLimits,
  redirectTarget,
  requestHeaders,
  type WireResponse,
} from "../transport/wire";
import { runYielding } from "../wait";

/** The connection and limits of invocations. */
export interface InvokeRoute {
  readonly transport: Transport;
  readonly url: URL;
  readonly limits: ExchangeLimits;
  readonly redactor: KeyRedactor;
}

/**
 * Sends an invocation once and returns its outcome. Never retries: an invocation can be billed and has no idempotency
 * key.
 */
export async function invokeSkill(
  { transport, url, limits, redactor }: InvokeRoute,
  invocation: Invocation,
  credential: Credential,
  signal: AbortSignal,
): Promise<InvocationOutcome> {
  const headers = {
    ...requestHeaders(),
    "content-type": "application/json",
  };
  const body = Buffer.from(invokeBody(invocation), "utf8");
  const started = performance.now();
  const exchange = await transport.exchange(
    { method: "POST", path: url.pathname, headers, credential, body },
    limits,
    signal,
  );
  const durationMs = Math.ceil(performance.now() - started);
  if (exchange.kind === "answered") {
    return runYielding(readRedacted(exchange.answer, url, durationMs, redactor));
  }
  const { failure, mayBeSent, partial } = exchange;
  const outcome: InvocationOutcome = mayBeSent
    ? {
        kind: "outcomeUnknown",
        failure,
        durationMs,
        ...optional("invocationId", cutId(partial, redactor)),
      }
    : { kind: "notSent", failure };
  return runYielding(redactOutcome(outcome, redactor));
}

function* readRedacted(
  ...[answer, url, durationMs, redactor]: Parameters<typeof readOutcome>
): Chunked<InvocationOutcome> {
  return yield* redactOutcome(yield* readOutcome(answer, url, durationMs, redactor), redactor);
}

/** Finds the ID in a truncated response; it usually is at the start. */
function cutId(partial: WireResponse | undefined, redactor: KeyRedactor): string | undefined {
  return partial && readCutInvocationId(partial.body.subarray(0, 65_536), redactor);
}

/** Redacts every text of an outcome, so that a new field cannot be forgotten. */
function* redactOutcome(
  outcome: InvocationOutcome,
  redactor: KeyRedactor,
): Chunked<InvocationOutcome> {
  return (yield* redactValue(outcome, redactor)) as InvocationOutcome;
}

function* redactValue(value: unknown, redactor: KeyRedactor): Chunked<unknown> {
  if (typeof value === "string") return yield* redactor.redactChunked(value);
  if (typeof value !== "object" || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  for (const name of Object.keys(copy)) copy[name] = yield* redactValue(copy[name], redactor);
  return copy;
}

/**
 * Determines the outcome of an invocation from a response of the runtime route. `url` is the request's address;
 * `redactor` redacts the texts of the response.
 */
export function* readOutcome(
  answer: WireResponse,
  url: URL,
  durationMs: number,
  redactor: KeyRedactor,
): Chunked<InvocationOutcome> {
  const read = yield* readInvokeResponse(answer.body, redactor);
  const pause = pauseSeconds(answer.headers, Date.now());
  const answered = {
    ...read.answered,
    ...read.error,
    ...optional("code", read.error.code ?? codeInHeader(answer)),
    durationMs,
    ...optional("pauseSeconds", pause),
    ...(answer.note !== undefined && { hasReplacedText: true as const }),
  };
  const foreign = foreignAnswer(answer, read.isJson, redactor);
  const kind = kindOf(answer, read, foreign !== undefined);
  const { runStatus, outputText } = read;
  switch (kind) {
    case "success":
      return {
        ...answered,
        kind,
        acceptedNotRun: yield* isAcceptedOnly(read),
        outputText: outputText ?? "null",
      };
    case "waiting":
      return {
        ...answered,
        ...{ kind: "success", acceptedNotRun: true, runStatus: runStatus ?? "accepted" },
        outputText: outputText ?? "null",
      };
    case "skillError":
      return {
        ...answered,
        kind,
        ...optional("runStatus", runStatus),
        ...optional("outputText", outputText),
      };
    case "unknown":
    case "unknownStatus":
      return unknownOutcome(
        answer,
        foreign ?? unknownFailure(answer, read, url),
        read,
        durationMs,
        redactor,
      );
    default:
      return {
        ...refusal(kind, answer, read, url, answered),
        ...optional("failure", kind === "notRegistry" ? foreign : undefined),
      };
  }
}

function kindOf(
  { status, headers }: WireResponse,
  read: InvokeResponse,
  isForeign: boolean,
): ResponseKind {
  return classifyResponse({
    status,
    isReadable: read.isReadable,
    isForeign,
    ...optional("code", read.error.code),
    ...optional("runStatus", read.runStatus),
    hasInvocationId: read.answered.invocationId !== undefined,
    hasOutput: read.outputText !== undefined,
    hasError: read.hasError,
    lacksScope: codeInHeader({ headers }) !== undefined,
    hasLocation: headers["location"] !== undefined,
  });
}

/** Reads the error code of RFC 6750 for insufficient rights, which only the header contains. */
function codeInHeader({ headers }: Pick<WireResponse, "headers">): string | undefined {
  return /\binsufficient_scope\b/.exec(headers["www-authenticate"] ?? "")?.[0];
}

const acceptedOnly = "metered_contract";

/** Returns whether the registry recorded and metered the invocation without running the skill. */
function* isAcceptedOnly({ answered, outputText = "" }: InvokeResponse): Chunked<boolean> {
  if (answered.mode === acceptedOnly) return true;
  // Search the text first: parsing megabytes is slow.
  if (!outputText.includes(acceptedOnly)) return false;
  const output = yield* parseJson(Buffer.from(outputText));
  return isJsonObject(output) && output["mode"] === acceptedOnly;
}

function unknownOutcome(
  answer: WireResponse,
  failure: RegistryFailure,
  read: InvokeResponse,
  durationMs: number,
  redactor: KeyRedactor,
): InvocationOutcome {
  // Even an unreadable response may contain the ID, which lets the registry's operator look it up.
  const { invocationId = cutId(answer, redactor) } = read.answered;
  return {
    kind: "outcomeUnknown",
    failure,
    durationMs,
    ...optional("invocationId", invocationId),
    ...optional("outputText", read.outputText),
  };
}

function unknownFailure({ status }: WireResponse, read: InvokeResponse, url: URL): RegistryFailure {
  const { runStatus: word, error, isReadable } = read;
  if (!isSuccessStatus(status) || (word === undefined && read.hasError)) {
    return { kind: "errorAnswer", status, ...error };
  }
  if (word !== undefined)
    return { kind: "unknownStatus", word, ...optional("message", error.message) };
  return { kind: "unreadable", route: url.pathname, field: isReadable ? "output" : "" };
}

function refusal(
  reason: RefusalReason,
  answer: WireResponse,
  read: InvokeResponse,
  url: URL,
  answered: Answered,
): InvocationOutcome {
  const target = reason === "redirected" ? redirectTarget(answer, url) : undefined;
  return {
    ...answered,
    kind: "refused",
    reason,
    status: answer.status,
    ...optional("policy", read.policy),
    ...optional("inputProblems", read.inputProblems),
    ...optional("retryAfterSeconds", retryAfterSeconds(answer.headers, Date.now())),
    ...(reason === "redirected" && {
      redirectTarget: target?.shown ?? "",
      message: `The registry redirected the invocation to ${target?.shown || "an unreadable address"}. The redirect was not followed.`,
    }),
  };
}
