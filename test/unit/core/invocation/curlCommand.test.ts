import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "mocha";
import { curlCommand } from "../../../../src/core/invocation/invocationCopies";

describe("an invocation as cURL", () => {
  const inputText = `{"text": "it's \\"$HOME\\" \`id\` \\n", "ü": 1.0}`;
  const command = curlCommand("http://127.0.0.1:9/base", {
    skillSlug: "text-stats",
    version: "1.0.0",
    inputText,
  });

  it("quotes exactly what is sent for the shell", () => {
    const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
    const output = execFileSync("/bin/sh", ["-c", script], {
      encoding: "utf8",
      env: { SKILL_REGISTRY_PROJECT_KEY: "skh_from-environment" },
    });
    const words = output.split("\0");
    assert.ok(words.includes("http://127.0.0.1:9/base/v1/runtime/invoke"));
    assert.ok(words.includes("Authorization: Bearer skh_from-environment"));
    const body = words[words.indexOf("--data-raw") + 1];
    assert.equal(body, `{"skillSlug":"text-stats","version":"1.0.0","input":${inputText}}`);
  });

  it("contains the name of the key's variable instead of the key", () => {
    assert.match(command, /Bearer \$SKILL_REGISTRY_PROJECT_KEY"/);
  });

  it("avoids differences of fish and old bash between single quotes", () => {
    const text = curlCommand("https://a.example", {
      skillSlug: "a",
      version: "",
      inputText: '{"a": "\\\\ \\" !"}',
    });
    assert.ok(text.includes('{"a": "\\u005c \\" !"}'), text);
    const lines = curlCommand("https://a.example", {
      skillSlug: "a",
      version: "",
      inputText: '[\n"!"]',
    });
    assert.ok(lines.includes('[\n"\\u0021"]'), lines);
  });

  it("pipes a payload that is too long for an argument", () => {
    const long = (length: number) =>
      curlCommand("https://a.example", {
        skillSlug: "a",
        version: "",
        inputText: JSON.stringify("x".repeat(length)),
      });
    assert.match(long(29_000), /^curl .* --data-raw '/s);
    assert.match(long(30_000), /^printf '%s' '.*' \| curl .* --data-binary @-$/s);
  });
});
