import type { RegistryFailure } from "../../core/registry/registryFailure";

/** Says that no connection came about, so that nothing of the request can have left. */
export class NotConnected extends Error {
  override readonly name = "NotConnected";

  constructor(readonly failure: Extract<RegistryFailure, { kind: "unreachable" }>) {
    super(failure.kind);
  }
}
