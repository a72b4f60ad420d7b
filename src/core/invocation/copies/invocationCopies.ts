import type { Invocation } from "../invocation";
import { invokeBody } from "../invocation";
import { pastableJson } from "./pastableJson";
import { plainJson } from "./plainJson";

/** The environment variable all copies read the Project Key from. None of them holds a key. */
export const keyVariable = "SKILL_PROJECT_KEY";

/**
 * Writes a call as cURL for PowerShell 5 and newer. The body goes in through the pipe, since Windows
 * PowerShell drops quotes from arguments, and in ASCII, since it would garble anything else.
 */
export function curlForPowerShell(baseUrl: string, call: Invocation): string {
  const body = plainJson(invokeBody(call));
  return [
    `'${body}' | curl.exe --globoff --request POST '${routeOf(baseUrl).replaceAll("'", "''")}' \``,
    `  --header "Authorization: Bearer $env:${keyVariable}" \``,
    "  --header 'Content-Type: application/json' `",
    "  --data-binary '@-'",
  ].join("\n");
}

/** Writes a call as cURL for the prompt of cmd, on one line, since cmd takes no line ends in quotes. */
export function curlForCmd(baseUrl: string, call: Invocation): string {
  const body = plainJson(invokeBody(call));
  return [
    `curl --globoff --request POST ${cmdUrl(routeOf(baseUrl))}`,
    `--header "Authorization: Bearer %${keyVariable}%"`,
    '--header "Content-Type: application/json"',
    `--data-raw ${windowsArgument(body)}`,
  ].join(" ");
}

/** Writes a call as a TypeScript module that uses `fetch` and prints the answer. */
export function fetchModule(baseUrl: string, call: Invocation): string {
  return `const response = await fetch(${JSON.stringify(routeOf(baseUrl))}, {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.${keyVariable}}\`,
    "content-type": "application/json",
  },
  redirect: "manual",
  body: ${JSON.stringify(pastableJson(invokeBody(call)))},
});
console.log(response.status, await response.text());
`;
}

/**
 * Writes a call as a Python 3 script that needs nothing but its standard library and prints the
 * answer. Like the others it follows no redirect, which would carry the key along.
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
        "Authorization": "Bearer " + os.environ["${keyVariable}"],
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

/** Quotes an address for cmd, which expands `%NAME%` also in quotes: a caret outside them stands in between. */
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
