import { registryFailureText } from "../../registry/registryFailure";
import { english } from "../../text/language";
import type { InvocationOutcome } from "../invocation";
import { statusOf } from "../outcome/invocationStatus";
import type { InvocationRecord } from "./invocationRecord";

/** Completes the record of a running invocation with what became of it. Records are in English for all readers. */
export function finishedRecord(
  running: InvocationRecord,
  outcome: InvocationOutcome,
): InvocationRecord {
  const { pid: _pid, ...rest } = running;
  const base = { ...rest, status: statusOf(outcome) };
  if (outcome.kind === "notSent")
    return { ...base, message: registryFailureText(outcome.failure, english) };
  if (outcome.kind === "outcomeUnknown") {
    const { failure } = outcome;
    return {
      ...base,
      durationMs: outcome.durationMs,
      ...(failure.kind === "errorAnswer" && given("code", failure.code)),
      message: registryFailureText(failure, english),
      ...given("invocationId", outcome.invocationId),
    };
  }
  return {
    ...base,
    durationMs: outcome.durationMs,
    version: outcome.version ?? running.version,
    ...given("invocationId", outcome.invocationId),
    ...given("projectSlug", outcome.projectSlug),
    ...given("mode", outcome.mode),
    ...given("code", outcome.code),
    ...given("message", outcome.message),
    ...given("amountCents", outcome.amountCents),
    ...given("currency", outcome.currency),
    ...(outcome.kind === "success" && outcome.acceptedNotRun && { acceptedNotRun: true }),
    ...(outcome.kind === "refused" && given("policy", outcome.policy)),
  };
}

function given<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [key in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in Name]?: Value };
}
