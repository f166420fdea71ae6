import type { ReactNode } from 'react';
import { formatCost, formatTokens, inert, plural } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { addressOf } from '../../data/route.js';
import { elapsed, useNow } from '../../data/time.js';
import { Glyph, stateOf } from '../../status/Status.js';

export type Member = Answer<'member.list'>['members'][number];

/**
 * Members by team: what each does now, and what has become of its work. Idle built-in and former ones are folded.
 * `acts` stands beside the name of the first team.
 */
export function MemberRows({ members, acts }: { readonly members: readonly Member[]; readonly acts: ReactNode }) {
  const teams = [...new Map(members.map((member) => [member.team_id, member])).values()];
  return teams.map(({ team_id: id, team, cast }, place) => (
    <TeamOf key={id} name={team} cast={cast} members={members.filter((member) => member.team_id === id)}>
      {place === 0 ? acts : null}
    </TeamOf>
  ));
}

interface TeamOfProps {
  readonly name: string;
  readonly cast: boolean;
  readonly members: readonly Member[];
  readonly children: ReactNode;
}

function TeamOf({ name, cast, members, children }: TeamOfProps) {
  const leads = ({ position }: Member) => (position === 'leader' ? 0 : 1);
  const shown = members.filter((member) => !isAside(member)).sort((left, right) => leads(left) - leads(right));
  const aside = members.filter(isAside);
  const leader = members.find(({ position }) => position === 'leader');
  const label = `Members of ${inert(name)}`;
  return (
    <section aria-label={label}>
      <div className="team-head">
        <h2>
          {inert(name)} <span className="count">{shown.length}</span>
        </h2>
        <p className="muted">{leader === undefined ? 'It has no leader.' : `led by ${inert(leader.name)}`}</p>
        {cast ? null : (
          <a className="link" href={addressOf({ place: 'team', view: 'chat', item: name })}>
            Chat
          </a>
        )}
        {children}
      </div>
      <Table label={label} members={shown} />
      {aside.length === 0 ? null : (
        <details>
          <summary>{asideWords(aside)}</summary>
          <Table label={`Other members of ${inert(name)}`} members={aside} />
        </details>
      )}
    </section>
  );
}

const isAside = ({ status, built_in: builtIn, now, position }: Member): boolean =>
  status === 'removed' || (builtIn && now.length === 0 && position !== 'leader');

function asideWords(members: readonly Member[]): string {
  const retired = members.filter(({ status }) => status === 'removed').length;
  const builtIn = members.length - retired;
  return [builtIn === 0 ? '' : `${builtIn} built in`, retired === 0 ? '' : `${retired} retired`]
    .filter((word) => word !== '')
    .join(', ');
}

function Table({ label, members }: { readonly label: string; readonly members: readonly Member[] }) {
  return (
    <table className="member-table" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Now</th>
          <th scope="col">Latest results</th>
          <th scope="col" className="number">
            Score
          </th>
          <th scope="col" className="number">
            Lessons
          </th>
          <th scope="col" className="number">
            Today
          </th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <Row key={member.slug} member={member} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ member }: { readonly member: Member }) {
  const { name, results, score, count, lessons, today } = member;
  return (
    <tr>
      <th scope="row">
        <a className="record-link" data-row href={pageOf(member)}>
          {inert(name)}
        </a>
        <span className="muted member-role">{standing(member)}</span>
      </th>
      <td className="member-now">
        <Now member={member} />
      </td>
      <td className="member-results">
        {results.length === 0 ? <span className="muted is-none">none yet</span> : <Results results={results} />}
      </td>
      <Figure label="score">{score === null ? null : <Score score={score} count={count} />}</Figure>
      <Figure label="lessons">{lessons === 0 ? null : lessons}</Figure>
      <Figure label="today">{today.tokens + today.usd === 0 ? null : usedText(today)}</Figure>
    </tr>
  );
}

/** Address of the page of a member. A name may be on several teams. */
export function pageOf({ name, cast, team_id: team }: Member): string {
  return addressOf({ place: 'team', view: 'members', item: name, ...(cast ? {} : { filters: { team } }) });
}

export function standing({ role, position, person, status }: Member): string {
  return [
    role === null ? '' : inert(role),
    status === 'removed' ? 'retired' : position === 'member' ? '' : position,
    person === null ? '' : 'a person',
    status === 'paused' ? 'paused' : '',
  ]
    .filter((word) => word !== '')
    .join(', ');
}

/** Money if anything has a price, else tokens. */
export function usedText({ tokens, usd, estimated }: Member['today']): string {
  return usd === 0 ? `${formatTokens(tokens)} tokens` : formatCost(usd, estimated);
}

/** A figure with the label that it has where the table has no head; without a value it is left out there. */
function Figure({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children !== null)
    return (
      <td className="number" data-label={label}>
        {children}
      </td>
    );
  return (
    <td className="number muted is-none">
      <span aria-hidden="true">–</span>
      <span className="unseen">no {label}</span>
    </td>
  );
}

function Score({ score, count }: { readonly score: number; readonly count: number }) {
  return (
    <>
      {score.toFixed(2)} <span className="muted">in {count}</span>
    </>
  );
}

/** Tasks in progress, else what lies ahead. */
export function Now({ member: { now, ahead, name } }: { readonly member: Member }) {
  const time = useNow();
  const rest = ahead === 0 ? '' : `${plural(ahead, 'task')} ahead`;
  if (now.length === 0) return <span className="muted">{rest === '' ? 'idle' : `idle, ${rest}`}</span>;
  return (
    <ul className="member-doing" aria-label={`What ${inert(name)} does now`}>
      {now.map(({ task, title, since, cost_usd: usd, estimated_usd: estimated }) => (
        <li key={task}>
          <a href={addressOf({ place: 'team', view: 'members', task })}>
            <Glyph state="in-progress" />
            <span className="member-task">{inert(title)}</span>
          </a>{' '}
          <span className="muted number">
            {[elapsed(since ?? undefined, time), usd === null ? '' : formatCost(usd, estimated)].join(' ')}
          </span>
        </li>
      ))}
      {rest === '' ? null : <li className="muted">{rest}</li>}
    </ul>
  );
}

/** Signs of the latest results, the newest first; each leads to its task. */
function Results({ results }: { readonly results: Member['results'] }) {
  return (
    <ul className="result-marks">
      {results.map(({ task, title, status, score }) => {
        const words = `${status}: ${inert(title)}${score === null ? '' : `, scored ${score.toFixed(2)}`}`;
        return (
          <li key={task}>
            <a href={addressOf({ place: 'team', view: 'members', task })} title={words} aria-label={words}>
              <Glyph state={stateOf(status)} />
            </a>
          </li>
        );
      })}
    </ul>
  );
}
