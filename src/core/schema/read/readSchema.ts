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
  resolveReference,
  type SchemaIndex,
} from "./resolveReference";
import {
  dropUncertainKeywords,
  SchemaDefects,
  type SchemaRefusal,
  UnresolvedReference,
} from "./schemaDefects";

/**
 * The rules of a schema: those of its root, all reachable rules by ID, and the omitted parts. With omitted parts, the
 * rules may accept more than the schema, but never less.
 */
export interface ReadSchema {
  readonly schema: unknown;
  readonly root: SchemaRules;
  readonly all: readonly SchemaRules[];
  readonly defects: SchemaDefects;
  /** Why the rules only describe the schema, and no verdict or sample may depend on them. */
  readonly refusal?: SchemaRefusal | undefined;
}

// The base URI of a schema without an ID. Nothing can be fetched from such a URI.
const unnamed = "skill-schema:/";

/**
 * Reads a JSON Schema of any supported dialect into rules. Resolves references, including those to published
 * meta-schemas. Reads only what the root can reach. Omits keywords of the wrong shape and references that lead nowhere.
 * A defect that makes the whole schema ambiguous becomes its `refusal`.
 */
export function readSchema(schema: unknown): ReadSchema {
  const defects = new SchemaDefects();
  const index: SchemaIndex = { resources: new Map(), defects };
  const options = { uri: unnamed, dialect: defaultDialect, isOwn: true };
  const start = indexDocument(schema, options, index);
  const reading = new SchemaReading(index);
  const root = reading.rulesAt(start);
  reading.readAll();
  const { all } = reading;
  if (defects.count > 0) dropUncertainKeywords(all);
  return { schema, root, all, defects, refusal: defects.refusal };
}

interface DynamicReference {
  read: SchemaReference;
  keyword: "$dynamicRef" | "$recursiveRef";
  reference: string;
  target: SchemaNode;
}

/** Converts nodes to rules. Rules are created when they are first referenced, and read later. */
class SchemaReading implements ReadContext {
  readonly all: SchemaRules[] = [];
  readonly defects: SchemaDefects;
  readonly #index: SchemaIndex;
  readonly #byNode = new Map<SchemaNode, SchemaRules>();
  readonly #waiting: { readonly node: SchemaNode; readonly rules: SchemaRules }[] = [];
  readonly #dynamic: DynamicReference[] = [];

  constructor(index: SchemaIndex) {
    this.#index = index;
    this.defects = index.defects;
  }

  rulesAt(node: SchemaNode): SchemaRules {
    const existing = this.#byNode.get(node);
    if (existing !== undefined) return existing;
    const { resource, value } = node;
    const pointer = resource.document.isOwn ? node.pointer : undefined;
    const rules = this.#newRules(pointer, resource, value);
    // Other rules may use these rules before their keywords are read, and must already see that `false` accepts
    // nothing.
    if (value === false) rules.never = true;
    this.#byNode.set(node, rules);
    this.#waiting.push({ node, rules });
    return rules;
  }

  rulesBelow(above: SchemaNode, path: string, value: unknown): SchemaRules {
    const { resource } = above;
    const pointer = above.pointer + path;
    return this.rulesAt(resource.document.nodes.get(pointer) ?? { value, pointer, resource });
  }

  reference(
    { resource }: SchemaNode,
    rules: SchemaRules,
    keyword: SchemaReference["keyword"],
    reference: string,
  ): SchemaReference | undefined {
    try {
      const target = resolveReference(reference, resource, this.#index);
      const read: SchemaReference = { keyword, target: this.rulesAt(target) };
      if (keyword !== "$ref") this.#dynamic.push({ read, keyword, reference, target });
      return read;
    } catch (error) {
      if (!(error instanceof UnresolvedReference)) throw error;
      this.defects.add(rules, keyword, error.reason, error.why);
      rules.unresolved = [...(rules.unresolved ?? []), reference];
      return undefined;
    }
  }

  rulesBeside({ pointer, resource }: SchemaRules, reference: SchemaReference): SchemaRules {
    return Object.assign(this.#newRules(pointer, resource, {}), { reference });
  }

  /** Adds new rules to `all`, so that checks of all rules include them. */
  #newRules(pointer: string | undefined, resource: SchemaResource, source: unknown): SchemaRules {
    const rules = { id: this.all.length, pointer, resource, source, spelling: {} };
    this.all.push(rules);
    return rules;
  }

  readAll(): void {
    do {
      for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
        const { node, rules } = next;
        readRules(node, rules, this);
      }
      // Reading may have added documents with more targets for dynamic references.
      for (const { read, keyword, reference, target } of this.#dynamic) {
        const nodes = dynamicNodes(keyword, reference, target, this.#index);
        if (nodes === undefined) continue;
        read.overrides = new Map([...nodes].map(([resource, to]) => [resource, this.rulesAt(to)]));
      }
    } while (this.#waiting.length > 0);
  }
}
