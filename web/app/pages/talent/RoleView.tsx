import { useMemo } from 'react';
import { inert, plural, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { act } from '../../data/api.js';
import { resourceOf } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { Command } from '../../drawer/Command.js';
import { Decision } from '../../shell/Decision.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { AskRole } from './AskRole.js';
import { Decisions, Suggestions } from './Decisions.js';
import { RowStatusWord } from './RoleLines.js';
import { reload, useRoles } from './requests.js';
import { prospectText, purposeOf, type TaughtRow } from './roles.js';

type RoleAnswer = Answer<'roles.show'>;
type Lesson = TaughtRow['lessons'][number];

/** One role: its description, its lessons in every context, and its record in each lane. */
export function RoleView({ name }: { readonly name: string }) {
  const resource = useMemo(() => resourceOf('roles.show', { name }), [name]);
  const { answer, error } = useRoles(resource);
  return (
    <>
      <a className="back" href={addressOf({ place: 'team', view: 'roles' })}>
        ← All roles
      </a>
      <h1>{inert(name)}</h1>
      {answer !== undefined ? (
        <Role answer={answer} onChange={() => Promise.all([resource.load(), reload()])} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </>
  );
}

function Role({ answer, onChange }: { readonly answer: RoleAnswer; onChange(): Promise<unknown> }) {
  const { name, core, rows } = answer;
  const [row] = rows;
  return (
    <>
      <div className="role-identity">
        {core === null ? (
          <p>
            {row === undefined ? '' : inert(purposeOf(row))}{' '}
            <span className="muted">No core role: it exists only in its lanes.</span>
          </p>
        ) : (
          <>
            <p>{inert(core.charter)}</p>
            {core.when_to_use.length === 0 ? null : (
              <>
                <h2>When to use</h2>
                <ul className="bullets">
                  {core.when_to_use.map((when) => (
                    <li key={when}>{inert(when)}</li>
                  ))}
                </ul>
              </>
            )}
            {core.body === '' ? null : (
              <details>
                <summary>How it works</summary>
                <p className="role-body">{inert(core.body, true)}</p>
              </details>
            )}
            <p className="mono muted">{inert(core.file)}</p>
          </>
        )}
      </div>
      <Decisions role={name} />
      {rows.length === 0 ? null : (
        <div className="lanes">
          {rows.map((one) => (
            <LaneCard key={`${one.lane} ${one.name}`} row={one} onChange={onChange} />
          ))}
        </div>
      )}
      {core === null ? null : (
        <div className="lanes">
          <Lessons title="Core lessons" about="used in every context" lessons={core.core} />
          <Lessons title="Solo lessons" about="used only in solo runs" lessons={core.solo} />
        </div>
      )}
      <Suggestions role={name} />
      {core === null ? null : (
        <section aria-label="Run it solo">
          <h2>Run it solo</h2>
          <AskRole names={[name]} />
        </section>
      )}
      <Command text={`troupe roles show ${shellWord(inert(name))}`} />
      {core === null ? null : (
        <Command text={`troupe roles propose ${shellWord(inert(name))} TEXT --section charter --why TEXT`} />
      )}
    </>
  );
}

/** Fields shown elsewhere on the card, or useless to people. */
const SHOWN_BEFORE: ReadonlySet<string> = new Set(['status', 'runs', 'learnings', 'counted', 'role']);

function LaneCard({ row, onChange }: { readonly row: TaughtRow; onChange(): Promise<unknown> }) {
  const { lane, name, status, runs, fields, lessons, file, line } = row;
  const retired = status === 'retired';
  const verb = retired ? 'revive' : 'retire';
  return (
    <section className="card" aria-label={`${lane}: ${name}`}>
      <h2>
        {lane} <RowStatusWord status={status} />
      </h2>
      <p className="number">
        clean {runs.clean}, thin {runs.thin}, cuts {runs.cuts} <span className="muted">{prospectText(row)}</span>
      </p>
      <dl className="row-fields">
        {fields
          .filter(({ key, value }) => !SHOWN_BEFORE.has(key) && value !== '')
          .map(({ key, value }) => (
            <div key={key}>
              <dt>{inert(key)}</dt>
              <dd>{inert(value)}</dd>
            </div>
          ))}
      </dl>
      <h3>
        Lessons of this lane <span className="count">{lessons.length}</span>
      </h3>
      <LessonLines lessons={lessons} />
      <Decision
        label={retired ? 'Revive' : 'Retire'}
        about={`${name} in ${lane}`}
        command={`troupe roles ${verb} ${shellWord(inert(name))} --lane ${lane}`}
        act={async () => {
          await act(`roles.${verb}`, { name, lane });
          await onChange();
        }}
      />
      <p className="muted">
        {retired
          ? 'If revived, it restarts on probation with zero counts.'
          : 'If retired, it is kept but never seated.'}{' '}
        <span className="mono">
          {inert(file)}:{line}
        </span>
      </p>
    </section>
  );
}

function Lessons(props: { readonly title: string; readonly about: string; readonly lessons: readonly Lesson[] }) {
  const { title, about, lessons } = props;
  return (
    <section className="card" aria-label={title}>
      <h2>
        {title} <span className="count">{lessons.length}</span>
      </h2>
      <p className="muted">{about}</p>
      <LessonLines lessons={lessons} />
    </section>
  );
}

const LESSONS_SHOWN = 40;

/** Lessons, newest first; the files list them oldest first. */
function LessonLines({ lessons }: { readonly lessons: readonly Lesson[] }) {
  const newest = [...lessons].reverse();
  const older = newest.slice(LESSONS_SHOWN);
  if (lessons.length === 0) return <p className="muted">None yet.</p>;
  return (
    <>
      <LessonList lessons={newest.slice(0, LESSONS_SHOWN)} />
      {older.length === 0 ? null : (
        <details>
          <summary>{plural(older.length, 'older lesson')}</summary>
          <LessonList lessons={older} />
        </details>
      )}
    </>
  );
}

function LessonList({ lessons }: { readonly lessons: readonly Lesson[] }) {
  return (
    <ul className="lesson-lines">
      {lessons.map(({ date, text, line }) => (
        <li key={line}>
          <span className="muted number">{date === null ? 'no date' : inert(date)}</span>
          <span>{inert(text)}</span>
        </li>
      ))}
    </ul>
  );
}
