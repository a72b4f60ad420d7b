import assert from "node:assert/strict";
import fc from "fast-check";
import { marked } from "marked";
import { describe, it } from "mocha";
import {
  dialogText,
  labelText,
  markdownText,
  notificationText,
  oneLine,
  shortened,
} from "../../../../src/core/text/plainText";

// The patterns that the editor searches for, from its own source: links in notifications, icons in labels.
const notificationLink =
  /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
const labelIcon = /\$\([A-Za-z0-9-]+(?:~[A-Za-z]+)?\)/;

describe("plainText", () => {
  const lines: [string, string, string][] = [
    ["line breaks and tabs", "a\r\n\rb\n\tc  d", "a b c d"],
    ["a text direction override", "safe\u202Egpj.exe", "safe\\u202Egpj.exe"],
    ["an isolate", "a\u2067b\u2069", "a\\u2067b\\u2069"],
    ["zero-width characters", "pay\u200Bpal\uFEFF\u2060", "pay\\u200Bpal\\uFEFF\\u2060"],
    ["a zero-width joiner between letters", "a\u200Db", "a\\u200Db"],
    ["an emoji made of two", "👩\u200D💻 ❤\uFE0F", "👩\u200D💻 ❤\uFE0F"],
    ["a non-joiner of Persian writing", "می\u200Cخواهم", "می\u200Cخواهم"],
    ["control characters", "a\u0000b\u001B[31mc\u0085", "a\\u0000b\\u001B[31mc\\u0085"],
    ["tag characters", "a\u{E0041}", "a\\u{E0041}"],
    ["a lone surrogate", "a\uD800", "a\\uD800"],
    ["a line separator", "a\u2028b", "a\\u2028b"],
    ["Arabic and Hebrew words", "سلام שלום", "سلام שלום"],
  ];
  for (const [what, text, expected] of lines) {
    it(`puts ${what} on one line`, () => assert.equal(oneLine(text), expected));
  }

  it("truncates long text", () => {
    assert.equal(oneLine("abcdef", 6), "abcdef");
    assert.equal(oneLine("abcdefg", 6), "abcde…");
    assert.equal(oneLine(`${"x".repeat(1_000_000)}`, 6), "xxxxx…");
    assert.equal([...oneLine("😀😀😀😀", 3)].length, 3);
    assert.equal(oneLine(" ".repeat(1000), 10), "…");
  });

  for (const [text, maxLength, expected] of [
    ["abcdef", 6, "abcdef"],
    ["abcdefg", 6, "abcde…"],
    ["a😀b", 4, "a😀b"],
    ["a😀bc", 4, "a😀…"],
    ["a😀bc", 3, "a…"],
    ["ab", 1, "…"],
    ["ab", 0, "…"],
    ["", 0, ""],
  ] as const) {
    it(`shortens ${text} to ${maxLength}`, () =>
      assert.equal(shortened(text, maxLength), expected));
  }

  it("never gives a notification a link", () => {
    const hostile = [
      "[x](command:workbench.action.quit)",
      "[x](file:///etc/passwd)",
      '[x](https://evil.example "title")',
      "[x]\n(command:a)",
      "[[x](command:a)](command:b)",
      "[x]]((command:a)](command:b)",
    ];
    for (const text of hostile) assert.doesNotMatch(notificationText(text), notificationLink);
    const near = fc.string({
      unit: fc.constantFrom("[", "]", "(", ")", "a", "command:", " ", "\n"),
    });
    fc.assert(fc.property(near, (text) => !notificationLink.test(notificationText(text))));
  });

  it("keeps a notification short", () => {
    assert.equal(notificationText("[x](command:a)").replace(/\s/g, ""), "[x](command:a)");
  });

  it("keeps each line of a dialog on one line", () => {
    const secret = "Uses KEY\n\nCost: nothing.\u202Egnp";
    assert.equal(dialogText([secret, "b"]), "Uses KEY Cost: nothing.\\u202Egnp\n\nb");
    assert.equal(dialogText([["a\nb", "", "c\u2028d"], "e"]), "a b\n\nc\\u2028d\n\ne");
    assert.equal(dialogText(["", "a", [], "b"]), "a\n\nb");
    // The lines of a payload keep their indentation, with spaces that no editor collapses.
    assert.equal(dialogText([["{", '  "a": 1', "}"]]), '{\n\u00a0\u00a0"a": 1\n}');
    assert.equal(dialogText([`${" ".repeat(500)}a`]).length, 17);
    assert.doesNotMatch(dialogText(["[x](command:a)"]), notificationLink);
  });

  it("keeps a dialog within the screen", () => {
    assert.equal(dialogText([["x".repeat(20_000), "y"]]), `${"x".repeat(299)}…\ny`);
    assert.equal(dialogText(["x".repeat(20_000)], 1000), `${"x".repeat(999)}…`);
    const lines = Array.from({ length: 1000 }, (_, at) => `${at}`);
    assert.equal(dialogText([lines]), [...lines.slice(0, 30), "…"].join("\n"));
    assert.equal(dialogText([lines.slice(0, 30)]), lines.slice(0, 30).join("\n"));
    assert.equal(dialogText(lines).split("\n").length, 31);
  });

  it("never gives a label an icon", () => {
    for (const text of ["$(trash)", "$($(trash))", "\\$(sync~spin)", "$\u200B(x)", "$\n(x)"]) {
      assert.doesNotMatch(labelText(text), labelIcon);
    }
    const near = fc.string({ unit: fc.constantFrom("$", "(", ")", "a", "~", "\\", " ") });
    fc.assert(fc.property(near, (text) => !labelIcon.test(labelText(text))));
    assert.equal(labelText("costs $5 (net)"), "costs $5 (net)");
  });

  it("shows text literally as Markdown", () => {
    const hostile = [
      "[x](command:workbench.action.quit)",
      "![x](https://evil.example/pixel.png)",
      "https://evil.example www.evil.example someone@evil.example",
      '<img src=x onerror="alert(1)"> &lt; &amp;amp;',
      "# a\n- b\n1. c\n> d\n---\n===\n| a | b |\n|---|---|\n```\nx\n```\n    code",
      "*a* _b_ ~~c~~ `d` **e** \\*f\\*",
      "[ref]\n\n[ref]: https://evil.example",
      "$(trash) \\$(trash) $(sync~spin)",
      "- [ ] todo\n+ a\n* b\n2) c",
    ];
    for (const text of hostile) assert.equal(shown(text), visible(text), text);
    const piece = fc.constantFrom(..."\\`*_{}[]()<>#+-.!|~:/&$;@='\"\n 1a", "http://", "www.");
    fc.assert(fc.property(fc.string({ unit: piece }), (text) => shown(text) === visible(text)));
  });

  it("leaves nothing in Markdown that becomes an icon", () => {
    const html = marked.parse(markdownText("$(trash) \\$(trash)"), { async: false });
    assert.doesNotMatch(html, labelIcon);
  });
});

// Returns the text that a reader sees, if the Markdown has nothing but paragraphs and lines.
function shown(text: string): string {
  const html = marked.parse(markdownText(text), { async: false, gfm: true });
  const bare = html.replace(/<\/?p>|<br>/g, "");
  assert.doesNotMatch(bare, /<[a-z/!]/i, html);
  const characters = bare.replace(/&(?:#(\d+)|(lt|gt|amp|quot));/g, (_all, code, name) =>
    code === undefined
      ? ({ lt: "<", gt: ">", amp: "&", quot: '"' }[String(name)] ?? "")
      : String.fromCharCode(Number(code)),
  );
  return characters.replace(/\s/g, "");
}

function visible(text: string): string {
  return text.replace(/\s/g, "");
}
