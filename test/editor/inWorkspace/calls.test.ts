import { describe } from "mocha";
import { callsUsersRegistry } from "../callsUsersRegistry";

describe("A workspace file that brings settings of ours", () => callsUsersRegistry("workspace"));
