import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ExecutorEvent, isProgress, NO_USAGE, type Usage, type Verdict } from '#core/runs/event.js';
import { parserOf } from '#core/runs/parser.js';
import type { Executor, ExecutorPlan } from '#core/runs/plan.js';
import { planOf } from '../core/runs/plans.js';
import { room } from '../room.js';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');
const BIN = path.join(FIXTURES, 'bin');
/** Hostile text, as an attacker would put it into a task. */
const HOSTILE = 'a "b" \'c\' $(touch pwned) `touch pwned`; touch pwned & \u202e\u0007\n--dangerous\n\ud83c\udfad\n';
const SECRET = 'sk-only-in-the-environment';

export interface ExecutorCase {
  /** Name of the transcript below `test/fixtures/transcripts`. */
  readonly transcript: string;
  readonly exit?: number;
  readonly signal?: 'TERM' | 'KILL';
  readonly before?: Usage;
  /** Expected part of the verdict. */
  readonly verdict: Partial<Verdict>;
  /** Whether the transcript contains progress. */
  readonly progress?: boolean;
}

interface Ran {
  readonly events: readonly ExecutorEvent[];
  readonly verdict: Verdict;
  readonly kept: (name: 'args' | 'environment' | 'stdin' | 'folder') => string;
}

/** Contract of every executor, tested with a fake client that replays transcripts. */
export function executorContract(
  executor: Executor,
  cases: readonly ExecutorCase[],
  { plan = {}, client = executor.name }: { plan?: Partial<ExecutorPlan>; client?: string } = {},
): void {
  describe(executor.name, () => {
    const folders = () => {
      const project = room('project');
      const runFolder = path.join(project, '.workgraph/agents/agent-7');
      mkdirSync(runFolder, { recursive: true });
      return { project, folder: project, runFolder };
    };

    test('is started by name, with its arguments one by one and the prompt on standard input', async () => {
      const full = planOf({ ...folders(), ...plan, prompt: HOSTILE });
      const prepared = executor.prepare(full);
      const { kept } = await play(executor, full, { transcript: 'success', verdict: {} });
      expect(kept('args').split('\0').slice(0, -1)).toEqual(prepared.args);
      expect(kept('stdin')).toBe(HOSTILE);
      expect(kept('folder').trim()).toBe(full.folder);
      expect(prepared.args.join(' ')).not.toContain('pwned');
      const environment = kept('environment').split('\0');
      for (const [name, value] of Object.entries(prepared.environment))
        expect(environment).toContain(`${name}=${value}`);
      expect(environment).toContain(`WG_RUN_TOKEN=${SECRET}`);
      expect(`${kept('args')} ${JSON.stringify(prepared.files)}`).not.toContain(SECRET);
    });

    test('writes no file but into the run folder, and names no program by a path', () => {
      const prepared = executor.prepare(planOf(plan));
      for (const file of prepared.files) expect(file.path).toMatch(/^[a-z][a-z0-9-]*\.(json|mjs)$/);
      expect(prepared.program).not.toContain('/');
    });

    test.each(cases)('$transcript (exit $exit $signal)', async (found) => {
      const { events, verdict } = await play(executor, planOf({ ...folders(), ...plan }), found);
      expect(verdict).toMatchObject(found.verdict);
      expect(events.some(isProgress)).toBe(found.progress ?? true);
    });

    test('what it does not understand changes nothing', () => {
      for (const found of cases) {
        const clean = transcriptOf(client, found.transcript);
        const noisy = clean
          .split('\n')
          .flatMap((line) => [
            '',
            '\u001b[31mwarning\u001b[0m {',
            '{"type":"of-tomorrow","part":[{}]}',
            '[1]',
            'null',
            line,
          ])
          .join('\r\n');
        expect(judged(executor, [noisy], found)).toEqual(judged(executor, [clean], found));
      }
    });

    test('types of fields that are not what they should be are survived', () => {
      const lines = cases
        .flatMap((found) => transcriptOf(client, found.transcript).split('\n'))
        .filter((line) => line !== '');
      fc.assert(
        fc.property(fc.constantFrom(...lines, '{}'), fc.jsonValue(), fc.nat(40), (line, value, at) => {
          const changed = withValueAt(JSON.parse(line), at, value);
          const verdict = judged(executor, [`${JSON.stringify(changed)}\n`], { transcript: '', verdict: {} });
          expect(['succeeded', 'failed']).toContain(verdict.outcome);
          for (const figure of Object.values(verdict.usage)) expect(figure).toBeGreaterThanOrEqual(0);
        }),
        { numRuns: 300 },
      );
    });

    test('how its output is cut into chunks changes neither events nor verdict', () => {
      fc.assert(
        fc.property(fc.constantFrom(...cases), fc.array(fc.nat(), { maxLength: 40 }), (found, cuts) => {
          const text = transcriptOf(client, found.transcript);
          const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
          const chunks = [...places, text.length].map((place, at) => text.slice(places[at - 1] ?? 0, place));
          expect(followed(executor, chunks, found)).toEqual(followed(executor, [text], found));
        }),
        { numRuns: 200 },
      );
    });

    test('a last line without an end counts', () => {
      for (const found of cases) {
        const text = transcriptOf(client, found.transcript);
        expect(judged(executor, [text.replace(/\n$/, '')], found)).toEqual(judged(executor, [text], found));
      }
    });
  });
}

/** Runs the fake client as `prepare` returns it, in an environment as dispatch creates it. */
async function play(executor: Executor, plan: ExecutorPlan, found: ExecutorCase): Promise<Ran> {
  const kept = room('kept');
  const prepared = executor.prepare(plan);
  for (const file of prepared.files) writeFileSync(path.join(plan.runFolder, file.path), file.content);
  const child = spawn(prepared.program, prepared.args, {
    cwd: prepared.folder,
    env: {
      ...{ PATH: `${BIN}:/usr/bin:/bin`, WG_RUN: plan.runId, WG_RUN_TOKEN: SECRET },
      ...{ TROUPE_TEST_ROOM: process.env['TROUPE_TEST_ROOM'] },
      ...{ FAKE_KEPT: kept, FAKE_CASE: found.transcript, FAKE_EXIT: String(found.exit ?? 0) },
      ...(found.signal === undefined ? {} : { FAKE_SIGNAL: found.signal }),
      ...prepared.environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const parser = parserOf(executor.reader(found.before));
  const decoder = new StringDecoder('utf8');
  const events: ExecutorEvent[] = [];
  child.stdout.on('data', (bytes: Buffer) => events.push(...parser.feed(decoder.write(bytes))));
  child.stdin.end(prepared.stdin);
  const exit = await new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return { events, verdict: parser.end(exit), kept: (name) => readFileSync(path.join(kept, name), 'utf8') };
}

export function transcriptOf(client: string, transcript: string): string {
  return readFileSync(path.join(FIXTURES, 'transcripts', client, `${transcript}.jsonl`), 'utf8');
}

function followed(executor: Executor, chunks: readonly string[], { exit, signal, before }: ExecutorCase) {
  const parser = parserOf(executor.reader(before));
  const events = chunks.flatMap((chunk) => parser.feed(chunk));
  const ended = signal === undefined ? { code: exit ?? 0, signal: null } : { code: null, signal: `SIG${signal}` };
  return { events, verdict: parser.end(ended) };
}

function judged(executor: Executor, chunks: readonly string[], found: ExecutorCase): Verdict {
  return followed(executor, chunks, found).verdict;
}

/** Returns the data with the value at position `at`, counted over all objects and lists, replaced. */
function withValueAt(data: unknown, at: number, value: unknown): unknown {
  let left = at;
  const copy = (found: unknown): unknown => {
    if (left-- === 0) return value;
    if (Array.isArray(found)) return found.map(copy);
    if (typeof found !== 'object' || found === null) return found;
    return Object.fromEntries(Object.entries(found).map(([key, inner]) => [key, copy(inner)]));
  };
  return copy(data);
}

/** Usage of this number of requests to the scripted model, as in its transcripts. */
export function requests(count: number, more: Partial<Usage> = {}): Usage {
  return {
    ...NO_USAGE,
    input_tokens: 70 * count,
    output_tokens: 7 * count,
    cache_read_input_tokens: 30 * count,
    ...more,
  };
}
