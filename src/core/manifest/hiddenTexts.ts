import { pointerOf, TokenPath } from "../json/jsonPointer";
import { JsonTokens } from "../json/jsonTokens";
import { Token } from "../json/token";
import type { PayloadProblem } from "../payload/payloadCheck";
import type { Language } from "../text/language";
import { withoutHidden } from "../text/plainText";

/** The maximum number of findings in one manifest. */
const maxListed = 20;

/**
 * Reports names and texts of a manifest with characters that nobody sees. Skips a value that only spells them as
 * escapes where a program reads it, such as a pattern, and everything below the pointers in `samples`.
 */
export function hiddenTextProblems(
  text: string,
  samples: readonly string[],
  { t }: Language,
): readonly PayloadProblem[] {
  const found: PayloadProblem[] = [];
  const tokens = new JsonTokens(text);
  const path = new TokenPath();
  while (found.length < maxListed && tokens.next() !== Token.end) {
    const steps = path.steps();
    path.take(tokens);
    if (tokens.kind !== Token.string) continue;
    const { start, end } = tokens;
    const written = text.slice(start, end);
    const value = String(tokens.value());
    const clean = withoutHidden(value);
    if (clean === value) continue;
    const isName = steps.length > 0 && steps.at(-1) === undefined;
    const pointer = pointerOf(steps.filter((step) => step !== undefined));
    const isEscaped = withoutHidden(written) === written;
    const isForPrograms = /\/(?:pattern|const|default|enum\/\d+)$/.test(pointer);
    if (isEscaped && isForPrograms && !isName) continue;
    if (samples.some((sample) => `${pointer}/`.startsWith(`${sample}/`))) continue;
    const edit = { start, end, text: JSON.stringify(clean) };
    found.push({
      code: "hidden",
      severity: "warning",
      message: t("This text contains invisible characters or direction signs. Remove them."),
      start,
      end,
      pointer,
      data: { kind: "edit", value: edit.text, edits: [edit], isGuess: true },
    });
  }
  return found;
}
