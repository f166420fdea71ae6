import { expect, test } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { eligible, loadOf, matchesOf, skillGaps, waitingMatches } from '#core/agency/match.js';
import { bestOf, descendsOnlyFrom, pairFor } from '#core/agency/pairing.js';
import { AUTO_CREATOR, mayAutoCreateAgent, providedFor, whyProvided } from '#core/agency/provide.js';
import { performanceOf } from '#core/agency/read.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { verifies } from '../../verifies.js';
import { scored } from '../agency/stage.js';
import { graphOf } from '../graph/graph.js';
import { agent, MAKER, role, tradeoff } from './people.js';

const NOBODY = new Set<string>();
const DAY = 24 * 60 * 60 * 1_000;
const [CAREFUL, BALANCED, BOLD] = [tradeoff('Careful'), tradeoff('Balanced'), tradeoff('Bold')];
const WRITER = role('Writer', { skills: [{ name: 'docs' }] });
const CODER = role('Coder', { skills: [{ name: 'code-writing' }] });

verifies('create.auto', 'a day is over after its last millisecond, and who is out of use was made too', () => {
  const many = Array.from({ length: AGENCY_LIMITS.agentsMadePerDay }, (_, index) => {
    const one = agent(`A${index}`, { role_id: role(`R${index}`).id });
    return {
      ...one,
      lineage: { ...one.lineage, created_by: AUTO_CREATOR },
      ...(index === 0 ? { retired: true as const } : {}),
    };
  });
  const after = (milliseconds: number, made = many) => mayAutoCreateAgent(new Agency(made), MAKER.now + milliseconds);
  expect([after(0), after(DAY - 1), after(DAY), after(0, many.slice(1))]).toEqual([false, false, true, true]);
});

verifies('create.auto', 'the log of an agent that was made says why, with the scores of what it is made of', () => {
  const why = (agency: Agency, task: { title: string; skills?: string[] }) => {
    const made = providedFor(agency, { id: 't', ...task }, NOBODY, MAKER);
    return whyProvided(agency, made, NOBODY);
  };
  const parts = [WRITER, CODER, CAREFUL, BALANCED, BOLD];
  const known = new Agency([...parts, scored(WRITER, [0.5, 0.25]), scored(BOLD, [1])]);
  expect([
    why(new Agency(parts), { title: 'T', skills: ['docs'] }),
    why(known, { title: 'T', skills: ['docs'] }),
    why(known, { title: 'Docs' }),
    whyProvided(new Agency([]), agent('Gone'), NOBODY),
  ]).toEqual([
    'no agent matched; Writer covers docs and has no score yet; Balanced is the best it was not paired with and has no score yet',
    'no agent matched; Writer covers docs and scored 0.38 so far; Bold is the best it was not paired with and scored 1.00 so far',
    'no agent matched; Writer fits its title and tags best and scored 0.38 so far; Bold is the best it was not paired with and scored 1.00 so far',
    'no agent matched;  fits its title and tags best and has no score yet;  is the best it was not paired with and has no score yet',
  ]);
});

test('the best has the best mean, of equal ones it is the first, and without any score the middle one', () => {
  const best = (...entities: Parameters<typeof bestOf>[1]) => bestOf(new Agency(entities), entities, NOBODY)?.name;
  expect([
    best(CAREFUL, BALANCED, BOLD),
    best(CAREFUL, BOLD),
    best(),
    best(CAREFUL, scored(BALANCED, [0.1]), scored(BOLD, [0.9])),
    best(scored(CAREFUL, [0.9]), scored(BOLD, [0.9])),
    best(scored(BOLD, [0]), BALANCED),
  ]).toEqual(['Balanced', 'Careful', undefined, 'Bold', 'Careful', 'Bold']);
});

test('what comes of roles that serve alone serves too; one other root, and it takes tasks', () => {
  const lineage = (...parents: string[]) => ({ parent_ids: parents, generation: 1, created_by: 'e', created_at: '' });
  const names = new Set(['Evaluator', 'Evolver']);
  const [judge, evolver] = [role('Evaluator'), role('Evolver')];
  const child = role('Judge 2', { lineage: lineage(judge.id) });
  const grandchild = role('Judge 3', { lineage: lineage(child.id, evolver.id) });
  const mixed = role('Mixed', { lineage: lineage(judge.id, WRITER.id) });
  const orphan = role('Orphan', { lineage: lineage('gone') });
  const ring = role('Ring', { lineage: lineage(role('Ring').id) });
  const named = role('Evolver', { description: 'Another.', lineage: lineage(WRITER.id) });
  const all = [judge, evolver, child, grandchild, mixed, orphan, ring, named, WRITER];
  const serves = all.filter((one) => descendsOnlyFrom(new Agency(all), one, names)).map(({ name }) => name);
  expect(serves).toEqual(['Evaluator', 'Evolver', 'Judge 2', 'Judge 3', 'Evolver']);
});

test('who works with what is new: the best partner, with what the elder beside it can do', () => {
  const lineage = (...parents: string[]) => ({ parent_ids: parents, generation: 1, created_by: 'e', created_at: '' });
  const elder = agent('Elder', { role_id: WRITER.id, tradeoff_id: BALANCED.id, capabilities: ['go'] });
  const other = agent('Other', { role_id: CODER.id, tradeoff_id: BALANCED.id, capabilities: ['sql'] });
  const half = (role_id: string, tradeoff_id: string) =>
    ['A', 'B', 'C', 'D'].map((name) => agent(`${name} of one`, { role_id, tradeoff_id, capabilities: ['rust'] }));
  const halves = [...half(WRITER.id, CAREFUL.id), ...half(CODER.id, BALANCED.id)];
  const agency = new Agency([WRITER, CODER, CAREFUL, BALANCED, elder, other, ...halves]);
  const pair = (child: Parameters<typeof pairFor>[1], at = agency) => {
    const made = pairFor(at, child, MAKER, NOBODY);
    return made && [made.name, made.role_id, made.tradeoff_id, made.capabilities, made.lineage];
  };
  const heir = role('Heir', { lineage: lineage(WRITER.id) });
  const brave = tradeoff('Brave', { lineage: lineage(BALANCED.id) });
  const of = (...parent_ids: string[]) => ({
    ...{ parent_ids, generation: parent_ids.length, created_by: 'human', created_at: '2026-03-01T10:00:00.000Z' },
  });
  expect(pair(heir)).toEqual(['Balanced Heir', heir.id, BALANCED.id, ['go'], of(elder.id)]);
  expect(pair(role('New'))).toEqual(['Balanced New', role('New').id, BALANCED.id, [], of()]);
  const scoredWriter = agency.with([scored(WRITER, [0.9])]);
  expect(pair(brave, scoredWriter)).toEqual(['Brave Writer', WRITER.id, brave.id, ['go'], of(elder.id)]);
  expect(pair(WRITER), 'they are paired already').toBeUndefined();
  expect(pair(heir, new Agency([WRITER]))).toBeUndefined();
  expect(pair(brave, new Agency([role('Evaluator')])), 'who serves works with nobody').toBeUndefined();
});

test('those who wait for a person would fit, as far as something speaks for them', () => {
  const at = (name: string, more: object = {}) => ({
    ...agent(name, { role_id: role(name).id, capabilities: name === 'Idle' ? ['cooking'] : ['docs'] }),
    ...more,
  });
  const [works, waits, held, idle] = [
    at('Works'),
    at('Waits', { pending: true }),
    at('Held', { held: 'r' }),
    at('Idle', { pending: true }),
  ];
  const load = loadOf(graphOf());
  const names = (agency: Agency, title = 'Docs') =>
    waitingMatches(agency, { title, skills: [] }, load).map(({ agent_name }) => agent_name);
  const agency = new Agency([works, waits, held, idle]);
  expect(names(agency).sort()).toEqual(['Held', 'Waits']);
  expect(names(agency, 'Else')).toEqual([]);
  expect(names(new Agency([works]))).toEqual([]);
  expect(names(new Agency([works, { ...role('Idle role'), pending: true }]))).toEqual([]);
});

test('rules choose those for whom something speaks, else those without a speciality', () => {
  const [cook, any, docs] = [
    agent('Cook', { capabilities: ['cooking'] }),
    agent('Any', { role_id: CODER.id }),
    agent('Docs', { role_id: WRITER.id, capabilities: ['docs'] }),
  ];
  const agency = new Agency([cook, any, docs]);
  const names = (title: string, ...skills: string[]) =>
    eligible(agency, matchesOf(agency, { title, skills }, loadOf(graphOf()))).map(({ agent_name }) => agent_name);
  expect([names('Docs'), names('Cooking docs').sort(), names('x', 'docs'), names('x')]).toEqual([
    ['Docs'],
    ['Cook', 'Docs'],
    ['Docs'],
    ['Any'],
  ]);
});

test('what agents have to do counts by its status, and what nobody brings by its tasks', () => {
  const docs = agent('Docs', { capabilities: ['Docs'] });
  const view = graphOf(
    { id: 'a', agent: docs.id, status: 'in-progress', skills: ['docs', 'sql', 'sql'] },
    { id: 'b', agent: docs.id, skills: ['SQL', 'art'] },
    { id: 'c', agent: docs.id, skills: ['go'] },
    { id: 'd', agent: docs.id, status: 'done', skills: ['cobol'] },
    { id: 'e', agent: docs.id, status: 'failed' },
    { id: 'f', skills: ['go', 'sql'] },
  );
  const { running, open } = loadOf(view);
  expect([[...running], [...open]]).toEqual([[[docs.id, 1]], [[docs.id, 2]]]);
  expect(skillGaps(new Agency([docs]), view)).toEqual([
    { skill: 'sql', tasks: 3 },
    { skill: 'go', tasks: 2 },
    { skill: 'art', tasks: 1 },
  ]);
});

test('of what stands beside a score only texts are kept, each by itself', () => {
  const score = { score: 0.5, task_id: 't' };
  const whole = { timestamp: 'when', context_id: 'c', evaluation_id: 'e', source: 's' };
  for (const key of Object.keys(whole) as (keyof typeof whole)[]) {
    const { [key]: _, ...kept } = whole;
    const blank = key === 'timestamp' || key === 'context_id' ? { [key]: '' } : {};
    expect(performanceOf({ evaluations: [{ ...score, ...whole, [key]: 7 }] }).evaluations, key).toEqual([
      { ...score, ...kept, ...blank },
    ]);
  }
  expect(performanceOf({ evaluations: [{ ...score, ...whole }] }).evaluations).toEqual([{ ...score, ...whole }]);
});
