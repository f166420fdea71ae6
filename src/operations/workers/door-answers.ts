import { timestamp } from '#kernel/clock.js';
import { errorFromJson, isRefusal, TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import { inert } from '#kernel/text.js';
import { commit } from '#operations/review/commit.js';
import type { AttemptKey, AttemptTrees } from '#ports/attempt-trees.js';
import type { RunFolders } from '#ports/run-folders.js';
import type { RunHost } from '#ports/run-host.js';
import type { WorkerGateway } from '#ports/worker-gateway.js';
import type { Masking } from './masking.js';
import type { Pace } from './worker-parts.js';

/** An attempt that works here, with its fence and its worktree. */
export interface LocalAttempt {
  readonly task: string;
  readonly fence: number;
  readonly tree: AttemptKey;
}

export interface DoorParts {
  readonly desk: Pick<WorkerGateway, 'ask'>;
  readonly runs: Pick<RunHost, 'beat'>;
  readonly folders: Pick<RunFolders, 'identity'>;
  readonly masking: Masking;
  readonly pace: Pick<Pace, 'now' | 'wait'>;
  /** The attempt of a run that works here; undefined for any other. */
  attemptOf(run: string): LocalAttempt | undefined;
  trees(): Promise<Pick<AttemptTrees, 'commit'>>;
  /** Whether only the run itself can reach its door. */
  isAlone(run: string): Promise<boolean>;
}

/**
 * Handles requests from the doors of runs by forwarding them to the leader, to which the worker vouches for the run.
 * The token of the run and values of this machine's secrets are not sent.
 */
export class DoorAnswers {
  private readonly parts: DoorParts;

  constructor(parts: DoorParts) {
    this.parts = parts;
  }

  async answer(run: string, line: JsonObject): Promise<unknown> {
    if (line['cmd'] === 'identify') return { introduced: false };
    if (line['cmd'] === 'status') return { pid: process.pid };
    if (line['cmd'] === 'graph_changed') return { action: 'coordinator_wake_scheduled' };
    const { run_token: token, run: name = run, run_fence: asked, ...said } = line;
    const attempt = this.parts.attemptOf(run);
    await this.refuseOthers(run, token, attempt);
    if (name !== run || attempt === undefined || (typeof asked === 'number' && asked > attempt.fence))
      throw notThat(run);
    const { fence } = attempt;
    if (line['cmd'] === 'heartbeat') return { lease_until: timestamp(await this.beat(run, fence, line)) };
    if (line['cmd'] === 'operation' && line['name'] === commit.name) return await this.commit(attempt, line['input']);
    return await this.atLeader(run, fence, said);
  }

  /** Commits here, because the worktree exists only on this machine. */
  private async commit({ task, tree }: LocalAttempt, input: unknown): Promise<unknown> {
    const parsed = commit.input.safeParse(input);
    if (!parsed.success) throw new TroupeError('bad_input', { what: 'A commit has a task and a message.' });
    const { id, message } = parsed.data;
    if (id !== task) throw new TroupeError('not_yours', { what: `${inert(id)} is not the task of this run.` });
    const { committed, commit: at, leftOut } = await (await this.parts.trees()).commit(tree, message);
    return { id, committed, commit: at, left_out: leftOut };
  }

  /** Verifies the token of a run if other processes can reach its door too. Errors: `bad_run_token`. */
  private async refuseOthers(run: string, token: unknown, attempt: LocalAttempt | undefined): Promise<void> {
    const { folders, isAlone } = this.parts;
    if (token === undefined && attempt !== undefined && (await isAlone(run))) return;
    const hash = (await folders.identity(run))?.tokenHash;
    if (typeof token !== 'string' || sha256(token) !== hash) throw notThat(run);
  }

  private async beat(run: string, fence: number, line: JsonObject): Promise<number> {
    const { agent_id: id = run, fence: said = fence } = line;
    if (id !== run) throw new TroupeError('not_yours', { what: 'A run may not send the heartbeat of another.' });
    const until = said === fence ? await this.parts.runs.beat(run, fence) : undefined;
    if (until === undefined) throw new TroupeError('stale_attempt');
    return until;
  }

  /**
   * Forwards a request to the leader, and retries it while the database is unreachable. The request id stays the same,
   * so the request is carried out once.
   */
  private async atLeader(run: string, fence: number, said: JsonObject): Promise<unknown> {
    const { desk, masking, pace } = this.parts;
    const text = JSON.stringify(masking.masked(said, { shapes: false }));
    const isSafe = said['cmd'] !== 'operation' || typeof said['request_id'] === 'string';
    const until = pace.now() + WORKER_LIMITS.askMs;
    for (;;) {
      try {
        return resultOf(parseJsonObject(await desk.ask(run, fence, text)));
      } catch (error) {
        const passes = isUnreachable(error) || isRefusal(error, 'service_not_running');
        const mayRepeat = isSafe || !isRefusal(error, 'database_unsure');
        if (!passes || !mayRepeat || pace.now() >= until) throw error;
      }
      await pace.wait(WORKER_LIMITS.askAgainMs);
    }
  }
}

/** Result in a response of the leader. Errors: those of the response. */
function resultOf(line: JsonObject | undefined): unknown {
  if (line?.['ok'] !== true) throw errorFromJson(line?.['error']);
  const { ok: _ok, ...fields } = line;
  return Object.hasOwn(fields, 'result') ? fields['result'] : fields;
}

function notThat(run: string): TroupeError {
  return new TroupeError('bad_run_token', { what: `The caller is not ${run}, or not at that attempt.` });
}
