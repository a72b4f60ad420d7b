/**
 * Writes docs/cli.md: what the help of all commands and of each says, in Markdown. `commands` is the table of
 * src/cli/cli.ts, `environment` and `exitCodeTexts` are those of src/cli/command.ts.
 */
export function cliDocument({ commands, environment, exitCodeTexts }) {
  const intro = introduction(environment, exitCodeTexts);
  return `${[intro, ...commands.map(commandSection)].join("\n\n")}\n`;
}

const introduction = (
  environment,
  exitCodeTexts,
) => `<!-- Written by npm run docs from the table of commands. Do not edit. -->
# Command line

The engine of the editor, for Node.js. In new terminals of the editor: \`skill-registry\`. In others, from the installed extension: \`node <extension folder>/dist/cli.js\`. From the file of a release: \`npx --package file:skill-registry-<version>.tgz skill-registry\`.

\`\`\`sh
skill-registry search --task data
skill-registry show csv-profile
skill-registry invoke csv-profile orders.skill-input.json
\`\`\`

${table("environment", environment)}

${table("exit code", exitCodeTexts)}`;

function commandSection({ name, operands, summary, details, options, examples }) {
  const rows = Object.entries(options).map(([option, { value, text }]) => {
    const shown = value === undefined ? `--${option}` : `--${option} ${value}`;
    return [shown, text];
  });
  return [
    `## \`${`${name} ${operands}`.trim()}\``,
    summary,
    ...details,
    table("option", rows),
    ["```sh", ...examples, "```"].join("\n"),
  ].join("\n\n");
}

function table(head, rows) {
  const lines = rows.map(([name, text]) => `| \`${cell(name)}\` | ${cell(text)} |`);
  return [`| ${head} | |`, "|---|---|", ...lines].join("\n");
}

/** Keeps a text within its cell of a table. */
function cell(text) {
  return text.replaceAll("|", "\\|");
}
