import { createHash } from "node:crypto";
import type { SkillRun } from "../skillRun";

interface Input {
  readonly text: string;
  readonly length?: number;
  readonly alphabet?: keyof typeof alphabets;
  readonly groups?: boolean;
}

// No two of these characters look alike.
const alphabets = { lettersAndDigits: "23456789ABCDEFGHJKMNPQRSTVWXYZ", digits: "0123456789" };

/** Derives a code from a text; the same text always gets the same code. */
export const run: SkillRun<Input> = ({
  text,
  length = 8,
  alphabet = "lettersAndDigits",
  groups = true,
}) => {
  const letters = alphabets[alphabet];
  let number = BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
  let code = "";
  while (code.length < length) {
    code += letters.charAt(Number(number % BigInt(letters.length)));
    number /= BigInt(letters.length);
  }
  return { code: groups ? code.replaceAll(/.{4}(?=.)/g, "$&-") : code };
};
