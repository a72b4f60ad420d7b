import type { Answered, InputProblem, PolicyVerdict } from "../../core/invocation";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json";
import { booleanOf, given, member, numberOf, objectOf, textOf } from "./field";
import { jsonMembers } from "./jsonMembers";
import { readErrorBody } from "./readErrorBody";
import { readInputProblems } from "./readInputProblems";

/** What the body of an invocation's answer holds. */
export interface InvokeAnswer {
  /** False where the body is not a JSON object; then nothing else is known. */
  readonly isReadable: boolean;
  readonly answered: Omit<Answered, "durationMs">;
  readonly runStatus?: string;
  /** The output's own JSON text. */
  readonly outputText?: string;
  readonly policy?: PolicyVerdict;
  readonly inputProblems?: readonly InputProblem[];
}

/** Reads an answer of the runtime route, in whichever dialect and envelope. */
export function readInvokeAnswer(text: string): InvokeAnswer {
  const body = parse(text);
  if (!isJsonObject(body)) return { isReadable: false, answered: {} };
  const { source, from } = unwrap(body, text);
  const output = jsonMembers(text, from).get("output");
  const policy = objectOf(member(source, "policy"));
  const problems = readInputProblems(source);
  return {
    isReadable: true,
    answered: readAnswered(source),
    ...given("runStatus", textOf(member(source, "status"), 60)?.toLowerCase()),
    ...given("outputText", output && text.slice(output.start, output.end)),
    ...given("policy", policy && readPolicy(policy)),
    ...given("inputProblems", problems.length === 0 ? undefined : problems),
  };
}

/** Finds the invocation ID in an answer that was cut short. */
export function readCutInvocationId(text: string): string | undefined {
  const members = jsonMembers(text);
  const span = members.get("invocationId") ?? members.get("invocation_id");
  return span && textOf(parse(text.slice(span.start, span.end)), 500);
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Steps into `{data:{…}}` where nothing outside it says what the answer is. */
function unwrap(body: JsonObject, text: string): { source: JsonObject; from: number } {
  const data = objectOf(member(body, "data"));
  const isBare = member(body, "invocationId", "output", "error", "code", "status") !== undefined;
  if (data === undefined || isBare) return { source: body, from: 0 };
  return { source: data, from: jsonMembers(text).get("data")?.start ?? 0 };
}

function readAnswered(source: JsonObject): Omit<Answered, "durationMs"> {
  return {
    ...given("invocationId", textOf(member(source, "invocationId"), 500)),
    ...given("mode", textOf(member(source, "mode"), 60)),
    ...given("projectSlug", textOf(member(source, "projectSlug"))),
    ...given("version", textOf(member(source, "version"), 100)),
    ...given("latencyMs", numberOf(member(source, "latencyMs"))),
    ...given("billable", booleanOf(member(source, "billable"))),
    ...given("amountCents", numberOf(member(source, "amountCents"))),
    ...given("currency", textOf(member(source, "currency"), 20)),
    ...readErrorBody(source),
  };
}

function readPolicy(source: JsonObject): PolicyVerdict {
  const rate = objectOf(member(source, "rateLimit"));
  const budget = objectOf(member(source, "budget"));
  const subscription = member(source, "subscription");
  const state = objectOf(subscription);
  return {
    ...given("permissionLevel", textOf(member(source, "permissionLevel"), 60)),
    ...given("maxPermissionLevel", textOf(member(source, "maxPermissionLevel"), 60)),
    ...given("installStatus", textOf(member(source, "installStatus"), 60)),
    ...given("approvalState", textOf(member(source, "approvalState"), 60)),
    ...given("verificationStatus", textOf(member(source, "verificationStatus"), 60)),
    ...given("rateLimit", rate && numbers(rate, "limit", "used")),
    ...given("budget", budget && numbers(budget, "limitCents", "usedCents")),
    ...given("subscription", textOf(state ? member(state, "status") : subscription, 60)),
  };
}

function numbers<Name extends string>(
  source: JsonObject,
  ...names: readonly Name[]
): { readonly [name in Name]?: number } {
  const found = names.flatMap((name) => {
    const value = numberOf(member(source, name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found) as { readonly [name in Name]?: number };
}
