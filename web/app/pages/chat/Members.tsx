import { useState } from 'react';
import { inert, shellWord } from '#kernel/text.js';
import { useAction } from '../../data/action.js';
import { Command } from '../../drawer/Command.js';
import { Dialog } from '../../shell/Dialog.js';
import { Failure } from '../../shell/Skeleton.js';
import type { StoredTeam, TeamRow } from './ChatPage.js';
import { Organisation } from './Organisation.js';

interface PickerProps<Chosen> {
  readonly teams: readonly TeamRow[];
  readonly team: Chosen;
  onChoose(id: string): Promise<void>;
}

/** Button with the selected team, which opens the list of teams. */
export function TeamPicker({ teams, team, onChoose }: PickerProps<Pick<TeamRow, 'id' | 'name' | 'status'>>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="pill" aria-haspopup="dialog" title="Choose a team" onClick={() => setOpen(true)}>
        <span>{inert(team.name)}</span>
        {team.status === 'active' ? null : <span className="muted"> {team.status}</span>}
        <span aria-hidden="true"> ▾</span>
      </button>
      {isOpen ? <Teams teams={teams} current={team.id} onChoose={onChoose} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Members of the team as an organisation chart. */
export function Members({ teams, team, onChoose }: PickerProps<StoredTeam>) {
  const present = team.members.filter(({ status }) => status !== 'removed');
  const leader = present.find(({ position }) => position === 'leader');
  const members = present.filter(({ position }) => position === 'member');
  const observers = present.filter(({ position }) => position === 'observer');
  return (
    <section className="chat-members" aria-label="Team">
      <TeamPicker teams={teams} team={team} onChoose={onChoose} />
      {team.description === '' ? null : <p className="muted">{inert(team.description, true)}</p>}
      <ul className="org" aria-label="Reporting lines">
        <li>
          {leader === undefined ? <span className="muted">It has no leader.</span> : <Person member={leader} />}
          {members.length === 0 ? null : (
            <ul>
              {members.map((member) => (
                <li key={member.id}>
                  <Person member={member} />
                </li>
              ))}
            </ul>
          )}
        </li>
      </ul>
      {observers.length === 0 ? null : (
        <>
          <h2>Observers</h2>
          <ul className="org">
            {observers.map((member) => (
              <li key={member.id}>
                <Person member={member} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Organisation />
      <Command text={`troupe team show ${shellWord(inert(team.name))}`} />
    </section>
  );
}

function Person({ member }: { readonly member: StoredTeam['members'][number] }) {
  const { name, position, status, person } = member;
  const facts = [
    position === 'member' ? '' : position,
    person === null ? '' : 'a person',
    status === 'paused' ? 'paused' : '',
  ];
  return (
    <span className="org-person">
      <strong>{inert(name)}</strong> <span className="muted">{facts.filter((fact) => fact !== '').join(', ')}</span>
    </span>
  );
}

function Teams(props: {
  readonly teams: readonly TeamRow[];
  readonly current: string;
  onChoose(id: string): Promise<void>;
  onClose(): void;
}) {
  const { teams, current, onChoose, onClose } = props;
  const { busy, trouble, run } = useAction();
  return (
    <Dialog label="Teams" className="form-dialog" onClose={onClose}>
      <div className="landing">
        <h2>Teams</h2>
        <ul className="fact-list">
          {teams.map(({ id, name, status, leader }) => (
            <li key={id}>
              <button
                type="button"
                className="link"
                disabled={busy}
                aria-current={id === current ? 'true' : undefined}
                onClick={() => void run(async () => onChoose(id).then(onClose))}
              >
                {inert(name)}
              </button>
              <span className="muted">
                {status === 'active' ? '' : `${status} `}
                {leader === null ? '' : `led by ${inert(leader)}`}
              </span>
            </li>
          ))}
        </ul>
        {trouble === undefined ? null : <Failure error={trouble} />}
        <Command text="troupe team list" />
      </div>
    </Dialog>
  );
}
