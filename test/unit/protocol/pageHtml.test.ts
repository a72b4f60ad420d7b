import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { pageHtml } from "../../../src/protocol/pageHtml";
import { hostileTexts } from "../../webview/hostileTexts";

const frame = {
  script: "https://page.test/skillPage.js",
  style: "main { margin: 0; }",
  nonce: "bm9uY2U",
  lang: "de",
  title: "text-stats",
  first: undefined,
  words: {},
};

describe("pageHtml", () => {
  it("allows only its one script and the style sheet inside it", () => {
    const html = pageHtml(frame);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
    assert.deepEqual(policy.replaceAll("&#39;", "'").split("; "), [
      "default-src 'none'",
      "script-src 'nonce-bm9uY2U'",
      "style-src 'nonce-bm9uY2U'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.deepEqual(html.match(/<script[^>]*>/g), [
      `<script defer nonce="bm9uY2U" src="${frame.script}">`,
    ]);
    assert.equal(html.match(/<style/g)?.length, 1);
    assert.doesNotMatch(html, /\son\w+=|javascript:|style=|href=/);
  });

  it("keeps style and data inside their elements, whatever they contain", () => {
    for (const text of [...hostileTexts, "</style>", "<!--<script>"]) {
      const first = { type: "snapshot", page: { kind: "loading", slug: text } } as const;
      const html = pageHtml({ ...frame, style: `a::after { content: '${text}' }`, first });
      assert.equal(html.match(/<\/style/g)?.length, 1);
      const data = /<script type="application\/json" id="first">(.*)<\/script>/.exec(html)?.[1];
      assert.deepEqual(JSON.parse(data ?? ""), first);
      assert.doesNotMatch(data ?? "", /</);
    }
  });

  it("contains the page's texts once as data, and none in English", () => {
    const words = { Overview: "</script>" };
    const html = pageHtml({ ...frame, words });
    const data = /<script type="application\/json" id="words">(.*?)<\/script>/.exec(html)?.[1];
    assert.deepEqual(JSON.parse(data ?? ""), words);
    assert.doesNotMatch(pageHtml(frame), /id="words"/);
  });

  it("shows the title as text", () => {
    const html = pageHtml({ ...frame, title: `</title><script>"'&` });
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.match(html, /<title>&#60;\/title&#62;&#60;script&#62;&#34;&#39;&#38;<\/title>/);
  });
});
