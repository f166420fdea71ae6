import { inert, plural } from '#kernel/text.js';
import type { OrganisationAnswer } from '#surfaces/http/contract.js';
import { Resource, teamsResource, useResource } from '../../data/resource.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { type Branch, Tree } from '../../shell/Tree.js';
import { type Member, pageOf, standing } from './MemberRows.js';
import { membersResource } from './requests.js';
import './team.css';

const ASK_MS = 15_000;

const organisationResource = new Resource<OrganisationAnswer>('organisation');

/** The roster as a chart: who is above whom, in the teams and in the configuration. */
export default function RosterPage() {
  const { answer, error } = useResource(membersResource, ASK_MS);
  const teams = useResource(teamsResource, ASK_MS).answer?.teams ?? [];
  const organisation = useResource(organisationResource).answer;
  const members = answer?.members.filter(({ status }) => status !== 'removed') ?? [];
  const shown = teams.filter(({ id }) => members.some(({ team_id: of }) => of === id));
  if (answer === undefined)
    return <div className="team">{error === undefined ? <Skeleton rows={6} /> : <Failure error={error} />}</div>;
  const none = shown.length === 0 && (organisation?.agents.length ?? 0) === 0;
  return (
    <div className="team">
      {none ? (
        <p className="empty">
          No members yet. Who leads whom will appear here once a team is cast on the page Members, or agents are
          configured.
        </p>
      ) : null}
      {shown.map(({ id, name, mesh }) => (
        <section key={id} aria-label={`Roster of ${inert(name)}`}>
          <div className="team-head">
            <h2>{inert(name)}</h2>
            <p className="muted">{mesh ? 'Members may write to one another.' : 'Members write to their leader.'}</p>
          </div>
          <Tree
            label={`Who leads whom in ${inert(name)}`}
            branches={ofTeam(members.filter((one) => one.team_id === id))}
          />
        </section>
      ))}
      {organisation === undefined || organisation.agents.length === 0 ? null : (
        <section aria-label="Configuration">
          <div className="team-head">
            <h2>Configuration</h2>
            <p className="muted">
              {[
                organisation.more === 0 ? '' : `and ${plural(organisation.more, 'other')}`,
                organisation.problems === 0 ? '' : plural(organisation.problems, 'problem'),
              ]
                .filter((word) => word !== '')
                .join(', ')}
            </p>
            <CopyIcon text="troupe roster show" />
          </div>
          <Tree label="Who leads whom" branches={ofConfiguration(organisation.agents)} />
        </section>
      )}
    </div>
  );
}

/** The leader with everyone below; without one, all side by side. */
function ofTeam(members: readonly Member[]): readonly Branch[] {
  const leader = members.find(({ position }) => position === 'leader');
  const others = members.filter((one) => one !== leader).map((one) => branchOf(one, []));
  return leader === undefined ? others : [branchOf(leader, others)];
}

function branchOf(member: Member, below: readonly Branch[]): Branch {
  return {
    key: member.slug,
    below,
    node: (
      <a className="tree-node" data-row href={pageOf(member)}>
        <strong>{inert(member.name)}</strong> <span className="muted">{standing(member)}</span>
      </a>
    ),
  };
}

type Agent = OrganisationAnswer['agents'][number];

const PERSON = 'human/';

function ofConfiguration(all: readonly Agent[]): readonly Branch[] {
  const agents = new Map(all.map((agent) => [agent.id, agent]));
  const led = new Set(all.flatMap(({ id, writes_to: to }) => to.filter((other) => other !== id)));
  const branch = (agent: Agent, above: readonly string[]): Branch => {
    const { id, name, writes_to: to } = agent;
    const people = to.filter((other) => other.startsWith(PERSON)).map((other) => other.slice(PERSON.length));
    // In a cycle each is listed once.
    const below = to.flatMap((other) => (above.includes(other) || other === id ? [] : (agents.get(other) ?? [])));
    return {
      key: id,
      below: below.map((one) => branch(one, [...above, id])),
      node: (
        <span className="tree-node" title={inert(id)}>
          <strong>{inert(name)}</strong>{' '}
          <span className="muted">
            {people.length === 0 ? '' : `asks ${people.map((one) => inert(one)).join(', ')}`}
          </span>
        </span>
      ),
    };
  };
  return all.filter(({ id }) => !led.has(id)).map((agent) => branch(agent, []));
}
