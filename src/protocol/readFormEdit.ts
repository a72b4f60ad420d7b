import type { FormEdit } from "../core/form/formField";

/** The maximum number of characters of a typed value. Longer values are edited as JSON. */
const maxTyped = 1_000_000;
/** The maximum number of characters of a pointer. Values with longer pointers are edited as JSON. */
const maxPointer = 4000;

type Guards = Readonly<Record<string, (value: unknown) => boolean>>;

const pointer = { pointer: isPointer };

const rows: { readonly [What in FormEdit["what"]]: Guards } = {
  write: { ...pointer, text: (value) => typeof value === "string" && value.length <= maxTyped },
  suggest: { ...pointer, index: isIndex },
  branch: { ...pointer, union: isIndex, branch: isIndex },
  choose: { ...pointer, index: isIndex, isChosen: (value) => typeof value === "boolean" },
  add: pointer,
  remove: pointer,
  default: pointer,
  addMember: { ...pointer, name: isMemberName },
};

/**
 * Returns whether a value from a page is a valid edit of a form: it has no unknown members, and nothing is too large.
 */
export function isFormEdit(value: unknown): value is FormEdit {
  const { what, ...given } = plainMembers(value) ?? {};
  if (typeof what !== "string" || !Object.hasOwn(rows, what)) return false;
  const row = rows[what as FormEdit["what"]];
  const names = Object.keys(row);
  return (
    Object.keys(given).length === names.length &&
    names.every((name) => Object.hasOwn(given, name) && row[name]?.(given[name]))
  );
}

/** Returns whether a value is a JSON pointer. */
export function isPointer(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxPointer && /^(?:\/|$)/.test(value);
}

/** Copies the members of a plain object from a page. Undefined for any other value. */
export function plainMembers(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const names = Reflect.ownKeys(value);
  // No message has more than four members. Callers check their names.
  if (names.length > 4 || names.some((name) => typeof name === "symbol")) return undefined;
  return { ...value };
}

/** Returns whether a value is an index that a page may send. */
export function isIndex(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < 1000;
}

function isMemberName(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.length <= 1000;
}
