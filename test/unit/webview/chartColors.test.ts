import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "mocha";
import { type PageTheme, type ThemeName, themes } from "../../webview/themes";

/** Shares of red, green and blue, 0 to 1. */
type Rgb = readonly [number, number, number];
type Matrix = readonly [Rgb, Rgb, Rgb];

/** The colors of linear light that readers see: Machado, Oliveira and Fernandes 2009, at full severity. */
const readers: Readonly<Record<string, Matrix>> = {
  "all colors": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  "no red": [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  "no green": [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  "no blue": [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const css = readFileSync("webview/styles/charts.css", "utf8");
const mixes = [
  ...css.matchAll(
    /^\.s\d \{\s+--series: color-mix\(in srgb, var\(--vscode-(charts-\w+)\) (\d+)%, var\(--vscode-foreground\)\);\s+\}/gm,
  ),
].map(([, color = "", percent = ""]) => ({ color, share: Number(percent) / 100 }));

function colorsIn({ colors }: PageTheme): readonly Rgb[] {
  const text = rgbOf(colors["foreground"]);
  return mixes.map(({ color, share }) => {
    const own = rgbOf(colors[color]);
    return map((place) => own[place] * share + text[place] * (1 - share));
  });
}

const [, percentOfText = "0"] =
  /^\.notSent \{\s+--series: color-mix\(in srgb, var\(--vscode-foreground\) (\d+)%, var\(--vscode-editor-background\)\)/m.exec(
    css,
  ) ?? [];

/** Returns the colors of the outcomes: succeeded, failed, undecided, not sent. */
function outcomesIn({ colors }: PageTheme): readonly Rgb[] {
  const [text, ground] = [rgbOf(colors["foreground"]), rgbOf(colors["editor-background"])];
  const share = Number(percentOfText) / 100;
  const gray = map((place) => text[place] * share + ground[place] * (1 - share));
  return [rgbOf(colors["charts-blue"]), rgbOf(colors["charts-red"]), text, gray];
}

function rgbOf(hex = ""): Rgb {
  return map((place) => Number.parseInt(hex.slice(1 + 2 * place, 3 + 2 * place), 16) / 255);
}

function map(value: (place: 0 | 1 | 2) => number): Rgb {
  return [value(0), value(1), value(2)];
}

function linear(color: Rgb): Rgb {
  return map((place) => {
    const share = color[place];
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio by WCAG 2. */
function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(linear(one)), luminance(linear(other))].sort(
    (a, b) => a - b,
  );
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the color that a reader sees, in CIELAB. */
function seen(color: Rgb, matrix: Matrix): Rgb {
  const light = linear(color);
  const [red, green, blue] = map((row) => {
    const [r, g, b] = matrix[row];
    return Math.min(1, Math.max(0, r * light[0] + g * light[1] + b * light[2]));
  });
  const part = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = part((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = part(luminance([red, green, blue]));
  const z = part((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function distance(one: Rgb, other: Rgb): number {
  return Math.hypot(...map((place) => one[place] - other[place]));
}

describe("the colors of charts", () => {
  it("are four, each drawn plain and dotted", () => {
    assert.equal(mixes.length, 4);
  });

  for (const name of Object.keys(themes) as ThemeName[]) {
    const theme: PageTheme = themes[name];
    for (const [of, colors] of [
      ["skills", colorsIn(theme)],
      ["outcomes", outcomesIn(theme)],
    ] as const) {
      it(`of ${of} contrast with the background of ${name}`, () => {
        const ground = rgbOf(theme.colors["editor-background"]);
        for (const [at, color] of colors.entries()) {
          assert.ok(contrast(color, ground) >= 3, `${at}: ${contrast(color, ground)}`);
        }
      });

      for (const [reader, matrix] of Object.entries(readers)) {
        it(`of ${of} differ from each other in ${name} for a reader who sees ${reader}`, () => {
          for (const [at, color] of colors.entries()) {
            for (const [before, other] of colors.slice(0, at).entries()) {
              const apart = distance(seen(color, matrix), seen(other, matrix));
              assert.ok(apart >= 20, `${before} and ${at}: ${apart}`);
            }
          }
        });
      }
    }
  }
});
