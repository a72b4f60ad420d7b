/** Escapes one step of a JSON pointer (RFC 6901). */
export function pointerStep(key: string | number): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Writes the JSON pointer of steps; none give "", the whole value. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${pointerStep(step)}`).join("");
}

/** Splits a JSON pointer into its unescaped steps; "" has none. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
