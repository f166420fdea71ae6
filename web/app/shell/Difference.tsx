import { inert } from '#kernel/text.js';

const LINES_SHOWN = 2_000;

/** Removed and added lines, each with its sign. */
export function Difference({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = text.split('\n');
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="difference" tabIndex={0} aria-label={label}>
        <pre>
          {lines.slice(0, LINES_SHOWN).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a difference have no identity
            <span key={index} className={lookOf(line)}>{`${inert(line)}\n`}</span>
          ))}
        </pre>
      </section>
      {lines.length > LINES_SHOWN ? <p className="muted">and {lines.length - LINES_SHOWN} lines more</p> : null}
    </>
  );
}

const lookOf = (line: string): string | undefined =>
  line.startsWith('+') ? 'is-plus' : line.startsWith('-') ? 'is-minus' : line.startsWith('@@') ? 'muted' : undefined;
