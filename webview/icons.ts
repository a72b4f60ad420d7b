import type { ChangeText } from "../src/core/skill/compare/versionDifference";
import type { FactSign, Sign, Tone } from "../src/core/skill/verification";
import { type Content, element, svgElement } from "./element";

// Drawn on a 16 × 16 grid with strokes of 1.3. Shapes differ even without color.
const paths = {
  good: "M8 1.7a6.3 6.3 0 1 0 .001 0ZM5.1 8.2l2 2 3.9-4.1",
  shield:
    "M8 1.7 13.5 4v4c0 3.2-2.3 5.4-5.5 6.5C4.8 13.4 2.5 11.2 2.5 8V4ZM5.4 8.1l1.9 1.9 3.4-3.7",
  pending: "M8 1.7a6.3 6.3 0 1 0 .001 0Z",
  neutral: "M8 1.7a6.3 6.3 0 1 0 .001 0ZM6.2 6.3a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2M8 11v.3",
  caution: "M8 2.2 14.3 13.3H1.7ZM8 6.4v3.2M8 11.2v.3",
  bad: "M8 1.7a6.3 6.3 0 1 0 .001 0ZM3.7 3.7l8.6 8.6",
  yes: "M3 8.5 6.3 12 13 4.5",
  no: "M3.5 8h9",
  play: "M4 2.5v11l9-5.5Z",
  create: "M3 1.7h6.5L13 5.2v9.1H3ZM9 1.7v4h4M8 7.5v4.6M5.7 9.8h4.6",
  edit: "M2.5 13.5 3.3 10.2 10.8 2.7l2.5 2.5-7.5 7.5ZM9.3 4.2l2.5 2.5",
  terminal: "M1.7 2.7h12.6v10.6H1.7ZM4.3 5.7 6.7 8l-2.4 2.3M8 10.5h3.5",
  copy: "M5.5 5.5V1.7h8.8v8.8h-3.8M1.7 5.5h8.8v8.8H1.7Z",
  find: "M7 1.9a5 5 0 1 0 .001 0ZM10.6 10.5l3.9 3.8",
  open: "M6.5 2.7H2.7v10.6h10.6V9.5M9 2.2h4.8V7M13.5 2.5 7.5 8.5",
  publisher: "M8 1.7a2.9 2.9 0 1 0 .001 0ZM2.5 14.3c0-3.3 2.3-5.3 5.5-5.3s5.5 2 5.5 5.3",
  compare: "M5 2v9.5M2.5 9 5 11.5 7.5 9M11 14V4.5M8.5 7 11 4.5 13.5 7",
  differs: "M3 6h10M3 10h10M11 2.5l-6 11",
  added: "M8 3v10M3 8h10",
  removed: "M3 8h10",
  tightened: "M8 2.5v7M5 6.7l3 2.9 3-2.9M3 13.2h10",
  loosened: "M8 10.5v-7M5 6.3l3-2.9 3 2.9M3 13.2h10",
  changed: "M3 6h9.5L10 3.5M13 10H3.5L6 12.5",
} as const;

/** The icons of the page. */
export type IconName = keyof typeof paths;

/** Draws an icon in the color of the surrounding text. The text always carries the meaning too. */
export function icon(name: IconName, slot?: string): SVGElement {
  return drawing(`icon icon-${name}`, [paths[name]], { slot });
}

/** Draws the icon of a tone. */
export function toneIcon(tone: Tone): SVGElement {
  return drawing(`icon icon-${tone} tone-${tone}`, [paths[tone]]);
}

const signIcons = {
  shield: "shield",
  pass: "good",
  pending: "pending",
  caution: "caution",
  stop: "bad",
  unknown: "neutral",
} as const satisfies Record<Sign, IconName>;

/** Draws the icon of a fact about trust. */
export function factIcon({ sign, tone }: FactSign): SVGElement {
  const name = signIcons[sign];
  return drawing(`icon icon-${name} tone-${tone}`, [paths[name]]);
}

/** Creates content preceded by the icon of its tone. */
export function noted(tone: Tone, content: Content, tag: "span" | "strong" = "span"): HTMLElement {
  return element("p", { class: "warning" }, toneIcon(tone), element(tag, {}, content));
}

/** Draws the icon of a kind of change. */
export function changeIcon(kind: ChangeText["kind"]): SVGElement {
  return drawing(`icon icon-${kind}`, [paths[kind === "unknown" ? "neutral" : kind]]);
}

/** Draws three rising bars and fills them up to the permission level: 0 (unknown) to 3. */
export function levelIcon(bars: number, tone: Tone): SVGElement {
  const shapes = ["M2.2 10.2h2.6v3.6H2.2Z", "M6.7 6.2h2.6v7.6H6.7Z", "M11.2 2.2h2.6v11.6h-2.6Z"];
  return drawing(`icon tone-${tone}`, shapes, { filled: bars });
}

function drawing(
  className: string,
  shapes: readonly string[],
  { slot, filled = 0 }: { readonly slot?: string | undefined; readonly filled?: number } = {},
): SVGElement {
  return svgElement(
    "svg",
    {
      class: className,
      viewBox: "0 0 16 16",
      "aria-hidden": "true",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": "1.3",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      slot,
    },
    ...shapes.map((d, index) =>
      svgElement("path", { d, fill: index < filled ? "currentColor" : undefined }),
    ),
  );
}
