import { expect } from 'vitest';
import { shortId } from '#core/agency/entities.js';
import { evolutionProposalIn, itemOf } from '#core/agency/proposal.js';
import { type STRATEGIES, strategyNamed } from '#core/agency/strategy.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { agent } from '../agency/people.js';
import { AGENCY, BOLD, BUILDER, CAREFUL, propose, statuses, TESTER } from './stage.js';

const WHY = { rationale: 'correctness is 0.4' };
const SHARPER = { op: 'modify_role', target_id: BUILDER.id, description: 'Builds, and tests first.', ...WHY };
const TUNED = { op: 'modify_tradeoff', target_id: CAREFUL.id, unacceptable_tradeoffs: ['Unchecked'], ...WHY };
const HYBRID = { op: 'modify_role', target_id: [BUILDER.id, TESTER.id], name: 'Both', description: 'Both.', ...WHY };
const NEW = { op: 'create_role', name: 'Writer', description: 'Writes.', desired_outcome: 'Read by all.', ...WHY };
const GONE = { op: 'retire_role', target_id: TESTER.id, ...WHY };

verifies('evolve.json', 'operations are read out of prose and fences, one at a time', () => {
  const answer = `Here you are:\n\`\`\`json\n${JSON.stringify({ summary: 'a', operations: [SHARPER, { op: 'eat' }, 7] })}\n\`\`\`\nThat is all.`;
  const proposal = evolutionProposalIn(answer);
  expect(proposal?.summary).toBe('a');
  expect(proposal?.items.map(({ operation }) => operation?.op)).toEqual(['modify_role', undefined, undefined]);
  expect(proposal?.items.map(({ problem }) => problem?.slice(0, 2))).toEqual([undefined, 'op', 'It']);
  expect(evolutionProposalIn('Retire everybody, at once.')).toBeUndefined();
  expect(evolutionProposalIn('{"operations": "all"}')).toBeUndefined();
  const many = Array.from({ length: AGENCY_LIMITS.evolutionOperations + 1 }, () => SHARPER);
  expect(evolutionProposalIn(JSON.stringify({ operations: many }))).toBeUndefined();
  const old = itemOf({ ...HYBRID, op: 'modify_motivation', target_id: 'a, b,a' }).operation;
  expect(old).toMatchObject({ op: 'modify_tradeoff', targets: ['a', 'b'] });
  expect(itemOf({ ...SHARPER, order: 'rm -rf' }).problem).toBeDefined();
  expect(itemOf({ ...SHARPER, skills: ['x', { inline: 'y' }] }).operation?.skills).toEqual([
    { name: 'x' },
    { inline: 'y' },
  ]);
  expect(itemOf({ ...SHARPER, skills: [{ name: 'x', file: 'y' }] }).problem).toBeDefined();
});

verifies('evolve.json', 'what is left out comes from the first parent; files and addresses only from a parent', () => {
  const { agency, outcomes } = propose([
    SHARPER,
    { ...SHARPER, description: 'Again.', skills: ['building', { file: 'docs/style.md' }] },
    { ...SHARPER, description: 'Third.', skills: [{ file: '/etc/passwd' }] },
    { ...SHARPER, description: 'Fourth.', skills: [{ url: 'https://example.org/x' }] },
    { ...NEW, skills: ['file:/etc/passwd'] },
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'applied', 'rejected', 'rejected', 'applied']);
  const child = agency.role(outcomes[0]?.made[0]?.id ?? '');
  expect(child).toMatchObject({
    name: 'Builder 2',
    description: 'Builds, and tests first.',
    desired_outcome: BUILDER.desired_outcome,
    skills: BUILDER.skills,
  });
  expect(agency.role(outcomes[4]?.made[0]?.id ?? '')?.skills).toEqual([{ name: 'file:/etc/passwd' }]);
});

verifies('evolve.strategy', 'each strategy does its own operations, and reports any other', () => {
  const all = [SHARPER, TUNED, HYBRID, NEW, GONE];
  const allowed = (strategy: (typeof STRATEGIES)[number]) =>
    statuses(propose(all, { strategy })).map((status) => (status === 'applied' ? 1 : 0));
  expect(allowed('all')).toEqual([1, 1, 1, 1, 1]);
  expect(allowed('mutation')).toEqual([1, 1, 0, 0, 0]);
  expect(allowed('crossover')).toEqual([0, 0, 1, 0, 0]);
  expect(allowed('gap-analysis')).toEqual([0, 0, 0, 1, 0]);
  expect(allowed('retirement')).toEqual([0, 0, 0, 0, 1]);
  expect(allowed('tradeoff-tuning')).toEqual([0, 1, 0, 0, 0]);
  const wordy = { ...TUNED, description: 'Weighs otherwise.' };
  expect(propose([wordy], { strategy: 'tradeoff-tuning' }).outcomes[0]).toMatchObject({
    status: 'rejected',
    reason: expect.stringContaining('Only the lists'),
  });
  expect(propose([GONE], { strategy: 'mutation' }).outcomes[0]?.reason).toContain(
    'mutation does not include retire_role',
  );
  expect(strategyNamed('motivation-tuning')).toBe('tradeoff-tuning');
  expect(strategyNamed('magic')).toBeUndefined();
});

verifies('evolve.validate', 'a bad operation is told with its reason, and the others go on', () => {
  const evolution = propose([
    { ...SHARPER, target_id: 'ffffffff' },
    { ...NEW, description: ' ' },
    { op: 'create_role', name: 'Nobody', description: 'x', ...WHY },
    { ...NEW, description: 'x'.repeat(TEAM_LIMITS.agencyTextBytes + 1) },
    { ...NEW, name: `a\u001b[2J` },
    { op: 'create_tradeoff', target_id: BOLD.id, name: 'x', description: 'y', ...WHY },
    { op: 'modify_role', description: 'of nobody', ...WHY },
    { ...SHARPER, rationale: undefined as never },
    TUNED,
  ]);
  expect(statuses(evolution)).toEqual([...Array.from({ length: 8 }, () => 'rejected'), 'applied']);
  for (const { status, reason } of evolution.outcomes) expect(reason === '').toBe(status === 'applied');
});

verifies('evolve.validate', 'what came from elsewhere and nobody accepted is neither a parent nor retired', () => {
  const agency = AGENCY.with([{ ...TESTER, pending: true }]);
  const { outcomes } = propose([HYBRID, GONE, SHARPER], {}, agency);
  expect(outcomes.map(({ status, code }) => code ?? status)).toEqual(['not_accepted', 'not_accepted', 'applied']);
});

verifies('evolve.budget', 'the first that hold are applied, what waits for a person is not counted', () => {
  const refused = { ...SHARPER, target_id: 'nobody' };
  const own = new Set([TESTER.id]);
  expect(statuses(propose([refused, GONE, SHARPER, TUNED, NEW], { budget: 2, own }))).toEqual([
    'rejected',
    'deferred',
    'applied',
    'applied',
    'over_budget',
  ]);
  expect(statuses(propose([SHARPER], { budget: 0 }))).toEqual(['over_budget']);
});

verifies(
  'evolve.sequential',
  'a later operation sees what an earlier one made, by its name in the answer or its id',
  () => {
    const first = propose([HYBRID]).outcomes[0]?.made[0]?.id ?? '';
    const evolution = propose([
      { op: 'retire_role', target_id: 'Both', ...WHY },
      HYBRID,
      { op: 'modify_role', target_id: 'Both', desired_outcome: 'Twice as good.', ...WHY },
      { op: 'retire_role', target_id: shortId(first), ...WHY },
    ]);
    expect(statuses(evolution)).toEqual(['rejected', 'applied', 'applied', 'applied']);
    expect(evolution.outcomes[2]?.target_ids).toEqual([first]);
    expect(evolution.agency.role(first)?.retired).toBe(true);
    expect(evolution.entities.filter(({ id }) => id === first)).toHaveLength(1);
  },
);

verifies('evolve.birth', 'a change is a child with an id of its own; the parent stays, and a twin is no error', () => {
  const twin = propose([SHARPER, SHARPER, { ...SHARPER, description: BUILDER.description }, HYBRID]);
  expect(statuses(twin)).toEqual(['applied', 'duplicate', 'duplicate', 'applied']);
  const child = twin.agency.role(twin.outcomes[0]?.made[0]?.id ?? '');
  expect(twin.agency.role(BUILDER.id)).toEqual(BUILDER);
  expect(child?.lineage).toMatchObject({
    parent_ids: [BUILDER.id],
    generation: 1,
    created_by: 'evolver-run-20260301-100000',
  });
  const both = twin.agency.role(twin.outcomes[3]?.made[0]?.id ?? '');
  expect(both?.lineage).toMatchObject({ parent_ids: [BUILDER.id, TESTER.id], generation: 1 });
  const gap = propose([NEW]);
  expect(gap.agency.role(gap.outcomes[0]?.made[0]?.id ?? '')?.lineage).toMatchObject({ parent_ids: [], generation: 0 });
});

verifies('evolve.pair', 'what is new gets one agent, beside the partner with the best mean', () => {
  const elder = agent('Elder', { role_id: BUILDER.id, tradeoff_id: BOLD.id, capabilities: ['rust'] });
  const { agency, outcomes } = propose([SHARPER, NEW, TUNED], {}, AGENCY.with([elder]));
  const agents = outcomes.map(({ made }) => agency.agent(made[1]?.id ?? ''));
  expect(agents.map((one) => one?.tradeoff_id)).toEqual([BOLD.id, BOLD.id, outcomes[2]?.made[0]?.id]);
  expect(agents[0]).toMatchObject({ executor: 'claude', trust_level: 'provisional', capabilities: ['rust'] });
  expect(agents[0]?.lineage.parent_ids).toEqual([elder.id]);
  expect(agents[1]).toMatchObject({ name: 'Bold Writer', capabilities: [] });
});

verifies('evolve.retire', 'what is retired is out of use with its agents, and the last of a kind stays', () => {
  const pair = agent('Pair', { role_id: TESTER.id, tradeoff_id: BOLD.id });
  const { agency, outcomes } = propose([GONE, { ...GONE, target_id: BUILDER.id }], {}, AGENCY.with([pair]));
  expect(outcomes.map(({ status, code }) => [status, code])).toEqual([
    ['applied', undefined],
    ['rejected', 'last_entity'],
  ]);
  expect(agency.role(TESTER.id)?.retired).toBe(true);
  expect(agency.agent(pair.id)?.retired).toBeUndefined();
  expect(agency.working()).toEqual([]);
  const bold = { op: 'retire_tradeoff', target_id: BOLD.id, ...WHY };
  expect(statuses(propose([bold, { ...bold, target_id: CAREFUL.id }]))).toEqual(['applied', 'rejected']);
});

verifies('evolve.retire', 'one that is held back does not stand in for the last of a kind', () => {
  const child = propose([SHARPER]).outcomes[0]?.made[0]?.id ?? '';
  const doubt = ({ id }: { readonly id: string }) => (id === child ? 'not shown to be better' : '');
  const evolution = propose([SHARPER, GONE, { ...GONE, target_id: BUILDER.id }, { ...GONE, target_id: child }], {
    doubt,
  });
  expect(statuses(evolution)).toEqual(['held', 'applied', 'rejected', 'rejected']);
  expect(evolution.agency.role(child)).toMatchObject({ held: 'run-20260301-100000' });
  expect(evolution.outcomes[0]?.made).toHaveLength(1);
  expect(evolution.agency.all('agent')).toEqual([]);
});

verifies('evolve.self', 'what touches whoever proposes is applied by nobody but a person', () => {
  const own = new Set([TESTER.id, BOLD.id]);
  const evolution = propose([HYBRID, GONE, { ...TUNED, target_id: BOLD.id }, { ...GONE, target_id: 'zz' }, SHARPER], {
    own,
  });
  expect(statuses(evolution)).toEqual(['deferred', 'deferred', 'deferred', 'rejected', 'applied']);
  expect(evolution.entities.map(({ id }) => id)).not.toContain(TESTER.id);
});
