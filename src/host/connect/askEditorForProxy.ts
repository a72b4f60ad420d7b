import * as https from "node:https";

/**
 * Asks the editor which way its own requests would take to an address, by its settings, the
 * environment and the system's, a PAC file among them. Answers in the words of such a file
 * (`PROXY host:port; DIRECT`); empty where the editor cannot be asked. Opens no connection.
 */
export async function askEditorForProxy(url: string): Promise<string> {
  const request = unsentRequest();
  const { agent } = request as { readonly agent?: Partial<EditorAgent> };
  if (typeof agent?.resolver !== "function") return "";
  const answer = await agent.resolver(request, {}, url);
  return typeof answer === "string" ? answer : "";
}

/**
 * What the editor gives every request of an extension as its agent (package @vscode/proxy-agent,
 * class PacProxyAgent). It is no part of the editor's API, so that nothing may rest on it being there.
 */
interface EditorAgent {
  resolver(request: unknown, options: object, url: string): Promise<unknown>;
}

/** Makes a request that gets an agent and can reach nobody, for want of a name. */
function unsentRequest(): unknown {
  const lookup: NonNullable<https.RequestOptions["lookup"]> = (_name, _options, done) =>
    done(new Error("not wanted"), []);
  const request = https.request({ hostname: "localhost", lookup });
  request.on("error", () => undefined).destroy();
  return request;
}
