import { dayMs } from "../../../core/text/dates";
import { SkillFailure, type SkillRun } from "../skillRun";

interface Input {
  readonly symbols: readonly string[];
  readonly from: string;
  readonly to?: string;
  readonly interval?: "day" | "week" | "month";
}

const days = { day: 1, week: 7, month: 30 };
/** More than the trading days of a year. */
const maxPrices = 400;

/** Invents prices, always the same ones. As a sample, it sends no request to an exchange. */
export const run: SkillRun<Input> = ({ symbols, from, to, interval = "day" }, { now }) => {
  const start = Date.parse(from);
  const end = to === undefined ? now() : Date.parse(to);
  if (!(start <= end)) throw new SkillFailure("There is no day between “from” and “to”.");
  const step = days[interval] * dayMs;
  const count = Math.floor((end - start) / step) + 1;
  if (count > maxPrices)
    throw new SkillFailure(`These are ${count} prices, more than ${maxPrices}.`);
  const series = symbols.map((symbol) => ({
    symbol,
    prices: Array.from({ length: count }, (_, index) => priceOf(symbol, start / dayMs + index)),
  }));
  return { series };
};

/** Returns a price with two decimals that depends on the symbol and changes a little every day. */
function priceOf(symbol: string, day: number): number {
  const letters = [...symbol].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
  const cents = 2000 + ((letters * 97) % 6000) + Math.round(150 * Math.sin(day / 5 + letters));
  return cents / 100;
}
