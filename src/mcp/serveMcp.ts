import { randomBytes } from "node:crypto";
import { Transform } from "node:stream";
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  createRequestStateCodec,
  inputRequired,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  Server,
  type ServerContext,
  type Transport,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { AgentClient } from "../agents/agentAsker";
import type { AgentSession } from "../agents/agentSession";
import { callQuestion } from "../core/agents/agentQuestions";
import { type AgentResult, maxOutputLength } from "../core/agents/agentResults";
import { agentInstructions, agentToolNames, agentTools } from "../core/agents/agentTools";
import type { TypedTool } from "../core/agents/typedTools";
import { readTraceparent } from "../core/audit/otlpExport";
import { canonicalText } from "../core/json/jsonValue";
import { english } from "../core/text/language";
import { oneLine } from "../core/text/plainText";
import type { InvokedRegistry } from "../engine/attempt";
import { sha256 } from "../engine/sha256";

/** The session and the registry that tool calls use. */
interface OpenAgents {
  readonly session: Pick<AgentSession<InvokedRegistry>, "call" | "invokeAllowed">;
  readonly registry: QuestionTarget;
}

/** The registry's facts in a question. */
type QuestionTarget = Pick<InvokedRegistry, "baseUrl" | "origin" | "isBuiltIn">;

/** The parts of the server. */
export interface ServedAgents {
  /** Called for each tool call. What only calls need is loaded here, at the first of them. */
  readonly open: () => Promise<OpenAgents>;
  /**
   * Lists the tools of skills that agents may invoke. Uses only the user's list, so that every connection sees the same
   * tools.
   */
  readonly list: () => Promise<readonly TypedTool[]>;
  /** Fires when the list of tools may have changed. */
  readonly onDidChange: (listener: () => void) => { readonly dispose: () => void };
  readonly version: string;
  /** Writes a line for people. */
  readonly log: (text: string) => void;
  readonly transport: Transport;
}

/** The state that a client returns with a person's answer. It counts once, by its nonce. */
interface QuestionState {
  readonly digest: string;
  readonly nonce: string;
}

/** The time for a person to answer, in seconds. */
const answerSeconds = 300;

/**
 * The maximum number of questions that wait for an answer, more than a person reads in `answerSeconds`. Beyond it, the
 * oldest question is dropped, and a yes to it no longer counts.
 */
export const maxOpenQuestions = 100;

/**
 * The maximum message size. A longer message ends the connection, since its request and ID are unknown before its end.
 */
export const maxMessageBytes = 10_000_000;

/** A running server. */
interface McpServer {
  /** Resolves when reading has ended: the client is gone, or it sent more than `maxMessageBytes`. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves the tools until the client is gone. The same handlers serve both generations of the protocol. */
export function serveMcp(served: ServedAgents): McpServer {
  // Created at the first use: its cryptography takes longer than listing the tools.
  let created: RequestStateCodec<QuestionState> | undefined;
  const codec = () => {
    created ??= createRequestStateCodec({ key: randomBytes(32), ttlSeconds: answerSeconds });
    return created;
  };
  const openNonces = new Set<string>();
  const servers = new Set<Server>();
  const changed = served.onDidChange(() => {
    for (const server of servers) void server.sendToolListChanged().catch(() => undefined);
  });
  const factory = () => {
    const server = new Server(
      { name: "skill-registry", version: served.version },
      {
        capabilities: { tools: { listChanged: true } },
        instructions: agentInstructions,
        requestState: { verify: (state, context) => codec().verify(state, context) },
      },
    );
    servers.add(server);
    server.onclose = () => servers.delete(server);
    server.setRequestHandler("tools/list", async (_request, context) => {
      requireNegotiated(server, context);
      return {
        tools: [...Object.values(agentTools), ...(await served.list())].map(listedTool),
      };
    });
    server.setRequestHandler("tools/call", async ({ params }, context) => {
      requireNegotiated(server, context);
      const { name, arguments: given } = params;
      const { session, registry } = await served.open();
      const person = new PersonQuestion(registry, server, context, {
        digest: sha256(canonicalText([name, given ?? null])),
        openNonces,
        mint: (state) => codec().mint(state),
      });
      const client: AgentClient = {
        caller: {
          kind: "mcp",
          ...clientOf(server, context),
          ...auditFacts(server, context, params._meta?.["traceparent"]),
        },
        askPerson: (question) => person.answer(question),
        maxOutput: maxOutputLength,
      };
      const { signal } = context.mcpReq;
      const result = await callTool(served, session, name, given, client, signal);
      return (await person.question()) ?? toolResult(result);
    });
    return server;
  };
  const { transport } = served;
  const handle = serveStdio(factory, {
    transport,
    onerror: ({ name }) => served.log(`The protocol was not kept: ${name}`),
  });
  const { onclose } = transport;
  const closed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return {
    closed,
    close: async () => {
      changed.dispose();
      await handle.close();
    },
  };
}

/**
 * Creates the transport over standard input and output. Each message passes through `redact` as JSON: the texts of an
 * agreement, for instance, may have been read when the key was not known yet.
 */
export function standardTransport(redact: (text: string) => string): Transport {
  const output = new Transform({
    transform: (message, _encoding, done) => done(null, redact(String(message))),
  });
  output.pipe(process.stdout);
  return new StdioServerTransport(process.stdin, output, { maxBufferSize: maxMessageBytes });
}

async function callTool(
  served: ServedAgents,
  session: OpenAgents["session"],
  name: string,
  given: unknown,
  client: AgentClient,
  signal: AbortSignal,
): Promise<AgentResult> {
  const tool = agentToolNames.find((agentToolName) => agentToolName === name);
  if (tool !== undefined) return session.call(tool, given, client, signal);
  const typed = (await served.list()).find((item) => item.name === name);
  if (typed === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool.");
  }
  return session.invokeAllowed(typed.slug, given, client, signal);
}

function listedTool({
  name,
  title,
  description,
  inputSchema,
  annotations,
}: Omit<TypedTool, "slug">) {
  const schema = inputSchema as { readonly type: "object" };
  return { name, title, description, inputSchema: schema, annotations };
}

function toolResult({ text, isError }: AgentResult) {
  return { content: [{ type: "text" as const, text }], ...(isError && { isError }) };
}

/** The client's data in a request of the newer protocol. */
interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: { readonly name: string; readonly version: string };
  readonly [CLIENT_CAPABILITIES_META_KEY]?: { readonly elicitation?: unknown };
  readonly [PROTOCOL_VERSION_META_KEY]?: string;
}

function envelopeOf({ mcpReq }: ServerContext): Envelope {
  return mcpReq.envelope ?? {};
}

/** Rejects a request with another protocol version than the first request of the connection. */
function requireNegotiated(server: Server, context: ServerContext): void {
  const requested = envelopeOf(context)[PROTOCOL_VERSION_META_KEY];
  const negotiated = server.getNegotiatedProtocolVersion();
  if (requested === undefined || negotiated === undefined || requested === negotiated) return;
  throw new UnsupportedProtocolVersionError({ supported: [negotiated], requested });
}

/** Returns what a client states about itself. No decision depends on it. */
function clientOf(server: Server, context: ServerContext) {
  const info = envelopeOf(context)[CLIENT_INFO_META_KEY] ?? server.getClientVersion();
  if (info === undefined) return {};
  return { name: oneLine(String(info.name), 100), version: oneLine(String(info.version), 100) };
}

/** Returns further facts about a call for the audit export. */
function auditFacts(server: Server, context: ServerContext, traceparent: unknown) {
  const protocol =
    envelopeOf(context)[PROTOCOL_VERSION_META_KEY] ?? server.getNegotiatedProtocolVersion();
  return {
    ...(protocol !== undefined && { protocol: oneLine(String(protocol), 40) }),
    ...(typeof traceparent === "string" &&
      readTraceparent(traceparent) !== undefined && { traceparent }),
  };
}

type CallQuestion = Parameters<AgentClient["askPerson"]>[0];

/** The call behind a question. */
interface AskedCall {
  /** The digest of the tool and its arguments. */
  readonly digest: string;
  /** The nonces of questions without an answer, the oldest first. */
  readonly openNonces: Set<string>;
  readonly mint: (state: QuestionState) => Promise<string>;
}

/**
 * Asks a person through the client, which repeats the call with the answer. A yes counts only for exactly this call and
 * only once, since some clients accept without asking anybody.
 */
class PersonQuestion {
  private open: CallQuestion | undefined;

  constructor(
    private readonly registry: QuestionTarget,
    private readonly server: Server,
    private readonly context: ServerContext,
    private readonly call: AskedCall,
  ) {}

  answer(question: CallQuestion): "yes" | "no" | "noPerson" | "later" {
    if (!this.canAsk()) return "noPerson";
    const { mcpReq } = this.context;
    const state = mcpReq.requestState<QuestionState>();
    if (state === undefined) {
      this.open = question;
      return "later";
    }
    const isForThisCall =
      state.digest === this.call.digest && this.call.openNonces.delete(state.nonce);
    const content = acceptedContent(mcpReq.inputResponses, answerName);
    return isForThisCall && content?.["decision"] === "allow" ? "yes" : "no";
  }

  /** Returns the question to ask, as the result of the call; undefined for none. */
  async question() {
    if (this.open === undefined) return undefined;
    const { skill, call, payload, caller } = this.open;
    const { openNonces, digest, mint } = this.call;
    const nonce = randomBytes(16).toString("hex");
    const [oldest] = openNonces;
    if (oldest !== undefined && openNonces.size >= maxOpenQuestions) openNonces.delete(oldest);
    openNonces.add(nonce);
    const facts = { client: caller.name ?? "An agent", reason: call.agentReason ?? "", payload };
    const { message, detail } = callQuestion(skill, facts, this.registry, english);
    const text = [message, ...detail].map((line) => oneLine(line, 500)).join("\n");
    return inputRequired({
      inputRequests: {
        [answerName]: inputRequired.elicit({
          message: text,
          requestedSchema: {
            type: "object",
            properties: {
              decision: {
                type: "string",
                title: "Decision",
                enum: ["deny", "allow"],
                enumNames: ["Do not invoke", "Invoke once"],
              },
            },
            required: ["decision"],
          },
        }),
      },
      requestState: await mint({ digest, nonce }),
    });
  }

  private canAsk(): boolean {
    const capabilities =
      envelopeOf(this.context)[CLIENT_CAPABILITIES_META_KEY] ?? this.server.getClientCapabilities();
    return capabilities?.elicitation !== undefined;
  }
}

const answerName = "decision";
