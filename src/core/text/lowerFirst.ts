/** Makes a sentence the middle of another one, which its first letter must not show. */
export function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
