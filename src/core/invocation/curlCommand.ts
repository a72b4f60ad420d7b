import type { Invocation } from "./invocation";
import { invokeBody } from "./invokeBody";

/**
 * Writes a call as a cURL command for a POSIX shell. The key stands as the environment variable
 * SKILL_PROJECT_KEY, never as itself.
 */
export function curlCommand(baseUrl: string, call: Invocation): string {
  return [
    `curl --request POST ${shellWord(`${baseUrl}/v1/runtime/invoke`)}`,
    '  --header "Authorization: Bearer $SKILL_PROJECT_KEY"',
    "  --header 'Content-Type: application/json'",
    `  --data-raw ${shellWord(invokeBody(call))}`,
  ].join(" \\\n");
}

function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
