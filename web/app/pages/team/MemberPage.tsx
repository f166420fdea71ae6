import { useMemo } from 'react';
import { formatCost, formatTokens, inert, plural, shellWord } from '#kernel/text.js';
import type { MemberAnswer } from '#surfaces/http/contract.js';
import { Resource, resourceOf, UNASKED, useResource } from '../../data/resource.js';
import { addressOf, useRoute } from '../../data/route.js';
import { absolute, elapsed, useNow } from '../../data/time.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import Markdown from '../../shell/Markdown.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { stateOfRun } from '../../status/runs.js';
import { Glyph } from '../../status/Status.js';
import { type Member, Now, standing, usedText } from './MemberRows.js';
import { withoutTitle } from './requests.js';

/** Work of a member changes with the log; its files without. */
const ASK_MS = 5_000;

/** One member: what it is for, what it does, has done and has learned. */
export function MemberPage({ base, name }: { readonly base: string; readonly name: string }) {
  const { filters } = useRoute();
  const team = filters?.['team'];
  const resource = useMemo(() => resourceOf('member.list', { member: name }), [name]);
  const { answer, error } = useResource(resource, ASK_MS);
  const member = answer?.members.find(({ team_id: id }) => id === team) ?? answer?.members[0];
  const cast = member?.cast === true;
  const charter = useMemo(
    () => (cast ? new Resource<MemberAnswer>(`${base}/team/members/${encodeURIComponent(name)}`) : UNASKED),
    [base, name, cast],
  );
  const details = useResource<MemberAnswer>(charter, ASK_MS);
  return (
    <>
      <a className="back" href={addressOf({ place: 'team', view: 'members' })}>
        ← All members
      </a>
      <div className="team-head">
        <h1>{inert(name)}</h1>
        {member === undefined ? null : <p className="muted">{[standing(member), inert(member.team)].join(' · ')}</p>}
        <CopyIcon text={`troupe member ${cast ? 'show' : 'list'} ${shellWord(inert(name))}`} />
      </div>
      {member === undefined ? (
        error === undefined ? (
          <Skeleton rows={6} />
        ) : (
          <Failure error={error} />
        )
      ) : (
        <Columns member={member} details={details.answer} />
      )}
      {details.error === undefined || details.answer !== undefined ? null : <Failure error={details.error} />}
    </>
  );
}

interface ColumnsProps {
  readonly member: Member;
  /** Only of members of the cast team. */
  readonly details: MemberAnswer | undefined;
}

function Columns({ member, details }: ColumnsProps) {
  const { attempts = [] } = member;
  return (
    <div className="member-columns">
      <div>
        <section aria-label="Now">
          <h2>Now</h2>
          <Now member={member} />
        </section>
        <section aria-label="Attempts">
          <h2>Attempts {attempts.length === 0 ? null : <span className="count">{attempts.length}</span>}</h2>
          {attempts.length === 0 ? (
            <p className="empty">No attempts yet. Their outcome, time, cost and score will appear here.</p>
          ) : (
            <Attempts name={member.name} attempts={attempts} />
          )}
        </section>
        {details === undefined ? null : <Lessons remembers={details.remembers} />}
      </div>
      <div>
        <Facts member={member} details={details} />
        {details === undefined ? null : (
          <section aria-label={`Charter of ${inert(member.name)}`}>
            <h2>Charter</h2>
            {details.charter === null ? (
              <p className="empty">
                This member has no charter. <code>troupe squad render</code> writes one.
              </p>
            ) : (
              <Markdown text={withoutTitle(details.charter)} />
            )}
          </section>
        )}
      </div>
    </div>
  );
}

const TOOLS = {
  full: 'reads and changes files, runs commands',
  light: 'reads files, changes none',
  bare: 'the graph alone, no files',
  shell: 'one command',
} as const;
const TIERS: Readonly<Record<string, string>> = {
  strong: 'strong model',
  standard: 'standard model',
  fast: 'fast model',
};

/** Role, tools, tier and figures; what is unknown is left out. */
function Facts({ member, details }: ColumnsProps) {
  const now = useNow();
  const works = details?.works ?? undefined;
  const tier = details?.member.default_model;
  const { score, count, lessons, today } = member;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Role', member.role ?? works?.role ?? undefined],
    ['Trade-off', works?.tradeoff ?? undefined],
    ['Skills', works?.skills.join(', ')],
    ['Tools', works === undefined ? undefined : TOOLS[works.exec_mode]],
    ['Tier', tier === undefined ? undefined : (TIERS[tier] ?? tier)],
    ['Client', works?.executor],
    ['Model', works?.model],
    ['Score', score === null ? undefined : `${score.toFixed(2)} in ${plural(count, 'score')}`],
    ['Lessons', lessons === 0 ? undefined : String(lessons)],
    ['Today', today.tokens + today.usd === 0 ? undefined : usedText(today)],
    ['Before', details?.previous_name],
    ['Now called', details?.succeeded_by],
    ['Joined', details?.created_at === undefined ? undefined : `${elapsed(details.created_at, now)} ago`],
    ['Left', details?.retired_at === undefined ? undefined : `${elapsed(details.retired_at, now)} ago`],
  ];
  return (
    <section aria-label="Facts">
      <dl className="facts">
        {rows.map(([label, value]) =>
          value === undefined || value === '' ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{inert(value)}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}

type Attempt = NonNullable<Member['attempts']>[number];

function Attempts({ name, attempts }: { readonly name: string; readonly attempts: readonly Attempt[] }) {
  const now = useNow();
  return (
    <table className="attempt-table" aria-label="Attempts">
      <thead>
        <tr>
          <th scope="col">Outcome</th>
          <th scope="col">Task</th>
          <th scope="col" className="number">
            Began
          </th>
          <th scope="col" className="number">
            Took
          </th>
          <th scope="col" className="number">
            Cost
          </th>
          <th scope="col" className="number">
            Score
          </th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => {
          const { run, task, title, started_at: began, ended_at: ended, outcome, tokens, score } = attempt;
          const end = ended === undefined ? now : Date.parse(ended);
          return (
            <tr key={run}>
              <td>
                <Glyph state={stateOfRun(attempt)} /> {ended === undefined ? 'running' : inert(outcome ?? 'ended')}
              </td>
              <th scope="row">
                <a className="link" href={addressOf({ place: 'team', view: 'members', item: name, task })}>
                  {inert(title)}
                </a>{' '}
                <span className="muted mono">{inert(run)}</span>
              </th>
              <td className="number">
                <time dateTime={began} title={absolute(began)}>
                  {elapsed(began, now)} ago
                </time>
              </td>
              <td className="number">{elapsed(began, end)}</td>
              <td className="number">
                {attempt.cost_usd === null
                  ? tokens === null
                    ? '–'
                    : `${formatTokens(tokens)} tokens`
                  : formatCost(attempt.cost_usd, attempt.estimated_usd)}
              </td>
              <td className="number">{score === null ? '–' : score.toFixed(2)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Memory that the next run of this member receives. */
function Lessons({ remembers: { learnings, decisions, older } }: Pick<MemberAnswer, 'remembers'>) {
  const now = useNow();
  return (
    <>
      <section aria-label="Lessons">
        <h2>
          Lessons {learnings.length === 0 ? null : <span className="count">{learnings.length + older.learnings}</span>}
        </h2>
        {learnings.length === 0 ? (
          <p className="empty">No lessons yet. What it learned from its work will appear here.</p>
        ) : (
          <ul className="lessons">
            {learnings.map(({ number, content, created_at: at }) => (
              <li key={number}>
                <span>{inert(content, true)}</span>
                <time className="muted number" dateTime={at} title={absolute(at)}>
                  {elapsed(at, now)} ago
                </time>
              </li>
            ))}
          </ul>
        )}
        {older.learnings === 0 ? null : <p className="muted">and {older.learnings} older</p>}
      </section>
      {decisions.length === 0 ? null : (
        <section aria-label="Decisions of the team">
          <h2>
            Decisions of the team <span className="count">{decisions.length + older.decisions}</span>
          </h2>
          <ol className="bullets">
            {decisions.map(({ number, title }) => (
              <li key={number} value={number}>
                {inert(title)}
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
