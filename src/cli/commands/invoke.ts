import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { environmentName } from "../../core/environment/payloadEnvironment";
import { untoldDoubts } from "../../core/environment/placeholderDoubts";
import { exitCodes, findingsOf } from "../../core/findings/report";
import { costText } from "../../core/invocation/cost";
import { outcomeOf } from "../../core/invocation/outcome";
import { endNotice, notInvokedText, rateLimitSeconds } from "../../core/invocation/outcomeNotice";
import { isAboutPayload, type Stop } from "../../core/invocation/permission/question";
import { endingText } from "../../core/invocation/record/invocationLabels";
import type {
  EndedInvocation,
  InvocationRecord,
} from "../../core/invocation/record/invocationRecord";
import { parsedJson } from "../../core/json/jsonValue";
import { jsonLine, prettyJson } from "../../core/json/printJson";
import { slugsOfPayloadFile } from "../../core/payload/payloadBinding";
import type { PayloadCheck } from "../../core/payload/payloadCheck";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import type { SkillDetail } from "../../core/skill/skill";
import { addressText, type SkillAddress } from "../../core/skill/skillAddress";
import { durationText, english } from "../../core/text/language";
import { oneLine } from "../../core/text/plainText";
import { readError, readStandardInput, readText } from "../../engine/files/textFile";
import { outputOf } from "../../engine/sendInvocation";
import { command } from "../command";
import { askerByOptions, waitingAnswers } from "../engine/askerByOptions";
import { gateOptions, readAllowances, stopError } from "../engine/cliEngine";
import { openChecker } from "../engine/payloadChecker";
import { questionsAt } from "../engine/person";
import type { OptionTable } from "../options";
import { statusLine } from "../output/statusLine";
import { findingText, formatOption } from "../output/writeReport";
import { environmentOption, openEnvironment } from "../registry/environment";
import { type OpenRegistry, registryOptions } from "../registry/openRegistry";
import { addressOf, failureText, readSkill, requireSkill } from "../registry/readSkill";
import { type Terminal, UsageError } from "../terminal";
import { openInvocations, payloadFor } from "../window/openInvocations";

const options = {
  ...gateOptions,
  twice: {
    text: "Send even if the same payload is being sent, for a skill that should run twice.",
    group: "What is allowed",
  },
  "max-cents": {
    value: "N",
    text: "Invoke only if it costs at most N cents.",
    count: { min: 0 },
    group: "Limits",
  },
  ...formatOption,
  ...environmentOption,
  ...registryOptions,
} as const satisfies OptionTable;

export const invoke = command({
  name: "invoke",
  operands: "[SLUG[@VERSION]] FILE|JSON|KEY=VALUE…",
  summary: "Invoke a skill once and print its output.",
  details: [
    "FILE contains the payload; - reads it from standard input. A file named <slug>.skill-input.json names its skill. The payload is first checked against the registry's current description of the skill. Everything that the editor would ask you to confirm needs an option.",
    "A small payload can be an argument instead of a file: an object as JSON, or its members as KEY=VALUE. KEY=VALUE sends the value as text, KEY:=VALUE as JSON. Other programs of this machine can read arguments.",
    "The payload is sent once, exactly as written except for placeholders of an environment. If the connection is then lost, the outcome is unknown and nothing is sent again.",
  ],
  options,
  examples: [
    ["Send a file", "skill-registry invoke text-stats.skill-input.json"],
    ["Send a small payload", `skill-registry invoke text-stats text="Good morning."`],
    [
      "Send what another program writes",
      `echo '{"text":"Good morning."}' | skill-registry invoke text-stats - --format json`,
    ],
  ],
  run: async ({ operands, options: given }, terminal) => {
    const { format, "max-cents": maxCents } = given;
    const { addresses, file, typed } = readOperands(operands);
    const allowed = readAllowances(given);
    const inputText = typed ?? (await readPayload(file, terminal));
    const { registry, environment } = await openEnvironment(given, terminal);
    const checker = await openChecker(terminal);
    const invocations = await openInvocations(registry, "invoke", allowed, terminal);
    try {
      const key = registry.keyToSend();
      const readAt = performance.now();
      const skill = await requireFirst(registry, addresses, terminal.signal);
      const { slug: name } = skill.summary;
      const isFile = file !== "-" && typed === undefined;
      const source = isFile ? pathToFileURL(resolve(terminal.cwd, file)).href : "-";
      let found: PayloadCheck | undefined;
      const context = { key, environment };
      const told = new Set<string>();
      const payload = payloadFor(registry, checker, inputText, source, context, (check) => {
        found = check;
        if (check.state === "invalid") return;
        const doubts = untoldDoubts(check, told);
        for (const doubt of findingsOf(doubts, inputText, file)) terminal.err(findingText(doubt));
      });
      const { rateLimit } = waitingAnswers((message) => terminal.err(`${message}\n`));
      const questions = questionsAt(terminal);
      const asker = askerByOptions(
        allowed,
        terminal,
        questions,
        name,
        { rateLimit },
        {
          waiting: (step, work) => {
            if (step === "send") void showWaiting(name, work, terminal);
          },
        },
      );
      const { caller } = invocations;
      const wanted = {
        ...{ registry, skill, readAt, isTestRun: false, caller, maxCents },
        environment: environmentName(environment),
      };
      const sending = invocations.invoke(wanted, payload, asker, terminal.signal);
      const ending = await terminal.finish(sending);
      if (ending.kind === "sent") {
        return printResult(ending, format === "json", terminal);
      }
      const { stop } = ending;
      if (isAboutPayload(stop)) listProblems(found ?? checkOf(stop), inputText, file, terminal);
      throw stopError(name, ending.stop, questions);
    } finally {
      await invocations.close();
      checker.close();
      registry.close();
    }
  },
});

/** Reads the file to send, and the skills that it may be for, the likeliest first. */
function readOperands(operands: readonly string[]): {
  readonly addresses: readonly SkillAddress[];
  /** The name in error messages: the file, or "payload" for a payload from the command line. */
  readonly file: string;
  /** A payload that was typed on the command line. */
  readonly typed?: string;
} {
  const [first, second, ...more] = operands;
  const typed = second === undefined ? undefined : typedPayload(operands.slice(1));
  if (typed !== undefined) return { addresses: [addressOf(first)], file: "payload", typed };
  const [skill, file] = second === undefined ? [undefined, first] : [first, second];
  if (file === undefined || more.length > 0) throw new UsageError("Specify one file.");
  if (skill !== undefined) return { addresses: [addressOf(skill)], file };
  const addresses = slugsOfPayloadFile(basename(file)).map((slug) => ({ slug, version: "" }));
  if (addresses.length > 0) return { addresses, file };
  throw new UsageError(
    "Specify a skill and a file. Only a file named <slug>.skill-input.json names its skill.",
  );
}

/** Parses a payload that was typed as JSON or as members of an object. Undefined for anything else. */
function typedPayload(words: readonly string[]): string | undefined {
  const [first = ""] = words;
  if (words.length === 1 && first.trimStart().startsWith("{")) return first;
  const members = words.map((word) => /^([^\s=:{}/\\]+)(:?)=(.*)$/s.exec(word));
  if (members.some((found) => found === null)) return undefined;
  const texts = members.map((found) => {
    const [, name = "", isJson = "", value = ""] = found ?? [];
    if (isJson !== "" && parsedJson(value) === undefined) {
      throw new UsageError(`${oneLine(name, 50)}:= expects JSON, such as 5 or true.`);
    }
    return `${JSON.stringify(name)}: ${isJson === "" ? JSON.stringify(value) : value}`;
  });
  return `{${texts.join(", ")}}`;
}

/** Returns the first of these skills that the registry has. */
async function requireFirst(
  registry: OpenRegistry,
  addresses: readonly SkillAddress[],
  signal: AbortSignal,
): Promise<SkillDetail> {
  for (const address of addresses.slice(0, -1)) {
    const read = await readSkill(registry, address, signal);
    if (read.ok) return read.value;
    // `a.b` means the skill `a` with the label `b` only if no skill is named `a.b`.
    if (read.failure.kind !== "notFound") {
      return requireSkill(registry, address, signal, describeUnread);
    }
  }
  const last = addresses.at(-1) ?? { slug: "", version: "" };
  return requireSkill(registry, last, signal, describeUnread);
}

/**
 * Describes why a skill could not be read. Says that nothing was sent, so that nobody wonders whether the skill ran.
 */
function describeUnread(
  registry: OpenRegistry,
  failure: RegistryFailure,
  { slug, version }: SkillAddress,
): string {
  return notInvokedText(addressText(slug, version), failureText(registry, failure), english);
}

/** Returns the check that stopped an invocation; undefined if something else did. */
function checkOf(stop: Stop): PayloadCheck | undefined {
  if (stop.kind === "invalid") return stop.check;
  const isOfPayload = stop.kind === "declined" && "check" in stop.question;
  return isOfPayload ? stop.question.check : undefined;
}

function listProblems(
  check: PayloadCheck | undefined,
  inputText: string,
  file: string,
  { err }: Terminal,
): void {
  for (const { start, message, rule } of findingsOf(check?.problems ?? [], inputText, file)) {
    const location = start === undefined ? "" : `${start.line + 1}:${start.character + 1}: `;
    err(`${file}:${location}${oneLine(message, 500)} (${rule})\n`);
  }
}

/** Shows on a terminal how long the invocation has taken so far. */
async function showWaiting(
  skill: string,
  answer: Promise<unknown>,
  terminal: Terminal,
): Promise<void> {
  const status = statusLine(terminal);
  let seconds = 0;
  const draw = () => {
    status.show(`Waiting for the response of ${skill}: ${seconds} s`);
  };
  draw();
  const timer = setInterval(() => {
    seconds += 1;
    draw();
  }, 1000);
  await answer.catch(() => undefined);
  clearInterval(timer);
  status.clear();
}

async function readPayload(file: string, { cwd }: Terminal): Promise<string> {
  try {
    return await (file === "-" ? readStandardInput() : readText(resolve(cwd, file)));
  } catch (error) {
    throw readError(file, error);
  }
}

function printResult(ended: EndedInvocation, asJson: boolean, { out, err }: Terminal): number {
  const { outcome, record } = ended;
  const notice = endNotice(ended, english);
  const output = outputOf(outcome);
  let isWritten = false;
  try {
    if (asJson) {
      const head = JSON.stringify({
        ...factsOf(ended),
        ...(notice && { message: notice.message }),
      });
      // Prints the output's own text, since parsing would change long numbers.
      const member = output === undefined ? "" : `,"output":${jsonLine(output)}`;
      out(`${head.slice(0, -1)}${member}}\n`);
    } else if (output !== undefined) out(`${prettyJson(output).text}\n`);
    isWritten = true;
  } finally {
    // If the output cannot be written as JSON, print at least the invocation ID.
    if (!asJson || !isWritten) err(`${endText(record)}\n`);
  }
  if (!asJson && notice !== undefined) err(`${oneLine(notice.message, 1000)}\n`);
  const { isSuccess, counts } = outcomeOf(record);
  // A success has a notice if another version ran than the one that was invoked.
  if (isSuccess) return notice === undefined ? exitCodes.good : exitCodes.findings;
  return counts === "failure" ? exitCodes.findings : exitCodes.unknown;
}

function endText(record: InvocationRecord): string {
  const { skillSlug, durationMs, invocationId } = record;
  return [
    `${skillSlug}: ${endingText(record, english)}`,
    durationMs === 0 ? "" : durationText(durationMs, english),
    costText(record, english),
    invocationId === undefined ? "" : `invocation ID ${oneLine(invocationId)}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}

/**
 * Returns the facts about an invocation for scripts: its record, and for how long the rate limit delays the next one.
 */
function factsOf(ended: EndedInvocation) {
  const { status, id: recordId, invocationId, durationMs, version, code } = ended.record;
  const { ran, reason, amountCents, currency, askedVersion } = ended.record;
  const milliseconds = ended.outcome.kind === "notSent" ? undefined : durationMs;
  const facts = {
    status,
    ran,
    reason,
    recordId,
    invocationId,
    milliseconds,
    version,
    askedVersion,
    code,
  };
  // JSON.stringify omits undefined members.
  return { ...facts, amountCents, currency, retryAfterSeconds: rateLimitSeconds(ended) };
}
