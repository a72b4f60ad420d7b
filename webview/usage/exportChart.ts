import { svgElement } from "../element";

/** The style properties to copy into an exported chart, since a file lacks the page's style sheet. */
const looks = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "opacity",
] as const;

/** Converts a visible chart to a standalone SVG file with its colors on the screen. */
export function chartAsSvg(shown: Element): string {
  const copy = shown.cloneNode(true) as Element;
  const originals = [shown, ...shown.querySelectorAll("*")];
  for (const [index, part] of [copy, ...copy.querySelectorAll("*")].entries()) {
    const original = originals[index];
    if (original === undefined || part.localName === "title") continue;
    const style = getComputedStyle(original);
    for (const name of looks) {
      // References to patterns stay bare IDs; the computed style would add the page's address.
      if (name === "fill" && part.hasAttribute("fill")) continue;
      part.setAttribute(name, plainColor(style.getPropertyValue(name)));
    }
    part.removeAttribute("class");
    part.removeAttribute("data-record");
  }
  const fill = getComputedStyle(document.body).backgroundColor;
  copy.prepend(svgElement("rect", { width: "100%", height: "100%", fill }));
  return new XMLSerializer().serializeToString(copy);
}

/** Converts a mixed color to `rgb()`, which every program reads. Returns other values unchanged. */
function plainColor(value: string): string {
  const [, ...shares] = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)\)$/.exec(value) ?? [];
  if (shares.length === 0) return value;
  return `rgb(${shares.map((share) => Math.round(Number(share) * 255)).join(", ")})`;
}

/** Draws a chart as PNG at twice its size, for dense screens. Resolves to base64. Rejects if it cannot be drawn. */
export async function chartAsPng(shown: Element): Promise<string> {
  const { width, height } = shown.getBoundingClientRect();
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(chartAsSvg(shown))}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(width * 2);
  canvas.height = Math.ceil(height * 2);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "");
}
