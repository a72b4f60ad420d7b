/** Steps back from between the two halves of a character; any other offset stays as it is. */
export function characterStart(text: string, at: number): number {
  const isBetween = at > 0 && text.codePointAt(at - 1) !== text.charCodeAt(at - 1);
  return isBetween && at < text.length ? at - 1 : at;
}
