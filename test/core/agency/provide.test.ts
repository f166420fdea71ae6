import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import { agentText, idOf } from '#core/agency/entity-text.js';
import { AUTO_CREATOR, mayAutoCreateAgent, providedFor } from '#core/agency/provide.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { verifies } from '../../verifies.js';
import { scored } from '../agency/stage.js';
import { agent, MAKER, role, tradeoff } from './people.js';

const coded = (code: string) => expect.objectContaining({ code });
const NOBODY = new Set<string>();
const MADE = { ...MAKER, by: AUTO_CREATOR };
const CODER = role('Coder', { skills: [{ name: 'code-writing' }, { inline: 'docs first' }] });
const WRITER = role('Writer', { skills: [{ name: 'docs' }] });
const EVALUATOR = role('Evaluator', { skills: [{ name: 'docs' }] });
const [CAREFUL, BALANCED, BOLD] = [tradeoff('Careful'), tradeoff('Balanced'), tradeoff('Bold')];
const AGENCY = new Agency([CODER, WRITER, EVALUATOR, CAREFUL, BALANCED, BOLD]);
const pair = (agency: Agency, id: string) => [agency.agent(id)?.role_id, agency.agent(id)?.tradeoff_id];

verifies(
  'create.auto',
  'an agent is made of the role that shares words with the skills, and the best trade-off not paired yet',
  () => {
    const task = { id: 't', title: 'T', skills: ['Docs', 'rust'] };
    const first = providedFor(AGENCY, task, NOBODY, MADE);
    expect(first).toMatchObject({
      role_id: WRITER.id,
      tradeoff_id: BALANCED.id,
      capabilities: ['Docs'],
      executor: 'claude',
      trust_level: 'provisional',
      lineage: { created_by: 'auto-create', generation: 0 },
    });
    const best = AGENCY.with([scored(BOLD, [0.9]), first]);
    const second = providedFor(best, task, NOBODY, MADE);
    expect(pair(best.with([second]), second.id)).toEqual([WRITER.id, BOLD.id]);
    const third = providedFor(best.with([second]), task, NOBODY, MADE);
    expect(third.tradeoff_id).toBe(CAREFUL.id);
    const full = best.with([second, third]);
    expect(() => providedFor(full, task, NOBODY, MADE)).toThrow(coded('no_candidate'));
    expect(() => providedFor(AGENCY, { id: 't', title: 'T', skills: ['cobol'] }, NOBODY, MADE)).toThrow(
      coded('no_candidate'),
    );
    expect(() => providedFor(new Agency([]), { id: 't', title: 'T' }, NOBODY, MADE)).toThrow(coded('no_candidate'));
  },
);

verifies(
  'create.auto',
  'for a task that needs nothing in particular it is the best role; what is held back is nobody',
  () => {
    const agency = AGENCY.with([scored(CODER, [0.9]), scored(WRITER, [0.2]), { ...BALANCED, held: 'run-1' }]);
    const made = providedFor(agency, { id: 't', title: 'T' }, NOBODY, MADE);
    expect(made.role_id).toBe(CODER.id);
    expect(made.tradeoff_id).not.toBe(BALANCED.id);
    expect(made.capabilities).toEqual([]);
  },
);

verifies(
  'who.assign',
  'a role covers a skill by most of its words, and a task without skills by those of its title',
  () => {
    const programmer = role('Programmer', { skills: [{ name: 'code-writing' }, { name: 'testing' }] });
    const reviewer = role('Reviewer', { skills: [{ name: 'code-review' }, { name: 'sql' }] });
    const agency = new Agency([programmer, reviewer, scored(CAREFUL, [0.9]), scored(reviewer, [0.9])]);
    const made = (title: string, ...skills: string[]) => providedFor(agency, { id: 't', title, skills }, NOBODY, MADE);
    expect(made('T', 'graphs', 'code-writing')).toMatchObject({
      role_id: programmer.id,
      capabilities: ['code-writing'],
    });
    expect(made('T', 'sql', 'code-writing').capabilities).toEqual(['sql']); // as many, and the better mean
    expect(() => made('T', 'code-golf')).toThrow(coded('no_candidate'));
    expect(made('Tests for the lexer').role_id).toBe(programmer.id);
  },
);

verifies('create.auto', 'at most twenty a day, and nobody counts whom a person made', () => {
  const many = Array.from({ length: AGENCY_LIMITS.agentsMadePerDay }, (_, index) => {
    const one = agent(`A${index}`, { role_id: idOf(agentText(`${index}`, '')), tradeoff_id: CAREFUL.id });
    return { ...one, lineage: { ...one.lineage, created_by: AUTO_CREATOR } };
  });
  const agency = AGENCY.with(many);
  expect(mayAutoCreateAgent(agency, MAKER.now)).toBe(false);
  expect(() => providedFor(agency, { id: 't', title: 'T' }, NOBODY, MADE)).toThrow(coded('too_many'));
  expect(mayAutoCreateAgent(agency, MAKER.now + 25 * 60 * 60 * 1_000)).toBe(true);
  const byPersons = many.map((one) => ({ ...one, lineage: { ...one.lineage, created_by: 'human' } }));
  expect(mayAutoCreateAgent(AGENCY.with(byPersons), MAKER.now)).toBe(true);
});
