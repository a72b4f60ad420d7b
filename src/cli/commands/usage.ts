import { exitCodes } from "../../core/findings/report";
import { sumsText } from "../../core/invocation/cost";
import {
  type Usage,
  type UsageGrouping,
  usageBy,
  usageGroupings,
  usageOf,
} from "../../core/invocation/usage/usage";
import { durationText, english } from "../../core/text/language";
import { command } from "../command";
import { openRecord } from "../engine/cliEngine";
import { extentLine, readQuery, recordOptions } from "../engine/recordOptions";
import { type TableColumn, tableOf } from "../output/table";
import { formatOption } from "../output/writeReport";
import { UsageError } from "../terminal";

export const usage = command({
  name: "usage",
  operands: "",
  summary: "Add up what was invoked on this machine: how often, how it ended, cost and duration.",
  details: [
    "Costs are the amounts that the registry returned, as in log. Durations cover invocations that ran.",
    "If the registry returned no amount, the expected cost is listed separately, in JSON as `expected`. Sample costs of the built-in registry are summed separately.",
  ],
  options: {
    by: {
      value: "WHAT",
      text: "What the rows are.",
      oneOf: usageGroupings,
      default: usageGroupings[0],
    },
    ...recordOptions,
    ...formatOption,
  },
  examples: [
    ["Add up a month", "skill-registry usage --since 30d"],
    [
      "Read a skill's days in a script",
      "skill-registry usage --by day --skill text-stats --format json",
    ],
  ],
  run: async ({ operands, options }, terminal) => {
    if (operands.length > 0) throw new UsageError("This command has no operands.");
    const { by: grouping, format } = options;
    const query = readQuery(options, Date.now());
    const { history, close } = await openRecord(terminal);
    try {
      const groups = await history.sums(query, true);
      const rows = usageBy(groups, grouping);
      const total = usageOf(groups);
      if (format === "json") {
        terminal.out(`${JSON.stringify({ by: grouping, rows, total }, undefined, 2)}\n`);
      } else {
        if (groups.length > 0) terminal.out(tableText(rows, total, grouping, terminal.columns));
        const note = groups.length === 0 ? "Nothing was invoked.\n" : unnamedText(total);
        terminal.print(note + (await extentLine(history)));
      }
      return groups.length === 0 ? exitCodes.nothing : exitCodes.good;
    } finally {
      await close();
    }
  },
});

/** The length of a full bar in characters. */
const barLength = 20;

/** The columns that a narrow terminal omits, in this order. */
const dispensable = ["P95", "MEDIAN", "NOT SENT", "UNKNOWN", "", "FAILED"];

function tableText(
  rows: readonly Usage[],
  total: Usage,
  grouping: UsageGrouping,
  width: number | undefined,
): string {
  const maxInvocations = Math.max(...rows.map(({ invocations }) => invocations));
  const number = (count: number) => (count === 0 ? "" : String(count));
  const duration = (ms: number | undefined) => (ms === undefined ? "" : durationText(ms, english));
  const columns: readonly TableColumn<Usage>[] = [
    { head: grouping.toUpperCase(), of: ({ name }) => name || "all" },
    {
      head: "",
      empty: "",
      of: ({ name, invocations }) =>
        name === ""
          ? ""
          : "█".repeat(Math.max(1, Math.round((invocations / maxInvocations) * barLength))),
    },
    { head: "INVOCATIONS", of: ({ invocations }) => String(invocations), isNumber: true },
    { head: "FAILED", of: ({ failed }) => number(failed), isNumber: true },
    { head: "UNKNOWN", of: ({ undecided }) => number(undecided), isNumber: true },
    { head: "NOT SENT", of: ({ notSent }) => number(notSent), isNumber: true },
    { head: "COST", of: ({ costs }) => sumsText(costs, english), isNumber: true },
    { head: "MEDIAN", of: ({ medianMs }) => duration(medianMs), isNumber: true },
    { head: "P95", of: ({ p95Ms }) => duration(p95Ms), isNumber: true },
  ];
  return tableOf([...rows, ...(rows.length > 1 ? [total] : [])], columns, {
    dispensable,
    ...(width !== undefined && { width }),
  });
}

function unnamedText({ withoutAmount, withoutPrice, expected }: Usage): string {
  if (withoutAmount === 0) return "";
  const sum = sumsText(expected, english) || "nothing";
  const said = withoutAmount === withoutPrice ? "" : ` They were expected to cost ${sum}.`;
  const unknown = withoutPrice === 0 ? "" : ` The cost of ${withoutPrice} is not known.`;
  return `${withoutAmount} of them may be billed and named no amount, which is not included.${said}${unknown}\n`;
}
