import { describe, expect, test } from 'vitest';
import { clientKey, describeHold, describeRetry, isHoldCurrent } from '#core/coordinator/client-holds.js';
import type { CoordinatorDecision } from '#core/coordinator/parts.js';
import { decide } from '#core/coordinator/parts.js';
import { REST } from '#core/coordinator/sessions.js';
import type { AttemptUsage, ClientHold, RunFact } from '#core/coordinator/snapshot.js';
import type { GraphState } from '#core/graph/state.js';
import { TROUBLES, type Trouble } from '#core/runs/provider-trouble.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { apply, type Fields, fact, graphOf, held, NOW, said, snapshot } from './stage.js';

const MINUTE = 60_000;
const NONE = { holds: new Map<string, ClientHold>(), proven: new Set<string>() };
/** A task without a command, held by a run. */
const claimed = (id: string, run: string, fields: TaskFields = {}) => {
  const { exec: _, ...task } = held(id, run, fields);
  return { ...task, id };
};
const client = (id: string, taskId: string, fields: Partial<RunFact> = {}) =>
  fact(id, taskId, { executor: 'claude', leaseUntil: NOW + 9e9, timeoutMs: 9e9, ...fields });
const troubled = (id: string, taskId: string, trouble: Trouble, fields: Partial<RunFact> = {}) =>
  client(id, taskId, {
    ...{ alive: false, exit: { code: 1 } },
    result: { outcome: 'failed', reason: 'API Error', trouble },
    ...fields,
  });
const holdOf = (decisions: readonly CoordinatorDecision[]) =>
  decisions.find((decision) => decision.do === 'hold-client');
const hold = (fields: Partial<ClientHold> = {}): ClientHold => ({
  ...{ client: 'claude', trouble: 'overloaded', since: NOW, until: NOW + 15_000, pauseMs: 15_000, run: 'agent-1' },
  ...fields,
});
const holding = (fields: Partial<ClientHold> = {}) => ({
  holds: new Map([['claude', hold(fields)]]),
  proven: new Set(['claude']),
});

describe('trouble of a provider', () => {
  verifies(
    'hold.provider',
    'is no verdict on the task and no attempt: it is open again as it was, and nothing is counted',
    () => {
      for (const trouble of Object.keys(TROUBLES) as Trouble[]) {
        for (const ended of [undefined, 'silent', 'idle'] as const) {
          const before = { retry_count: 1, max_retries: 1, silent_runs: 1, deaths: ['2026-03-21T09:00:00.000Z'] };
          const graph = graphOf(claimed('a', 'agent-1', before as never));
          const run = troubled('agent-1', 'a', trouble, ended ? { ended } : {});
          const decisions = decide(snapshot(graph, { runs: [run], executor: 'claude', providers: NONE }), NOW);
          apply(graph, decisions);
          expect(graph.task('a'), `${trouble} ${ended}`).toMatchObject({ status: 'open', ...before });
          expect(graph.task('a')?.log?.at(-1)?.message).toContain(TROUBLES[trouble].words);
          const [over] = decisions.flatMap(({ events }) => events.filter(({ op }) => op === 'agent_complete'));
          expect(over?.detail?.['usage'], 'nothing was paid').toMatchObject({ cost_usd: 0 });
          expect(said(decisions).filter((word) => word.startsWith('prepare') || word.startsWith('dispatch'))).toEqual(
            [],
          );
        }
      }
    },
  );

  test('a refusal is paid nothing only where nothing was used before it', () => {
    const paid = (usage: AttemptUsage) => {
      const graph = graphOf(claimed('a', 'agent-1'));
      const run = troubled('agent-1', 'a', 'limited', { usage });
      const events = decide(snapshot(graph, { runs: [run], executor: 'claude', providers: NONE }), NOW).flatMap(
        (decision) => decision.events,
      );
      return events.find(({ op }) => op === 'agent_complete')?.detail?.['usage'];
    };
    expect(paid({ input_tokens: 0 })).toEqual({ cost_usd: 0, input_tokens: 0 });
    expect(paid({ input_tokens: 1 })).toEqual({ input_tokens: 1 });
  });

  verifies(
    'hold.provider',
    'what a run reported itself stands; what we ended for its own sake is judged as before',
    () => {
      const fail = (fields: Partial<RunFact>) => {
        const graph = graphOf(claimed('a', 'agent-1'));
        apply(graph, decide(snapshot(graph, { runs: [troubled('agent-1', 'a', 'limited', fields)] }), NOW));
        return graph.task('a')?.status;
      };
      for (const ended of ['timeout', 'output'] as const) expect(fail({ ended }), ended).toBe('failed');
      const done = graphOf({ id: 'a', status: 'done', assigned: 'agent-1', fence: 1 });
      const decisions = decide(snapshot(done, { runs: [troubled('agent-1', 'a', 'limited')] }), NOW);
      apply(done, decisions);
      expect([done.task('a')?.status, holdOf(decisions)?.hold?.trouble]).toEqual(['done', 'limited']);
    },
  );

  verifies(
    'hold.provider',
    'that passes holds for 15 s, doubling with each probe up to 15 minutes; a late word changes nothing',
    () => {
      const next = (before: ClientHold | undefined, startedAt: number, trouble: Trouble, now: number) => {
        const graph = graphOf(claimed('a', 'agent-2'));
        const providers = before ? { holds: new Map([['claude', before]]), proven: new Set<string>() } : NONE;
        const run = troubled('agent-2', 'a', trouble, { startedAt });
        return holdOf(decide(snapshot(graph, { runs: [run], providers }), now))?.hold;
      };
      const first = next(undefined, NOW, 'overloaded', NOW);
      expect(first).toMatchObject({ since: NOW, until: NOW + 15_000, pauseMs: 15_000 });
      let last = first;
      const pauses: number[] = [];
      for (let probe = 0; probe < 8 && last; probe++) {
        const { until }: ClientHold = { ...last, run: 'earlier' };
        last = next({ ...last, run: 'earlier' }, until, 'overloaded', until);
        pauses.push((last?.pauseMs ?? 0) / 1_000);
      }
      expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
      expect(last?.since).toBe(NOW);
      expect(next(hold({ run: 'agent-9' }), NOW - 1, 'failing', NOW + 1_000), 'begun before').toBeUndefined();
      expect(next(hold({ run: 'agent-2' }), NOW + 15_000, 'overloaded', NOW + 16_000), 'told before').toBeUndefined();
      const refused = next(hold({ run: 'agent-9' }), NOW - 1, 'key-refused', NOW + 1_000);
      expect(refused).toMatchObject({ trouble: 'key-refused', since: NOW + 1_000, pauseMs: 15 * MINUTE });
      expect(next(refused && { ...refused, run: 'earlier' }, 9e15, 'key-refused', 9e12)?.pauseMs).toBe(15 * MINUTE);
    },
  );
});

describe('another client that is named to take over', () => {
  const startedBy = (task: TaskFields, fields: Fields = {}) => {
    const graph = graphOf({ id: 'a', ...task });
    const asked = { executor: 'claude', standIns: ['claude', 'codex', 'gemini'], ...fields };
    const [start] = decide(snapshot(graph, asked), NOW).filter((one) => one.do === 'prepare' || one.do === 'dispatch');
    return start && 'executor' in start ? start : undefined;
  };
  const limited = { ...holding({ trouble: 'weekly-limit' }), proven: new Set(['claude', 'codex', 'gemini']) };

  verifies('pay.words', 'does so while a limit holds the first, and for no other trouble', () => {
    expect(startedBy({}, { providers: limited })?.executor).toBe('codex');
    expect(startedBy({}, { providers: limited, standIns: [] }), 'off by default').toBeUndefined();
    expect(startedBy({}, { providers: NONE })?.executor).toBe('claude');
    const over = { ...limited, holds: new Map([['claude', hold({ trouble: 'weekly-limit', until: NOW })]]) };
    expect(startedBy({}, { providers: over })?.executor, 'the limit is over').toBe('claude');
    const both = {
      ...limited,
      holds: new Map([...limited.holds, ['codex', hold({ client: 'codex', trouble: 'quota' })]]),
    };
    expect(startedBy({}, { providers: both })?.executor, 'one that is held itself').toBe('gemini');
    for (const trouble of Object.keys(TROUBLES) as Trouble[]) {
      const by = startedBy(
        {},
        { providers: { ...limited, holds: new Map([['claude', hold({ trouble })]]) } },
      )?.executor;
      expect([trouble, by]).toEqual([trouble, /limit|quota|credit|overloaded/.test(trouble) ? 'codex' : undefined]);
    }
  });

  verifies('pay.words', 'gets no task that names a model or a provider, and no model of the session', () => {
    expect(startedBy({ model: 'opus' }, { providers: limited })).toBeUndefined();
    expect(
      startedBy(
        { provider: 'anthropic' },
        { providers: { ...limited, holds: new Map([['claude (anthropic)', hold()]]) } },
      ),
    ).toBeUndefined();
    const sessions = [{ ...REST, model: 'sonnet' }];
    expect(startedBy({}, { providers: NONE, sessions })?.sessionModel).toBe('sonnet');
    expect(startedBy({}, { providers: limited, sessions })).toMatchObject({ executor: 'codex', session: 0 });
    expect(startedBy({}, { providers: limited, sessions })).not.toHaveProperty('sessionModel');
  });
});

verifies('pay.words', 'a hold lasts until the reset that the provider names, and the person is told of it', () => {
  const resetsAt = NOW + 26 * 60 * MINUTE;
  const held = (result: object) => {
    const graph = graphOf(claimed('a', 'agent-1'));
    const run = troubled('agent-1', 'a', 'weekly-limit');
    const runs = [{ ...run, result: { ...run.result, ...result } as RunFact['result'] }] as RunFact[];
    return holdOf(decide(snapshot(graph, { runs, providers: NONE }), NOW))?.hold ?? expect.unreachable();
  };
  const named = held({ resetsAt });
  expect(named).toMatchObject({ trouble: 'weekly-limit', resetsAt, until: resetsAt + WORK_LIMITS.resetMarginMs });
  expect(isHoldCurrent(named, resetsAt)).toBe(true);
  expect(isHoldCurrent(named, named.until)).toBe(false);
  expect(describeHold(named)).toBe('claude: the weekly limit is reached since 10:00 UTC');
  expect(describeRetry(named)).toBe('the provider names 2026-03-22 12:00 UTC; the next try is then');
  expect(held({ resetsAt: NOW - 1 })).toMatchObject({ pauseMs: WORK_LIMITS.holdLeastMs });
  expect(held({}).until).toBe(NOW + WORK_LIMITS.holdLeastMs);
  const again = graphOf(claimed('a', 'agent-2'));
  const probe = troubled('agent-2', 'a', 'overloaded', { startedAt: named.until });
  const providers = { holds: new Map([['claude', named]]), proven: new Set<string>() };
  const next = holdOf(decide(snapshot(again, { runs: [probe], providers }), named.until + 1_000))?.hold;
  expect(next?.pauseMs, 'what comes after it begins anew').toBeLessThanOrEqual(WORK_LIMITS.holdMostMs);
});

verifies(
  'pay.words',
  'a wrong model fails no task: it holds the client, and one that a task names holds that model alone',
  () => {
    const wrong = (fields: TaskFields) => {
      const graph = graphOf(claimed('a', 'agent-1', fields), { id: 'b' }, { id: 'c', model: 'other' });
      const runs = [troubled('agent-1', 'a', 'not-found')];
      const decisions = decide(snapshot(graph, { runs, executor: 'claude', providers: NONE }), NOW);
      apply(graph, decisions);
      return [
        graph.task('a')?.status,
        holdOf(decisions)?.client,
        ...said(decisions).filter((word) => word.startsWith('dispatch')),
      ];
    };
    expect(wrong({})).toEqual(['open', 'claude']);
    const own = { holds: new Map<string, ClientHold>(), proven: new Set(['claude']) };
    const graph = graphOf(claimed('a', 'agent-1', { model: 'typo' }), { id: 'b' }, { id: 'd', model: 'typo' });
    const decisions = decide(
      snapshot(graph, { runs: [troubled('agent-1', 'a', 'not-found')], executor: 'claude', providers: own }),
      NOW,
    );
    expect(said(decisions)).toEqual(['hold-client', 'settle-exit a agent-1', 'dispatch b agent-10']);
    expect(holdOf(decisions)?.client).toBe('claude, typo');
    expect(holdOf(decisions)?.hold && describeRetry(holdOf(decisions)?.hold as ClientHold)).toContain(
      'troupe service reload',
    );
  },
);

describe('a client that is held', () => {
  const dispatched = (fields: Fields, now: number, graph = graphOf({ id: 'a' }, { id: 'b' })) =>
    said(decide(snapshot(graph, { executor: 'claude', ...fields }), now));

  verifies(
    'hold.provider',
    'is not started until the hold is over, then once, and as before when that run works',
    () => {
      expect(dispatched({ providers: holding() }, NOW + 14_999)).toEqual([]);
      expect(dispatched({ providers: holding() }, NOW + 15_000)).toEqual(['dispatch a agent-10']);
      const graph = () => graphOf(claimed('h', 'agent-2'), { id: 'a' }, { id: 'b' });
      const probe = client('agent-2', 'h', { startedAt: NOW + 15_000 });
      expect(dispatched({ providers: holding(), runs: [probe] }, NOW + 16_000, graph())).toEqual([]);
      const works = { ...probe, progressAt: NOW + 16_000 };
      const decisions = decide(
        snapshot(graph(), { executor: 'claude', providers: holding(), runs: [works] }),
        NOW + 16_500,
      );
      expect(said(decisions)).toEqual(['hold-client', 'dispatch a agent-10', 'dispatch b agent-11']);
      expect(holdOf(decisions)).not.toHaveProperty('hold');
      const earlier = { ...probe, startedAt: NOW - 1_000, progressAt: NOW + 16_000 };
      expect(dispatched({ providers: holding(), runs: [earlier] }, NOW + 14_000, graph())).toEqual([]);
      expect(dispatched({ providers: holding() }, NOW - 60 * MINUTE), 'a clock set back').toEqual([
        'dispatch a agent-10',
      ]);
    },
  );

  verifies('hold.provider', 'holds nobody else: commands, other clients and other providers go on', () => {
    const agency = {
      ...{ autoAssign: false, autoEvaluate: false },
      agents: new Map([['bot', { human: false, capacity: 9, executor: 'codex' }]]),
    };
    const tasks = graphOf(
      { id: 'a' },
      { id: 'b', exec: 'true' },
      { id: 'c', agent: 'bot' },
      { id: 'd', provider: 'local' },
    );
    expect(dispatched({ providers: holding(), agency }, NOW + 1, tasks)).toEqual([
      ...['dispatch b agent-10', 'dispatch c agent-11', 'dispatch d agent-12'],
    ]);
    expect(clientKey(tasks.task('d'), 'opencode', undefined)).toBe('opencode (local)');
  });

  verifies(
    'hold.provider',
    'that nobody has seen at work yet starts once, for a moment: what it meets all would meet',
    () => {
      const graph = () => graphOf(claimed('h', 'agent-2'), { id: 'a' }, { id: 'b' });
      expect(dispatched({ providers: NONE }, NOW)).toEqual(['dispatch a agent-10']);
      const first = client('agent-2', 'h', { startedAt: NOW });
      expect(dispatched({ providers: NONE, runs: [first] }, NOW + WORK_LIMITS.firstRunMs - 1, graph())).toEqual([]);
      expect(dispatched({ providers: NONE, runs: [first] }, NOW + WORK_LIMITS.firstRunMs, graph())).toHaveLength(1);
      const seen = { ...NONE, proven: new Set(['claude']) };
      expect(dispatched({ providers: seen, runs: [first] }, NOW + 1, graph())).toHaveLength(2);
    },
  );

  test('is told in one line, with what helps', () => {
    const at = Date.parse('2026-03-21T12:01:30.000Z');
    const refused = hold({ trouble: 'key-refused', since: at, until: at + 15 * MINUTE });
    expect(describeHold(refused)).toBe('claude: the key is refused since 12:01 UTC');
    expect(describeRetry(refused)).toBe('fix it and run `troupe service reload`; the next try is at 12:16 UTC');
    expect(describeRetry(hold({ until: at }))).toBe('the next try is at 12:01 UTC');
  });
});

/** Twelve tasks and a provider that is in trouble until a moment; each run takes a second to find out, and three to work. */
class Outage {
  readonly graph: GraphState;
  runs = 0;
  private now = NOW;
  private readonly live = new Map<string, RunFact>();
  private readonly holds = new Map<string, ClientHold>();
  private readonly proven = new Set<string>();

  constructor(tasks: number) {
    this.graph = graphOf(...Array.from({ length: tasks }, (_, index) => ({ id: `t${index}` })));
  }

  /** Until `until` every run meets the trouble. Answers when all was over, in milliseconds, or undefined. */
  play(trouble: Trouble, until: number, forMs: number): number | undefined {
    for (; this.now < NOW + forMs; this.now += 500) {
      for (const [id, run] of this.live) this.live.set(id, this.later(run, trouble, until));
      this.tick();
      if (this.graph.count('open') + this.graph.count('in-progress') === 0) return this.now - NOW;
    }
    return undefined;
  }

  mend(): void {
    this.holds.clear();
    this.proven.clear();
  }

  private later(run: RunFact, trouble: Trouble, until: number): RunFact {
    const age = this.now - run.startedAt;
    if (!run.alive || age < 1_000) return run;
    if (run.progressAt === undefined && run.startedAt < until)
      return { ...troubled(run.id, run.taskId, trouble), fence: run.fence, startedAt: run.startedAt };
    if (age < 3_000) return { ...run, progressAt: this.now };
    const result = { outcome: 'succeeded', reason: '' } as const;
    return { ...run, progressAt: this.now, alive: false, exit: { code: 0 }, result };
  }

  private tick(): void {
    const runs = [...this.live.values()];
    for (const { progressAt, result } of runs)
      if (progressAt !== undefined || (result && result.trouble === undefined)) this.proven.add('claude');
    const providers = { holds: new Map(this.holds), proven: new Set(this.proven) };
    const decisions = decide(
      snapshot(this.graph, { executor: 'claude', runs, providers, nextRun: this.runs + 1 }),
      this.now,
    );
    apply(this.graph, decisions);
    for (const decision of decisions) {
      if (decision.do === 'hold-client' && decision.hold) this.holds.set(decision.client, decision.hold);
      if (decision.do === 'hold-client' && !decision.hold) this.holds.delete(decision.client);
      if (decision.do === 'settle-exit') this.live.delete(decision.run);
      if (decision.do !== 'dispatch') continue;
      this.runs++;
      const { run, task, fence } = decision;
      this.live.set(run, client(run, task, { fence, startedAt: this.now }));
    }
  }
}

verifies(
  'hold.provider',
  'twelve tasks and 30 s of 529: all are done soon after, none failed, and few runs were spent',
  () => {
    const outage = new Outage(12);
    const took = outage.play('overloaded', NOW + 30_000, 10 * MINUTE);
    expect(outage.graph.count('done')).toBe(12);
    expect(took).toBeLessThan(75_000);
    expect(outage.runs).toBeLessThanOrEqual(12 + 3);
  },
);

verifies(
  'hold.provider',
  'twelve tasks and a refused key: one run, and one more in a quarter of an hour; mended, all are done',
  () => {
    const outage = new Outage(12);
    expect(outage.play('key-refused', 9e15, 14 * MINUTE)).toBeUndefined();
    expect([outage.runs, outage.graph.count('failed'), outage.graph.count('open')]).toEqual([1, 0, 12]);
    outage.mend();
    expect(outage.play('key-refused', 0, 20 * MINUTE)).toBeDefined();
    expect([outage.graph.count('done'), outage.runs]).toEqual([12, 13]);
  },
);
