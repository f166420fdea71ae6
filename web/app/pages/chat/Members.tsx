import { inert, plural, shellWord } from '#kernel/text.js';
import { addressOf, useRoute } from '../../data/route.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import type { StoredTeam, TeamRow } from './stored-team.js';

interface MembersProps {
  readonly teams: readonly TeamRow[];
  readonly team: StoredTeam;
  onChoose(name: string): Promise<void>;
}

type Person = StoredTeam['members'][number];

/** The team, a choice of another one, and its members with the leader above them. */
export function Members({ teams, team, onChoose }: MembersProps) {
  const { item } = useRoute();
  const present = team.members.filter(({ status }) => status !== 'removed');
  const leader = present.find(({ position }) => position === 'leader');
  const Heading = item === undefined ? 'h2' : 'h1';
  return (
    <section className="chat-members" aria-label="Team">
      <div className="chat-team">
        <Heading>{inert(team.name)}</Heading>
        <CopyIcon text={`troupe team show ${shellWord(inert(team.name))}`} />
      </div>
      {teams.length < 2 ? null : (
        <label className="field">
          Change team
          <select value={team.name} onChange={(event) => void onChoose(event.target.value)}>
            {teams.map(({ id, name, status, leader: lead }) => (
              <option key={id} value={name}>
                {inert(name)}
                {status === 'active' ? '' : ` (${status})`}
                {lead === null ? '' : `, led by ${inert(lead)}`}
              </option>
            ))}
          </select>
        </label>
      )}
      {team.description === '' ? null : <p className="muted">{inert(team.description, true)}</p>}
      <p className="muted">{plural(present.length, 'member')}</p>
      <ul className="org" aria-label="Reporting lines">
        <li>
          {leader === undefined ? (
            <span className="muted">It has no leader.</span>
          ) : (
            <Who team={team} member={leader} />
          )}
          <People team={team} members={present.filter(({ position }) => position === 'member')} />
        </li>
      </ul>
      <People team={team} members={present.filter(({ position }) => position === 'observer')} />
    </section>
  );
}

function People({ team, members }: { readonly team: StoredTeam; readonly members: readonly Person[] }) {
  if (members.length === 0) return null;
  return (
    <ul className="org">
      {members.map((member) => (
        <li key={member.id}>
          <Who team={team} member={member} />
        </li>
      ))}
    </ul>
  );
}

function Who({ team, member }: { readonly team: StoredTeam; readonly member: Person }) {
  const { name, position, status, person } = member;
  const facts = [
    position === 'member' ? '' : position,
    person === null ? '' : 'a person',
    status === 'paused' ? 'paused' : '',
  ];
  const filters = team.cast ? {} : { filters: { team: team.id } };
  return (
    <span className="org-person">
      <a href={addressOf({ place: 'team', view: 'members', item: name, ...filters })}>
        <strong>{inert(name)}</strong>
      </a>{' '}
      <span className="muted">{facts.filter((fact) => fact !== '').join(', ')}</span>
    </span>
  );
}
