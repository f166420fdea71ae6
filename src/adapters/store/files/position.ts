import type { Loaded } from './loading.js';
import { logIdentity } from './log-file.js';

/** Where the graph in memory stands in the log: one value, and another one after each step. */
export interface Position {
  /** Id of the last entry, for the chain. */
  readonly lastId: string | undefined;
  /** Bytes of the log until there. */
  readonly logEnd: number;
  /** Tells our log from one that took its place. */
  readonly identity: string;
}

export function positionOf({ lastId, log, logIdentity: identity }: Loaded): Position {
  return { lastId, logEnd: log.end, identity };
}

/** After this many bytes were appended. */
export function advanced(position: Position, lastId: string | undefined, bytes: number): Position {
  return { ...position, lastId, logEnd: position.logEnd + bytes };
}

/** In the log that took the place of ours, shorter by the pieces that were packed away. */
export function inNextLog(position: Position, log: string, packedBytes: number): Position {
  return { ...position, logEnd: position.logEnd - packedBytes, identity: logIdentity(log) };
}
