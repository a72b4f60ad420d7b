import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { invokeBody } from "../../../../src/core/invocation/invocation";
import { curlForCmd, curlForPowerShell } from "../../../../src/core/invocation/invocationCopies";

/** Every character with a meaning in some shell or language. */
const awkward = `it's "quoted" \\ $HOME \`id\` %PATH% !x! ^ & | < > ( ) ; # * ? ~ {a,b} ‘curly’ “marks” é ü 😀 \u2028 \\" \\\\`;
const inputText = `{ "text": ${JSON.stringify(awkward)},\r\n\t"n": 9007199254740993, "e": 1.0 }`;
const call = { skillSlug: "text-stats", version: "1.0.0", inputText };
const body = invokeBody(call);
const key = "skh_from-environment";

describe("a copied command for Windows", () => {
  it("as cURL for PowerShell passes curl the same value on standard input", () => {
    const script = curlForPowerShell("http://127.0.0.1:9", call);
    const [, piped = ""] = /^'([^']*)' \| /.exec(script) ?? [];
    assert.match(piped, /^[\x20-\x7e]+$/);
    assert.deepEqual(exactly(piped), exactly(body));
    assert.match(script, /"Authorization: Bearer \$env:SKILL_REGISTRY_PROJECT_KEY"/);
  });

  it("as cURL for cmd passes curl the same value as one argument", () => {
    const line = curlForCmd("http://127.0.0.1:9", call);
    const expanded = expandedByCmd(line, { SKILL_REGISTRY_PROJECT_KEY: key });
    const words = windowsArguments(expanded);
    assert.ok(words.includes(`Authorization: Bearer ${key}`));
    assert.ok(words.includes("http://127.0.0.1:9/v1/runtime/invoke"));
    assert.deepEqual(exactly(words[words.indexOf("--data-raw") + 1] ?? ""), exactly(body));
    assert.equal(words.indexOf("--data-raw"), words.length - 2);
  });

  it("as cURL for PowerShell quotes the address", () => {
    const script = curlForPowerShell("https://a.example/it's", call);
    assert.ok(script.includes("'https://a.example/it''s/v1/runtime/invoke'"), script);
  });

  it("keeps an address literal that curl would expand", () => {
    for (const write of [curlForCmd, curlForPowerShell]) {
      assert.match(write("https://a.example/[1-3]", call), /curl(\.exe)? --globoff .*\[1-3\]/);
    }
  });

  for (const path of ["%TEMP%", "a%20b", "%20%TEMP%%", "%SKILL_REGISTRY_PROJECT_KEY%", "&%^|<>"]) {
    it(`as cURL for cmd keeps an address with special characters of cmd: ${path}`, () => {
      const line = curlForCmd(`https://a.example/${path}`, call);
      const variables = { SKILL_REGISTRY_PROJECT_KEY: key, TEMP: "C:\\Temp", "20": "twenty" };
      const words = windowsArguments(expandedByCmd(line, variables));
      assert.ok(words.includes(`https://a.example/${path}/v1/runtime/invoke`), words.join("\n"));
      assert.ok(words.includes(`Authorization: Bearer ${key}`), words.join("\n"));
      assert.deepEqual(exactly(words[words.indexOf("--data-raw") + 1] ?? ""), exactly(body));
    });
  }

  it("contains no line end, caret or percent sign that cmd would interpret", () => {
    const line = curlForCmd("http://127.0.0.1:9", call);
    assert.doesNotMatch(line.replace("%SKILL_REGISTRY_PROJECT_KEY%", ""), /[\r\n^%!&|<>]/);
  });
});

/** Returns the value, and the spelling of every number. */
function exactly(json: string): unknown {
  const numbers = json.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d[\d.eE+-]*/g);
  return { value: JSON.parse(json), numbers };
}

/** Returns what cmd's prompt makes of a line: it expands variables everywhere and removes carets outside of quotes. */
function expandedByCmd(line: string, variables: Readonly<Record<string, string>>): string {
  let expanded = "";
  for (let at = 0; at < line.length; at += 1) {
    // If no variable has the name, the prompt keeps the first percent sign and continues after it.
    const [whole = "", name = ""] = /^%([^%]+)%/.exec(line.slice(at)) ?? [];
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    expanded += value ?? line.charAt(at);
    if (value !== undefined) at += whole.length - 1;
  }
  let quoted = false;
  let result = "";
  for (let index = 0; index < expanded.length; index += 1) {
    const character = expanded.charAt(index);
    if (character === '"') quoted = !quoted;
    assert.ok(quoted || !"&|<>".includes(character), `cmd acts on ${character}`);
    if (character === "^" && !quoted) index += 1;
    result += expanded.charAt(index);
  }
  return result;
}

/** Returns the arguments that a Windows program finds in its command line (Microsoft C rules). */
function windowsArguments(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quoted = false;
  for (const [part, slashes = "", quote] of line.matchAll(/(\\*)(")|[^"]|\\+$/g)) {
    if (quote === undefined) {
      if (part === " " && !quoted) {
        if (word !== undefined) words.push(word);
        word = undefined;
      } else word = (word ?? "") + part;
      continue;
    }
    word = (word ?? "") + "\\".repeat(Math.floor(slashes.length / 2));
    if (slashes.length % 2 === 1) word += '"';
    else quoted = !quoted;
  }
  return word === undefined ? words : [...words, word];
}
