import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { skillPageHtml } from "../../../src/host/inspect/skillPageHtml";

const frame = {
  scriptUri: "https://file.example/skillPage.js",
  styleUri: "https://file.example/skillPage.css",
  cspSource: "https://*.file.example",
  nonce: "bm9uY2U",
  lang: "de",
  title: "text-stats",
};

describe("skillPageHtml", () => {
  it("allows one script and one style sheet, and nothing else", () => {
    const html = skillPageHtml(frame);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
    assert.deepEqual(policy.replaceAll("&#39;", "'").split("; "), [
      "default-src 'none'",
      "script-src 'nonce-bm9uY2U'",
      "style-src https://*.file.example 'nonce-bm9uY2U'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.doesNotMatch(html, /<style|\son\w+=|javascript:|style=/);
  });

  it("shows the title as text", () => {
    const html = skillPageHtml({ ...frame, title: `</title><script>"'&` });
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.match(html, /<title>&#60;\/title&#62;&#60;script&#62;&#34;&#39;&#38;<\/title>/);
  });
});
