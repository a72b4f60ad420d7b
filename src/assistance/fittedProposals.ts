import type { Proposal } from "./assistanceMessages";

/** Where a value or a property stands in a text, as UTF-16 offsets. */
interface Place {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly parent?: Place | undefined;
}

/**
 * Fits proposals to what stands at their place, so that an editor lists them there and the rest of
 * the line stays as it is. `node` is what is at the cursor; undefined where there is nothing.
 */
export function fittedProposals(
  proposals: readonly Proposal[],
  text: string,
  node: Place | undefined,
): Proposal[] {
  const filled = proposals.filter(({ label }) => !empties.has(label));
  const empty = proposals.filter(({ label }) => empties.has(label));
  // An empty text, list or object is what to start from when none of the values is meant.
  const listed = node?.type === "string" ? filled : [...filled, ...empty];
  const besides = node === undefined ? listed : besideThatValue(listed, text, node);
  return besides
    .map((proposal) => separated(proposal, text))
    .filter(
      ({ comma, kind }) => comma === undefined || kind === "property" || isInList(node, comma),
    )
    .map((proposal) => spaced(insideQuotes(proposal, text, node), text));
}

const empties = new Set(['""', "[]", "{}"]);

/** Where one of the values stands already, all are listed: an editor filters by what it replaces. */
function besideThatValue(proposals: readonly Proposal[], text: string, node: Place): Proposal[] {
  const there = text.slice(node.offset, node.offset + node.length);
  const isThere = proposals.some(({ kind, label }) => kind === "value" && label === there);
  return proposals.map((one) => (isThere ? { ...one, filterText: there } : one));
}

/** A snippet goes on behind a text that is replaced between its quotes, and ends where they are replaced. */
function insideQuotes(proposal: Proposal, text: string, node: Place | undefined): Proposal {
  const { kind, snippet, start, end, filterText } = proposal;
  if (kind !== "value" || node?.type !== "string" || !quoted.test(snippet)) return proposal;
  const isWhole = start === node.offset && end === start + node.length;
  if (!isWhole || !quoted.test(text.slice(start, end))) return proposal;
  return {
    ...proposal,
    snippet: snippet.slice(1, -1),
    filterText: quoted.test(filterText) ? filterText.slice(1, -1) : filterText,
    start: start + 1,
    end: end - 1,
  };
}

/** White space that is looked through for what stands in front. */
const maxGap = 10_000;

const quoted = /^"(?:.*[^\\])?"$/s;

/** A value right behind its colon gets the space that everybody writes there. */
function spaced(proposal: Proposal, text: string): Proposal {
  const isBehindColon = proposal.kind !== "property" && text[proposal.start - 1] === ":";
  return isBehindColon ? { ...proposal, snippet: ` ${proposal.snippet}` } : proposal;
}

/** What comes behind a value without a comma brings it. */
function separated(proposal: Proposal, text: string): Proposal {
  const gap = text.slice(Math.max(0, proposal.start - maxGap), proposal.start);
  const comma = proposal.start - gap.length + gap.trimEnd().length;
  return /["\w\]}]/.test(text.charAt(comma - 1)) ? { ...proposal, comma } : proposal;
}

/** Tells whether what stands at a place that ends at `end` is followed by another item of its list. */
function isInList(node: Place | undefined, end: number): boolean {
  const isBefore = node !== undefined && node.offset + node.length <= end;
  return (isBefore ? node.parent : node)?.type === "array";
}
