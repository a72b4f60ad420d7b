import type { ErrorObject } from "ajv";
import { findNodeAtLocation, type Node, type ParseError, parseTree } from "jsonc-parser";
import type { PayloadCheck, PayloadProblem } from "../core/payloadCheck";
import type { CompiledSchema } from "./compileSchema";

/** Checks one text against one compiled schema. */
export function checkPayload(text: string, schema: CompiledSchema): PayloadCheck {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  if (errors.length > 0 || tree === undefined) {
    return { state: "invalid", problems: errors.map(syntaxProblem), hiddenProblems: 0 };
  }
  if (schema.kind === "refused") {
    return { state: "unchecked", problems: [], hiddenProblems: 0, reason: schema.reason };
  }
  const problems = schema.validate(JSON.parse(text)).map((error) => schemaProblem(error, tree));
  return {
    state: problems.length === 0 ? "valid" : "invalid",
    problems: problems.slice(0, 200),
    hiddenProblems: Math.max(0, problems.length - 200),
  };
}

function syntaxProblem(error: ParseError): PayloadProblem {
  return {
    code: "json",
    message: "This is not valid JSON.",
    severity: "error",
    start: error.offset,
    end: error.offset + error.length,
    pointer: "",
    data: { kind: "syntax" },
  };
}

function schemaProblem(error: ErrorObject, tree: Node): PayloadProblem {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let node: Node | undefined = tree;
  for (const step of path) {
    node =
      node && findNodeAtLocation(node, [node.type === "array" ? Number.parseInt(step, 10) : step]);
  }
  const extra = error.params.additionalProperty as string | undefined;
  const key = node?.children?.find((child) => child.children?.[0]?.value === extra)?.children?.[0];
  const place = (extra !== undefined && key) || node || tree;
  const length = error.keyword === "required" ? 1 : place.length;
  return {
    code: error.keyword,
    message: error.message ?? "This does not fit the schema.",
    severity: "error",
    start: place.offset,
    end: place.offset + length,
    pointer: error.instancePath,
    schemaPointer: error.schemaPath.slice(1),
  };
}
