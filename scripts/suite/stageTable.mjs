/**
 * Returns a table of the stages' times, with a line for each and a sum: `{ name, seconds, processorSeconds, tests }`,
 * where `processorSeconds` is undefined if the system does not report it. `seconds` is the time of the whole run.
 */
export function stageTable(stages, seconds) {
  const sum = (key) => stages.reduce((all, stage) => all + (stage[key] ?? 0), 0);
  const all = {
    name: "all",
    seconds,
    processorSeconds: sum("processorSeconds"),
    tests: sum("tests"),
  };
  const rows = [...stages, all].map(({ name, seconds, processorSeconds = 0, tests }) => [
    name,
    seconds.toFixed(1),
    processorSeconds === 0 ? "" : processorSeconds.toFixed(1),
    tests === 0 ? "" : String(tests),
  ]);
  const table = [["stage", "seconds", "of processors", "tests"], ...rows];
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table.map(([name, ...figures]) =>
    [name.padEnd(widths[0]), ...figures.map((figure, at) => figure.padStart(widths[at + 1]))].join(
      "  ",
    ),
  );
}
