import { useMemo, useState } from 'react';
import { inert, plural } from '#kernel/text.js';
import { addressOf } from '../../data/route.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import {
  LANES,
  type LaneRow,
  matchingRoles,
  ROW_STATUSES,
  type Role,
  type RoleFilter,
  type RoleList,
  type RowStatus,
  rolesOf,
  type ScoredRole,
  skillsOf,
} from './roles.js';

const ROWS_AT_ONCE = 100;
const NO_FILTER: RoleFilter = { words: '', lane: '', status: '' };

/** List of roles, filtered by words, lane and status. */
export function RoleLines(props: { readonly answer: RoleList; readonly scored: readonly ScoredRole[] }) {
  const { answer, scored } = props;
  const roles = useMemo(() => rolesOf(answer, scored), [answer, scored]);
  const [filter, setFilter] = useState(NO_FILTER);
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const matching = useMemo(() => matchingRoles(roles, filter), [roles, filter]);
  const choose = (part: Partial<RoleFilter>) => {
    setFilter({ ...filter, ...part });
    setMost(ROWS_AT_ONCE);
  };
  return (
    <section aria-label="Roles">
      <div className="roles-head">
        <h2>
          Roles <span className="count">{roles.length}</span>
        </h2>
        <CopyIcon text="troupe roles show" />
      </div>
      <div className="role-filter">
        <label className="field">
          Search
          <input type="search" value={filter.words} onChange={(event) => choose({ words: event.target.value })} />
        </label>
        <label className="field">
          Lane
          <select
            value={filter.lane}
            onChange={({ target }) => choose({ lane: LANES.find((lane) => lane === target.value) ?? '' })}
          >
            <option value="">all</option>
            {LANES.map((lane) => (
              <option key={lane}>{lane}</option>
            ))}
          </select>
        </label>
        <label className="field">
          Status
          <select
            value={filter.status}
            onChange={({ target }) => choose({ status: ROW_STATUSES.find((status) => status === target.value) ?? '' })}
          >
            <option value="">all</option>
            {ROW_STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        </label>
      </div>
      {answer.errors === 0 ? null : (
        <div className="role-errors">
          <p>{plural(answer.errors, 'place')} of the role files cannot be read: their roles are not seated.</p>
          <CopyIcon text="troupe roles check" />
        </div>
      )}
      <p role="status" className={matching.length === roles.length ? 'unseen' : 'muted'}>
        {matching.length === 0
          ? 'No role matches in this lane.'
          : `${matching.length} of ${plural(roles.length, 'role')}`}
      </p>
      <ul className="record-lines">
        {matching.slice(0, most).map((role) => (
          <RoleLine key={role.name} role={role} />
        ))}
      </ul>
      {matching.length > most ? (
        <button type="button" className="more" onClick={() => setMost(most + ROWS_AT_ONCE)}>
          Show {Math.min(ROWS_AT_ONCE, matching.length - most)} more of {matching.length - most}
        </button>
      ) : null}
    </section>
  );
}

function RoleLine({ role: { name, charter, lessons, rows, scored } }: { readonly role: Role }) {
  return (
    <li className="record-line">
      <div>
        <a className="record-link" data-row href={addressOf({ place: 'team', view: 'roles', item: name })}>
          {inert(name)}
        </a>
        {charter === '' ? null : <p className="muted">{inert(charter)}</p>}
      </div>
      <ul className="lane-marks" aria-label={`Lanes of ${name}`}>
        {rows.map((row) => (
          <li key={`${row.lane} ${row.name}`}>
            <LaneMark row={row} />
          </li>
        ))}
        {rows.length > 0 ? null : (
          <li className="muted">{scored === undefined ? 'in no lane yet' : inert(skillsOf(scored))}</li>
        )}
      </ul>
      <p className="muted role-lessons">{lessonWords(lessons, rows)}</p>
      <p className="number role-score">
        {scored?.avg_score == null ? (
          <span className="muted">not scored</span>
        ) : (
          <>
            {scored.avg_score.toFixed(2)} <span className="muted">in {scored.task_count}</span>
          </>
        )}
      </p>
    </li>
  );
}

/** Sign and class per status; colour is never the only sign. */
/** Lessons of the core, of solo runs and of all lanes. */
function lessonWords(lessons: Role['lessons'], rows: readonly LaneRow[]): string {
  const inLanes = rows.reduce((sum, { lesson_count: count }) => sum + count, 0);
  const parts = [
    [lessons?.core ?? 0, 'core'],
    [lessons?.solo ?? 0, 'solo'],
    [inLanes, 'in lanes'],
  ] as const;
  const words = parts.flatMap(([count, kind]) => (count === 0 ? [] : [`${count} ${kind}`]));
  return words.length === 0 ? 'no lessons' : `lessons: ${words.join(', ')}`;
}

const LOOKS: Readonly<Record<RowStatus, { readonly glyph: string; readonly look: string }>> = {
  stable: { glyph: '●', look: 'is-done' },
  probationary: { glyph: '◐', look: 'is-in-progress' },
  retired: { glyph: '⊘', look: 'is-abandoned' },
};

export function RowStatusWord({ status }: { readonly status: RowStatus }) {
  const { glyph, look } = LOOKS[status];
  return (
    <span className={`status ${look}`}>
      <span className="glyph" aria-hidden="true">
        {glyph}
      </span>
      {status}
    </span>
  );
}

function LaneMark({ row }: { readonly row: LaneRow }) {
  const { clean, thin, cuts } = row.runs;
  return (
    <>
      <span className="lane-name">{row.lane}</span>
      <RowStatusWord status={row.status} />
      <span className="muted number">
        clean {clean}, thin {thin}, cuts {cuts}
      </span>
    </>
  );
}
