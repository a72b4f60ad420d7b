import type { RefusalReason } from "../invocation/invocation";
import { classifyResponse, type ResponseKind } from "../invocation/response/classifyResponse";
import type { JsonValue } from "../json/jsonValue";
import { codes, errorCodes } from "../project/gateway/codes";
import { type KnownContract, readContractAs } from "../skill/compare/contract";
import {
  inputSchemaOf,
  type LossyNumbers,
  outputSchemaOf,
  type SkillDetail,
  type SkillSchema,
} from "../skill/skill";
import { isDeviceName } from "../skill/skillAddress";
import { takenModules } from "./pythonNames";
import { type Shapes, unknownShapes } from "./shape";

/** The languages of generated clients. */
export const clientLanguages = ["typescript", "python"] as const;

export type ClientLanguage = (typeof clientLanguages)[number];

/** The facts from which a typed client is generated. */
export interface ClientSource {
  readonly slug: string;
  readonly version: string;
  /** Empty if the contract is unknown. */
  readonly contractHash: string;
  readonly input: Shapes;
  readonly output: Shapes;
}

/** Reads the shape of a schema. `lossyNumbers` are those of its numbers that lost digits when they were parsed. */
export type ShapesReader = (
  schema: JsonValue,
  lossyNumbers: LossyNumbers | undefined,
) => Shapes | Promise<Shapes>;

/**
 * Reads the facts for a client of a skill. `reviewed` is the contract that was reviewed for its version; see
 * `readContractAs`. `digest` returns the SHA-256 of a text's UTF-8 bytes in hex.
 */
export async function clientSource(
  skill: SkillDetail,
  reviewed: KnownContract | undefined,
  digest: (text: string) => string,
  readShapes: ShapesReader,
): Promise<ClientSource> {
  const contract = readContractAs(skill, reviewed, digest);
  const shapesOf = ({ schema, lossyNumbers }: SkillSchema) =>
    schema === undefined ? unknownShapes() : readShapes(schema, lossyNumbers);
  return {
    slug: skill.summary.slug,
    version: skill.summary.version,
    contractHash: contract.ok ? contract.hash : "",
    input: await shapesOf(inputSchemaOf(skill)),
    output: await shapesOf(outputSchemaOf(skill)),
  };
}

/** Returns the file name of a client: the slug, in letters that every language allows in module names. */
export function clientFileName(slug: string, language: ClientLanguage): string {
  if (isDeviceName(slug)) return `${slug}_skill.${language === "typescript" ? "ts" : "py"}`;
  if (language === "typescript") return `${slug}.ts`;
  const name = slug.replace(/[^A-Za-z0-9]/g, "_").replace(/^(?=\d)/, "skill_");
  return `${takenModules.has(name) ? `${name}_skill` : name}.py`;
}

/**
 * Writes the header line of a client, which names its source. `comment` starts a comment. Replaces unusual characters
 * of the version, since a line break in it would turn the rest into code.
 */
export function clientHeader({ slug, version, contractHash }: ClientSource, comment: string) {
  const word = version.replace(/[^!-~]/g, "_");
  return `${comment} skill-registry: ${slug}@${word} ${contractHash || "contract unknown"}`;
}

/** Parses the header of a client. Undefined for another file. */
export function readClientHeader(
  text: string,
): Pick<ClientSource, "slug" | "version" | "contractHash"> | undefined {
  const found =
    /^(?:\/\/|#) skill-registry: ([^\s@]+)@(\S*) (contract-v1:\S+|contract unknown)\r?$/m.exec(
      text.slice(0, 2000),
    );
  if (found === null) return undefined;
  const [, slug = "", version = "", hash = ""] = found;
  return { slug, version, contractHash: hash.startsWith("contract-v1:") ? hash : "" };
}

/** Groups the error codes of the runtime route by the status that a client reports. */
export function codesByStatus(): Readonly<
  Record<"blocked" | "rateLimited" | "refused", readonly string[]>
> {
  const found = Object.groupBy(errorCodes, (code) => statusOfReason(codes[code].reason));
  return { blocked: [], rateLimited: [], refused: [], ...found };
}

/** Lists the HTTP statuses of each rejection without a code, as the editor reads them. Others leave the outcome unknown. */
export function httpByStatus(): Readonly<Record<"blocked" | "refused", readonly number[]>> {
  const rejections = Array.from({ length: 200 }, (_, index) => 400 + index);
  const found = Object.groupBy(rejections, (status) => {
    const reason = classifyResponse({
      ...{
        status,
        isReadable: true,
        isForeign: false,
        hasInvocationId: false,
        hasOutput: false,
        hasError: false,
      },
      ...{ lacksScope: false, hasLocation: false },
    });
    return isRefusal(reason) ? statusOfReason(reason) : "other";
  });
  return { blocked: found.blocked ?? [], refused: found.refused ?? [] };
}

function isRefusal(kind: ResponseKind): kind is RefusalReason {
  const others: readonly ResponseKind[] = [
    ...(["success", "skillError", "waiting", "unknown", "unknownStatus"] as const),
    "registryError",
  ];
  return !others.includes(kind);
}

/** Returns the status that a client reports for a rejection. */
function statusOfReason(reason: RefusalReason): "blocked" | "rateLimited" | "refused" {
  switch (reason) {
    case "policy":
    case "payment":
      return "blocked";
    case "rateLimit":
      return "rateLimited";
    default:
      return "refused";
  }
}
