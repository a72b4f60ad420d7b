import { jsonFingerprint } from "./jsonFingerprint";
import type { SchemaPlace } from "./schemaPlaces";

/**
 * Guesses which properties got another name: one that went and one that came which are written alike,
 * where no other is. Answers the new name by the old one.
 */
export function renamedProperties(
  gone: readonly (readonly [string, SchemaPlace])[],
  come: readonly (readonly [string, SchemaPlace])[],
): ReadonlyMap<string, string> {
  if (gone.length > maxGuessed || come.length > maxGuessed) return new Map();
  const [old, now] = [byText(gone), byText(come)];
  return new Map(
    [...old].flatMap(([text, names]) => {
      const [name, ...others] = names;
      const [later, ...laterOthers] = now.get(text) ?? [];
      const isSure = others.length === 0 && laterOthers.length === 0;
      return isSure && name !== undefined && later !== undefined ? [[name, later]] : [];
    }),
  );
}

const maxGuessed = 20;
const maxCharacters = 10_000;

function byText(places: readonly (readonly [string, SchemaPlace])[]): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const [name, { schemas }] of places) {
    const budget = { charactersLeft: maxCharacters, exceeded: false };
    const text = jsonFingerprint([...schemas], budget);
    // What says nothing is like anything else that says nothing.
    const isTelling = text !== "[]" && text !== "[{}]" && text !== "[true]";
    if (isTelling && !budget.exceeded) names.set(text, [...(names.get(text) ?? []), name]);
  }
  return names;
}
