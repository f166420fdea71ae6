import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { KINDS } from '#core/agency/entities.js';
import { assign } from '#operations/agency/assign.js';
import {
  agencyRemove,
  agencyRestore,
  agencyTrust,
  agentCreate,
  agentEdit,
  roleAdd,
  roleEdit,
  tradeoffAdd,
  tradeoffEdit,
} from '#operations/agency/entities.js';
import { evaluationRecord, evaluationShow } from '#operations/agency/evaluations.js';
import { agencyInit } from '#operations/agency/init.js';
import { agencyLineage, agencyList, agencyShow, agentPerformance, match } from '#operations/agency/look.js';
import { agentProvide } from '#operations/agency/provide.js';
import { agencyStats } from '#operations/agency/stats.js';
import { loadAgency } from '#operations/load-agency.js';
import { verifies } from '../../verifies.js';
import { Calls } from '../told.js';
import { stage } from './place.js';

const golden = (name: string) => path.join(import.meta.dirname, `../golden/${name}.txt`);
const RUN = { kind: 'run', name: 'agent-1', taskId: 'own', fence: 1 } as never;
const ANN = { kind: 'person', name: 'ann' } as const;

/** A project with an agency, its calls told, and ids of entities as the names that these have. */
async function told() {
  const own = await stage();
  const calls = new Calls(() => own.context());
  const text = async () => {
    const names = new Map<string, string>();
    const all = await loadAgency({ agency: async () => own.agency, graph: async () => own.store });
    for (const kind of ['role', 'tradeoff', 'agent'] as const)
      for (const retired of [true, false])
        for (const { id, name } of all.all(kind, retired)) names.set(id, `<${kind} ${name}>`);
    const ids = [...names].reduce(
      (lines, [id, name]) => lines.replaceAll(id, name).replaceAll(id.slice(0, 8), name),
      calls.text,
    );
    return ids.replace(/"change":"[^"]+"/g, '"change":"C"');
  };
  return { ...own, calls, text };
}

verifies(
  'test.bites',
  'what is made, edited, removed, brought back and trusted of an agency, and what is refused',
  async () => {
    const { calls, text, as, store, call, put } = await told();
    const { say } = { say: calls.say.bind(calls) };
    await say(agencyList, { kind: 'role' });
    await say(agencyInit, {} as never);
    const keeper = { name: 'Keeper', description: 'Keeps it.', outcome: 'Kept.' };
    await say(roleAdd, { ...keeper, skills: ['keep', 'file:notes.md'], scope: 'graph', exec_mode: 'light' } as never);
    await say(roleAdd, keeper);
    await say(roleAdd, { ...keeper, name: ' ' });
    await say(tradeoffAdd, { name: 'Sure', description: 'Checks twice.', accept: ['slow'], reject: ['wrong'] });
    await say(tradeoffAdd, { name: 'Sure', description: 'Checks thrice.' });
    const robot = { name: 'Robo', role: 'Keeper', tradeoff: 'Fast' };
    for (const input of [
      robot,
      {
        ...robot,
        name: 'Full',
        capabilities: ['rust', 'go'],
        rate: 2.5,
        capacity: 3,
        trust_level: 'verified',
        model: 'opus',
        provider: 'anthropic',
      },
      { name: 'Ann', executor: 'email', contact: 'ann@example.org', capacity: 1 },
      { ...robot, executor: 'nobody-knows' },
      { ...robot, role: 'Nobody' },
      { name: 'Robo', role: 'Keeper', tradeoff: 'Fast' },
      { name: 'Alone' },
    ])
      await say(agentCreate, input as never);
    for (const input of [
      { id: 'Robo' },
      { id: 'Robo', capacity: 2, name: 'Robo 2' },
      { id: 'Robo 2', executor: 'nobody-knows' },
      { id: 'Full', capabilities: [], contact: 'x@example.org', executor: 'claude', trust_level: 'unknown' },
      { id: 'Nobody', rate: 1 },
    ])
      await say(agentEdit, input as never);
    for (const input of [
      { id: 'Keeper' },
      { id: 'Keeper', name: 'Holder' },
      { id: 'Holder', description: 'Holds it.', outcome: 'Held.', skills: ['hold'], scope: 'clean', exec_mode: 'bare' },
    ])
      await say(roleEdit, input as never);
    await say(tradeoffEdit, { id: 'Balanced', name: 'Even', description: 'Even.', accept: ['a'], reject: ['b'] });
    await put('busy', { status: 'in-progress' });
    await say(assign, { id: 'busy', agent: 'Robo 2' });
    for (const id of ['Robo 2', 'Full', 'Full', 'Nobody']) await say(agencyRemove, { kind: 'agent', id } as never);
    await say(agencyRemove, { kind: 'role', id: 'Documenter' } as never);
    await say(agencyRemove, { kind: 'tradeoff', id: 'Thorough' } as never);
    await say(agencyRestore, { kind: 'agent', id: 'Full' } as never);
    await say(agencyRestore, { kind: 'agent', id: 'Full' } as never);
    await say(agencyRestore, { kind: 'role', id: 'Documenter' } as never);
    for (const input of [{}, { ids: ['Keeper'] }, { ids: ['Keeper'], all: true }, { all: true }])
      await say(agencyTrust, { kind: 'role', ...input });
    await say(agencyTrust, { kind: 'agent', all: true });
    for (const id of ['Holder', 'Thorough', 'Nobody', 'e']) await say(agencyShow, { kind: 'role', id });
    await say(agencyShow, { kind: 'agent', id: 'Full' });
    await say(agencyLineage, { kind: 'role', id: 'Holder' });
    await say(agencyLineage, { kind: 'agent', id: 'Ann' });
    for (const retired of [false, true])
      for (const kind of [...KINDS, undefined])
        await say(agencyList, kind === undefined ? { retired } : { kind, retired });
    await put('wish', { skills: ['code-review'] });
    await put('other', { skills: ['documentation'] });
    await put('create-agent-other', { tags: ['assignment'], status: 'in-progress', assigned: 'agent-1', fence: 1 });
    await put('create-agent-busy', { status: 'in-progress', assigned: 'agent-1', fence: 1 });
    await say(agentProvide, { id: 'wish' });
    await say(agentProvide, { id: 'nobody' });
    for (const [taskId, fence, id] of [
      ['create-agent-other', 2, 'other'],
      ['create-agent-other', 1, 'other'],
      ['create-agent-other', 1, 'wish'],
      ['create-agent-busy', 1, 'busy'],
    ] as const) {
      as({ kind: 'run', name: 'agent-1', taskId, fence } as never);
      await say(agentProvide, { id });
    }
    as(RUN);
    for (const [operation, input] of [
      [agentCreate, { name: 'Vouched', role: 'Reviewer', tradeoff: 'Fast', trust_level: 'verified' }],
      [agentCreate, { name: 'Made', role: 'Reviewer', tradeoff: 'Fast' }],
      [agentEdit, { id: 'Ann', trust_level: 'verified' }],
      [agencyRemove, { kind: 'agent', id: 'Ann' }],
      [agencyTrust, { kind: 'role', all: true }],
      [agentProvide, { id: 'wish' }],
    ] as const)
      await say(operation as never as typeof roleAdd, input as never);
    as(ANN);
    await calls.tasks();
    await expect(await text()).toMatchFileSnapshot(golden('agency-entities'));
    await call(agencyList, { kind: 'agent' });
    await store.close();
  },
);

verifies('test.bites', 'scores of work, whom they count for, and who fits a task', async () => {
  const { calls, text, as, store, call, put, project } = await told();
  const { say } = { say: calls.say.bind(calls) };
  await call(agencyInit);
  await call(agentCreate, { name: 'Rusty', role: 'Programmer', tradeoff: 'Fast', capabilities: ['rust'] });
  await call(agentCreate, { name: 'Ann', executor: 'email', contact: 'ann@example.org' });
  mkdirSync(project, { recursive: true });
  writeFileSync(path.join(project, 'a.txt'), 'text');
  for (const id of ['one', 'two', 'three']) {
    await put(id, { skills: ['rust'], tags: ['core'] });
    await say(assign, { id, agent: id === 'three' ? 'Ann' : 'Rusty' });
  }
  await put('free', { skills: ['rust', 'go'] });
  await put('any');
  for (const id of ['free', 'any', 'nobody']) await say(match, { id });
  await say(assign, { id: 'free', auto: true });
  await say(assign, { id: 'free', clear: true });
  await say(assign, { id: 'free', clear: true });
  await say(assign, { id: 'free' });
  await say(assign, { id: 'free', agent: 'Rusty', auto: true });
  for (const input of [
    { id: 'one', score: 0.25, source: 'ci:unit', dimensions: ['completeness=0.5'], notes: 'half of it' },
    { id: 'one', score: 1.5 },
    { id: 'one', score: 0.5, dimensions: ['speed=1'] },
    { id: 'one', score: 0.5, dimensions: ['completeness'] },
    { id: 'two', score: 0.75, evaluation_id: 'mine' },
    { id: 'two', score: 0.5, evaluation_id: 'mine' },
    { id: 'three', score: 0 },
    { id: 'nobody', score: 1 },
  ])
    await say(evaluationRecord, input as never);
  for (const input of [
    {},
    { task: 'one' },
    { agent: 'Rusty', limit: 1 },
    { source: 'ci:unit' },
    { id: 'mine' },
    { id: 'nothing' },
    { task: 'nobody' },
  ])
    await say(evaluationShow, input as never);
  for (const input of [{}, { min_evals: 2 }, { by_model: true }]) await say(agencyStats, input as never);
  for (const id of ['Rusty', 'Ann', 'Nobody']) await say(agentPerformance, { id });
  as(RUN);
  await say(evaluationRecord, { id: 'own', score: 1 } as never);
  await say(assign, { id: 'one', agent: 'Ann' });
  await calls.tasks();
  await expect((await text()).replace(/"id":"eval[^"]*"/g, '"id":"EVAL"')).toMatchFileSnapshot(golden('agency-scores'));
  await store.close();
});
