import { createHash } from "node:crypto";

/** Alphabets that are read and typed without mistakes: no two characters look alike. */
export const codeAlphabets = {
  lettersAndDigits: "23456789ABCDEFGHJKMNPQRSTVWXYZ",
  digits: "0123456789",
} as const;

/** Makes a code of a text: the same text always gives the same code. */
export function shortCode(text: string, length: number, alphabet: string): string {
  let number = BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
  let code = "";
  while (code.length < length) {
    code += alphabet.charAt(Number(number % BigInt(alphabet.length)));
    number /= BigInt(alphabet.length);
  }
  return code;
}
