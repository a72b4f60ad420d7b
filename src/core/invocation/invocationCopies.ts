import { parsedJson } from "../json/jsonValue";
import { projectKeyVariable } from "../registry/credential";
import { shellWord } from "../text/plainText";
import { type Invocation, invokeBody } from "./invocation";

// No copy contains a key: all read it from the environment.

/**
 * Writes an invocation as cURL for PowerShell 5 and newer. Pipes the body, since Windows PowerShell drops quotes from
 * arguments, and writes it in ASCII, since PowerShell would garble anything else.
 */
export function curlForPowerShell(baseUrl: string, call: Invocation): string {
  const body = plainJson(invokeBody(call));
  return [
    `'${body}' | curl.exe --globoff --request POST '${routeOf(baseUrl).replaceAll("'", "''")}' \``,
    `  --header "Authorization: Bearer $env:${projectKeyVariable}" \``,
    "  --header 'Content-Type: application/json' `",
    "  --data-binary '@-'",
  ].join("\n");
}

/** Writes an invocation as cURL for cmd, on one line, since cmd allows no line breaks in quotes. */
export function curlForCmd(baseUrl: string, call: Invocation): string {
  const body = plainJson(invokeBody(call));
  return [
    `curl --globoff --request POST ${cmdUrl(routeOf(baseUrl))}`,
    `--header "Authorization: Bearer %${projectKeyVariable}%"`,
    '--header "Content-Type: application/json"',
    `--data-raw ${windowsArgument(body)}`,
  ].join(" ");
}

/** Writes an invocation as a TypeScript module that uses `fetch` and prints the response. */
export function fetchModule(baseUrl: string, call: Invocation): string {
  return `const response = await fetch(${JSON.stringify(routeOf(baseUrl))}, {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.${projectKeyVariable}}\`,
    "content-type": "application/json",
  },
  redirect: "manual",
  body: ${JSON.stringify(pastableJson(invokeBody(call)))},
});
console.log(response.status, await response.text());
`;
}

/**
 * Writes an invocation as a Python 3 script that needs only the standard library and prints the response. Like the
 * other copies it follows no redirect, which would send the key along.
 */
export function pythonScript(baseUrl: string, call: Invocation): string {
  return `import os
import sys
import urllib.error
import urllib.request


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


sys.stdout.reconfigure(encoding="utf-8")
request = urllib.request.Request(
    ${JSON.stringify(routeOf(baseUrl))},
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["${projectKeyVariable}"],
        "Content-Type": "application/json",
    },
    data=${JSON.stringify(pastableJson(invokeBody(call)))}.encode("utf-8"),
)
try:
    with urllib.request.build_opener(NoRedirects).open(request) as response:
        print(response.status, response.read().decode("utf-8"))
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode("utf-8"))
`;
}

/**
 * Quotes an address for cmd, which expands `%NAME%` even inside quotes. Each percent sign is put outside of the quotes,
 * after a caret.
 */
function cmdUrl(url: string): string {
  return `"${url.replaceAll("%", '"^%"')}"`;
}

function routeOf(baseUrl: string): string {
  return `${baseUrl}/v1/runtime/invoke`;
}

/** Quotes one argument by the rules of Windows programs: backslashes count only before a quote. */
function windowsArgument(text: string): string {
  const escaped = text.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&");
  return `"${escaped}"`;
}

/**
 * The maximum length of an argument. Windows allows 32,767 characters for a whole command, Linux 131,072 bytes for one
 * argument.
 */
const longestArgument = 30_000;

/**
 * Writes an invocation as a cURL command for bash, zsh, dash, ksh and fish. Pipes a body that is too long for an
 * argument. Contains the key's environment variable instead of the key.
 */
export function curlCommand(baseUrl: string, call: Invocation): string {
  const json = shellJson(invokeBody(call));
  const isLong = json.length > longestArgument;
  // Bash takes seconds to join tens of thousands of quoted pieces, so a long body gets escapes instead.
  const body = shellWord(isLong ? json.replaceAll("'", "\\u0027") : json);
  return [
    `${isLong ? `printf '%s' ${body} | ` : ""}curl --globoff --request POST ${shellWord(routeOf(baseUrl))}`,
    `  --header "Authorization: Bearer $${projectKeyVariable}"`,
    "  --header 'Content-Type: application/json'",
    isLong ? "  --data-binary @-" : `  --data-raw ${body}`,
  ].join(" \\\n");
}

/**
 * Escapes JSON text so that it means the same between the single quotes of every shell. Fish reads two backslashes as
 * one there, and an older bash expands `!` in all lines but the first.
 */
function shellJson(text: string): string {
  const pastable = pastableJson(text).replace(/\\./g, (pair) =>
    pair === "\\\\" ? "\\u005c" : pair,
  );
  return pastable.includes("\n") ? pastable.replaceAll("!", "\\u0021") : pastable;
}

/**
 * Escapes JSON text for pasting. Control characters, which a terminal interprets, and invisible or direction-changing
 * characters become escapes; tabs become spaces. The value stays the same, since line ends and tabs occur only between
 * values.
 */
export function pastableJson(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "  ")
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapesOf);
}

function escapesOf(character: string): string {
  const units = [...Array(character.length).keys()].map((index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/**
 * Escapes JSON text so that no shell interprets any part of it. Everything in strings except letters, digits, spaces
 * and `_ . : / + - = @ ,` becomes an escape, and line ends between values become spaces. The value stays the same.
 */
function plainJson(text: string): string {
  return text.replace(/[\r\n\t]/g, " ").replace(/[^A-Za-z0-9 "\\{}[\]_.:/+\-=@,]/g, escapeOf);
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Returns whether a text is exactly one JSON value, and so can be inserted into a request. */
export function isJsonText(text: string): boolean {
  return parsedJson(text) !== undefined;
}
