import type { Invocation } from "./invocation";

/**
 * Writes the body of an invocation. The input goes in exactly as typed, so that big integers, number
 * spelling and key order survive; an empty version is left out. Throws where the input is not one
 * JSON value: such text could change the body around it and must be refused before.
 */
export function invokeBody(call: Invocation): string {
  JSON.parse(call.inputText);
  const version = call.version === "" ? "" : `"version":${JSON.stringify(call.version)},`;
  return `{"skillSlug":${JSON.stringify(call.skillSlug)},${version}"input":${wellFormed(call.inputText)}}`;
}

/** Half a surrogate pair has no UTF-8 form. As an escape, possible in strings alone, it keeps its value. */
function wellFormed(text: string): string {
  if (!/[\ud800-\udfff]/.test(text)) return text;
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}
