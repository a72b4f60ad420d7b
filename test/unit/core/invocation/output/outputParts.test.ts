import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { imageHeader } from "../../../../../src/core/invocation/output/imageHeader";
import { longStrings, outputParts } from "../../../../../src/core/invocation/output/outputParts";
import type { JsonValue } from "../../../../../src/core/json/jsonValue";
import { jpegHead, onePoint, pngOf, webpHead } from "../../../../fixtures/images";

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");
const png = onePoint;
const long = "word ".repeat(30);

/** Output and schema in; out: each part, as its file name, its kind, and its size or text. */
const cases: [what: string, output: JsonValue, expected: string[], schema?: JsonValue][] = [
  ["a data URL", { a: `data:image/png;base64,${png}` }, ["a.png image 1x1"]],
  ["the output itself", `data:image/png;base64,${png}`, ["text.png image 1x1"]],
  ["parameters in it", { a: `data:image/png;name=x;base64,${png}` }, ["a.png image 1x1"]],
  [
    "a schema",
    { a: png },
    ["a.png image 1x1"],
    { properties: { a: { contentMediaType: "image/png", contentEncoding: "base64" } } },
  ],
  [
    "a schema that states the encoding alone",
    { a: png },
    ["a.png image 1x1"],
    { properties: { a: { contentEncoding: "base64" } } },
  ],
  [
    "a schema that states the type alone",
    { a: png },
    ["a.png image 1x1"],
    { properties: { a: { contentMediaType: "image/png" } } },
  ],
  [
    "content of the Model Context Protocol",
    { content: [{ type: "image", data: pngOf(200, 100, 60), mimeType: "image/png" }] },
    ["data.png image 200x100"],
  ],
  [
    "line ends in base64",
    { a: `data:image/png;base64,${png.slice(0, 8)}\n${png.slice(8)}` },
    ["a.png image 1x1"],
  ],
  [
    "more points than a page shows",
    { a: `data:image/png;base64,${pngOf(60_000, 60_000)}` },
    ["a.png file image/png"],
  ],
  [
    "a file",
    { a: `data:application/pdf;base64,${base64("%PDF-1.7")}` },
    ["a.pdf file application/pdf"],
  ],
  [
    "a program",
    { a: `data:application/x-sh;base64,${base64("rm -r /")}` },
    ["a.bin file application/x-sh"],
  ],
  [
    "a text in base64",
    { a: `data:text/csv;base64,${base64("a,b\n1,2")}` },
    ["a.csv text a,b\n1,2"],
  ],
  ["a text in a URL", { a: "data:,one%20two" }, ["a.txt text one two"]],
  [
    "an SVG image, which is a text",
    { a: `data:image/svg+xml;base64,${base64("<svg/>")}` },
    ["a.txt text <svg/>"],
  ],
  // Data whose stated type is wrong.
  [
    "a page as an image",
    { a: `data:image/png;base64,${base64(`<script>${long}`)}` },
    [`a.txt text data:image/png;base64,${base64(`<script>${long}`)}`],
  ],
  [
    "an image of another type",
    { a: `data:image/gif;base64,${pngOf(1, 1, 120)}` },
    [`a.txt text data:image/gif;base64,${pngOf(1, 1, 120)}`],
  ],
  ["what is not base64", { a: "data:image/png;base64,<script>" }, []],
  ["broken escapes", { a: "data:,%E0%A4%A" }, []],
  ["a name beside a media type", { name: "test", mimeType: "image/png" }, []],
  ["a URL elsewhere", { a: "https://example.com/a.png" }, []],
];

describe("the parts of an output with a preview of their own", () => {
  for (const [what, output, expected, schema] of cases) {
    it(`are found in ${what}`, () => {
      const found = outputParts(JSON.stringify(output), schema);
      assert.deepEqual(
        found.map(({ fileName, content }) => {
          if (content.kind === "text") return `${fileName} text ${content.text}`;
          if (content.kind === "file") return `${fileName} file ${content.mediaType}`;
          return `${fileName} image ${content.width}x${content.height}`;
        }),
        expected,
      );
    });
  }

  it("have their decoded size, and base64 without white space", () => {
    const [part] = outputParts(
      JSON.stringify(`data:image/png;base64, ${png.match(/.{1,9}/g)?.join("\n")}`),
    );
    assert.ok(part?.content.kind === "image");
    assert.equal(part.content.base64, png);
    assert.equal(part.content.bytes, Buffer.from(png, "base64").length);
  });

  it("are not offered as long texts if they are images or were decoded", () => {
    const output = JSON.stringify({
      a: pngOf(1, 1, 300),
      mime_type: "image/png",
      b: "data:,one",
      c: long,
    });
    assert.deepEqual(
      longStrings(output).map(({ pointer }) => pointer),
      ["/c"],
    );
  });
});

describe("the header of an image", () => {
  const headers: readonly (readonly [string, Uint8Array, string | undefined])[] = [
    ["PNG", Buffer.from(pngOf(640, 480), "base64"), "image/png 640x480"],
    ["GIF", Buffer.from("GIF89a\x40\x01\xf0\x00", "latin1"), "image/gif 320x240"],
    ["JPEG", jpegHead(1024, 768), "image/jpeg 1024x768"],
    [
      "WebP, lossy",
      webpHead("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, 0x20, 0x03, 0x58, 0x02]),
      "image/webp 800x600",
    ],
    ["WebP, lossless", webpHead("VP8L", [0x2f, 0x1f, 0xc3, 0x95, 0x00]), "image/webp 800x600"],
    [
      "WebP, extended",
      webpHead("VP8X", [0, 0, 0, 0, 0x1f, 0x03, 0, 0x57, 0x02, 0]),
      "image/webp 800x600",
    ],
    ["a PNG without points", Buffer.from(pngOf(0, 5), "base64"), undefined],
    ["a PNG that is cut off", Buffer.from(pngOf(5, 5), "base64").subarray(0, 14), undefined],
    ["a JPEG without a size", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0xff, 0xff]), undefined],
    ["nothing", new Uint8Array(), undefined],
    ["a page", Buffer.from("<!doctype html>"), undefined],
  ];
  for (const [what, bytes, expected] of headers) {
    it(`of ${what} has the type ${expected ?? "nothing"}`, () => {
      const found = imageHeader(bytes);
      assert.equal(found && `${found.mediaType} ${found.width}x${found.height}`, expected);
    });
  }
});
