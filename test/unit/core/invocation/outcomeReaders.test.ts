import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { recordResult } from "../../../../src/core/agents/agentResults";
import { earlierCall } from "../../../../src/core/agents/gates/earlierCall";
import { invocationEvent } from "../../../../src/core/audit/auditEvent";
import { otlpBody } from "../../../../src/core/audit/otlpExport";
import { noEnvironment } from "../../../../src/core/environment/payloadEnvironment";
import type { InvocationOutcome } from "../../../../src/core/invocation/invocation";
import { outcomeOf } from "../../../../src/core/invocation/outcome";
import { endedTrial } from "../../../../src/core/invocation/output/exampleTrial";
import { describeCallability } from "../../../../src/core/invocation/permission/callability";
import { recordsAsCsv } from "../../../../src/core/invocation/record/exportRecords";
import { endingText } from "../../../../src/core/invocation/record/invocationLabels";
import {
  finishedRecord,
  type InvocationRecord,
} from "../../../../src/core/invocation/record/invocationRecord";
import { invocationRowText } from "../../../../src/core/invocation/record/invocationRowText";
import {
  emptyJournal,
  lineFacts,
  noteEntry,
  settledCounts,
} from "../../../../src/core/invocation/run/runJournal";
import { groupOf, usageOf } from "../../../../src/core/invocation/usage/usage";
import type { PayloadCheck } from "../../../../src/core/payload/payloadCheck";
import { judgeRepeats } from "../../../../src/core/readiness/judgeProject";
import { runCase } from "../../../../src/core/suite/runSuite";
import { runSync } from "../../../../src/core/text/chunked";
import { timeFormats } from "../../../../src/core/text/dates";
import { english } from "../../../../src/core/text/language";
import { sha256 } from "../../../../src/engine/sha256";
import { pastInvocation } from "../../../fixtures/pastInvocation";
import { fullSkill, fixtureNow as now } from "../../../fixtures/skillDetail";

const { slug: skillSlug, version } = fullSkill.summary;
const running = pastInvocation(now - 1000, {
  ...{ status: "running", registry: "https://registry.example", skillSlug, version },
  ...{ contractHash: "c", payloadId: "p", requestSha256: "r", endsBefore: now + 60_000 },
  caller: { kind: "mcp" },
});

const answered = { durationMs: 5 } as const;
const success = { ...answered, kind: "success", acceptedNotRun: false, outputText: "{}" } as const;
const refused = (reason: string, code: string) =>
  ({ ...answered, kind: "refused", status: 400, reason, code }) as InvocationOutcome;

/** An outcome, and how each reader shows or counts it. */
interface Told {
  readonly outcome: InvocationOutcome | "running";
  /** Its name in the record, in CSV, in `log`, in the journal of `run`, in the audit export and for agents. */
  readonly word: string;
  readonly row: string;
  readonly counts: string;
  /** Whether the page shows that the skill can be invoked, and the tone of an example with this outcome. */
  readonly page: string;
  readonly severity: string;
  readonly run: string;
  readonly suite: string;
  readonly agent: string;
  /** What an agent's equal invocation finds. */
  readonly again: string | undefined;
  /** Whether repeating it counts as a repeat after an unknown outcome. */
  readonly readiness: string;
}

const rows: Readonly<Record<string, Told>> = {
  success: {
    ...{ outcome: success, word: "success", row: "success", counts: "succeeded" },
    ...{ page: "Yes, good", severity: "INFO", run: "success", suite: "judged" },
    ...{ agent: "result", again: "answered", readiness: "nothing" },
  },
  "skill failed": {
    outcome: { ...answered, kind: "skillError", code: "E_1" },
    ...{ word: "error", row: "error", counts: "failed" },
    ...{ page: "Yes, bad", severity: "ERROR", run: "failed", suite: "judged 1" },
    ...{ agent: "error", again: undefined, readiness: "nothing" },
  },
  "accepted, not executed": {
    outcome: { ...success, acceptedNotRun: true },
    ...{ word: "not executed", row: "accepted, not executed", counts: "failed" },
    ...{ page: "No, caution", severity: "WARN" },
    ...{
      run: "failed",
      suite: "judged 1",
      agent: "error",
      again: "answered",
      readiness: "nothing",
    },
  },
  "accepted, with a result to come": {
    outcome: { ...success, acceptedNotRun: true, runStatus: "queued", invocationId: "i" },
    ...{ word: "not executed", row: "accepted, not executed", counts: "failed" },
    ...{ page: "Not known, caution", severity: "WARN", run: "failed", suite: "judged 1" },
    ...{ agent: "error", again: "answered", readiness: "nothing" },
  },
  "stopped before or after it ran": {
    outcome: { ...answered, kind: "skillError", runStatus: "timeout" },
    ...{ word: "error", row: "error", counts: "failed" },
    ...{ page: "Not known, bad", severity: "ERROR", run: "failed", suite: "judged 1" },
    ...{ agent: "error", again: undefined, readiness: "nothing" },
  },
  "answered with a status that nobody knows": {
    outcome: {
      ...{ ...answered, kind: "outcomeUnknown", outputText: "{}" },
      failure: { kind: "unknownStatus", word: "moon_phase" },
    },
    ...{ word: "outcome unknown", row: "outcome unknown", counts: "undecided" },
    ...{ page: "Not known, caution", severity: "ERROR", run: "unknown", suite: "unknown 1" },
    ...{ agent: "error", again: "unknown", readiness: "no" },
  },
  "refused by policy": {
    outcome: refused("policy", "budget_exceeded"),
    ...{ word: "blocked", row: "blocked", counts: "failed" },
    ...{ page: "No, caution", severity: "WARN", run: "failed", suite: "judged 1" },
    ...{ agent: "error", again: undefined, readiness: "nothing" },
  },
  "refused for its payload": {
    outcome: refused("validation", "validation_error"),
    ...{ word: "refused", row: "refused", counts: "failed" },
    ...{ page: "Not known, bad", severity: "WARN", run: "failed", suite: "judged 1" },
    ...{ agent: "error", again: undefined, readiness: "nothing" },
  },
  "rate limited": {
    outcome: refused("rateLimit", "rate_limit_exceeded"),
    ...{ word: "blocked", row: "blocked", counts: "failed" },
    ...{ page: "No, caution", severity: "WARN", run: "failed", suite: "judged 1" },
    ...{ agent: "error", again: undefined, readiness: "nothing" },
  },
  "rejected for a missing payment": {
    outcome: refused("payment", "prelaunch_payment_gate"),
    ...{ word: "blocked", row: "blocked", counts: "failed" },
    ...{ page: "No, caution", severity: "WARN", run: "failed", suite: "judged 1" },
    ...{ agent: "error", again: undefined, readiness: "nothing" },
  },
  "canceled before sending": {
    outcome: { kind: "notSent", failure: { kind: "cancelled" } },
    ...{ word: "cancelled", row: "canceled", counts: "notSent" },
    ...{ page: "Not known, caution", severity: "WARN", run: "failed", suite: "unknown 1" },
    ...{ agent: "error", again: undefined, readiness: "nothing" },
  },
  "not sent, since the registry could not be reached": {
    outcome: {
      kind: "notSent",
      failure: { kind: "unreachable", cause: "refused", detail: "ECONNREFUSED" },
    },
    ...{ word: "not sent", row: "not sent", counts: "notSent" },
    ...{ page: "Not known, caution", severity: "WARN", run: "failed", suite: "unknown 1" },
    ...{ agent: "error", again: undefined, readiness: "nothing" },
  },
  "sent and never answered": {
    outcome: { ...answered, kind: "outcomeUnknown", failure: { kind: "timeout", seconds: 2 } },
    ...{ word: "outcome unknown", row: "outcome unknown", counts: "undecided" },
    ...{ page: "Not known, caution", severity: "ERROR", run: "unknown", suite: "unknown 1" },
    ...{ agent: "error", again: "unknown", readiness: "no" },
  },
  "answered by a registry that failed": {
    outcome: refused("registryError", "oops"),
    ...{ word: "outcome unknown", row: "outcome unknown", counts: "undecided" },
    ...{ page: "Not known, caution", severity: "ERROR", run: "unknown", suite: "unknown 1" },
    ...{ agent: "error", again: "unknown", readiness: "no" },
  },
  "still running": {
    ...{ outcome: "running", word: "running", row: "running", counts: "undecided" },
    ...{ page: "Not known, neutral", severity: "INFO", run: "unknown", suite: "" },
    ...{ agent: "result", again: "running", readiness: "nothing" },
  },
};

describe("every reader of one invocation agrees", () => {
  for (const [name, told] of Object.entries(rows)) {
    it(`about one with this end: ${name}`, async () => {
      const { outcome } = told;
      const record = outcome === "running" ? running : finishedRecord(running, outcome);
      assert.deepEqual(
        {
          outcome,
          word: wordsOf(record),
          row: endingText(record, english),
          counts: countsOf(record),
          page: pageOf(record),
          severity: severityOf(record),
          run: runOf(record, outcome),
          suite: await suiteOf(record, outcome),
          agent: recordResult(record, {}).isError ? "error" : "result",
          again: earlierCall([record], callKey, now)?.kind,
          readiness: readinessOf(record),
        },
        told,
      );
    });
  }

  it("about whether it counts as a success, as run and as billed", () => {
    const facts = Object.entries(rows).map(([name, { outcome }]) => {
      const record = outcome === "running" ? running : finishedRecord(running, outcome);
      const { isSuccess, hasRun, mayBeBilled } = outcomeOf(record);
      const [ran, billed] = [hasRun ? "ran" : "", mayBeBilled ? "billed" : ""];
      return [name, [isSuccess ? "success" : "", ran, billed].filter(Boolean).join(" ")];
    });
    assert.deepEqual(Object.fromEntries(facts), {
      success: "success ran billed",
      "skill failed": "ran billed",
      "accepted, not executed": "billed",
      "accepted, with a result to come": "billed",
      "stopped before or after it ran": "billed",
      "answered with a status that nobody knows": "billed",
      "refused by policy": "",
      "refused for its payload": "",
      "rate limited": "",
      "rejected for a missing payment": "",
      "canceled before sending": "",
      "not sent, since the registry could not be reached": "",
      "sent and never answered": "billed",
      "answered by a registry that failed": "billed",
      "still running": "billed",
    });
  });
});

const callKey = { registry: running.registry, contractHash: "c", payloadId: "p" };

/** Returns the name of an outcome, and checks that all programs use the same one. */
function wordsOf(record: InvocationRecord): string {
  const [, row = ""] = recordsAsCsv([record]).split("\r\n");
  const { status: toAgent } = JSON.parse(recordResult(record, {}).text) as { status: string };
  const source = { version: "1", resource: {} };
  const logs = otlpBody("logs", [invocationEvent(record)], source, sha256);
  const [, exported] =
    /"skill_registry\.status","value":\{"stringValue":"([^"]+)"/.exec(JSON.stringify(logs)) ?? [];
  const words = [record.status, row.split(",")[4], toAgent, exported];
  return [...new Set(words)].join(" | ");
}

function countsOf(record: InvocationRecord): string {
  const { succeeded, failed, undecided, notSent } = usageOf([groupOf(record)]);
  const counts = Object.entries({ succeeded, failed, undecided, notSent });
  return counts.flatMap(([name, count]) => (count === 1 ? [name] : [])).join();
}

function pageOf(record: InvocationRecord): string {
  const facts = { hasKey: true, invocations: [record], now };
  const { word } = describeCallability(fullSkill, facts, english);
  const trial = runSync(endedTrial(record, undefined, { language: english, now }));
  const look = {
    language: english,
    times: timeFormats(english),
    words: "",
    verdict: "",
    profile: "a",
    window: record,
  };
  const row = invocationRowText(record, { ...look, isOfRun: true, canCancel: false });
  assert.ok(row.description.startsWith(endingText(record, english)));
  return `${word}, ${trial.tone}`;
}

function severityOf(record: InvocationRecord): string {
  const source = { version: "1", resource: {} };
  const logs = otlpBody("logs", [invocationEvent(record)], source, sha256);
  return /"severityText":"(\w+)"/.exec(JSON.stringify(logs))?.[1] ?? "";
}

/** Returns how the journal of a run counts a line with this outcome; one without an end is unknown. */
function runOf(record: InvocationRecord, outcome: InvocationOutcome | "running"): string {
  const start = { kind: "started", line: 1, digest: "0".repeat(64), at: 1 } as const;
  const started = noteEntry(emptyJournal, start, sha256) ?? emptyJournal;
  const end = outcome === "running" ? undefined : lineFacts({ outcome, record, waitSeconds: 0 });
  assert.equal(end?.status ?? record.status, record.status);
  const ended = end && noteEntry(started, { kind: "ended", line: 1, ...end }, sha256);
  const { cents: _cents, ...counts } = settledCounts(ended ?? started);
  return Object.entries(counts).flatMap(([kind, count]) => (count === 1 ? [kind] : []))[0] ?? "";
}

/** Resolves to the state of a case with this outcome, and its number of problems. */
async function suiteOf(
  record: InvocationRecord,
  outcome: InvocationOutcome | "running",
): Promise<string> {
  if (outcome === "running") return "";
  const check: PayloadCheck = { state: "valid", problems: [], hiddenProblems: 0 };
  const skill = { ...fullSkill, outputSchema: undefined };
  const { verdict } = await runCase(
    { name: "a", payload: {} },
    { name: version, skill, reason: "" },
    new Map(),
    {
      check: async () => check,
      environment: noEnvironment,
      earlier: [],
      outputs: new Map(),
      readPayload: async () => undefined,
      allowsUnchecked: false,
      send: async () => ({ kind: "sent", outcome, record, waitSeconds: 0 }),
      isUpdate: false,
      language: english,
    },
  );
  const count = verdict.problems.length;
  return count === 0 ? verdict.kind : `${verdict.kind} ${count}`;
}

function readinessOf(record: InvocationRecord): string {
  const later = pastInvocation(now, { ...running, startedAt: now, status: "success", ran: "yes" });
  const facts = { skill: fullSkill, registry: running.registry };
  return judgeRepeats([later, record], facts, english)?.state ?? "nothing";
}
