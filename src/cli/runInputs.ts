import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { isInShard, type Shard } from "../core/batch/shard";
import { isSystemError, readError } from "./fileError";
import { sha256 } from "./readSkill";

/** The inputs of a run. */
export interface RunInputs {
  /** The path of the file. */
  readonly inputs: string;
  /** How it is named in messages. */
  readonly inputsName: string;
  /** Undefined for all lines. */
  readonly shard: Shard | undefined;
}

/** A line of the inputs, counted from 1 among all lines of the file. */
export interface InputLine {
  readonly line: number;
  readonly text: string;
  readonly digest: string;
}

/** Reads the lines of the shard one by one; empty ones are none. */
export async function* inputLines({
  inputs,
  inputsName,
  shard,
}: RunInputs): AsyncGenerator<InputLine> {
  const stream = createReadStream(inputs, "utf8");
  let line = 0;
  try {
    for await (const text of createInterface({
      input: stream,
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      line += 1;
      if (text.trim() === "") continue;
      const digest = sha256(text);
      if (shard === undefined || isInShard(digest, shard)) yield { line, text, digest };
    }
  } catch (error) {
    throw isSystemError(error) ? readError(inputsName, error) : error;
  } finally {
    stream.destroy();
  }
}
