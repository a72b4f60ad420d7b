import { isJsonObject, type JsonObject, type JsonValue } from "../../core/text/json";
import { failed, type RunResult } from "./skillRun";

/** Reads the properties a skill needs from an input nobody has checked, and collects what is wrong. */
export class InputReader {
  readonly #properties: JsonObject;
  readonly #problems: string[] = [];

  constructor(input: JsonValue | undefined) {
    this.#properties = isJsonObject(input) ? input : {};
    if (!isJsonObject(input)) this.#problems.push("The input must be a JSON object.");
  }

  /** Tells whether the property was given, whatever its value. */
  has(name: string): boolean {
    return Object.hasOwn(this.#properties, name);
  }

  /** Reads any value, as it is. It must be there. */
  anything(name: string): JsonValue {
    return this.has(name)
      ? (this.#properties[name] ?? null)
      : this.#wrong(name, "is missing", null);
  }

  /** Reads a property of any kind; undefined where it is missing. */
  optional(name: string): JsonValue | undefined {
    return this.#own(name);
  }

  /** Reads a text. Without `fallback` it must be there. Lengths count UTF-16 units. */
  text(name: string, limits: { fallback?: string; min?: number; max: number }): string {
    const value = this.#own(name) ?? limits.fallback;
    if (typeof value !== "string") return this.#wrong(name, "must be a text", "");
    if (value.length < (limits.min ?? 0)) {
      return this.#wrong(name, `must have at least ${limits.min} characters`, "");
    }
    if (value.length > limits.max) {
      return this.#wrong(name, `must have at most ${limits.max} characters`, "");
    }
    return value;
  }

  /** Reads one of the given words; the first one stands in for a missing one. */
  choice<Word extends string>(name: string, words: readonly [Word, ...Word[]]): Word {
    const value = this.#own(name) ?? words[0];
    const word = words.find((candidate) => candidate === value);
    return word ?? this.#wrong(name, `must be one of ${words.join(", ")}`, words[0]);
  }

  /** Reads a whole number within the limits, both included. */
  wholeNumber(name: string, limits: { fallback: number; min: number; max: number }): number {
    const value = this.#own(name) ?? limits.fallback;
    const fits =
      typeof value === "number" &&
      Number.isInteger(value) &&
      value >= limits.min &&
      value <= limits.max;
    const rule = `must be a whole number from ${limits.min} to ${limits.max}`;
    return fits ? value : this.#wrong(name, rule, limits.fallback);
  }

  /** Reads true or false. */
  flag(name: string, fallback: boolean): boolean {
    const value = this.#own(name) ?? fallback;
    return typeof value === "boolean"
      ? value
      : this.#wrong(name, "must be true or false", fallback);
  }

  /** Reads a list of texts. Without `fallback` it must be there. */
  texts(name: string, limits: { fallback?: readonly string[]; max: number }): readonly string[] {
    const value = this.#own(name) ?? limits.fallback;
    const isTexts =
      Array.isArray(value) && value.every((item): item is string => typeof item === "string");
    if (!isTexts) return this.#wrong(name, "must be a list of texts", []);
    const rule = `must have at most ${limits.max} items`;
    return value.length <= limits.max ? value : this.#wrong(name, rule, []);
  }

  /** Adds what is wrong with a property, in words that follow its name. */
  reject(name: string, rule: string): void {
    this.#problems.push(`"${name}" ${rule}.`);
  }

  /** Tells of everything that was wrong so far; undefined where nothing was. */
  failure(): RunResult | undefined {
    return this.#problems.length === 0 ? undefined : failed(this.#problems.join(" "));
  }

  #own(name: string): JsonValue | undefined {
    return this.has(name) ? this.#properties[name] : undefined;
  }

  #wrong<Value>(name: string, rule: string, fallback: Value): Value {
    this.#problems.push(this.has(name) ? `"${name}" ${rule}.` : `"${name}" is missing.`);
    return fallback;
  }
}
