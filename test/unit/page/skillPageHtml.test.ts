import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { skillPageHtml } from "../../../src/page/firstView";

const frame = {
  script: "start();",
  style: "main { margin: 0; }",
  nonce: "bm9uY2U",
  lang: "de",
  title: "text-stats",
  first: undefined,
};

describe("skillPageHtml", () => {
  it("allows the one script and style sheet inside it, and nothing to be loaded", () => {
    const html = skillPageHtml(frame);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
    assert.deepEqual(policy.replaceAll("&#39;", "'").split("; "), [
      "default-src 'none'",
      "script-src 'nonce-bm9uY2U'",
      "style-src 'nonce-bm9uY2U'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.equal(html.match(/<style/g)?.length, 1);
    assert.doesNotMatch(html, /\son\w+=|javascript:|style=|src=|href=/);
  });

  it("lets a page of charts show pictures that it holds itself, and loads none", () => {
    const html = skillPageHtml({ ...frame, drawsImages: true });
    assert.match(html, /; img-src data:; /);
  });

  it("keeps script and style inside their elements, whatever they say", () => {
    const script = 'say("</script><script>x()</script>", /<!--/)';
    const html = skillPageHtml({ ...frame, script, style: "a::after { content: '</style>' }" });
    assert.equal(html.match(/<\/script/g)?.length, 1);
    assert.equal(html.match(/<\/style/g)?.length, 1);
    const kept = /<script nonce="bm9uY2U">(.*)<\/script>/.exec(html)?.[1] ?? "";
    const t = (text: string, pattern: RegExp) => [text, pattern.test("<!--")];
    assert.deepEqual(new Function("say", `return ${kept}`)(t), [
      "</script><script>x()</script>",
      true,
    ]);
  });

  it("shows the title as text", () => {
    const html = skillPageHtml({ ...frame, title: `</title><script>"'&` });
    assert.equal(html.match(/<script/g)?.length, 1);
    assert.match(html, /<title>&#60;\/title&#62;&#60;script&#62;&#34;&#39;&#38;<\/title>/);
  });
});
