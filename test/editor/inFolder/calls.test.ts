import { describe } from "mocha";
import { callsUsersRegistry } from "../callsUsersRegistry";

describe("A folder that brings settings of ours, when a skill is called", () =>
  callsUsersRegistry("folder"));
