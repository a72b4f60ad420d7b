/** The verdict on a value: `warned` is valid with a warning, `unchecked` is neither valid nor invalid. */
export type Verdict = "valid" | "warned" | "invalid" | "unchecked";

/** A verdict that differs from the JSON Schema Test Suite, with the reason. */
export interface Expectation {
  /**
   * Matches the names of tests, `draft/file › group › test`, with `undeclared` in place of the draft for a schema
   * without `$schema`.
   */
  readonly tests: RegExp;
  /** The verdict on values that the suite calls valid. Default: the same. */
  readonly valid?: Verdict;
  /** The verdict on values that the suite calls invalid. Default: the same. */
  readonly invalid?: Verdict;
  readonly why: string;
}

const nothingIsFetched = {
  valid: "unchecked",
  invalid: "unchecked",
  why: "It refers to a document elsewhere. None is fetched, so nothing certain can be said.",
} as const;

const unknownDialect = {
  valid: "unchecked",
  invalid: "unchecked",
  why: "It is written in a dialect of its own, whose document would have to be fetched.",
} as const;

const idNeedsDialect = {
  valid: "unchecked",
  invalid: "unchecked",
  why: 'An "id" names a schema only where draft-04 is declared, so that what refers to it leads nowhere.',
} as const;

/** Every verdict that differs from the JSON Schema Test Suite. The first match counts. */
export const suiteExpectations: readonly Expectation[] = [
  // Schemas without a dialect are read as 2020-12, or as an older draft if they spell a rule in its way: a list in
  // "items", true in "exclusiveMinimum" or "required". Therefore few tests of draft 4 differ.
  { tests: /^undeclared draft4\/optional\/id\.json › id inside an enum/, ...idNeedsDialect },
  {
    tests: /^undeclared draft4\/ref\.json › (?!id with file URI).*\b(id|identifier)\b/,
    ...idNeedsDialect,
  },
  { tests: /^undeclared draft4\/ref\.json › Recursive references/, ...idNeedsDialect },
  {
    tests: /^undeclared draft4\/ref\.json › ref overrides any sibling keywords › .*ignored/,
    valid: "invalid",
    why: "What stands beside a reference counts, as in later drafts.",
  },
  { tests: /\/refRemote\.json/, ...nothingIsFetched },
  { tests: /\/optional\/cross-draft\.json/, ...nothingIsFetched },
  { tests: /\/dynamicRef\.json › strict-tree schema/, ...nothingIsFetched },
  { tests: /\/dynamicRef\.json › tests for implementation dynamic anchor/, ...nothingIsFetched },
  { tests: /\/dynamicRef\.json › \$ref and \$dynamicAnchor are independent/, ...nothingIsFetched },
  { tests: /\/dynamicRef\.json › \$ref to \$dynamicRef finds detached/, ...nothingIsFetched },
  { tests: /\/vocabulary\.json/, ...unknownDialect },
  { tests: /\/optional\/format-assertion\.json/, ...unknownDialect },
  {
    tests: /\/format\/idn-hostname\.json/,
    invalid: "valid",
    why: "Judging it takes tables of Unicode that are not worth their size here.",
  },
  {
    tests: /\/format\/hostname\.json › validation of A-label \(punycode\) host names/,
    invalid: "valid",
    why: "Judging it takes tables of Unicode that are not worth their size here.",
  },
  {
    tests:
      /\/format\/(uri|uri-reference|iri)\.json › .* › .*(userinfo|leading zero in (an embedded|the) IPv4|embedded IPv4 has a leading zero|square brackets|at-sign|colon in the first segment)/,
    invalid: "valid",
    why: "A mark says that an address is no address. These read as one, and a server decides.",
  },
  {
    tests: /\/format\/uri-template\.json › .* › .*(varspec|max-length|double dot|trailing comma)/,
    invalid: "valid",
    why: "Braces and characters are checked, not what stands between braces.",
  },
  {
    tests: /\/format\/idn-email\.json › .* › a (local part that is not in|C1 control|noncharacter)/,
    valid: "warned",
    why: "A person who types such a sign into an address mistyped it.",
  },
  {
    tests: /\/optional\/format\//,
    invalid: "warned",
    why: "A registry may mean a format as a hint, so what does not fit it is marked and still sent.",
  },
  {
    tests: /draft2020-12\/format\.json › (?!idn-hostname).* is only an annotation by default/,
    valid: "warned",
    why: "Formats warn here in every draft, also in those where they say nothing by themselves.",
  },
  {
    tests: /draft7\/optional\/content\.json/,
    invalid: "valid",
    why: "contentMediaType and contentEncoding say what a text is for, as in later drafts.",
  },
  {
    tests: /draft4\/optional\/zeroTerminatedFloats\.json/,
    invalid: "valid",
    why: "1.0 and 1 are the same number, as in later drafts.",
  },
];
