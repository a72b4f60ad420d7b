import type { InvocationRecord } from "../../core/invocation/record/invocationRecord";
import type { ProjectState } from "../../core/project/projectState";
import { comparedQueries } from "../../core/project/serverRecord";
import type { InvocationHistory } from "./invocationHistory";

/**
 * Reads this machine's invocations that are compared with the record of the project in use. Undefined if they cannot be
 * read.
 */
export async function ownRecords(
  history: Pick<InvocationHistory, "list">,
  state: ProjectState,
): Promise<readonly InvocationRecord[] | undefined> {
  const reading = comparedQueries(state).map((query) => history.list(query));
  const found = await Promise.all(reading).catch(() => undefined);
  return found && [...new Map(found.flat().map((record) => [record.id, record])).values()];
}
