import { type LocalizableText, l10nText } from "../../text/language";
import {
  defaultDialect,
  type SchemaNode,
  type SchemaReference,
  type SchemaResource,
  type SchemaRules,
} from "../schemaRules";
import type { ReadContext } from "./keywordReader";
import { readRules } from "./readRules";
import {
  dynamicNodes,
  indexDocument,
  type KnownDocuments,
  maxPointer,
  type ResourceIndex,
  resolveReference,
} from "./resolveReference";
import {
  dropUncertainKeywords,
  type RefusalCause,
  SchemaDefects,
  SchemaRefusal,
} from "./schemaDefects";

/**
 * A schema that was read: its root's rules and all rules that can be reached from them, by id, and what was
 * left out. Where anything was left out, the rules may accept more than the schema, never less.
 */
export type ReadSchema =
  | { kind: "read"; root: SchemaRules; all: SchemaRules[]; defects: SchemaDefects }
  | { kind: "refused"; why: RefusalCause; reason: LocalizableText };

// The base of a schema without an ID; nothing can be fetched from such a URI.
const unnamed = "skill-schema:/";

/**
 * Reads a JSON Schema of any known dialect into rules, with references resolved. Only what can be reached
 * from the root is read. A keyword of the wrong shape and a reference that leads nowhere are left out; a
 * defect that makes the whole ambiguous refuses it, with the reason.
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
    const start = document.nodes.get("");
    if (start === undefined)
      throw new SchemaRefusal("malformed", l10nText("The skill's schema is empty."));
    const reading = new SchemaReading(index, knownDocuments);
    const root = reading.rulesAt(start);
    reading.readAll();
    const { all, defects } = reading;
    if (defects.count > 0) dropUncertainKeywords(all);
    return { kind: "read", root, all, defects };
  } catch (error) {
    if (error instanceof SchemaRefusal)
      return { kind: "refused", why: error.why, reason: error.reason };
    throw error;
  }
}

/** A schema whose parts are read when they are looked at. */
export interface LenientSchema {
  readonly root: SchemaRules;
  /** Reads the keywords of rules where they were not read yet, and returns the same rules. */
  read(rules: SchemaRules): SchemaRules;
  /** Reads all that can be reached and lists it, by id. */
  readAll(): readonly SchemaRules[];
}

/**
 * Reads a schema for display: keywords of every dialect count, whatever dialect the schema declares, nothing
 * is refused, and what cannot be applied is left out. Reads at most `maxMembers` of each keyword and
 * `membersLeft` of all together (unlimited by default).
 */
export function readLeniently(
  schema: unknown,
  { maxMembers = Number.POSITIVE_INFINITY, membersLeft = Number.POSITIVE_INFINITY } = {},
): LenientSchema {
  const index: ResourceIndex = new Map();
  const lenient = { maxMembers, membersLeft, nodesLeft: maxIndexed };
  const options = { uri: unnamed, dialect: defaultDialect, isOwn: true, index, lenient };
  const document = indexDocument(schema, options);
  const reading = new SchemaReading(index, () => undefined);
  const start = document.nodes.get("");
  if (start === undefined) throw new Error("The root of a schema is always one of its nodes.");
  return {
    root: reading.rulesAt(start),
    read: (rules) => reading.read(rules),
    readAll: () => reading.readAll(),
  };
}

/** Upper limit of schemas of a document that are searched for names that references may use. */
const maxIndexed = 5000;

interface DynamicReference {
  read: SchemaReference;
  keyword: "$dynamicRef" | "$recursiveRef";
  reference: string;
  target: SchemaNode;
}

/** Converts nodes to rules: rules exist as soon as they are referenced, and are read later. */
class SchemaReading implements ReadContext {
  readonly all: SchemaRules[] = [];
  readonly defects = new SchemaDefects();
  readonly #index: ResourceIndex;
  readonly #knownDocuments: KnownDocuments;
  readonly #byNode = new Map<SchemaNode, SchemaRules>();
  readonly #unread = new Map<SchemaRules, SchemaNode>();
  /** In the order they were met. Some may have been read since. */
  readonly #waiting: SchemaRules[] = [];
  readonly #dynamic: DynamicReference[] = [];

  constructor(index: ResourceIndex, knownDocuments: KnownDocuments) {
    this.#index = index;
    this.#knownDocuments = knownDocuments;
  }

  rulesAt(node: SchemaNode): SchemaRules {
    const known = this.#byNode.get(node);
    if (known !== undefined) return known;
    const { resource, value } = node;
    const pointer = resource.document.isOwn ? node.pointer : undefined;
    const rules = this.#newRules(pointer, resource, value);
    // Users of unread rules at least see that they accept nothing.
    if (value === false) rules.never = true;
    this.#byNode.set(node, rules);
    this.#unread.set(rules, node);
    this.#waiting.push(rules);
    return rules;
  }

  rulesBelow(above: SchemaNode, path: string, value: unknown): SchemaRules {
    const { resource } = above;
    const { nodes, lenient } = resource.document;
    const pointer = above.pointer + path;
    const isTooDeep = lenient !== undefined && pointer.length > maxPointer;
    if (isTooDeep) return this.rulesAt({ value: true, pointer: "", resource });
    const node = nodes.get(pointer) ?? { value, pointer, resource };
    // Indexing is bounded, so a node of a large document may first be met here.
    if (lenient !== undefined) nodes.set(pointer, node);
    return this.rulesAt(node);
  }

  reference(
    { resource }: SchemaNode,
    rules: SchemaRules,
    keyword: SchemaReference["keyword"],
    reference: string,
  ): SchemaReference | undefined {
    const target = this.defects.tryReference(rules, keyword, () =>
      resolveReference(reference, resource, this.#index, this.#knownDocuments),
    );
    if (target === undefined) {
      rules.unresolved = [...(rules.unresolved ?? []), reference];
      return undefined;
    }
    const read: SchemaReference = { keyword, target: this.rulesAt(target) };
    if (keyword !== "$ref") this.#dynamic.push({ read, keyword, reference, target });
    return read;
  }

  rulesBeside({ pointer, resource }: SchemaRules, reference: SchemaReference): SchemaRules {
    return Object.assign(this.#newRules(pointer, resource, {}), { reference });
  }

  /** Adds new rules to `all`, so that checks of all rules, such as for unsupported keywords, include them. */
  #newRules(pointer: string | undefined, resource: SchemaResource, source: unknown): SchemaRules {
    const rules = { id: this.all.length, pointer, resource, source, spelling: {} };
    this.all.push(rules);
    return rules;
  }

  read(rules: SchemaRules): SchemaRules {
    const node = this.#unread.get(rules);
    if (node !== undefined) {
      this.#unread.delete(rules);
      readRules(node, rules, this);
    }
    return rules;
  }

  readAll(): SchemaRules[] {
    do {
      for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
        this.read(next);
      }
      // Reading may have added documents that declare more of the anchors looked for here.
      for (const { read, keyword, reference, target } of this.#dynamic) {
        const nodes = dynamicNodes(keyword, reference, target, this.#index);
        if (nodes === undefined) continue;
        read.overrides = new Map([...nodes].map(([resource, to]) => [resource, this.rulesAt(to)]));
      }
    } while (this.#waiting.length > 0);
    return this.all;
  }
}
