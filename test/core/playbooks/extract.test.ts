import { describe, expect, test } from 'vitest';
import { type ExtractOptions, extractFunction } from '#core/playbooks/extract-function.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW } from '../graph/graph.js';
import { sourcesOf } from './sources.js';

const code = (wanted: string) => expect.objectContaining({ code: wanted });
const roles = new Map([['Ann', 'QA engineer']]);
const extract = (graph: ReturnType<typeof graphOf>, ids: string[], options: Partial<ExtractOptions> = {}) =>
  extractFunction(graph, ids, { now: NOW, actor: 'ann', roles, ...options });
const done = { status: 'done' as const };

describe('which tasks', () => {
  verifies('graph.func.extract', 'only done tasks; all others are named at once', () => {
    const graph = graphOf({ id: 'a', ...done }, { id: 'b', status: 'failed' }, { id: 'c' });
    expect(extract(graph, ['a']).tasks).toHaveLength(1);
    expect(() => extract(graph, ['a', 'b', 'c'])).toThrowError(
      expect.objectContaining({ code: 'not_done', details: { ids: ['b', 'c'] } }),
    );
    expect(() => extract(graph, ['aa'])).toThrowError(code('unknown_task'));
  });

  verifies('graph.func.extract', '--subgraph takes everything after a task, however far, through any cycle', () => {
    const graph = graphOf(
      { id: 'before', ...done },
      { id: 'write', after: ['before', 'revise'], ...done },
      { id: 'review', after: ['write'], ...done },
      { id: 'revise', after: ['review'], ...done },
      { id: 'publish', after: ['revise'], ...done },
      { id: 'other', ...done },
    );
    const ids = (options: Partial<ExtractOptions>) => sourcesOf(extract(graph, ['write'], options));
    expect(ids({})).toEqual(['write']);
    expect(ids({ subgraph: true })).toEqual(['publish', 'review', 'revise', 'write']);
  });

  verifies('graph.func.extract', '--subgraph wants what comes after to be done as well', () => {
    const graph = graphOf({ id: 'write', ...done }, { id: 'publish', after: ['write'] });
    expect(() => extract(graph, ['write'], { subgraph: true })).toThrowError(code('not_done'));
  });

  verifies('graph.func.extract', '--recursive takes what the runs of the tasks added, and what those added', () => {
    const graph = graphOf(
      { id: 'seed', ...done },
      { id: 'part-1', parent: 'seed', after: ['seed'], ...done },
      { id: 'part-2', parent: 'part-1', after: ['part-1'], ...done },
      { id: 'stranger', ...done },
    );
    expect(sourcesOf(extract(graph, ['seed']))).toEqual(['seed']);
    const tasks = extract(graph, ['seed'], { recursive: true }).tasks;
    expect(tasks.map((task) => [task.template_id, task.after])).toEqual([
      ['part-1', ['seed']],
      ['part-2', ['part-1']],
      ['seed', undefined],
    ]);
  });

  verifies(
    'graph.func.extract',
    'tasks about tasks are left out, and order goes through them; a flag keeps them',
    () => {
      const graph = graphOf(
        { id: 'build', ...done },
        { id: 'evaluate-build', after: ['build'], tags: ['evaluation'], status: 'failed' },
        { id: '.verify-flip-build', after: ['evaluate-build'], ...done },
        { id: 'assign-ship', after: ['.verify-flip-build'], tags: ['assignment'], ...done },
        { id: 'ship', after: ['assign-ship'], ...done },
      );
      const plain = extract(graph, ['build'], { subgraph: true });
      expect(plain.tasks.map((task) => [task.template_id, task.after])).toEqual([
        ['build', undefined],
        ['ship', ['build']],
      ]);
      // Named tasks without --subgraph: the one between them is looked through as well.
      expect(extract(graph, ['build', 'ship']).tasks[1]?.after).toEqual(['build']);
      expect(() => extract(graph, ['build'], { subgraph: true, includeEvaluations: true })).toThrowError(
        code('not_done'),
      );
      const whole = graphOf(
        { id: 'build', ...done },
        { id: 'evaluate-build', after: ['build'], tags: ['evaluation'], ...done },
      );
      expect(sourcesOf(extract(whole, ['build'], { subgraph: true, includeEvaluations: true }))).toEqual([
        'build',
        'evaluate-build',
      ]);
    },
  );

  test('a chain longer than a function may be is refused, not followed', () => {
    const chain = Array.from({ length: TEAM_LIMITS.functionTasks + 5 }, (_, index) => ({
      id: `t${index}`,
      ...(index === 0 ? {} : { after: [`t${index - 1}`] }),
      ...done,
    }));
    expect(() => extract(graphOf(...chain), ['t0'], { subgraph: true })).toThrowError(code('too_large'));
  });
});

describe('what of them', () => {
  verifies('graph.func.extract', 'edges, bounds, guards, skills and role hints stay; how it went does not', () => {
    const graph = graphOf(
      {
        id: 'draft-write',
        title: 'Write',
        after: ['outside', 'draft-review'],
        after_success: ['outside'],
        skills: ['prose'],
        member: 'Ann',
        cycle_config: {
          max_iterations: 5,
          guard: { TaskStatus: { task: 'draft-review', status: 'failed' } },
          delay: '5m',
          max_failure_restarts: 2,
        },
        tags: ['converged', 'text'],
        assigned: 'agent-1',
        started_at: '2026-01-01T00:00:00Z',
        loop_iteration: 3,
        artifacts: ['x'],
        fence: 4,
        ...done,
      },
      { id: 'outside' },
      { id: 'draft-review', title: 'Review', after: ['draft-write'], tags: ['role:Reviewer'], ...done },
    );
    expect(extract(graph, ['draft-write', 'draft-review']).tasks).toEqual([
      { template_id: 'review', title: 'Review', description: '', after: ['write'], role_hint: 'Reviewer' },
      {
        template_id: 'write',
        title: 'Write',
        description: '',
        after: ['review'],
        skills: ['prose'],
        tags: ['text'],
        role_hint: 'QA engineer',
        cycle: { max_iterations: 5, guard: 'task:review=failed', delay: '5m', max_failure_restarts: 2 },
      },
    ]);
  });

  test('a guard that asks for a task outside keeps its id, and no template takes that name', () => {
    const guard = { TaskStatus: { task: 'go', status: 'done' as const } };
    const graph = graphOf(
      { id: 'x-go', cycle_config: { max_iterations: 1, guard }, ...done },
      { id: 'x-stop', ...done },
    );
    const { tasks } = extract(graph, ['x-go', 'x-stop']);
    expect(tasks[0]).toMatchObject({ template_id: 'go-2', cycle: { guard: 'task:go=done' } });
  });

  test('a cycle without a usable bound cannot be carried', () => {
    const graph = graphOf({ id: 'a', after: ['a'], cycle_config: { max_iterations: 0 }, ...done });
    expect(() => extract(graph, ['a'])).toThrowError(code('bad_input'));
  });

  test('a name is a file name; without one it is what the ids have in common', () => {
    const graph = graphOf({ id: 'search-api-build', ...done }, { id: 'search-api-test', ...done });
    const ids = ['search-api-build', 'search-api-test'];
    expect(extract(graph, ids).id).toBe('search-api');
    expect(extract(graph, ['search-api-test']).id).toBe('search-api-test');
    for (const name of ['../x', 'a/b', '.hidden', '', 'a..b', 'x.lock']) {
      expect(() => extract(graph, ids, { name })).toThrowError(code('bad_input'));
    }
  });
});
