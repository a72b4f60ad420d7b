import { canonicalText, isJsonObject, type JsonValue } from "../../json/jsonValue";
import { isClosing, isOpening, Token } from "../../json/token";
import type { Language } from "../../text/language";
import { allowedValues, statedTypes } from "../allowedValues";
import { EvaluationBudget } from "../evaluate/evaluationBudget";
import type { TestableSchema } from "../read/testableSchema";
import { layersOf, type SchemaRules } from "../schemaRules";
import { valueText } from "./explanation";
import { fittedProposals } from "./fitProposals";
import type { Proposal } from "./proposal";
import {
  layersIn,
  type OpenSchemas,
  type RulesHere,
  rulesHere,
  schemasAt,
  schemasBelow,
  valueAtSteps,
} from "./rulesAt";
import { type TextCursor, textCursor } from "./textCursor";
import {
  describesObject,
  escapedText,
  isConstant,
  knownValues,
  namedValueSnippet,
  namesToOffer,
  type ValueSnippet,
  valueSnippets,
} from "./valueSnippets";

/** The maximum number of proposals. Nobody scrolls through more. */
const maxProposals = 500;

/** Lists at most 500 completions at an offset of a text by a schema, in the order to show them. */
export function proposalsAt(
  schema: TestableSchema,
  text: string,
  offset: number,
  language: Language,
): readonly Proposal[] {
  const cursor = textCursor(text, offset, false);
  if (cursor === undefined) return [];
  const { root, steps, at, next, token } = cursor;
  // A proposal must not split an existing value.
  if (at === "value" && token === undefined && isOpening(next)) return [];
  const budget = new EvaluationBudget(schema);
  const schemas = schemasAt(schema.root, root, steps, budget);
  const here = rulesHere(schemas, { value: valueAtSteps(root, steps), steps: [] }, budget);
  const found =
    at === "name"
      ? nameProposals(here, cursor, budget, language)
      : valueProposals(here, cursor, budget, language);
  const replaced = rangeOf(cursor, offset);
  const proposals = found.slice(0, maxProposals).map((proposal) => ({ ...proposal, ...replaced }));
  return fittedProposals(proposals, text, cursor);
}

type Found = Omit<Proposal, "start" | "end" | "comma">;

/**
 * Returns the range to replace. An unclosed string is replaced up to the cursor, since the rest may not belong to it.
 */
function rangeOf({ token }: TextCursor, offset: number): Pick<Proposal, "start" | "end"> {
  if (token === undefined) return { start: offset, end: offset };
  const isOpen = token.kind === Token.string && !token.isClosed;
  return { start: token.start, end: isOpen ? offset : token.end };
}

/** Lists the property names that an object may get, required ones first. */
function nameProposals(
  here: RulesHere,
  { root, steps, next, token }: TextCursor,
  budget: EvaluationBudget,
  language: Language,
): Found[] {
  const object = valueAtSteps(root, steps);
  const layers = layersIn(here);
  const hasValue = next === Token.colon;
  const separator = hasValue || endsObject(next) ? "" : ",";
  return namesIn(layers, isJsonObject(object) ? object : {}).map((name) => {
    const schemas = schemasBelow(here, name, budget);
    const value = hasValue ? "" : `: ${propertyValue(schemas, budget)}${separator}`;
    const snippet = escapedText(JSON.stringify(name)) + value;
    return {
      label: name,
      kind: "property",
      snippet,
      filterText: token?.kind === Token.string || token === undefined ? JSON.stringify(name) : name,
      documentation: valueText([...schemas.all, ...schemas.options.flat()], language),
      continues: /\$1[\]}]?,?$/.test(snippet),
    };
  });
}

function endsObject(next: Token): boolean {
  return next === Token.end || next === Token.comma || isClosing(next);
}

/** Lists the names that the layers describe, require or allow, except those that the object already has. */
function namesIn(
  layers: readonly SchemaRules[],
  object: Readonly<Record<string, JsonValue>>,
): string[] {
  const described = layers.flatMap(({ properties = [] }) => [...properties]);
  const never = new Set(described.flatMap(([name, rules]) => (rules.never ? [name] : [])));
  const dependent = layers.flatMap(({ dependentRequired = [] }) =>
    [...dependentRequired].flatMap(([name, names]) => (Object.hasOwn(object, name) ? names : [])),
  );
  const allowed = layers.flatMap(({ propertyNames }) =>
    propertyNames === undefined ? [] : knownValues(layersOf([propertyNames])),
  );
  const names = [
    ...namesToOffer(layers),
    ...dependent,
    ...described.map(([name]) => name),
    ...allowed.filter((name) => typeof name === "string"),
  ];
  return [...new Set(names)].filter((name) => !Object.hasOwn(object, name) && !never.has(name));
}

/** Writes the value after a property's name: the only allowed value, or else a placeholder. */
function propertyValue(schemas: OpenSchemas, budget: EvaluationBudget): string {
  const options = optionsOf(rulesHere(schemas, { value: undefined, steps: [] }, budget), budget);
  const [only, ...others] = options;
  if (only !== undefined && others.length === 0) return only.asMember();
  const isNumber = /^(?:number|integer)$/.test(statedTypes(layersOf(schemas.all))?.[0] ?? "");
  return only === undefined && isNumber ? namedValueSnippet(0, true) : "$1";
}

/** A value to insert, with two snippets: as an item or value, and after the name of a new member. */
interface ValueOption {
  readonly label: string;
  readonly kind: "value" | "object";
  readonly value?: JsonValue;
  readonly asValue: () => string;
  readonly asMember: () => string;
}

/** Lists the possible values at the cursor. */
function valueProposals(
  here: RulesHere,
  { root, steps, next }: TextCursor,
  budget: EvaluationBudget,
  { t }: Language,
): Found[] {
  const above = steps.slice(0, -1);
  const list = valueAtSteps(root, above);
  const around = rulesHere(
    schemasAt(budget.root, root, above, budget),
    { value: list, steps: steps.slice(-1) },
    budget,
  );
  const isUnique = Array.isArray(list) && layersIn(around).some(({ uniqueItems }) => uniqueItems);
  const taken = new Set(isUnique ? (list as JsonValue[]).map(canonicalText) : []);
  const separator = endsObject(next) ? "" : ",";
  return optionsOf(here, budget)
    .filter(({ value }) => value === undefined || !taken.has(canonicalText(value)))
    .map(({ label, kind, asValue }) => {
      const snippet = asValue() + separator;
      return {
        label,
        kind,
        snippet,
        filterText: label,
        documentation: label.includes("{ ") ? t("Required properties only") : "",
        continues: /[[{]\$1[\]}],?$/.test(snippet),
      };
    });
}

/**
 * Lists the values that rules suggest: the values that a schema names, followed by snippets for others. Each label
 * occurs once.
 */
function optionsOf(here: RulesHere, budget: EvaluationBudget): readonly ValueOption[] {
  const { own, options } = here;
  const isWhole = describesObject(own);
  const all = [
    ...everyOption(own, budget, false),
    ...options.flatMap((option) => everyOption(option.own, budget, option.isPart || isWhole)),
  ];
  return [...new Map(all.toReversed().map((option) => [option.label, option])).values()].reverse();
}

function everyOption(
  own: readonly SchemaRules[],
  budget: EvaluationBudget,
  isPart: boolean,
): readonly ValueOption[] {
  const isConstantValue = isConstant(own);
  const named = [...knownValues(own), ...valuesOfTypes(own)].map((value) =>
    namedOption(value, isConstantValue),
  );
  const snippets = isPart ? [] : valueSnippets(own, budget).map(snippetOption);
  return [...named, ...snippets];
}

function namedOption(value: JsonValue, isOnly: boolean): ValueOption {
  const asValue = () => namedValueSnippet(value, false);
  const isScalar = typeof value !== "object" || value === null;
  return {
    label: JSON.stringify(value),
    kind: "value",
    value,
    asValue,
    asMember: isOnly || !isScalar ? asValue : () => namedValueSnippet(value, true),
  };
}

function snippetOption({ label, snippet }: ValueSnippet): ValueOption {
  const kind = label.includes("{ ") ? "object" : "value";
  return { label, kind, asValue: snippet, asMember: snippet };
}

/** Lists the values of `boolean` and `null`, unless the schemas list allowed values. */
function valuesOfTypes(layers: readonly SchemaRules[]): readonly JsonValue[] {
  if (allowedValues(layers) !== undefined) return [];
  const types = statedTypes(layers) ?? [];
  return [
    ...(types.includes("boolean") ? [true, false] : []),
    ...(types.includes("null") ? [null] : []),
  ];
}
