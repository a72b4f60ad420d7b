import { isJsonObject } from "../../json/jsonValue";

/** So many properties are tried; what is left then stays. */
const maxTries = 200;

/**
 * Takes properties out of a value as long as `fits` holds for the whole of it, the last ones first:
 * what another branch required on the way to this value is dropped. A value that does not fit
 * is returned as it is, and so are lists that stand in `given` values: they are better examples.
 */
export function pruneSample(
  value: unknown,
  fits: (value: unknown) => boolean,
  given: readonly unknown[] = [],
): unknown {
  let tries = maxTries;
  const kept = listsIn(given);
  const lean = (part: unknown, isEnough: (part: unknown) => boolean): unknown => {
    if (kept.has(part)) return part;
    if (Array.isArray(part)) {
      let items: readonly unknown[] = part;
      for (const index of part.keys()) {
        const put = (item: unknown) => items.with(index, item);
        items = put(lean(items[index], (item) => isEnough(put(item))));
      }
      return items;
    }
    if (!isJsonObject(part)) return part;
    let members: [string, unknown][] = Object.entries(part);
    const whole = (list: readonly [string, unknown][]) => isEnough(Object.fromEntries(list));
    for (const name of Object.keys(part).reverse()) {
      const without = members.filter(([other]) => other !== name);
      if (tries <= 0) break;
      tries -= 1;
      if (whole(without)) members = without;
    }
    for (const [name, inner] of members) {
      const put = (value: unknown) =>
        members.map((member): [string, unknown] => (member[0] === name ? [name, value] : member));
      members = put(lean(inner, (value) => whole(put(value))));
    }
    return Object.fromEntries(members);
  };
  return fits(value) ? lean(value, fits) : value;
}

/** More values than these are not looked through. */
const maxLooked = 10_000;

function listsIn(values: readonly unknown[]): Set<unknown> {
  const lists = new Set<unknown>();
  const open = [...values];
  for (let looked = 0; open.length > 0 && looked < maxLooked; looked += 1) {
    const value = open.pop();
    if (Array.isArray(value)) lists.add(value);
    else if (isJsonObject(value)) open.push(...Object.values(value).slice(0, maxLooked));
  }
  return lists;
}
