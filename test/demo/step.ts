import type { Screen } from "../editor/window/screen";

/** One step of the demo: something a person does, and what must be seen then. */
export interface Step {
  /** Lower case with dashes; also the name of the step's picture. */
  readonly name: string;
  /** Performs the step. */
  act(screen: Screen): Promise<void>;
  /** Checks that it worked, or fails. Resolves to what was seen, for the transcript. */
  see(screen: Screen): Promise<string>;
}
