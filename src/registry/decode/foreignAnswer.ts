import { optional } from "../../core/json/jsonValue";
import type { KeyRedactor } from "../../core/registry/redactSecrets";
import type { RegistryFailure } from "../../core/registry/registryFailure";
import { oneLine } from "../../core/text/plainText";
import type { WireResponse } from "../transport/wire";

/** A failure that says who answered instead of the registry. */
export type ForeignAnswer = Extract<RegistryFailure, { kind: "notRegistry" }>;

/** The part of a body in which its title is searched, in bytes. */
const searchedBytes = 65_536;
const maxTitle = 200;
/** The part of a text that is shown at most, before white space is joined. */
const maxText = 2000;
const maxHeader = 60;

/**
 * Returns who answered instead of the registry: a registry answers with JSON, so a page or a text is from a proxy, a
 * firewall or a sign-in page. Undefined for a body that is JSON, looks like JSON or is empty. `isJson` is whether the
 * body could be parsed. The texts are redacted and bounded.
 */
export function foreignAnswer(
  { status, headers, body }: WireResponse,
  isJson: boolean,
  redactor: KeyRedactor,
): ForeignAnswer | undefined {
  const [type = ""] = redactor.redact(headers["content-type"] ?? "").split(";");
  const mediaType = oneLine(type, maxHeader).toLowerCase();
  if (isJson || /[/+]json$/.test(mediaType)) return undefined;
  const text = redactor.redact(body.toString("utf8", 0, searchedBytes)).trim();
  if (text === "" || (mediaType === "" && /^[[{]/.test(text))) return undefined;
  const server = oneLine(redactor.redact(headers["server"] ?? ""), maxHeader);
  const title = titleOf(text);
  return {
    kind: "notRegistry",
    status,
    ...optional("mediaType", mediaType || undefined),
    ...optional("server", server || undefined),
    ...optional("title", title || undefined),
  };
}

/** Returns the title of a page, the messages of an XML document, or a text. */
function titleOf(text: string): string {
  if (!text.startsWith("<")) return oneLine(text.slice(0, maxText), maxTitle);
  const texts = textsOf(text, /<(?:title|h1)\b[^>]{0,200}>([^<]{1,1000})/gi).slice(0, 1);
  const isPage = /^<(?:!doctype\s{1,9})?html\b/i.test(text);
  const found = isPage && texts.length > 0 ? texts : textsOf(text, xmlMessages);
  const words = found.length > 0 ? found.join("; ") : (texts[0] ?? "");
  return oneLine(withoutEntities(words), maxTitle);
}

const xmlMessages =
  /<(?:\w{1,40}:)?(?:detail|message|msg|faultstring|description|reason)\b[^>]{0,200}>([^<]{1,1000})/gi;

function textsOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, words = ""]) => words.trim() || []);
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

function withoutEntities(text: string): string {
  return text.replace(/&(?:([a-z]+)|#(\d{1,5}));/gi, (entity, name: string = "", code?: string) =>
    code === undefined
      ? (entities[name.toLowerCase()] ?? entity)
      : String.fromCharCode(Number(code)),
  );
}
