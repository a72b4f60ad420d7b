import { type LocalizableText, l10nText } from "../../text/localizableText";
import type { SchemaPlace, SchemaReference, SchemaRules } from "../schemaRules";
import { defaultDialect } from "./dialect";
import { dropUncertainKeywords } from "./dropUncertainKeywords";
import { indexDocument, type ResourceIndex } from "./indexSchema";
import { type ReadContext, readRules } from "./readRules";
import { dynamicPlaces, type KnownDocuments, resolveReference } from "./resolveReference";
import { type RefusalCause, SchemaDefects, SchemaRefusal } from "./schemaDefects";

/**
 * A schema that was read: its root's rules and all rules that can be reached from them, by id, and what
 * was left out of them. Where anything was, they may ask for less than the schema, never for more.
 */
export type ReadSchema =
  | { kind: "read"; root: SchemaRules; all: SchemaRules[]; defects: SchemaDefects }
  | { kind: "refused"; why: RefusalCause; reason: LocalizableText };

// The base of a schema that does not name itself; nothing can be fetched from such a URI.
const unnamed = "skill-schema:/";

/**
 * Reads a JSON Schema of any known dialect into rules, references resolved. Only what can be reached
 * from the root is read. A keyword of the wrong shape and a reference that leads nowhere are left out;
 * what leaves the meaning of the whole open refuses it, with the reason.
 */
export function readSchema(
  schema: unknown,
  knownDocuments: KnownDocuments = () => undefined,
): ReadSchema {
  try {
    const index: ResourceIndex = new Map();
    const document = indexDocument(schema, {
      uri: unnamed,
      dialect: defaultDialect,
      isOwn: true,
      index,
    });
    const start = document.places.get("");
    if (start === undefined)
      throw new SchemaRefusal("malformed", l10nText("The skill's schema is empty."));
    const read = readFrom(start, index, knownDocuments);
    if (read.defects.count > 0) dropUncertainKeywords(read.all);
    return { kind: "read", ...read };
  } catch (error) {
    if (error instanceof SchemaRefusal)
      return { kind: "refused", why: error.why, reason: error.reason };
    throw error;
  }
}

interface DynamicReference {
  read: SchemaReference;
  keyword: "$dynamicRef" | "$recursiveRef";
  reference: string;
  target: SchemaPlace;
}

function readFrom(start: SchemaPlace, index: ResourceIndex, knownDocuments: KnownDocuments) {
  const all: SchemaRules[] = [];
  const defects = new SchemaDefects();
  const byPlace = new Map<SchemaPlace, SchemaRules>();
  const unread: SchemaPlace[] = [];
  const dynamic: DynamicReference[] = [];
  const rulesAt = (place: SchemaPlace): SchemaRules => {
    const known = byPlace.get(place);
    if (known !== undefined) return known;
    const pointer = place.resource.document.isOwn ? place.pointer : undefined;
    const rules = { id: all.length, pointer, resource: place.resource, spelling: {} };
    all.push(rules);
    byPlace.set(place, rules);
    unread.push(place);
    return rules;
  };
  const context: ReadContext = {
    rulesBelow: (place, path, value) => {
      const { document } = place.resource;
      const pointer = place.pointer + path;
      return rulesAt(document.places.get(pointer) ?? { value, pointer, resource: place.resource });
    },
    defects,
    reference: (place, rules, keyword, reference) => {
      const target = defects.tryReference(rules, keyword, () =>
        resolveReference(reference, place.resource, index, knownDocuments),
      );
      if (target === undefined) return undefined;
      const read: SchemaReference = { keyword, target: rulesAt(target) };
      if (keyword !== "$ref") dynamic.push({ read, keyword, reference, target });
      return read;
    },
  };
  const root = rulesAt(start);
  do {
    for (let place = unread.pop(); place !== undefined; place = unread.pop()) {
      readRules(place, rulesAt(place), context);
    }
    // Reading may have brought in documents that declare more of the anchors looked for here.
    for (const { read, keyword, reference, target } of dynamic) {
      const places = dynamicPlaces(keyword, reference, target, index);
      if (places === undefined) continue;
      read.overrides = new Map([...places].map(([resource, to]) => [resource, rulesAt(to)]));
    }
  } while (unread.length > 0);
  return { root, all, defects };
}
