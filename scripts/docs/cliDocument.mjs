/**
 * Returns the text of docs/cli.md: the help of all commands in Markdown. `commands` is the table of src/cli/cli.ts; the
 * rest is exported by src/cli/program/help.ts.
 */
export function cliDocument({ commands, environment, exitCodeTexts, optionSections }) {
  const rowsOf = ({ options }) => optionSections(options).flatMap(([, rows]) => rows);
  const shared = sharedRows(commands.map(rowsOf));
  // Without the conditions, which differ between commands.
  const described = [...shared.values()].map(([name, text]) => [name, text]);
  const intro = introduction(environment, exitCodeTexts, described);
  const isShared = ([name, text]) => shared.get(name)?.[1] === text;
  const sections = commands.map((command) =>
    commandSection(command, optionSections(command.options), isShared),
  );
  return `${[intro, ...sections].join("\n\n")}\n`;
}

/** An option that this many commands describe in the same words is described once. */
const severalCommands = 3;

/** Returns the options that several commands describe in the same words, by name. */
function sharedRows(tables) {
  const rows = tables.flat();
  const count = ([name, text]) => rows.filter((one) => one[0] === name && one[1] === text).length;
  return new Map(rows.filter((row) => count(row) >= severalCommands).map((row) => [row[0], row]));
}

const introduction = (
  environment,
  exitCodeTexts,
  shared,
) => `<!-- Written by npm run docs from the table of commands. Do not edit. -->
# Command line

\`skill-registry\` searches, checks and invokes skills with the engine of the editor. It needs Node.js 22.13 or newer, and starts

- in new terminals of the editor: \`skill-registry\`
- in other terminals, from the installed extension: \`node <extension folder>/dist/cli.js\`
- from npm: \`npx skill-registry-cli\`. The package has no dependencies; a release has the same file with its SHA-256.

\`\`\`sh
skill-registry search --task data
skill-registry show csv-profile
skill-registry invoke csv-profile orders.skill-input.json
\`\`\`

${table("environment", environment)}

${table("exit code", exitCodeTexts)}

${table("options of several commands", shared)}`;

function commandSection({ name, operands, summary, details, examples }, sections, isShared) {
  const also = sections.flatMap(([, rows]) => rows.filter(isShared).map(alsoText));
  const own = sections
    .map(([heading, rows]) => [heading, rows.filter((row) => !isShared(row))])
    .filter(([, rows]) => rows.length > 0);
  return [
    `## \`${`${name} ${operands}`.trim()}\``,
    summary,
    ...details,
    ...own.map(([heading, rows]) => table(heading === "Options" ? "option" : heading, rows)),
    ...(also.length === 0 ? [] : [`Also ${also.join(", ")}.`]),
    ["```sh", ...examples.flatMap(([purpose, line]) => [`# ${purpose}`, line]), "```"].join("\n"),
  ].join("\n\n");
}

/** Returns the name of an option that is described once, with this command's condition. */
function alsoText([name, , condition]) {
  if (!condition) return `\`${name}\``;
  return `\`${name}\` (${condition[0].toLowerCase()}${condition.slice(1, -1)})`;
}

function table(head, rows) {
  const lines = rows.map(([name, ...texts]) => {
    return `| \`${cell(name)}\` | ${cell(texts.join(" ").trimEnd())} |`;
  });
  return [`| ${head} | |`, "|---|---|", ...lines].join("\n");
}

/** Escapes a text for a table's cell. */
function cell(text) {
  return text.replaceAll("|", "\\|");
}
