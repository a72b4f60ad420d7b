import { literalsOf } from "./literalsOf";

/** Files that stay English, since their texts go to programs, logs or maintainers. */
export const englishFiles: Readonly<Record<string, string>> = {
  "src/core/invocation/record/outputBlock.ts": "the output channel is read by scripts too",
  "src/core/invocation/record/supportReport.ts": "goes to the maintainers",
  "src/host/audit/copyReport.ts": "goes to the maintainers",
  "src/core/invocation/invocationCopies.ts": "invocations as source code and shell lines",
  "src/core/clients/client.ts": "source code that a whole team reads",
  "src/core/clients/pythonClient.ts": "source code that a whole team reads",
  "src/core/clients/pythonNames.ts": "names of another language",
  "src/core/clients/pythonRuntime.ts": "source code that a whole team reads",
  "src/core/clients/pythonTypes.ts": "source code that a whole team reads",
  "src/core/clients/readShapes.ts": "source code that a whole team reads",
  "src/core/clients/shape.ts": "source code that a whole team reads",
  "src/core/clients/typescriptClient.ts": "source code that a whole team reads",
  "src/core/clients/typescriptTypes.ts": "source code that a whole team reads",
  "src/core/invocation/run/inputKind.ts": "the command line's own words, which scripts read",
  "src/core/invocation/run/shard.ts": "the command line's own words, which scripts read",
  "src/core/payload/secretForms.ts":
    "names of vendors, and signs of their keys; a person reads the kinds of l10nText",
  "src/core/invocation/run/lineFailures.ts": "the command line's own words, which scripts read",
  "src/registry/transport/charset.ts": "the log's own words",
  "src/engine/files/machine.ts": "names of folders",
  "src/engine/files/textFile.ts": "the command line's own words, which scripts read",
  "src/engine/store/migrations.ts": "SQL",
  "src/engine/store/openStore.ts": "SQL",
  "src/engine/store/storeAge.ts": "SQL",
  "src/engine/store/storeDatabase.ts": "SQL",
  "src/engine/store/tables/agreementTable.ts": "SQL",
  "src/engine/store/tables/outboxTable.ts": "SQL",
  "src/engine/store/tables/rateTable.ts": "SQL",
  "src/engine/store/tables/recordTable.ts": "SQL",
  "src/engine/store/tables/retention.ts": "SQL",
  "src/engine/store/tables/salvage.ts": "SQL",
  "src/engine/store/tables/spendingTable.ts": "SQL",
  "src/engine/store/tables/statements.ts": "SQL",
  "src/engine/store/tables/underwayTable.ts": "SQL",
  "src/engine/store/openDatabase.ts":
    "SQL, and reasons for the log; a person reads those of l10nText",
  "src/engine/store/storeProblem.ts": "reasons for the log",
  "src/engine/store/thread/openStoreThread.ts": "a reason for the log",
  "src/core/agents/agentArguments.ts": "read by models",
  "src/core/agents/gates/agentGates.ts": "read by models",
  "src/core/agents/agentResults.ts": "read by models",
  "src/core/agents/agentSetup.ts": "names and configurations of other programs",
  "src/core/agents/agentTools.ts": "read by models",
  "src/host/terminal/launcher.ts": "scripts for shells",
  "src/core/agents/typedTools.ts": "read by models",
  "src/host/agents/agentTools.ts": "read by models",
  "src/core/review/ciWorkflow.ts": "written into a repository, which a whole team reads",
  "src/core/registry/redactSecrets.ts": "stands in for a key in records, whatever the language",
};

/** Single texts that nobody reads, or that are the same in every language. */
export const englishTexts: Readonly<Record<string, string>> = {
  "No invocations are kept on record.": "a reason for the log",
  "outcome unknown": "a status as records and the output channel have it",
  "command line": "a profile as records have it",
  "not executed": "a status as records have it",
  "not sent": "a status as records have it",
  "minus infinity": "tells numbers apart; said in words where it is shown",
  "Skill Registry": "a name",
  "Skill Registry Log": "a name",
  "Failed for other reasons, which the journal has.": "the command line alone shows it",
  Enter: "a key, as browsers name it",
  "JSON Lines": "a name",
  "GitHub Actions": "a name",
  "GitLab CI": "a name",
  TypeScript: "a name",
  Python: "a name",
  "sh, bash, zsh": "names",
  "\\n… cut here, after ": "a line of the output channel",
  " shows all of it.": "a line of the output channel",
  " saves all of it to a file.": "a line of the output channel",
  "The registry redirected the invocation to ": "recorded; notices have a text of their own",
  "an unreadable address": "recorded; notices have a text of their own",
  ". The redirect was not followed.": "recorded; notices have a text of their own",
  "Adopted with another entry.": "a note that the registry keeps",
  "\\n\\nInvocation ID: ": "part of a report to a registry",
  "Replaced by a new key.": "a reason that the registry keeps",
  "It could not be copied.": "a reason that the registry keeps",
  "It gave no address.": "the cause of a failure that is a bug",
  "It ended with code ": "the cause of a failure that is a bug",
  "application/json, application/problem+json": "a header",
  "application/json, text/event-stream": "a header",
  "gzip, deflate, br, zstd": "a header",
  "gzip, deflate, br": "a header",
};

/** A text for a reader that is not translated. */
export interface HardCodedText {
  readonly line: number;
  readonly text: string;
}

/** Finds texts for a reader in a source that are not translated. */
export function hardCodedText(source: string): HardCodedText[] {
  return literalsOf(source).filter(
    ({ text, before }) =>
      !isSaid.test(before) && !isUnread.test(before) && (isProse(text) || isShown(text, before)),
  );
}

const isSaid = /\b(?:t|t|l10nText|l10n\.t)\( ?$/;
/** Matches code before texts that no user reads: logs, errors that are bugs, module names, styles and markup. */
const isUnread =
  /(?:\.note(?:Failure)?\( ?|new \w*Error\( ?|new \w*Error\([^;]* |(?:from|import) |\bclass: (?:[^,{}]*\? ?|[^,{}]* : )?|drawing\( ?)$/;
const shownAs =
  /\b(?:title|label|detail|description|placeHolder|placeholder|prompt|tooltip|message|words?|sentence|hint|note|summary)\??(?: =|:) $/;

/** Returns whether a text has two words in a row, or one with a capital, as on a button. */
function isProse(text: string): boolean {
  if (/^<|<\//.test(text.trim()) || /^\S*">/.test(text)) return false;
  return /(?:\p{L}{2,}|\d)[,;:.!?)”]* \p{L}/u.test(text) || /^\p{Lu}\p{Ll}+…?$/u.test(text);
}

/** Returns whether a text stands where the editor or a page shows it. */
function isShown(text: string, before: string): boolean {
  const words = text.replaceAll(/\$\([\w-]+\)/g, "");
  // Not an address, and not a system's error name such as ECONNREFUSED.
  return shownAs.test(before) && /\p{L}{2,}/u.test(words) && !/:\/|^[A-Z_]+$/.test(words);
}
