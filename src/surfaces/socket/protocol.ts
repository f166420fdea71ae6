import path from 'node:path';
import { sha256 } from '#kernel/hash.js';
import { LIMITS } from '#kernel/limits.js';
import type { Caller } from '#operations/operation.js';

/** One JSON line from a command to the service. */
export type SocketRequest =
  | {
      readonly cmd: 'operation';
      readonly name: string;
      readonly input: unknown;
      readonly caller: Caller;
      /** The same id asked again gets the same answer, also after a crash. */
      readonly request_id: string;
    }
  | { readonly cmd: 'graph_changed' | 'status' | 'tick' | 'pause' | 'resume' | 'dashboard' }
  | { readonly cmd: 'agents' }
  | {
      readonly cmd: 'spawn';
      readonly task_id: string;
      readonly executor?: string;
      readonly model?: string;
      readonly timeout?: string;
    }
  | { readonly cmd: 'kill'; readonly agent_id?: string; readonly pid?: number; readonly force?: boolean }
  | { readonly cmd: 'heartbeat'; readonly agent_id: string; readonly fence: number; readonly bytes?: number }
  | { readonly cmd: 'shutdown'; readonly kill_agents?: boolean };

/** One JSON line back. */
export type SocketAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: unknown };

/** Where the service of a project listens: in its folder, or in a private runtime folder when that path is too long. */
export function socketPath(projectFolder: string, runtimeFolder: string): string {
  const near = path.join(projectFolder, '.workgraph', 'service', 'daemon.sock');
  if (Buffer.byteLength(near) <= LIMITS.socketPathBytes) return near;
  const name = sha256(projectFolder).slice(0, 16);
  return path.join(runtimeFolder, `troupe-${name}`, 'daemon.sock');
}
