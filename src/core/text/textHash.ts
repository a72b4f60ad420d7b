/**
 * Returns a hash of 106 bits: two rounds of FNV-1a over UTF-16 units, 53 bits each. It does not resist attackers, so
 * only the decision to redraw may depend on it.
 */
export function textHash(text: string): string {
  return `${round(text, 0x811c9dc5)} ${round(text, 0x01000193)}`;
}

function round(text: string, seed: number): number {
  let low = seed;
  let high = seed ^ text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
