/** Shortens a text to `maxLength` characters, with `…` at the end where something was cut. */
export type Shorten = (text: string, maxLength: number) => string;

/** Makes a `Shorten` that lets through `budget` characters in all; once they are used up, only `…`. */
export function textBudget(budget: number): Shorten {
  let left = budget;
  return (text, maxLength) => {
    const room = Math.min(left, maxLength);
    const shown = text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
    left = Math.max(0, left - shown.length);
    return shown;
  };
}
