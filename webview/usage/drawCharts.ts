import {
  type BarSeries,
  type DurationDot,
  niceTicks,
  powerTicks,
  type SkillDurations,
  type StackedBars,
  stackHeight,
  thinnedDots,
} from "../../src/core/invocation/usage/usageCharts";
import { shortened } from "../../src/core/text/plainText";
import { svgElement } from "../element";

/** The context of every chart. */
interface ChartFrame {
  /** In pixels. */
  readonly width: number;
  /** The text for screen readers. */
  readonly label: string;
  /** Keeps the IDs of this chart's patterns unique in the page. */
  readonly id: string;
}

/** The texts and colors of a chart of bars. */
interface BarsLook extends ChartFrame {
  readonly valueText: (value: number) => string;
  readonly categoryText: (category: string) => string;
  readonly seriesText: (series: string) => string;
  /** Returns the label of an expected amount; `text` describes the amount. */
  readonly expectedText: (text: string) => string;
  /** Returns the class that colors a series. */
  readonly classOf: (series: string) => string;
  /** A line that all bars are compared with, and its name. */
  readonly limit?: { readonly value: number; readonly name: string } | undefined;
}

/** The height of a chart over days and the margins around its bars, in pixels. */
const height = 220;
const top = 16;
const bottom = 26;
const side = 8;
/** The approximate width of a character, by which labels are truncated. */
const characterWidth = 7;
/**
 * A limit above this multiple of the largest bar is not drawn, since it would squeeze the bars into a quarter of the
 * height.
 */
const farthestLimit = 4;

/** Returns whether a limit is close enough to the bars to be drawn. */
export function isLimitDrawn(chart: StackedBars, limit: number): boolean {
  const largest = largestStack(chart);
  return limit > 0 && largest > 0 && limit <= largest * farthestLimit;
}

/** Draws stacked bars over days. Expected amounts are hatched, on top of their series. */
export function drawBars(chart: StackedBars, look: BarsLook): SVGElement {
  const { categories, series } = chart;
  const limit = look.limit !== undefined && isLimitDrawn(chart, look.limit.value) && look.limit;
  const ticks = niceTicks(Math.max(largestStack(chart), limit ? limit.value : 0), 4);
  const highest = ticks.at(-1) ?? 1;
  const longest = Math.max(...ticks.map((tick) => look.valueText(tick).length));
  const axisWidth = longest * characterWidth + side;
  const room = Math.max(1, look.width - axisWidth - side);
  const y = (value: number) => top + (height - top - bottom) * (1 - value / highest);
  const step = room / Math.max(1, categories.length);
  const barWidth = Math.max(1, Math.min(48, step * 0.8));
  const bars = categories.flatMap((category, place) => {
    const x = axisWidth + step * place + (step - barWidth) / 2;
    let below = 0;
    return partsOf(series, place, look).map(({ value, fill, description }) => {
      const from = y(below);
      below += value;
      const rect = { x: px(x), y: px(y(below)), width: px(barWidth), height: px(from - y(below)) };
      const title = `${look.categoryText(category)} · ${description}`;
      return svgElement("rect", { ...fill, ...rect }, svgElement("title", {}, title));
    });
  });
  const every = Math.max(1, Math.ceil(62 / step));
  const days = categories.flatMap((category, place) => {
    // Labels every nth day, counted back from the newest.
    if ((categories.length - 1 - place) % every !== 0) return [];
    const middle = axisWidth + step * (place + 0.5);
    return textAt(
      Math.min(middle, look.width - 24),
      height - 8,
      look.categoryText(category),
      "middle",
    );
  });
  const axis = ticks.flatMap((tick) => [
    line(axisWidth, y(tick), look.width - side, y(tick), "grid"),
    textAt(axisWidth - 6, y(tick) + 4, look.valueText(tick), "end"),
  ]);
  const limitLine = limit
    ? [
        line(axisWidth, y(limit.value), look.width - side, y(limit.value), "limit"),
        // At the top instead of on the line, where it could overlap the bars.
        textAt(look.width - side, 11, limit.name, "end"),
      ]
    : [];
  return svg(look, height, [patterns(series, look), ...axis, ...bars, ...days, ...limitLine]);
}

const rowHeight = 46;
/** The maximum length of a horizontal bar, and of one invocation in it, in pixels. A few must not look like many. */
const longestBar = 640;
const longestUnit = 24;

/** Draws horizontal stacked bars, each below its name. Bars of counts (`isCount`) are short if they count little. */
export function drawRows(chart: StackedBars, look: BarsLook, isCount = false): SVGElement {
  const { categories, series } = chart;
  const highest = Math.max(1, largestStack(chart));
  const room = look.width - side;
  const longest = Math.min(room, longestBar, isCount ? highest * longestUnit : longestBar);
  const rows = categories.flatMap((category, place) => {
    const y = rowHeight * place;
    let before = 0;
    const name = `${look.categoryText(category)}: ${look.valueText(stackHeight(chart, place))}`;
    return [
      textAt(0, y + 16, cut(name, room), "start"),
      ...partsOf(series, place, look).map(({ value, fill, description }) => {
        const x = (before / highest) * longest;
        before += value;
        const rect = {
          x: px(x),
          y: px(y + 22),
          width: px((value / highest) * longest),
          height: "16",
        };
        const title = `${look.categoryText(category)} · ${description}`;
        return svgElement("rect", { ...fill, ...rect }, svgElement("title", {}, title));
      }),
    ];
  });
  return svg(look, rowHeight * categories.length, rows);
}

interface DurationsLook extends ChartFrame {
  readonly durationText: (ms: number) => string;
  readonly skillText: (skill: string) => string;
  /** Returns the class that colors a skill. */
  readonly classOf: (skill: string) => string;
}

/** The maximum number of dots in a column of `dotColumn` pixels. More would cover each other. */
const maxDots = 2;
const dotColumn = 2;
const stripHeight = 54;

/**
 * Draws the durations of each skill's invocations on a logarithmic axis: a dot for each invocation, with the record's
 * ID in `data-record`, a line for the median, a dashed line for the 95th percentile.
 */
export function drawDurations(skills: readonly SkillDurations[], look: DurationsLook): SVGElement {
  const all = skills.flatMap(({ dots }) => [dots[0]?.ms ?? 1, dots.at(-1)?.ms ?? 1]);
  const ticks = powerTicks(Math.min(...all), Math.max(...all));
  const [first = 1] = ticks;
  const decades = Math.max(1, ticks.length - 1);
  const room = Math.max(1, look.width - 4 * side);
  const x = (ms: number) => 2 * side + (Math.log10(Math.max(first, ms) / first) / decades) * room;
  const end = stripHeight * skills.length;
  const grid = ticks.flatMap((tick, index) => [
    line(x(tick), 0, x(tick), end, "grid"),
    textAt(x(tick), end + 16, look.durationText(tick), anchorOf(index, ticks.length)),
  ]);
  const strips = skills.flatMap(({ skill, medianMs, p95Ms, dots }, row) => {
    const y = stripHeight * row;
    return [
      textAt(2 * side + 4, y + 14, cut(look.skillText(skill), room), "start"),
      // Spreads the dots of a column vertically, the same on every redraw.
      ...thinnedDots(dots, (ms) => x(ms) / dotColumn, maxDots).map((dot, place) =>
        dotAt(dot, x(dot.ms), y + 26 + ((place * 7) % 17), look.classOf(skill), look),
      ),
      line(x(medianMs), y + 20, x(medianMs), y + 48, "median"),
      line(x(p95Ms), y + 20, x(p95Ms), y + 48, "p95"),
    ];
  });
  return svg(look, end + 24, [...grid, ...strips]);
}

/** Draws a dot. Pressing it opens nothing if its record is not on this machine. */
function dotAt(
  { id, ms }: DurationDot,
  x: number,
  y: number,
  color: string,
  { durationText }: DurationsLook,
): SVGElement {
  const look = { class: `dot ${color}`, cx: px(x), cy: px(y), r: "3" };
  const record = id === "" ? {} : { "data-record": id };
  return svgElement("circle", { ...look, ...record }, svgElement("title", {}, durationText(ms)));
}

function anchorOf(index: number, count: number): "start" | "middle" | "end" {
  if (index === 0) return "start";
  return index === count - 1 ? "end" : "middle";
}

interface BarPart {
  readonly value: number;
  readonly fill: Readonly<Record<string, string>>;
  readonly description: string;
}

/** Lists the nonempty parts of a bar from its start. */
function partsOf(series: readonly BarSeries[], place: number, look: BarsLook): readonly BarPart[] {
  return series.flatMap(({ name, values, expected }, index) => {
    const color = look.classOf(name);
    const dots = isDotted(color) ? { fill: `url(#${look.id}-${index}-dots)` } : {};
    const value = values[place] ?? 0;
    const more = expected[place] ?? 0;
    const text = (part: number) => `${look.seriesText(name)}: ${look.valueText(part)}`;
    const hatch = { class: "bar", fill: `url(#${look.id}-${index})` };
    return [
      { value, fill: { class: `bar ${color}`, ...dots }, description: text(value) },
      { value: more, fill: hatch, description: look.expectedText(text(more)) },
    ].filter((part) => part.value > 0);
  });
}

/** Defines hatch patterns for expected amounts. Those of dotted series are mirrored. */
function patterns(series: readonly BarSeries[], { id, classOf }: BarsLook): SVGElement {
  const all = series.flatMap(({ name }, index) => {
    const color = classOf(name);
    const rect = (width: string) => svgElement("rect", { class: color, width, height: "6" });
    const hatch = pattern(`${id}-${index}`, isDotted(color) ? -45 : 45, rect("2.5"));
    const hole = svgElement("circle", { class: "hole", cx: "3", cy: "3", r: "1.3" });
    return isDotted(color) ? [hatch, pattern(`${id}-${index}-dots`, 45, rect("6"), hole)] : [hatch];
  });
  return svgElement("defs", {}, ...all);
}

function isDotted(color: string): boolean {
  return color.endsWith(" dotted");
}

function pattern(id: string, angle: number, ...content: readonly SVGElement[]): SVGElement {
  const tile = { width: "6", height: "6", patternUnits: "userSpaceOnUse" };
  return svgElement("pattern", { id, ...tile, patternTransform: `rotate(${angle})` }, ...content);
}

function largestStack(chart: StackedBars): number {
  return chart.categories.reduce((most, _, place) => Math.max(most, stackHeight(chart, place)), 0);
}

function svg(
  { width, label }: ChartFrame,
  height: number,
  content: readonly SVGElement[],
): SVGElement {
  const size = { width: px(width), height: px(height), viewBox: `0 0 ${px(width)} ${px(height)}` };
  return svgElement(
    "svg",
    { class: "chart", role: "img", "aria-label": label, ...size },
    ...content,
  );
}

function line(x1: number, y1: number, x2: number, y2: number, className: string): SVGElement {
  return svgElement("line", { class: className, x1: px(x1), y1: px(y1), x2: px(x2), y2: px(y2) });
}

function textAt(x: number, y: number, text: string, anchor: string): SVGElement {
  return svgElement("text", { x: px(x), y: px(y), "text-anchor": anchor }, text);
}

function cut(text: string, room: number): string {
  return shortened(text, Math.max(8, Math.floor(room / characterWidth)));
}

/** Rounds to half pixels, which is precise enough and keeps the SVG short. */
function px(value: number): string {
  return String(Math.round(value * 2) / 2);
}
