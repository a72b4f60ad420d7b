import { pointersAt } from "../json/jsonPointer";
import type { TextRange } from "../json/token";
import { type FoundSecret, findSecrets } from "../payload/findSecrets";
import { applyEdits } from "../payload/fixes/textEdit";
import type { PayloadCheck, PayloadProblem } from "../payload/payloadCheck";
import { KeyRedactor } from "../registry/redactSecrets";
import { type Language, localize } from "../text/language";
import { secretVariable } from "./environmentsFile";
import type { ChosenEnvironment, PayloadEnvironment } from "./payloadEnvironment";
import { placeholderDoubts } from "./placeholderDoubts";
import {
  findPlaceholders,
  type Placeholder,
  type ReplacedRange,
  resolvePlaceholders,
  writtenRange,
} from "./placeholders";

/** A payload after resolving its placeholders. */
export interface ResolvedPayload {
  readonly text: string;
  /** The name of the environment in use; undefined for none. */
  readonly environment?: string;
  /**
   * The only registry to which it may be sent, as records name it; missing if it contains no values of an environment.
   */
  readonly registry?: string;
  /** The payload as written; undefined if nothing was replaced. */
  readonly written?: WrittenPayload;
  /** Warnings and notes about words in double braces that no environment declares, at their ranges as written. */
  readonly doubts?: readonly PayloadProblem[];
}

/** A payload as written, and its replacements. */
interface WrittenPayload {
  readonly text: string;
  /** The sent text for the screen, with dots instead of secrets. */
  readonly shown: string;
  readonly replaced: readonly ReplacedRange[];
  /** The values of the secrets in the sent text. */
  readonly secrets: readonly string[];
}

/** The resolved payload, or the problems that prevent sending it. */
export type PayloadResolution =
  | { readonly ok: true; readonly value: ResolvedPayload }
  | { readonly ok: false; readonly check: PayloadCheck };

/** Replaces the placeholders of a payload. */
export function resolvePayload(
  text: string,
  environment: PayloadEnvironment,
  language: Language,
): PayloadResolution {
  if (environment.kind === "none") return { ok: true, value: { text } };
  if (environment.kind === "unusable") {
    const { problem } = environment;
    const found = findPlaceholders(text, environment.declared);
    if (found.length === 0) return { ok: true, value: { text } };
    const message = localize(problem, language);
    return invalid(
      text,
      found.map((placeholder) => problemAt(placeholder, message)),
    );
  }
  const { name, registry, declared, secrets } = environment;
  const resolution = resolvePlaceholders(text, declared, environment);
  if (resolution.kind === "missing") {
    const { placeholders } = resolution;
    return invalid(
      text,
      placeholders.map((placeholder) => missingProblem(placeholder, environment, language)),
    );
  }
  if (resolution.kind === "tooLarge") {
    const message = language.t("With its values, this payload is too large.");
    return invalid(text, [problemAt({ start: 0, end: Math.min(1, text.length) }, message)]);
  }
  const { text: resolved, shown, replaced } = resolution.value;
  const doubts = name === "" ? [] : placeholderDoubts(text, declared, language, maxListed);
  const named = {
    ...(name !== "" && { environment: name }),
    ...(doubts.length > 0 && { doubts: withPointers(text, doubts) }),
  };
  if (replaced.length === 0) return { ok: true, value: { text, ...named } };
  const used = new Set(replaced.filter(({ isSecret }) => isSecret).map((range) => range.name));
  const written = {
    text,
    shown,
    replaced,
    secrets: [...used].map((item) => secrets.get(item) ?? ""),
  };
  const place = name === "" ? {} : { registry };
  return { ok: true, value: { text: resolved, ...named, ...place, written } };
}

/** A payload for copying, which other people and machines may see. */
export interface CopiedPayload {
  /** The text with its values, except those of secrets. */
  readonly text: string;
  /**
   * The placeholders that remain in the text, each once: those of secrets, or all if the payload could not be resolved.
   */
  readonly remaining: readonly string[];
}

/** Returns a payload for copying: with its values, but with placeholders for its secrets. */
export function copiedPayload(
  text: string,
  resolution: PayloadResolution,
  declared: ReadonlySet<string> | undefined,
): CopiedPayload {
  const withRemaining = (copied: string): CopiedPayload => {
    const names = findPlaceholders(copied, declared).map(({ name }) => `{{${name}}}`);
    return { text: copied, remaining: [...new Set(names)] };
  };
  if (!resolution.ok) return withRemaining(text);
  const { written, text: sent } = resolution.value;
  if (written === undefined) return { text: sent, remaining: [] };
  const edits = written.replaced
    .filter(({ isSecret }) => isSecret)
    .map(({ resolved, removed }) => ({
      ...resolved,
      text: written.text.slice(removed.start, removed.end),
    }));
  return withRemaining(applyEdits(sent, edits));
}

/** Lists the ranges of secrets in the resolved text. The user intends to send them. */
function secretRanges(written: WrittenPayload | undefined): readonly TextRange[] {
  return (written?.replaced ?? [])
    .filter(({ isSecret }) => isSecret)
    .map((range) => range.resolved);
}

/**
 * Finds what looks like a credential in the sent text, or is one of the `known` ones, at its ranges as written. Secrets
 * of the environment are no credentials by mistake.
 */
export function credentialsIn(
  { text, written }: Pick<ResolvedPayload, "text" | "written">,
  known: readonly string[],
): readonly FoundSecret[] {
  const found = findSecrets(text, known, secretRanges(written));
  if (written === undefined) return found;
  return found.map((secret) => ({ ...secret, ...writtenRange(written.replaced, secret) }));
}

/**
 * Checks the resolved text, and returns the problems with their ranges in the payload as written. No problem quotes a
 * secret. `check` gets the ranges of secrets, because these are not credentials by mistake.
 */
export async function checkResolved(
  resolution: PayloadResolution,
  check: (text: string, allowedSecrets: readonly TextRange[]) => Promise<PayloadCheck>,
  language: Language,
): Promise<PayloadCheck> {
  if (!resolution.ok) return resolution.check;
  const { text, written, doubts = [] } = resolution.value;
  const found = await check(text, secretRanges(written));
  const moved = written === undefined ? found : asWritten(found, written, language);
  if (doubts.length === 0) return moved;
  const problems = [...moved.problems, ...doubts].sort((one, other) => one.start - other.start);
  return { ...moved, problems };
}

/** Moves problems of a resolved payload to their ranges in the payload as written. */
function asWritten(check: PayloadCheck, written: WrittenPayload, language: Language): PayloadCheck {
  const redactor = new KeyRedactor();
  for (const secret of written.secrets) redactor.learnSecret(secret);
  const problems = check.problems.map((problem) =>
    writtenProblem(problem, written, redactor, language),
  );
  const reason = check.reason === undefined ? {} : { reason: redactor.redact(check.reason) };
  // The pointer of the sent text may hold a secret, so such problems get the pointer of the written text.
  const isUnplaced = (_: PayloadProblem, index: number) =>
    problems[index]?.pointer !== check.problems[index]?.pointer;
  const placed = withPointers(written.text, problems, isUnplaced).map((problem) =>
    redactor.holds(problem.pointer) ? { ...problem, pointer: "" } : problem,
  );
  return { ...check, ...reason, problems: placed };
}

/** Points problems at the values of a text in which they start. */
function withPointers(
  text: string,
  problems: readonly PayloadProblem[],
  isUnplaced: (problem: PayloadProblem, index: number) => boolean = () => true,
): PayloadProblem[] {
  const offsets = problems.filter(isUnplaced).map(({ start }) => start);
  const ascending = [...new Set(offsets)].sort((one, other) => one - other);
  const pointers = pointersAt(text, ascending);
  const byOffset = new Map(ascending.map((offset, index) => [offset, pointers[index] ?? ""]));
  return problems.map((problem, index) =>
    isUnplaced(problem, index)
      ? { ...problem, pointer: byOffset.get(problem.start) ?? "" }
      : problem,
  );
}

function writtenProblem(
  problem: PayloadProblem,
  { replaced }: WrittenPayload,
  redactor: KeyRedactor,
  language: Language,
): PayloadProblem {
  const { data, mark, ...rest } = problem;
  const touched = replaced.filter(({ resolved }) => touches(resolved, problem));
  const secret = touched.find(({ isSecret }) => isSecret);
  const isTelling = secret !== undefined || redactor.holds(JSON.stringify(problem));
  const moved = touched.length > 0 || isTelling ? undefined : movedData(data, replaced);
  return {
    ...rest,
    ...writtenRange(replaced, problem),
    ...(mark !== undefined && { mark: writtenRange(replaced, mark) }),
    ...(isTelling && { message: secretText(secret, language), pointer: "" }),
    ...(moved !== undefined && { data: moved }),
  };
}

function secretText(secret: ReplacedRange | undefined, { t }: Language): string {
  return secret === undefined
    ? t("A secret does not match the schema here.")
    : t("The secret {name} does not match the schema here.", { name: secret.name });
}

function touches(one: TextRange, other: TextRange): boolean {
  if (other.start === other.end) return one.start < other.start && other.start < one.end;
  return one.start < other.end && other.start < one.end;
}

/** Moves the offsets in the data of a quick fix. */
function movedData(
  data: PayloadProblem["data"],
  replaced: readonly ReplacedRange[],
): PayloadProblem["data"] {
  if (data?.kind === "duplicateKey") {
    const { start } = writtenRange(replaced, { start: data.firstStart, end: data.firstStart });
    return { ...data, firstStart: start };
  }
  if (data?.kind !== "syntax" || data.repair === undefined) return data;
  const { repair } = data;
  const isNear = replaced.some(({ resolved }) => touches(resolved, repair));
  return isNear ? undefined : { ...data, repair: { ...repair, ...writtenRange(replaced, repair) } };
}

function missingProblem(
  { name, start, end }: Placeholder,
  { name: environment, secretNames, usesVariables }: ChosenEnvironment,
  { t }: Language,
): PayloadProblem {
  const isSecret = secretNames.has(name);
  const message = isSecret
    ? usesVariables
      ? t("The secret {name} has no value of at least 8 characters in {variable}.", {
          name,
          variable: secretVariable(name),
        })
      : t("The secret {name} has no value in {environment}.", { name, environment })
    : t("{environment} has no value for {name}.", { name, environment });
  const data = { kind: "placeholder", name, isSecret } as const;
  return { ...problemAt({ start, end }, message), data };
}

function problemAt({ start, end }: TextRange, message: string): PayloadProblem {
  return { code: "placeholder", message, severity: "error", start, end, pointer: "" };
}

/** The maximum number of listed problems. After a fix, the next check shows the others. */
const maxListed = 50;

function invalid(text: string, problems: readonly PayloadProblem[]): PayloadResolution {
  const listed = withPointers(text, problems.slice(0, maxListed));
  const hiddenProblems = problems.length - listed.length;
  return { ok: false, check: { state: "invalid", problems: listed, hiddenProblems } };
}
