/**
 * JSON lines between commands and the service.
 * @packageDocumentation
 */
import path from 'node:path';
import type { Usage } from '#core/coordinator/snapshot.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { LIMITS } from '#kernel/limits.js';

/** How the service is to work from its next tick on; what is left out stays. Without any of it, what the file says counts. */
export interface ServiceValues {
  readonly max_agents?: number | undefined;
  /** Seconds. */
  readonly poll_interval?: number | undefined;
  readonly executor?: string | undefined;
  readonly model?: string | undefined;
}

/** What is asked of sessions: each is the operation of the same meaning, with its fields. */
export type SessionVerb =
  | 'create_coordinator'
  | 'list_coordinators'
  | 'stop_coordinator'
  | 'archive_coordinator'
  | 'delete_coordinator'
  | 'pause_coordinator'
  | 'resume_coordinator'
  | 'user_chat';

/**
 * The run that asks, where it is one: what it proves itself by, and its name and fence where it knows them. All others the service looks
 * at as the system shows them.
 */
export interface RunProof {
  readonly run_token?: string | undefined;
  readonly run?: string | undefined;
  readonly run_fence?: number | undefined;
}

/** A question about the service itself. */
export type ServiceRequest = RunProof &
  (
    | { readonly cmd: 'graph_changed' | 'status' | 'agents' | 'pause' | 'resume' }
    | { readonly cmd: 'dashboard'; readonly logout?: boolean | undefined }
    | { readonly cmd: 'tick'; readonly dry_run?: boolean | undefined }
    | {
        readonly cmd: 'spawn';
        readonly task_id: string;
        readonly executor?: string | undefined;
        readonly model?: string | undefined;
        readonly timeout?: string | undefined;
      }
    | {
        readonly cmd: 'kill';
        readonly agent_id?: string | undefined;
        readonly pid?: number | undefined;
        readonly force?: boolean | undefined;
      }
    | {
        readonly cmd: 'heartbeat';
        readonly agent_id: string;
        readonly fence: number;
        readonly bytes?: number | undefined;
      }
    | {
        readonly cmd: 'shutdown';
        readonly force?: boolean | undefined;
        readonly kill_agents?: boolean | undefined;
      }
    | {
        readonly cmd: 'reserve_model';
        readonly purpose: string;
        readonly model: string;
        readonly task?: string | undefined;
        readonly prompt_bytes: number;
        readonly time_ms: number;
      }
    | {
        readonly cmd: 'settle_model';
        readonly reservation: string;
        readonly usage?: Usage | undefined;
        readonly free?: true | undefined;
      }
    | { readonly cmd: SessionVerb; readonly [field: string]: unknown }
    | ({ readonly cmd: 'reconfigure' } & ServiceValues)
  );

/**
 * Says before a request which process asks. The process shows `shownName` of this line as its own name until it is answered, which
 * no other process can do for it.
 */
export interface IntroductionRequest {
  readonly cmd: 'identify';
  readonly pid: number;
  /** Makes the name one that nobody can foresee. */
  readonly nonce: string;
  /** The hash of the line that follows: what is introduced is that one request. */
  readonly asks: string;
}

/** One JSON line from a command to the service. */
export type SocketRequest =
  | (RunProof & {
      readonly cmd: 'operation';
      readonly name: string;
      readonly input: unknown;
      /** The same id asked again gets the same answer, also after a crash. */
      readonly request_id?: string | undefined;
    })
  | ServiceRequest
  | IntroductionRequest;

/** One JSON line back: the fields of the answer beside `ok`; what an operation answers stands in `result`. */
export type SocketAnswer =
  | ({ readonly ok: true } & Readonly<Record<string, unknown>>)
  | { readonly ok: false; readonly error: unknown };

/** A question as it is sent; `too_large` where the service would not take it. */
export function requestLine(request: SocketRequest): string {
  const line = JSON.stringify(request);
  if (Buffer.byteLength(line) > LIMITS.socketLineBytes) throw lineTooLong();
  return `${line}\n`;
}

export function lineTooLong(): TroupeError {
  return new TroupeError('too_large', {
    what: `A request may have at most ${LIMITS.socketLineBytes} bytes: nothing was changed.`,
    hint: 'Send a smaller request.',
  });
}

/** The name that a process shows while this introduction is looked at: as long as Linux lets a name be. */
export function shownName(introduction: string): string {
  return sha256(introduction).slice(0, 15);
}

/** Where the service of a project listens: in its folder, or in a private runtime folder when that path is too long. */
export function socketPath(projectFolder: string, runtimeFolder: string): string {
  const near = path.join(projectFolder, '.workgraph', 'service', 'daemon.sock');
  if (Buffer.byteLength(near) <= LIMITS.socketPathBytes) return near;
  return path.join(runtimePlace(projectFolder, runtimeFolder), 'daemon.sock');
}

/** What of a project lies in the private runtime folder, where no cleaning of its work tree reaches. */
export function runtimePlace(projectFolder: string, runtimeFolder: string): string {
  return path.join(runtimeFolder, `troupe-${sha256(projectFolder).slice(0, 16)}`);
}
