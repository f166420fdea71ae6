import { useMemo } from 'react';
import { inert, plural, shellWord } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { act } from '../../data/api.js';
import { resourceOf, UNASKED } from '../../data/resource.js';
import { addressOf } from '../../data/route.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Decision } from '../../shell/Decision.js';
import Markdown from '../../shell/Markdown.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { AskRole } from './AskRole.js';
import { Decisions, Suggestions } from './Decisions.js';
import { RowStatusWord } from './RoleLines.js';
import { list, reload, scoredRoles, useRoles } from './requests.js';
import { prospectText, purposeOf, type ScoredRole, skillsOf, slugOf, type TaughtRow, wordsOf } from './roles.js';

type RoleAnswer = Answer<'roles.show'>;
type Lesson = TaughtRow['lessons'][number];

/** One role: its description, its lessons in every context, its record in each lane, and its scores. */
export function RoleView({ name }: { readonly name: string }) {
  const { answer: files } = useRoles(list);
  const { answer: agents } = useRoles(scoredRoles);
  const scored = agents?.entities.find((one) => slugOf(one.name) === slugOf(name));
  const isInFiles =
    files !== undefined &&
    (scored === undefined ||
      files.cores.some((one) => one.name === name) ||
      files.rows.some((one) => one.name === name || one.role === name));
  const isKnown = files !== undefined && agents !== undefined;
  const resource = useMemo(
    () => (isKnown && isInFiles ? resourceOf('roles.show', { name }) : UNASKED),
    [name, isKnown, isInFiles],
  );
  const { answer, error } = useRoles<RoleAnswer>(resource);
  return (
    <>
      <a className="back" href={addressOf({ place: 'team', view: 'roles' })}>
        ← All roles
      </a>
      <div className="roles-head">
        <h1>{inert(name)}</h1>
        <CopyIcon
          text={
            isInFiles
              ? `troupe roles show ${shellWord(inert(name))}`
              : `troupe agency show role ${shellWord(inert(name))}`
          }
        />
      </div>
      {answer !== undefined ? (
        <Role answer={answer} onChange={() => Promise.all([resource.load(), reload()])} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : isKnown && !isInFiles ? null : (
        <Skeleton rows={6} />
      )}
      {scored === undefined ? null : <Scored role={scored} />}
    </>
  );
}

/** The role as agents have it. */
function Scored({ role }: { readonly role: ScoredRole }) {
  const [description, outcome, skills] = [
    wordsOf(role, 'description'),
    wordsOf(role, 'desired_outcome'),
    skillsOf(role),
  ];
  return (
    <section aria-label="Of agents" className="role-identity">
      <h2>Of agents</h2>
      {description === '' ? null : <p>{inert(description)}</p>}
      <dl className="row-fields">
        {[
          ['outcome', outcome],
          ['skills', skills],
          [
            'score',
            role.avg_score === null
              ? 'none yet'
              : `${role.avg_score.toFixed(2)} in ${plural(role.task_count, 'score')}`,
          ],
          ['generation', String(role.generation)],
        ].map(([label, value]) =>
          value === '' || value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{inert(value)}</dd>
            </div>
          ),
        )}
      </dl>
      <p>
        <a className="link" href={addressOf({ place: 'team', view: 'scores' })}>
          Scores with each trade-off, and lineage
        </a>
      </p>
    </section>
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
                <Markdown text={core.body} />
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
