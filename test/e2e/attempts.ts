import type { ExecutorEvent } from '#core/runs/event.js';
import { safeJson } from '#kernel/json.js';
import { git, write } from '../repository.js';
import type { World } from './world.js';

interface Made {
  readonly task: string;
  readonly run: string;
  readonly attempt: number;
  /** Files that it commits; without any it works in no worktree. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files that it changes and does not commit. */
  readonly uncommitted?: Readonly<Record<string, string>>;
  readonly exit?: number;
  readonly seconds?: number;
  readonly events?: readonly ExecutorEvent[];
  /** It is still at work. */
  readonly running?: true;
}

/** A finished attempt at a task, with its worktree, its entries in the log, and the events of its client. */
export async function attempted(own: World, made: Made): Promise<void> {
  const { task, run, attempt, files, uncommitted = {}, exit = 0, seconds = 72, events = [], running } = made;
  const trees = await own.context.trees();
  const begun = own.clock.now();
  const base = files === undefined ? undefined : await (await own.context.integration()).base();
  const tree = base === undefined ? undefined : await trees.create({ task, attempt, base });
  own.identities.set(run, {
    ...{ taskId: task, fence: attempt, mail: 'none' },
    ...(tree === undefined ? {} : { tree: { branch: tree.branch, folder: tree.folder } }),
  });
  const entry = (op: string, detail: object, set?: object, unset: readonly string[] = []) =>
    own.store.commit(() => ({
      events: [
        {
          op,
          task_id: task,
          actor: run,
          detail: { run, ...detail },
          patch: set === undefined ? [] : [{ id: task, set: { ...set }, unset }],
        },
      ],
      result: undefined,
    }));
  const started = new Date(begun).toISOString();
  await entry('claim', {}, { status: 'in-progress', assigned: run, fence: attempt, started_at: started });
  await entry('spawn_agent', { executor: 'claude' });
  let commit = base;
  if (tree !== undefined && files !== undefined) {
    write(tree.folder, files);
    git(tree.path, 'add', '--all');
    git(tree.path, 'commit', '--quiet', '--no-verify', '-m', `Attempt ${attempt} at ${task}`);
    write(tree.folder, uncommitted);
    commit = git(tree.path, 'rev-parse', 'HEAD').trim();
  }
  own.streams.set(run, streamOf(events, begun, seconds));
  if (running) {
    own.atWork.add(run);
    return;
  }
  own.pass(1_000 * seconds);
  const usage = { input_tokens: 5_600, output_tokens: 500, cost_usd: 0.04 };
  const evidence = { verify_cmd: 'npm test', exit, ms: 3_200, ...(base === undefined ? {} : { base, commit }) };
  await entry('submit', {}, { status: 'pending-validation', evidence, token_usage: usage }, ['failure_reason']);
  await entry('agent_complete', { outcome: 'done', usage });
  own.ended.add(run);
}

/** The same project with a client for its tasks, so that their prompts can be asked for. */
export function withClient(context: World['context']): World['context'] {
  const settings = context.settings;
  return {
    ...context,
    freshId: () => '0123456789abcdef',
    squad: async () => ({ ...(await context.squad()), texts: async () => new Map() }),
    settings: async () => ({ ...(await settings()), read: async () => ({ coordinator: { executor: 'claude' } }) }),
  };
}

/** Events as recorded, evenly spread over the time of the run. */
export function streamOf(events: readonly ExecutorEvent[], begun: number, seconds: number): string {
  const step = (1_000 * seconds) / Math.max(1, events.length);
  return events
    .map((one, index) => `${safeJson({ at: new Date(begun + step * (index + 1)).toISOString(), ...one })}\n`)
    .join('');
}

/** A short run of a client: it reads, edits, sees a test fail, mends it. */
export const SHORT_RUN: readonly ExecutorEvent[] = [
  { type: 'session', id: 'session-1', model: 'claude-opus-4-8' },
  { type: 'progress', turn: 1 },
  usageOf(3_200, 90),
  { type: 'text', text: 'I read the parser and its tests first.' },
  { type: 'tool', name: 'Read', state: 'started', target: 'src/parse.ts' },
  { type: 'tool', name: 'Read', state: 'succeeded', result: 'export function parse(text: string) { (+41 lines)' },
  { type: 'progress', turn: 2 },
  usageOf(4_100, 260),
  { type: 'tool', name: 'Edit', state: 'started', target: 'src/parse.ts' },
  { type: 'tool', name: 'Edit', state: 'succeeded' },
  { type: 'tool', name: 'Bash', state: 'started', target: 'npm test' },
  { type: 'tool', name: 'Bash', state: 'failed', result: '2 failed, 212 passed (+18 lines)' },
  { type: 'error', message: 'Trying again (1 of 3): overloaded' },
  { type: 'progress', turn: 3 },
  usageOf(5_600, 500),
  { type: 'tool', name: 'Bash', state: 'started', target: 'npm test' },
  { type: 'tool', name: 'Bash', state: 'succeeded', result: '214 passed' },
  { type: 'text', text: 'Empty input now returns an empty list. <script>alert(1)</script> All 214 tests pass.' },
  { type: 'final', outcome: 'succeeded', reason: 'The client finished.' },
];

function usageOf(input: number, output: number): ExecutorEvent {
  const cached = { cache_read_input_tokens: 12 * input, cache_creation_input_tokens: 0 };
  return { type: 'usage', usage: { input_tokens: input, output_tokens: output, ...cached } };
}
