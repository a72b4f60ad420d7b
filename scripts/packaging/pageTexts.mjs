/**
 * Lists those of `texts` that a script contains as whole literals, as esbuild writes them. A page only gets these
 * translations; all together are ten times as many.
 */
export function textsIn(script, texts) {
  const plain = script.replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(.))/gis, decoded);
  return texts.filter((text) => quotes.some((quote) => plain.includes(quote + text + quote)));
}

const quotes = ['"', "'", "`"];
const named = { n: "\n", r: "\r", t: "\t" };

function decoded(_whole, braced, four, two, one) {
  const code = braced ?? four ?? two;
  return code === undefined ? (named[one] ?? one) : String.fromCodePoint(Number.parseInt(code, 16));
}
