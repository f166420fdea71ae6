import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SpendLimit } from '#core/coordinator/budget.js';
import type { RunResult } from '#core/coordinator/snapshot.js';
import { addUsage, lastBytes, NO_USAGE, type Usage } from '#core/runs/event.js';
import { isTrouble } from '#core/runs/provider-trouble.js';
import { isSessionId } from '#core/runs/reader.js';
import { assert } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_PROGRAM } from '#kernel/file-modes.js';
import { isJsonObject, type JsonObject, parseJsonObject, safeJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { ClientInvocation } from '#ports/client-completion.js';
import type { RunSession } from '#ports/run-folders.js';
import type { ClientPlan, RunPlan } from '#ports/run-host.js';
import { GIT_SETTINGS_PASSED, inputsOf, isSecretName, PASSED } from './environment.js';
import type { PlacedPlan } from './placed-plan.js';

/** Input of the run program, stored as `run.json`. */
export interface ClientOrder extends ClientInvocation, Pick<ClientPlan, 'before' | 'price' | 'limit'> {
  /** Names of the environment variables passed to the client; all others are removed. */
  readonly passes: readonly string[];
  /** Names of environment variables whose values must never be written to a file. */
  readonly secrets: readonly string[];
  /** Heartbeat interval in milliseconds. */
  readonly beatMs: number;
  /** Check command of the task, for the shell. */
  readonly check?: string;
}

/** Progress report of the run program while its client works, stored as `heartbeat.json`. */
export interface Heartbeat {
  /** Time in milliseconds. */
  readonly at: number;
  readonly progressAt?: number;
  readonly turns: number;
  readonly toolCalls: number;
  readonly usage?: Usage;
}

/** Final result of the run program, stored as `result.json`. */
export interface ClientResult extends RunResult {
  readonly signal?: string;
  /** Usage of the whole session, if its client counts per session. */
  readonly cumulative?: Usage;
}

export const CLIENT_RUN_VARIABLES = [
  ...['WG_TASK_ID', 'WG_AGENT_ID', 'WG_ATTEMPT', 'WG_FENCE', 'WG_RUN', 'WG_RUN_TOKEN', 'WG_EXECUTOR_TYPE', 'WG_MODEL'],
  ...['WG_LLM_PROVIDER', 'WG_PROJECT_ROOT', 'WG_WORKTREE_PATH', 'WG_BRANCH', 'TROUPE_BIN', 'TROUPE_PORT_BASE'],
];
/**
 * Writes the plan and the input of the run program: the order, the prompt, files of the client, and a script to start
 * it by hand.
 */
export function writeOrder(
  folder: string,
  { decided, placed }: { readonly decided: RunPlan; readonly placed: PlacedPlan },
  { runProgram, beatMs }: { readonly runProgram: string; readonly beatMs: number },
): void {
  const { client } = placed;
  assert(client, 'the plan of a client');
  const { check, before, price, limit, here } = client;
  const passed = Object.keys(here.passed);
  const inputs = inputsOf(placed);
  const stored: ClientOrder = {
    ...here.invocation,
    passes: [...new Set([...PASSED, ...CLIENT_RUN_VARIABLES, ...GIT_SETTINGS_PASSED, ...inputs, ...passed])],
    secrets: ['WG_RUN_TOKEN', ...passed.filter(isSecretName)],
    beatMs,
    ...(here.resumes && before !== undefined ? { before } : {}),
    ...(price === undefined ? {} : { price }),
    ...(limit === undefined ? {} : { limit }),
    ...(check === undefined ? {} : { check }),
  };
  writePrivate(path.join(folder, PLAN_FILE), `${safeJson(decided)}\n`);
  for (const file of here.files) writePrivate(path.join(folder, path.basename(file.path)), file.content);
  writePrivate(path.join(folder, 'prompt.txt'), here.prompt);
  writePrivate(path.join(folder, 'run.json'), `${JSON.stringify(stored)}\n`);
  writeFileSync(path.join(folder, 'run.sh'), clientScript(runProgram), { mode: PRIVATE_PROGRAM, flag: 'wx' });
}

/** The plan as decided: without paths of this machine and without values of variables. */
const PLAN_FILE = 'plan.json';

function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: PRIVATE_FILE, flag: 'wx' });
}

/** Stores the argument prefix that starts the sandbox. It is known only once the worktree exists. */
export function writeSandbox(folder: string, words: readonly string[]): void {
  writePrivate(path.join(folder, SANDBOX_FILE), `${JSON.stringify({ words })}\n`);
}

/** Argument prefix for starting the client, possibly empty. Throws if none was stored. */
export function readSandbox(folder: string): readonly string[] {
  const words = readJson(path.join(folder, SANDBOX_FILE))?.['words'];
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  throw new Error(`${path.join(folder, SANDBOX_FILE)} holds no words of a sandbox`);
}

const SANDBOX_FILE = 'sandbox.json';

/** Reads the order of a run. Throws if the file is invalid. */
export function readOrder(folder: string): ClientOrder {
  const order = readJson(path.join(folder, 'run.json'));
  if (order === undefined || !isOrder(order))
    throw new Error(`${path.join(folder, 'run.json')} holds no run of a client`);
  return order;
}

const LIMIT_FILE = 'limit.json';

/** Stores the new limit of a run. The run program reads it when its client exceeds the previous limit. */
export function writeLimit(folder: string, limit: SpendLimit): void {
  const draft = path.join(folder, `${LIMIT_FILE}.draft`);
  writeFileSync(draft, `${JSON.stringify(limit)}\n`, { mode: PRIVATE_FILE });
  renameSync(draft, path.join(folder, LIMIT_FILE));
}

/** The raised limit of a run; undefined if its limit has not been raised. */
export function readLimit(folder: string): SpendLimit | undefined {
  const data = readJson(path.join(folder, LIMIT_FILE));
  if (data === undefined) return undefined;
  const [usd, tokens] = [countAt(data, 'usd'), countAt(data, 'tokens')];
  return { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) };
}

function isOrder(value: JsonObject): value is JsonObject & ClientOrder {
  const texts = ['program', 'folder'].every((field) => typeof value[field] === 'string');
  return texts && ['args', 'passes', 'secrets'].every((field) => Array.isArray(value[field]));
}

export function heartbeatLine(beat: Heartbeat): string {
  return `${JSON.stringify({
    at: new Date(beat.at).toISOString(),
    ...(beat.progressAt === undefined ? {} : { progress_at: new Date(beat.progressAt).toISOString() }),
    turns: beat.turns,
    tool_calls: beat.toolCalls,
    ...(beat.usage === undefined ? {} : { usage: beat.usage }),
  })}\n`;
}

export function resultLine(result: ClientResult): string {
  return `${JSON.stringify({
    outcome: result.outcome,
    reason: result.reason,
    usage: result.usage ?? NO_USAGE,
    ...(result.sessionId === undefined ? {} : { session_id: result.sessionId }),
    turns: result.turns ?? 0,
    tool_calls: result.toolCalls ?? 0,
    ...(result.trouble === undefined ? {} : { trouble: result.trouble }),
    ...(result.resetsAt === undefined ? {} : { resets_at: new Date(result.resetsAt).toISOString() }),
    ...(result.spent === undefined ? {} : { spent: result.spent }),
    ...(result.signal === undefined ? {} : { signal: result.signal }),
    ...(result.check === undefined ? {} : { check: checkLine(result.check) }),
    ...(result.lastWords === undefined ? {} : { last_words: result.lastWords }),
    ...(result.cumulative === undefined ? {} : { cumulative: result.cumulative }),
  })}\n`;
}

function checkLine({ code, ms, lastLines }: NonNullable<RunResult['check']>) {
  return { code, ms, last_lines: lastLines };
}

/** Latest heartbeat of a run, parsed again only if the file has changed. */
export class HeartbeatFile {
  private readonly file: string;
  private lastMark = '';
  private latest: Heartbeat | undefined;

  constructor(folder: string) {
    this.file = path.join(folder, 'heartbeat.json');
  }

  read(): Heartbeat | undefined {
    const stat = statSync(this.file, { throwIfNoEntry: false });
    const mark = stat && `${stat.ino} ${stat.mtimeMs}`;
    if (mark === undefined || mark === this.lastMark) return this.latest;
    this.lastMark = mark;
    this.latest = heartbeatFrom(readJson(this.file)) ?? this.latest;
    return this.latest;
  }
}

function heartbeatFrom(data: JsonObject | undefined): Heartbeat | undefined {
  const at = momentAt(data, 'at');
  if (!data || at === undefined) return undefined;
  const progressAt = momentAt(data, 'progress_at');
  const usage = usageAt(data);
  return {
    at,
    ...(progressAt === undefined ? {} : { progressAt }),
    turns: countAt(data, 'turns') ?? 0,
    toolCalls: countAt(data, 'tool_calls') ?? 0,
    ...(usage === undefined ? {} : { usage }),
  };
}

/**
 * Outcome of a client as the run program recorded it; undefined if the run program died before it could write the
 * record.
 */
export function readResult(folder: string): ClientResult | undefined {
  const data = readJson(path.join(folder, 'result.json'));
  const outcome = data?.['outcome'];
  if (!data || (outcome !== 'succeeded' && outcome !== 'failed')) return undefined;
  const { reason, session_id: sessionId, signal } = data;
  const [turns, toolCalls, usage] = [countAt(data, 'turns'), countAt(data, 'tool_calls'), usageAt(data)];
  const [cumulative, resetsAt] = [usageAt(data, 'cumulative'), momentAt(data, 'resets_at')];
  const lastWords = typeof data['last_words'] === 'string' ? lastBytes(data['last_words']) : undefined;
  return {
    outcome,
    reason: typeof reason === 'string' ? reason.slice(0, TEAM_LIMITS.executorReasonCharacters) : '',
    ...(usage === undefined ? {} : { usage }),
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
    ...(turns === undefined ? {} : { turns }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(isTrouble(data['trouble']) ? { trouble: data['trouble'] } : {}),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(data['spent'] === true ? { spent: true as const } : {}),
    ...(typeof signal === 'string' ? { signal } : {}),
    ...(cumulative === undefined ? {} : { cumulative }),
    ...(lastWords === undefined ? {} : { lastWords }),
    ...checkAt(data),
  };
}

function checkAt(data: JsonObject): Pick<RunResult, 'check'> {
  const check = data['check'];
  if (!isJsonObject(check)) return {};
  const [code, ms] = [countAt(check, 'code'), countAt(check, 'ms')];
  const lastLines =
    typeof check['last_lines'] === 'string' ? check['last_lines'].slice(-WORK_LIMITS.lastLinesBytes) : '';
  return code === undefined || ms === undefined ? {} : { check: { code, ms, lastLines } };
}

/**
 * Parses usage figures. The client could have written any file in the folder of its run, so invalid figures are left
 * out.
 */
function usageAt(data: JsonObject, field = 'usage'): Usage | undefined {
  const usage = data[field];
  if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) return undefined;
  const [cost, estimated] = [countAt(usage, 'cost_usd'), countAt(usage, 'estimated_usd')];
  return {
    input_tokens: countAt(usage, 'input_tokens') ?? 0,
    output_tokens: countAt(usage, 'output_tokens') ?? 0,
    cache_read_input_tokens: countAt(usage, 'cache_read_input_tokens') ?? 0,
    cache_creation_input_tokens: countAt(usage, 'cache_creation_input_tokens') ?? 0,
    ...(cost === undefined ? {} : { cost_usd: cost }),
    ...(estimated === undefined ? {} : { estimated_usd: estimated }),
  };
}

function countAt(data: JsonObject, field: string): number | undefined {
  const value = data[field];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function momentAt(data: JsonObject | undefined, field: string): number | undefined {
  const value = data?.[field];
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function readJson(file: string): JsonObject | undefined {
  try {
    if (statSync(file).size > WORK_LIMITS.runFileBytes) return undefined;
    return parseJsonObject(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Script that starts a run of a client. It contains nothing of the task; all input is in files beside it. Started by
 * hand, from any folder, it does the same with the current environment. `runProgram` is the path of our own program.
 */
function clientScript(runProgram: string): string {
  return `#!/usr/bin/env bash
unset CLAUDECODE CLAUDE_CODE_ENTRYPOINT
WG_RUN=$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd -P) || exit 1
export WG_RUN
program='${runProgram.replaceAll("'", `'\\''`)}'
exec "\${TROUPE_NODE:-node}" "\${TROUPE_RUN:-$program}" "$WG_RUN"
`;
}

/** Command of every run of a client: a constant text, because variable parts are passed in the environment. */
export const CLIENT_COMMAND = 'exec bash --noprofile --norc "$WG_RUN/run.sh"';

/**
 * Session of a run, from its result; for a run that died without one, from its plan. The usage in the last heartbeat of
 * such a run is then added to the usage before it, because its client never reported the sum.
 */
export function readSession(folder: string): RunSession | undefined {
  if (!existsSync(path.join(folder, 'run.json'))) return undefined;
  const { folder: place, before: earlier } = readOrder(folder);
  const plan = readPlan(folder);
  const result = readResult(folder);
  const beat = new HeartbeatFile(folder).read();
  const id = result?.sessionId ?? plan.sessionId;
  if (id === undefined || !isSessionId(id)) return undefined; // the client could have written the file itself
  const before = result?.cumulative ?? (beat?.usage ? sum(earlier, beat.usage) : earlier);
  return {
    id,
    executor: plan.executor,
    folder: place,
    progressed: (result?.turns ?? beat?.turns ?? 0) > 0,
    ...(before === undefined ? {} : { before }),
  };
}

/** The planned client, and the session id if we chose one. */
function readPlan(folder: string): { readonly executor: string; readonly sessionId?: string } {
  const plan = readJson(path.join(folder, PLAN_FILE));
  const [executor, client] = [plan?.['executor'], plan?.['client']];
  const request = isJsonObject(client) ? client['request'] : undefined;
  const sessionId = isJsonObject(request) ? request['sessionId'] : undefined;
  return {
    executor: typeof executor === 'string' ? executor : '',
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
  };
}

function sum(left: RunSession['before'], right: NonNullable<RunSession['before']>): NonNullable<RunSession['before']> {
  return left === undefined ? right : addUsage(left, right);
}
