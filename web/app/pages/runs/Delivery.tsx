import { inert, plural } from '#kernel/text.js';
import type { Delivered } from './runs.js';

/** Sign and class per verdict; colour is never the only sign. */
const VERDICTS = {
  PASS: { glyph: '●', look: 'is-done' },
  FAIL: { glyph: '✕', look: 'is-failed' },
  UNPROVEN: { glyph: '◇', look: 'is-pending-validation' },
  OPEN: { glyph: '○', look: 'is-open' },
  HOLDS: { glyph: '●', look: 'is-done' },
  'HOLDS-WITH-CUTS': { glyph: '◇', look: 'is-pending-validation' },
  REFUTED: { glyph: '✕', look: 'is-failed' },
  'SIGN-OFF': { glyph: '●', look: 'is-done' },
  'CHANGES REQUESTED': { glyph: '✕', look: 'is-failed' },
  IDEAS: { glyph: '◇', look: 'is-ready' },
} as const;

function Verdict({ word }: { readonly word: keyof typeof VERDICTS }) {
  const { glyph, look } = VERDICTS[word];
  return (
    <span className={`status ${look}`}>
      <span className="glyph" aria-hidden="true">
        {glyph}
      </span>
      {word}
    </span>
  );
}

/** Criteria of the contract, each with the verdict of QA and its evidence. */
export function Criteria({ criteria }: Pick<Delivered, 'criteria'>) {
  if (criteria.length === 0) return null;
  const passed = criteria.filter(({ verdict }) => verdict === 'PASS').length;
  return (
    <section aria-label="Criteria">
      <h2>
        Criteria{' '}
        <span className="count">
          {passed} of {criteria.length} pass
        </span>
      </h2>
      <table className="delivery">
        <thead>
          <tr>
            <th scope="col">Criterion</th>
            <th scope="col">Verdict</th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          {criteria.map(({ number, text, verdict, evidence }) => (
            <tr key={number}>
              <th scope="row">
                <span className="muted number">{number}</span> {inert(text)}
              </th>
              <td>
                <Verdict word={verdict} />
              </td>
              <td data-label="Evidence">{evidence === '' ? <span className="muted">none</span> : inert(evidence)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const REPORT = [
  ['tried', 'Tried'],
  ['why', 'Why stuck'],
  ['needs', 'Needs'],
  ['escalation', 'Suggestion'],
] as const;

/** Diagnoses of stuck phases. */
export function Stuck({ stuck }: Pick<Delivered, 'stuck'>) {
  return stuck.map(({ phase, diagnosis, ...report }) => (
    <section key={phase} className="card" aria-label={`${phase} is stuck`}>
      <h2>
        {inert(phase)} is stuck {diagnosis === null ? null : <span className="count">by {diagnosis}</span>}
      </h2>
      <dl className="report">
        {REPORT.map(([field, title]) => (
          <div key={field}>
            <dt>{title}</dt>
            <dd>{inert(report[field], true)}</dd>
          </div>
        ))}
      </dl>
    </section>
  ));
}

/** Notes of the seats of a panel, side by side; latest round first. */
export function Notes({ delivered: { notes } }: { readonly delivered: Delivered }) {
  const rounds = [...new Set(notes.map(({ round }) => round))].reverse();
  return rounds.map((round) => {
    const own = notes.filter((note) => note.round === round);
    const over = own.filter(({ verdict }) => verdict === 'SIGN-OFF').length;
    return (
      <section key={round} aria-label={`Notes of round ${round}`}>
        <h2>
          Notes of round {round}{' '}
          <span className="count">
            {over} of {own.length} sign off
          </span>
        </h2>
        <ul className="notes">
          {own.map(({ seat, verdict, option, points, problem }) => (
            <li key={seat} className="card">
              <h3>
                {inert(seat)} {verdict === null ? null : <Verdict word={verdict} />}
              </h3>
              {problem === null ? null : <p className="muted">{inert(problem)}</p>}
              {option === null ? null : <p>For: {inert(option)}</p>}
              <ul className="points">
                {points.map(({ weight, note, move }) => (
                  <li key={`${note} ${move}`}>
                    <span className="muted">{weight}</span> {inert(note)} → {inert(move)}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

/** Result of a panel; unanimous agreement is a warning sign and shown first. */
export function Decided({ delivered: { agreement, steelman, decision } }: { readonly delivered: Delivered }) {
  if (agreement === null && decision === null) return null;
  return (
    <>
      {agreement === null ? null : (
        <section className="card flag" aria-label="All agree">
          <h2>All agree: {inert(agreement)}</h2>
          <p>
            That is a warning, not a result: the skeptic makes the strongest case against it before the decision.
            {steelman === null ? ' It is not written yet.' : ''}
          </p>
          {steelman === null ? null : (
            <details>
              <summary>The strongest case against it</summary>
              <p className="prose">{inert(steelman, true)}</p>
            </details>
          )}
        </section>
      )}
      {decision === null ? null : (
        <section className="card" aria-label="Decision">
          {decision.sections.map(({ title, text }) => (
            <div key={title}>
              {title === 'Decision' ? <h2>{title}</h2> : <h3>{title}</h3>}
              <p className="prose">{inert(text, true)}</p>
            </div>
          ))}
          {decision.steelman === null ? null : <p>Steelman: {inert(decision.steelman)}</p>}
          <h3>Moves</h3>
          <ul className="points">
            {decision.moves.map(({ move, seats }) => (
              <li key={move}>
                {inert(move)} <span className="muted">from {seats.map((seat) => inert(seat)).join(', ')}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const CHECKS_SHOWN = 50;

/** Slices of a sweep with their results, and the verifier's verdicts on the sampled entries. */
export function Slices({ delivered: { slices, sampled, checks } }: { readonly delivered: Delivered }) {
  if (slices.length === 0) return null;
  const refuted = checks.filter(({ verdict }) => verdict === 'REFUTED').length;
  return (
    <>
      <section aria-label="Slices">
        <h2>
          Slices <span className="count">{slices.length}</span>
        </h2>
        <table className="delivery">
          <thead>
            <tr>
              <th scope="col">Slice</th>
              <th scope="col">Owns</th>
              <th scope="col" className="number">
                Entries
              </th>
              <th scope="col" className="number">
                Rejected
              </th>
              <th scope="col">Gap</th>
            </tr>
          </thead>
          <tbody>
            {slices.map(({ name, owns, entries, rejected, gap }) => (
              <tr key={name}>
                <th scope="row">{inert(name)}</th>
                <td data-label="Owns">{owns.map((key) => inert(key)).join(', ')}</td>
                <td className="number" data-label="Entries">
                  {entries === null ? '–' : entries}
                </td>
                <td className="number" data-label="Rejected">
                  {rejected}
                </td>
                <td data-label="Gap">{gap === null ? '' : inert(gap)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {sampled === 0 ? null : (
        <section aria-label="Source check">
          <h2>
            Source check{' '}
            <span className="count">
              {checks.length} of {Math.max(sampled, checks.length)}, {refuted} refuted
            </span>
          </h2>
          <ul className="checks">
            {checks.slice(0, CHECKS_SHOWN).map(({ id, slice, title, source, verdict, why }) => (
              <li key={id}>
                <Verdict word={verdict} />
                <span>
                  <strong>{inert(title || id)}</strong> <span className="muted">{inert(slice)}</span>
                  <br />
                  <span className="muted">
                    {inert(source)}
                    {why === '' ? '' : `: ${inert(why)}`}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          {checks.length > CHECKS_SHOWN ? (
            <p className="muted">and {plural(checks.length - CHECKS_SHOWN, 'other')}</p>
          ) : null}
        </section>
      )}
    </>
  );
}
