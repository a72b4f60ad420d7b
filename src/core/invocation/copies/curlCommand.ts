import type { Invocation } from "../invocation";
import { invokeBody } from "../invocation";
import { pastableJson } from "./pastableJson";

/** Windows takes 32,767 characters for a whole command, Linux 131,072 bytes for one argument. */
const longestArgument = 30_000;

/**
 * Writes a call as a cURL command for bash, zsh, dash, ksh and fish. A body too long for an argument
 * goes in through a pipe. The key stands as the environment variable SKILL_PROJECT_KEY, never as
 * itself.
 */
export function curlCommand(baseUrl: string, call: Invocation): string {
  const json = shellJson(invokeBody(call));
  const isLong = json.length > longestArgument;
  // A bash takes seconds over tens of thousands of pieces.
  const body = shellWord(isLong ? json.replaceAll("'", "\\u0027") : json);
  return [
    `${isLong ? `printf '%s' ${body} | ` : ""}curl --globoff --request POST ${shellWord(`${baseUrl}/v1/runtime/invoke`)}`,
    '  --header "Authorization: Bearer $SKILL_PROJECT_KEY"',
    "  --header 'Content-Type: application/json'",
    isLong ? "  --data-binary @-" : `  --data-raw ${body}`,
  ].join(" \\\n");
}

/**
 * Respells JSON text so that it means the same between the single quotes of every shell: fish takes
 * two backslashes for one there, and an older bash looks for `!` in all lines but the first.
 */
function shellJson(text: string): string {
  const pastable = pastableJson(text).replace(/\\./g, (pair) =>
    pair === "\\\\" ? "\\u005c" : pair,
  );
  return pastable.includes("\n") ? pastable.replaceAll("!", "\\u0021") : pastable;
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
