import { expect } from 'vitest';
import { Agency } from '#core/agency/agency.js';
import type { Entity } from '#core/agency/entities.js';
import { agencyRoleId, linkedRole, successorRoles } from '#core/roles/agency-link.js';
import type { CoreRole, LaneRow } from '#core/roles/lane.js';
import { occupantOf, tierOf } from '#core/roles/seat.js';
import type { CastMember, CastTeam } from '#core/squad/team.js';
import { verifies } from '../../verifies.js';
import { agent, MAKER, tradeoff } from '../agency/people.js';
import { core, lessonsOf, row } from './some-roles.js';

const SKEPTIC = core('skeptic', { charter: 'Refutes.', body: 'Look twice.\nDeliverable: a verdict for each claim.\n' });
const made = (role: CoreRole, agency = new Agency([])) => linkedRole(agency, role, MAKER);

verifies(
  'roles.agency.link',
  'a core role is a role of the agency: charter, deliverable, its name as its skill',
  () => {
    expect(made(SKEPTIC)).toMatchObject({
      made: true,
      role: {
        ...{ name: 'skeptic', description: 'Refutes.', desired_outcome: 'a verdict for each claim.' },
        skills: [{ name: 'skeptic' }],
      },
    });
    expect(made({ ...SKEPTIC, body: 'The word Deliverable: within a line is none.' })?.role.desired_outcome).toBe(
      'Refutes.',
    );
    expect(made({ ...SKEPTIC, charter: '' })).toBeUndefined();
    const role = made(SKEPTIC)?.role;
    expect(role && made(SKEPTIC, new Agency([role]))).toMatchObject({ made: false, role: { id: role?.id } });
  },
);

verifies(
  'roles.agency.link',
  'who it is now is a child of who it was; what it has learned makes nobody else of it',
  () => {
    const learned = { ...SKEPTIC, core: lessonsOf(['more']), solo: lessonsOf(['much more']) };
    expect(agencyRoleId(learned)).toBe(agencyRoleId(SKEPTIC));
    expect(successorRoles(new Agency([]), SKEPTIC, learned, MAKER)).toHaveLength(1); // only who it is, as nobody was there
    const edited = { ...SKEPTIC, charter: 'Refutes with evidence.' };
    const [elder, child] = successorRoles(new Agency([]), SKEPTIC, edited, MAKER);
    expect(child?.lineage).toMatchObject({ parent_ids: [elder?.id], generation: 1 });
    const agency = new Agency([elder, child].flatMap((one) => one ?? []));
    expect(successorRoles(agency, SKEPTIC, edited, MAKER)).toEqual([]);
    expect(successorRoles(agency, edited, SKEPTIC, MAKER)).toEqual([]); // back to who it was, who is there
  },
);

const member = (name: string, archetypeId: string, more: Partial<CastMember> = {}) =>
  ({ name, slug: name.toLowerCase(), memberId: name, archetypeId, status: 'Active', ...more }) as CastMember;
const teamWith = (...members: CastMember[]) => ({ project: 'p', universe: '', leader: '', members }) satisfies CastTeam;

function sits(at: LaneRow | undefined, who: CoreRole | undefined, entities: readonly Entity[], team?: CastTeam) {
  const occupant = occupantOf(at, who, { agency: new Agency(entities), team });
  if ('agent' in occupant) return `${occupant.by} ${occupant.agent.name}`;
  if ('member' in occupant) return `${occupant.by} ${occupant.member.name}`;
  return 'tradeoff' in occupant ? `${occupant.by} ${occupant.tradeoff.name}` : occupant.by;
}

verifies(
  'roles.agency.seat',
  'the pin of the row, the member of that archetype, the best agent of the role, the middle pair',
  () => {
    const role = made(SKEPTIC)?.role;
    if (!role) throw new Error('no role');
    const of = { role_id: role.id };
    const [balanced, bold] = [tradeoff('Balanced'), tradeoff('Bold')];
    const good = agent('good', { ...of, tradeoff_id: bold.id }, [0.9]);
    const fair = agent('fair', { ...of, tradeoff_id: balanced.id }, [0.5]);
    const all = [role, balanced, bold, good, fair];
    const team = teamWith(
      member('Zoe', 'skeptic'),
      member('Ann', 'skeptic'),
      member('Bob', 'tester'),
      member('Al', 'skeptic', { status: 'Retired' }),
    );
    const pin = (key: string, value: string) => row('panel', 'doubter', { fields: new Map([[key, value]]) });

    expect(sits(pin('agent', 'fair'), SKEPTIC, all, team)).toBe('pin fair');
    expect(sits(pin('agent', fair.id.slice(0, 8)), SKEPTIC, all, team)).toBe('pin fair');
    expect(sits(pin('member', 'bob'), SKEPTIC, all, team)).toBe('pin Bob');
    expect(sits(pin('member', 'nobody'), SKEPTIC, all, team)).toBe('archetype Ann');
    expect(sits(undefined, SKEPTIC, all, team)).toBe('archetype Ann');
    expect(sits(undefined, SKEPTIC, all, teamWith(member('Bob', 'tester')))).toBe('score good');
    expect(sits(undefined, SKEPTIC, [role, balanced, bold])).toBe('default Balanced');
    expect(sits(undefined, SKEPTIC, [])).toBe('nobody');
    expect(sits(row('crew', 'qa'), undefined, all, teamWith(member('Nil', '')))).toBe('nobody');
  },
);

verifies('roles.agency.seat', 'of equals the smallest id; the row says the model', () => {
  const role = made(SKEPTIC)?.role;
  if (!role) throw new Error('no role');
  const pair = ['A', 'B', 'C'].map((name) => {
    const own = tradeoff(name);
    return [own, agent(name, { role_id: role.id, tradeoff_id: own.id }, [0.7])] as const;
  });
  const smallest = pair.map(([, one]) => one).reduce((least, one) => (one.id < least.id ? one : least));
  expect(sits(undefined, SKEPTIC, [role, ...pair.flat()])).toBe(`score ${smallest.name}`);
  expect(tierOf(row('crew', 'qa', { fields: new Map([['model', ' sonnet ']]) }))).toBe('sonnet');
  expect(tierOf(row('crew', 'qa'))).toBeUndefined();
});
