import { Token } from "../../json/token";
import type { Proposal } from "./proposal";
import type { TextCursor } from "./textCursor";
import { emptySnippets } from "./valueSnippets";

/** Adapts proposals to the text that they replace. */
export function fittedProposals(
  proposals: readonly Proposal[],
  text: string,
  { token, comma }: TextCursor,
): Proposal[] {
  const filled = proposals.filter(({ label }) => !emptyLabels.has(label));
  const empty = proposals.filter(({ label }) => emptyLabels.has(label));
  // Empty values come last, since each may be the start of any other value. Inside a string, they are left out.
  const listed = token?.kind === Token.string ? filled : [...filled, ...empty];
  const existing = token === undefined ? undefined : text.slice(token.start, token.end);
  const isListed = listed.some(({ kind, label }) => kind === "value" && label === existing);
  return listed.map((proposal) => {
    // If the existing value is one of the proposals, all are listed, so that the user can choose another one. The
    // editor filters by the text that is replaced, so every proposal gets that text as its filter.
    const filterText = isListed ? (existing ?? "") : proposal.filterText;
    const separated = { ...proposal, filterText, ...(comma !== undefined && { comma }) };
    return withSpace(insideQuotes(separated, token), text);
  });
}

const emptyLabels = new Set<string>(Object.values(emptySnippets).map(({ label }) => label));

const quoted = /^"(?:.*[^\\])?"(,?)$/s;

/** Removes the quotes of a snippet that replaces the inside of a quoted string. */
function insideQuotes(proposal: Proposal, token: TextCursor["token"]): Proposal {
  const { kind, snippet, filterText } = proposal;
  if (kind !== "value" || token?.isClosed !== true || !quoted.test(snippet)) return proposal;
  return {
    ...proposal,
    snippet: snippet.replace(/,$/, "").slice(1, -1),
    filterText: quoted.test(filterText) ? filterText.slice(1, -1) : filterText,
    start: token.start + 1,
    end: token.end - 1,
  };
}

/** Adds a space before a value that directly follows its colon. */
function withSpace(proposal: Proposal, text: string): Proposal {
  const isBehindColon = proposal.kind !== "property" && text[proposal.start - 1] === ":";
  return isBehindColon ? { ...proposal, snippet: ` ${proposal.snippet}` } : proposal;
}
