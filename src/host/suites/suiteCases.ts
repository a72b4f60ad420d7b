import * as vscode from "vscode";
import { registryChangedNotice } from "../../core/invocation/permission/gateNotices";
import { endSummary } from "../../core/invocation/record/invocationLabels";
import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { JsonValue } from "../../core/json/jsonValue";
import { printJson } from "../../core/json/printJson";
import {
  jsonRanges,
  lineStartsOf,
  type PayloadProblem,
  positionsIn,
} from "../../core/payload/payloadCheck";
import type { SkillDetail } from "../../core/skill/skill";
import type { SentLevel } from "../../core/suite/caseCost";
import { casePointer, type Verdict } from "../../core/suite/caseReport";
import { acceptedChange, type CaseProblem, lacksOutput } from "../../core/suite/judgeCase";
import type { CaseTools } from "../../core/suite/runSuite";
import { oneLine, revealHidden } from "../../core/text/plainText";
import type { Asker } from "../../engine/asker";
import type { Engine } from "../../engine/invoke";
import type { ConnectedRegistry, RegistryConnection } from "../connect/registryConnection";
import { registryInUse } from "../connect/withRegistry";
import { askAboutSkill, shownStepsOfRun, showStep } from "../invoke/editorAsker";
import { showStop } from "../invoke/showOutcome";
import { rangeAt } from "../marks";
import { hostLanguage } from "../ui/hostLanguage";
import { showNotice } from "../ui/showNotice";

/**
 * Asks every question about sending `count` cases of a skill, once for all of them. Undefined if they may not be sent,
 * with the reason shown.
 */
export type OpenCases = (
  skill: SkillDetail,
  cases: {
    readonly count: number;
    readonly level: SentLevel;
    /** The name of the environment that provides values. */
    readonly environment: string | undefined;
  },
  signal: AbortSignal,
) => Promise<OpenedSkill | undefined>;

/**
 * A skill that the user agreed to invoke, and a function that creates the sender of a case. `source` identifies the
 * case.
 */
export interface OpenedSkill {
  readonly skill: SkillDetail;
  /** Waits for the rate limit if needed. Rejects if the run is stopped before. */
  readonly senderOf: (source: string) => NonNullable<CaseTools["send"]>;
}

interface CaseSenderParts {
  readonly engine: Engine<ConnectedRegistry>;
  readonly connection: Pick<RegistryConnection, "current">;
  readonly openSkill: (slug: string) => unknown;
}

/**
 * Starts a run of suites at the registry in use. Undefined if there is none. If the window uses another registry later,
 * no further case is sent, since the user did not agree to that registry.
 */
export type StartCases = () => Promise<OpenCases | undefined>;

/** Builds the function that starts a run. The run asks about the skill of each suite before its cases are sent. */
export function caseStarter(parts: CaseSenderParts): StartCases {
  return async () => {
    const agreed = await registryInUse(parts.connection);
    return agreed && caseOpener(parts, agreed);
  };
}

function caseOpener(
  { engine, connection, openSkill }: CaseSenderParts,
  { baseUrl }: ConnectedRegistry,
): OpenCases {
  return async (skill, { count, level, environment }, signal) => {
    const registry = await registryInUse(connection);
    if (registry === undefined) return undefined;
    const { slug } = skill.summary;
    if (registry.baseUrl !== baseUrl) {
      void showNotice(registryChangedNotice(slug, hostLanguage()));
      return undefined;
    }
    const cancel = new AbortController();
    const asker: Asker = {
      isPerson: true,
      answers: {
        ...askAboutSkill(() => openSkill(slug)),
        unchecked: () => "no",
        secrets: () => "no",
        inProgress: () => "later",
        rateLimit: () => "later",
        agentCall: () => "noPerson",
      },
      agreedBefore: () => undefined,
      waiting: (step, work) => {
        if (!shownStepsOfRun.includes(step)) return;
        void showStep(step, work, { skill: slug, sending: "" }, cancel);
      },
      started: () => undefined,
      ended: () => undefined,
    };
    const caller = { kind: "suite" } as const;
    const isTestRun = level === "testRun";
    const wanted = { registry, skill, count, environment, isTestRun, caller };
    const either = AbortSignal.any([signal, cancel.signal]);
    const opened = await engine.openBatch(wanted, asker, either);
    if (opened.kind === "stopped") {
      showStop(slug, opened.stop, { openSkill: () => openSkill(slug) });
      return undefined;
    }
    return {
      skill: opened.skill,
      senderOf: (source) => async (payload, check) => {
        const sent = await opened.invokeCase(payload, check, source, either);
        if (sent.kind === "stopped") signal.throwIfAborted();
        return sent;
      },
    };
  };
}

/** The maximum number of problems of one test, since each is an object in the editor. */
const maxMessages = 20;
/** The maximum length of a value in a comparison, which the editor draws on both sides. */
const maxShown = 200_000;

/** A completed case, with the text of its suite. */
interface RanCase {
  readonly item: vscode.TestItem;
  readonly index: number;
  readonly verdict: Verdict;
  /** Undefined if it was not sent. */
  readonly record: InvocationRecord | undefined;
  readonly text: string;
  readonly uri: vscode.Uri;
}

/** Reports the result of a case to the Test Explorer, each problem at its range in the suite. */
export function reportCase(
  run: vscode.TestRun,
  { item, index, verdict, record, text, uri }: RanCase,
  milliseconds: number,
): void {
  const { kind, problems } = verdict;
  const path = oneLine(vscode.workspace.asRelativePath(uri));
  const name = oneLine(item.label, 200);
  if (record !== undefined) {
    const summary = oneLine(endSummary(record, hostLanguage()), 1000);
    run.appendOutput(`${path}: ${name}: ${summary}\r\n`, undefined, item);
  }
  if (kind === "untested") {
    const text = vscode.l10n.t(
      "The payload is valid; the output was not tested. Run it with “{0}” to test that.",
      vscode.l10n.t("Invoke Live"),
    );
    run.appendOutput(`${path}: ${name}: ${text}\r\n`, undefined, item);
    run.skipped(item);
    return;
  }
  if (problems.length === 0) {
    run.appendOutput(`${path}: ${name}: passed\r\n`, undefined, item);
    run.passed(item, milliseconds);
    return;
  }
  const ranges = rangesIn(
    text,
    problems.map((problem) => casePointer(index, problem)),
  );
  const messages = problems.slice(0, maxMessages).map((problem) => {
    const range = ranges.get(casePointer(index, problem));
    const message = messageOf(problem, verdict);
    if (range !== undefined) message.location = new vscode.Location(uri, range);
    return message;
  });
  for (const { message } of problems) {
    run.appendOutput(`${path}: ${name}: ${oneLine(message, 1000)}\r\n`, undefined, item);
  }
  if (kind === "unknown") run.errored(item, messages, milliseconds);
  else run.failed(item, messages, milliseconds);
}

/** The context values for which the manifest offers *Accept Output* and *Store Output* on a message. */
const [acceptable, missing] = ["output", "noOutput"];

/** Describes a failed expectation. For two values the editor shows a diff. */
export function messageOf(problem: CaseProblem, verdict: Verdict): vscode.TestMessage {
  const { expected } = problem;
  const words = revealHidden(oneLine(problem.message, 1000));
  const change = acceptedChange(problem, verdict);
  const actual = problem.actual ?? change?.value;
  const message =
    actual === undefined || (expected === undefined && change === undefined)
      ? new vscode.TestMessage(words)
      : vscode.TestMessage.diff(
          words,
          expected === undefined ? "" : printed(expected),
          printed(actual),
        );
  if (change !== undefined) message.contextValue = acceptable;
  else if (lacksOutput(problem)) message.contextValue = missing;
  return message;
}

function printed(value: JsonValue): string {
  return printJson(value, { maxLength: maxShown, indent: 2 }).text;
}

/** Describes the first problems of a file, an invalid payload or suite, each at its range. */
export function problemMessages(
  problems: readonly PayloadProblem[],
  text: string,
  uri: vscode.Uri,
): readonly vscode.TestMessage[] {
  const lines = lineStartsOf(text);
  return problems.slice(0, maxMessages).map((problem) => {
    const message = new vscode.TestMessage(revealHidden(problem.message));
    const range = rangeAt(positionsIn(lines, problem.mark ?? problem));
    message.location = new vscode.Location(uri, range);
    return message;
  });
}

/** Finds the ranges of JSON pointers in a text. */
export function rangesIn(
  text: string,
  pointers: readonly string[],
): ReadonlyMap<string, vscode.Range> {
  const lines = lineStartsOf(text);
  const ranges = jsonRanges(text, [...new Set(pointers)]);
  return new Map(
    [...ranges].map(([pointer, range]) => [pointer, rangeAt(positionsIn(lines, range))]),
  );
}
