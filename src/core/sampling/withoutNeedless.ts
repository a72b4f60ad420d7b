import { isJsonObject } from "../jsonSchema/jsonValue";

/** So many properties are tried; what is left then stays. */
const maxTries = 200;

/**
 * Takes properties out of a value as long as `fits` holds for the whole of it, the last ones first:
 * what another branch asked for on the way to this value is so not kept. A value that does not fit
 * comes back as it is.
 */
export function withoutNeedless(value: unknown, fits: (value: unknown) => boolean): unknown {
  let tries = maxTries;
  const lean = (part: unknown, isEnough: (part: unknown) => boolean): unknown => {
    if (Array.isArray(part)) {
      let items: readonly unknown[] = part;
      for (const index of part.keys()) {
        const put = (item: unknown) => items.with(index, item);
        items = put(lean(items[index], (item) => isEnough(put(item))));
      }
      return items;
    }
    if (!isJsonObject(part)) return part;
    let members = Object.entries(part);
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
