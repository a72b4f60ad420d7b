/**
 * Writes docs/cli.md: what the help of all commands and of each says, in Markdown. `commands` is the table of
 * src/cli/cli.ts; the rest is what src/cli/program/help.ts exports.
 */
export function cliDocument({ commands, environment, exitCodeTexts, optionSections }) {
  const intro = introduction(environment, exitCodeTexts);
  const sections = commands.map((command) => commandSection(command, optionSections));
  return `${[intro, ...sections].join("\n\n")}\n`;
}

const introduction = (
  environment,
  exitCodeTexts,
) => `<!-- Written by npm run docs from the table of commands. Do not edit. -->
# Command line

The engine of the editor, for Node.js 22.13 or newer. In new terminals of the editor: \`skill-registry\`. In others, from the installed extension: \`node <extension folder>/dist/cli.js\`. From the file of a release: \`npx --package file:skill-registry-<version>.tgz skill-registry\`.

\`\`\`sh
skill-registry search --task data
skill-registry show csv-profile
skill-registry invoke csv-profile orders.skill-input.json
\`\`\`

${table("environment", environment)}

${table("exit code", exitCodeTexts)}`;

function commandSection({ name, operands, summary, details, options, examples }, optionSections) {
  return [
    `## \`${`${name} ${operands}`.trim()}\``,
    summary,
    ...details,
    ...optionSections(options).map(([heading, rows]) =>
      table(heading === "Options" ? "option" : heading, rows),
    ),
    ["```sh", ...examples.flatMap(([purpose, line]) => [`# ${purpose}`, line]), "```"].join("\n"),
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
