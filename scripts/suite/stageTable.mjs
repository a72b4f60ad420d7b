/**
 * Describes what stages took, a line each and one for all: `{ name, seconds, processorSeconds, tests }`,
 * the seconds of processors undefined where the system does not say. `seconds` are those of the whole run.
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
