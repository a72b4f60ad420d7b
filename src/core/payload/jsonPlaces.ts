import { pointerSteps } from "../jsonSchema/jsonPointer";
import { scanJson } from "../jsonText/scanJson";
import { type TextRange, WantedPlace } from "../jsonText/wantedPlace";

/**
 * Finds where JSON pointers lead in a text that is valid JSON: the key's start (the value's, for an
 * item) to the value's end. A pointer that leads nowhere has no entry.
 */
export function jsonPlaces(text: string, pointers: Iterable<string>): Map<string, TextRange> {
  const root = new WantedPlace();
  const value: unknown = JSON.parse(text);
  const wanted = [...new Set(pointers)].map((pointer) => ({
    pointer,
    place: placeOf(pointer, value, root),
  }));
  scanJson(text, root, 0);
  const found = new Map<string, TextRange>();
  for (const { pointer, place } of wanted) {
    if (place.value === undefined) continue;
    found.set(pointer, { start: place.key?.start ?? place.value.start, end: place.value.end });
  }
  return found;
}

function placeOf(pointer: string, value: unknown, root: WantedPlace): WantedPlace {
  let place = root;
  let at = value;
  for (const step of pointerSteps(pointer)) {
    const key = Array.isArray(at) ? Number(step) : step;
    place = place.below(key);
    at = typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined;
  }
  return place;
}
