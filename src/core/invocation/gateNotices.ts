import type { Notice } from "../text/notice";

/** Tells that a call is held because it would come too early. */
export function heldNotice(skill: string, seconds: number): Notice {
  const wait = seconds === 1 ? "1 second" : `${seconds} seconds`;
  return {
    severity: "warning",
    message: `${skill} was not sent yet: it was called too often. It can be called again in ${wait}; a call that comes earlier counts as well.`,
    steps: [
      { action: "sendWhenAllowed", title: "Wait and Send" },
      { action: "drop", title: "Drop" },
    ],
  };
}

/** Tells that a skill cannot be called, with the code the registry would answer and what cures it. */
export function notCallableNotice(skill: string, code: string, cure: string): Notice {
  return {
    severity: "warning",
    message: `${skill} was not sent: ${cure} (${code})`,
    steps: [{ action: "openSkill", title: "Open Skill" }],
  };
}

/** Tells that the very same call is under way in another window. */
export function alreadyRunningNotice(skill: string): Notice {
  return {
    severity: "information",
    message: `${skill} is being called with this very input already, here or in another window. It was not sent twice.`,
    steps: [{ action: "sendAgain", title: "Call It Twice" }],
  };
}

/** Tells that the settings named another registry between the question and the call. */
export function registryChangedNotice(skill: string): Notice {
  return {
    severity: "warning",
    message: `${skill} was not sent: another registry was chosen meanwhile. Check it, then invoke again.`,
    steps: [{ action: "connect", title: "Connect to Registry…" }],
  };
}
