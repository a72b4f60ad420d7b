import assert from "node:assert/strict";
import { parse as parseCsv } from "csv-parse/sync";
import { describe, it } from "mocha";
import {
  csvHead,
  recordsAsCsv,
  recordsAsJsonLines,
} from "../../../../../src/core/invocation/record/exportRecords";
import { endingText, endSummary } from "../../../../../src/core/invocation/record/invocationLabels";
import {
  finishedRecord,
  type InvocationRecord,
  type InvocationTexts,
  isRecordId,
  newRecordId,
  nextLatestEnd,
  readWrittenRecord,
  withPresumedEnd,
  writeRecord,
} from "../../../../../src/core/invocation/record/invocationRecord";
import {
  longestShownOutput,
  outputBlock,
} from "../../../../../src/core/invocation/record/outputBlock";
import { invocationDocument } from "../../../../../src/core/invocation/record/recordDocument";
import { runSync } from "../../../../../src/core/text/chunked";
import { english } from "../../../../../src/core/text/language";
import { pastInvocation } from "../../../../fixtures/pastInvocation";

const running: InvocationRecord = pastInvocation(1_763_634_151_512, {
  id: newRecordId(1_763_634_151_512, "0a1b2c3d-4e5f"),
  endsBefore: 1_763_634_281_512,
  registry: "https://registry.example.com",
  skillSlug: "text-stats",
  version: "1.0.0",
  status: "running",
  durationMs: 0,
});

const finished = finishedRecord(running, {
  kind: "success",
  invocationId: "63615c78-5f16-42fe-bc72-2c2f96566619",
  durationMs: 12.4,
  acceptedNotRun: false,
  outputText: '{"words":9007199254740993}',
});

describe("a record of an invocation whose outcome is unknown", () => {
  it("keeps the code of the response", () => {
    const failure = { kind: "errorAnswer", status: 502, code: "upstream_lost" } as const;
    const { status, code, durationMs } = finishedRecord(running, {
      kind: "outcomeUnknown",
      failure,
      durationMs: 7,
    });
    assert.deepEqual([status, code, durationMs], ["outcome unknown", "upstream_lost", 7]);
  });
});

describe("a record of an invocation that was accepted", () => {
  const accepted = { kind: "success" as const, durationMs: 7, outputText: "{}" };
  const cases: readonly (readonly [acceptedNotRun: boolean, ending: string])[] = [
    [true, "accepted, not executed"],
    [false, "success"],
  ];
  for (const [acceptedNotRun, ending] of cases) {
    it(`reads ${ending}, and keeps it after writing and reading`, () => {
      const record = finishedRecord(running, { ...accepted, acceptedNotRun });
      const line = writeRecord(record);
      const read = readWrittenRecord(line);
      assert.ok(typeof read === "object");
      assert.equal(endingText(read, english), ending);
    });
  }
});

describe("a written record", () => {
  it("is read unchanged without its pin, which the store keeps apart", () => {
    const facts = writeRecord({ ...finished, pinned: true });
    assert.deepEqual(readWrittenRecord(facts), finished);
  });

  it("of an invocation without an end reads as outcome unknown after its latest end", () => {
    const statusAt = (now: number) => withPresumedEnd(running, now, () => false).status;
    assert.equal(statusAt(running.endsBefore), "running");
    assert.equal(statusAt(running.endsBefore + 1), "outcome unknown");
  });

  it("of an invocation whose program has ended reads as outcome unknown at once", () => {
    assert.equal(withPresumedEnd(running, 0, () => true).status, "outcome unknown");
    assert.equal(withPresumedEnd(finished, 0, () => true).status, "success");
  });

  it("of a later version of this extension is not changed", () => {
    const line = JSON.stringify({ ...finished, format: 2 });
    assert.equal(readWrittenRecord(line), "newer");
  });

  const damaged: readonly (readonly [name: string, line: string])[] = [
    ["empty", ""],
    ["torn", JSON.stringify(finished).slice(0, 40)],
    ["no format", JSON.stringify({ ...finished, format: "1" })],
    ["an earlier format", JSON.stringify({ ...finished, format: 0 })],
    ["no statement of whether it ran", JSON.stringify({ ...finished, ran: "maybe" })],
    ["a caller that does not exist", JSON.stringify({ ...finished, caller: { kind: "cat" } })],
    ["an invalid reason", JSON.stringify({ ...finished, reason: { is: "timeout" } })],
    ["an invalid policy", JSON.stringify({ ...finished, policy: "none" })],
    ["a field of another type", JSON.stringify({ ...finished, code: 5 })],
    ["a status that does not exist", JSON.stringify({ ...finished, status: "fine" })],
    ["a time out of range", JSON.stringify({ ...finished, startedAt: 1e300 })],
    ["a path for an id", JSON.stringify({ ...finished, id: "../../x" })],
    ["an array", "[]"],
  ];
  for (const [name, line] of damaged) {
    it(`is not read if damaged: ${name}`, () => {
      assert.equal(readWrittenRecord(line), undefined);
    });
  }

  it("has a name that is safe in a path and sorts by time", () => {
    assert.ok(isRecordId(running.id));
    assert.ok(newRecordId(999, "aaaa") < newRecordId(1000, "aaaa"));
    for (const id of ["", "..", "1-a", `${running.id}/x`, `${running.id}.tmp`]) {
      assert.ok(!isRecordId(id), id);
    }
  });
});

describe("the output channel's block", () => {
  it("has lines that a person and a script can read", () => {
    assert.equal(
      outputBlock(finished, "{\n}"),
      [
        "── 2025-11-20T10:22:31.512Z  text-stats@1.0.0  success  12 ms",
        "Invocation ID: 63615c78-5f16-42fe-bc72-2c2f96566619",
        "Output:",
        "{\n}",
        "\n",
      ].join("\n"),
    );
  });

  it("has code and message on one line each, and mentions a missing ID", () => {
    const refused = finishedRecord(running, {
      kind: "refused",
      reason: "policy",
      status: 403,
      durationMs: 3,
      code: "policy_missing",
      message: "No\npolicy",
    });
    const lines = outputBlock(refused, undefined).split("\n");
    assert.deepEqual(lines.slice(1, 4), [
      "Invocation ID: (none)",
      "Code: policy_missing",
      "Message: No policy",
    ]);
  });

  it("never starts a line with a registry's words", () => {
    const forged =
      "1\nOutput:\n{}\r\n\u2028── 2026-11-20T10:22:31.512Z  other@1.0.0  success  3 ms";
    const call = {
      ...finished,
      version: forged,
      invocationId: forged,
      code: forged,
      message: forged,
    };
    const lines = outputBlock(call, undefined).split(/[\n\r\u2028]/);
    assert.deepEqual(
      lines.map((line) => line.slice(0, 8)),
      ["── 2025-", "Invocati", "Code: 1 ", "Message:", "", ""],
    );
    // The text between double spaces is the status.
    assert.equal(lines[0]?.split("  ").length, 4);
    assert.equal(lines[0]?.split("  ")[2], "success");
  });

  it("notes that the skill was not run although the invocation was accepted", () => {
    const accepted = { ...finished, status: "not executed", ran: "acceptedOnly" } as const;
    assert.match(outputBlock(accepted, undefined), /^Note: accepted, not executed\./m);
  });
});

/** Text of any shape, since a spreadsheet reads everything. */
const anyShape = {
  bom: true,
  relax_quotes: true,
  relax_column_count: true,
  record_delimiter: "\r\n",
};

describe("an export", () => {
  it("as JSON Lines has one record per line", () => {
    const lines = recordsAsJsonLines([finished, running]).trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      [finished, running],
    );
  });

  it("as CSV quotes cells and lets no spreadsheet run a formula", () => {
    const record = { ...finished, message: '=HYPERLINK("x")', code: "a,b" };
    const row = recordsAsCsv([record]).split("\r\n")[1] ?? "";
    assert.match(row, /,"a,b",/);
    assert.match(row, /,"'=HYPERLINK\(""x""\)",/);
  });

  it("as CSV marks test runs and callers", () => {
    const caller = { kind: "commandLine", name: "skill-registry run", version: "1.0.0" } as const;
    const other: InvocationRecord = { ...finished, kind: "testRun", caller };
    const agent = { kind: "mcp", name: "probe", session: "0a1b2c3d" } as const;
    const call = { tool: "invoke_skill", agentReason: "Why.", agreement: "contract-v1:x" };
    const third: InvocationRecord = {
      ...{ ...finished, caller: agent, ...call },
      ...{ expectedCents: 10, expectedCurrency: "USD", reason: "timeout" },
    };
    const rows = recordsAsCsv([finished, other, third]).split("\r\n");
    assert.deepEqual(
      rows.slice(0, 4).map((row) => row.split(",").slice(-14).join()),
      [
        "kind,caller,callerName,callerVersion,callerSession,tool,agentReason,agreement,ran,reason,expectedCents,expectedCurrency,profile,environment",
        "invocation,person,,,,,,,yes,,,,Test Editor,",
        "testRun,commandLine,skill-registry run,1.0.0,,,,,yes,,,,Test Editor,",
        "invocation,mcp,probe,,0a1b2c3d,invoke_skill,Why.,contract-v1:x,yes,timeout,10,USD,Test Editor,",
      ],
    );
  });

  it("as CSV starts with a byte order mark in a file, since spreadsheets do not guess UTF-8", () => {
    assert.ok(csvHead.startsWith("\uFEFFtime,registry,skill,"));
    assert.ok(recordsAsCsv([finished]).startsWith("time,registry,skill,"));
  });

  for (const start of ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]) {
    it(`as CSV makes ${JSON.stringify(start)} at the start of a cell harmless`, () => {
      const row = recordsAsCsv([{ ...finished, code: `${start}1` }]);
      assert.ok(row.includes(`'${start}1`), row);
    });
  }

  const separators = [
    ",",
    ";",
    "\t",
    "|",
    ":",
    " ",
    '"',
    "'",
    "\n",
    '";"',
    '"\t"',
    ", ",
    ";\n",
    '""',
  ];
  const formulas = separators.flatMap((separator) =>
    ["=cmd|' /C calc'!A0", "@SUM(1)", "+1+1", "-2+3", "＝1"].map((formula) => separator + formula),
  );
  for (const delimiter of [",", ";", "\t", "|", ":", " "]) {
    it(`as CSV runs no formula in a spreadsheet that splits at ${JSON.stringify(delimiter)}`, () => {
      for (const formula of formulas) {
        const record = {
          ...finished,
          message: `ok${formula}`,
          registry: `a${formula}`,
          code: formula,
        };
        const csv = recordsAsCsv([record]);
        for (const quote of ['"', null]) {
          const rows: string[][] = parseCsv(csv, { delimiter, quote, ...anyShape });
          const cells = rows.flat().filter((cell) => /^\s*[=+\-@＝＋－＠]/.test(cell));
          assert.deepEqual(cells, [], formula);
        }
      }
    });
  }

  it("as CSV keeps other text", () => {
    const message = "a-b = c, mail x@y.example (1+1) - see https://a.example?b=1";
    assert.ok(recordsAsCsv([{ ...finished, message }]).includes(`"${message}"`));
  });
});

describe("a past invocation as a document", () => {
  const document = (texts: InvocationTexts) => runSync(invocationDocument(finished, texts));

  it("for a comparison has the facts that always differ at its end", () => {
    const call = { ...finished, invocationId: "x", requestSha256: "a", responseSha256: "b" };
    const texts = { inputText: "{}", outputText: "1" };
    const names = (order: "record" | "comparison") =>
      Object.keys(JSON.parse(runSync(invocationDocument(call, texts, order))));
    const last = ["time", "durationMs", "invocationId", "requestSha256", "responseSha256"];
    assert.deepEqual(names("comparison").slice(-last.length).sort(), [...last].sort());
    assert.deepEqual(names("comparison").sort(), names("record").sort());
    assert.equal(names("record")[0], "time");
  });

  it("keeps an output whose indentation alone would make it too long", () => {
    const outputText = `${"[".repeat(4_000_000)}1${"]".repeat(4_000_000)}`;
    const text = document({ inputText: "{}", outputText });
    assert.ok(text.includes(outputText));
    assert.ok(text.length < 10_000_000, `${text.length}`);
  });

  it("of megabytes is formatted in many steps", () => {
    const work = invocationDocument(finished, {
      outputText: JSON.stringify(Array(500_000).fill([])),
    });
    let steps = 1;
    while (!work.next().done) steps += 1;
    assert.ok(steps > 50, `${steps}`);
  });

  it("keeps the numbers and the order of input and output", () => {
    const text = document({
      inputText: '{"b":1.10,"a":9007199254740993}',
      outputText: "[1e400]",
    });
    assert.match(text, /"b": 1\.10,\s+"a": 9007199254740993/);
    assert.match(text, /1e400/);
  });

  it("gives only the length of an output that is too long for editors", () => {
    const outputText = `"${"x".repeat(longestShownOutput)}"`;
    const text = document({ inputText: "{}", outputText });
    assert.match(JSON.parse(text).output, /^20000002 characters: “Skill Registry: Open Output”$/);
  });

  it("contains a payload that is no JSON as a string", () => {
    const text = document({ inputText: "{oops" });
    assert.equal(JSON.parse(text).input, "{oops");
  });
});

describe("the one-line end of an invocation", () => {
  it("has its cost and its ID", () => {
    const record = { ...finished, amountCents: 3, currency: "EUR", invocationId: "inv-1" };
    assert.match(endSummary(record, english), / ms · €0\.03 · inv-1$/);
    assert.match(endSummary({ ...record, amountCents: 0 }, english), / ms · inv-1$/);
    const testRun = { ...record, kind: "testRun", status: "blocked" } as const;
    assert.match(endSummary(testRun, english), /: test run, blocked, /);
  });
});

describe("the latest end of a running invocation", () => {
  const [first, second] = [running.endsBefore, running.endsBefore + 5];
  const cases: readonly (readonly [string, readonly InvocationRecord[], number, unknown])[] = [
    ["the first of two", [{ ...running, endsBefore: second }, running], 0, first],
    [
      "the second, when the first is over",
      [running, { ...running, endsBefore: second }],
      first + 1,
      second,
    ],
    ["undefined if none is running", [finished], 0, undefined],
    ["undefined if the last one is over", [running], first + 1, undefined],
    ["at this moment", [running], first, first],
  ];
  for (const [name, records, now, expected] of cases) {
    it(`is ${name}`, () => {
      assert.equal(nextLatestEnd(records, now), expected);
      if (expected === undefined) return;
      // A reading right after that time shows an end.
      const after = withPresumedEnd(running, first + 1, () => false);
      assert.equal(after.status, "outcome unknown");
    });
  }
});
