/** An icon of the editor's own set, with a colour of its themes. The shape alone tells the state. */
export interface StateIcon {
  readonly id: string;
  readonly color?: string;
}

/** Picks the icon that stands for a verification state; an unknown state gets a question mark. */
export function stateIcon(state: string | undefined): StateIcon {
  switch (state) {
    case "verified":
      return { id: "verified", color: "charts.green" };
    case "submitted":
    case "draft":
      return { id: "circle-large-outline", color: "list.warningForeground" };
    case "deprecated":
      return { id: "warning", color: "list.warningForeground" };
    case "rejected":
    case "suspended":
      return { id: "circle-slash", color: "list.errorForeground" };
    default:
      return { id: "question" };
  }
}
