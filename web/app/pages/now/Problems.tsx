import { inert } from '#kernel/text.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { Command } from '../../drawer/Command.js';

/** Those that stand above already: in the lines about clients, and in the list of what needs you. */
const SHOWN_ABOVE: ReadonlySet<string> = new Set(['review', 'blocked', 'failed', 'client']);
const EVERY_MS = 15_000;

const problemsResource = resourceOf('analysis.problems', {});

/** What does not go on by itself, each with the command that helps. Nothing is shown where there is nothing. */
export function Problems() {
  const { answer } = useResource(problemsResource, EVERY_MS);
  const rows = (answer?.problems ?? []).filter(({ kind }) => !SHOWN_ABOVE.has(kind));
  if (rows.length === 0) return null;
  return (
    <section className="now-section" aria-label="Problems">
      <h2>
        Problems <span className="count">{rows.length}</span>
      </h2>
      <ul className="problems">
        {rows.map((row) => (
          <li key={`${row.kind} ${row.task} ${row.text}`}>
            <p>
              {row.title === null ? null : <strong>{inert(row.title)}: </strong>}
              {inert(row.text)}
            </p>
            <Command text={inert(row.command)} />
          </li>
        ))}
      </ul>
    </section>
  );
}
