import { agentsScheme } from "../ids";
import { Documents } from "../ui/documents";

/** The read-only document that says what agents may do. */
export class AgentDocument extends Documents {
  private readonly uri = this.uriOf("/agents.txt");

  constructor(private readonly write: () => Promise<string>) {
    super(agentsScheme);
  }

  show(): Promise<void> {
    return this.openAt(this.uri, false);
  }

  refresh(): void {
    this.changedAt(this.uri);
  }

  protected textOf(): Promise<string> {
    return this.write();
  }
}
