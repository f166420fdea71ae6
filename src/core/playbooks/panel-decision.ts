import { TroupeError } from '#kernel/errors.js';
import { PANEL_LIMITS } from '#kernel/limits/panel.js';
import { headingOf, markdownLines } from '#kernel/markdown-lines.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

/** A panel's decision, as written by its director. */
export interface PanelDecision {
  /** Sections by lower-case title, without code and comments. */
  readonly sections: ReadonlyMap<string, string>;
  /** Actions, with the seats whose notes they came from. */
  readonly moves: readonly { readonly move: string; readonly seats: readonly string[] }[];
  /** Outcome of the steelman as written, such as `ran, … retained`. */
  readonly steelman: string | undefined;
}

/** Required sections; one without content must state that. */
export const DECISION_SECTIONS = ['Decision', 'Why', 'Minority view', 'Unresolved tensions', 'Moves'] as const;

const MOVE = /^[ \t]{0,3}[-*][ \t]+(\S.*)$/;
const STEELMAN = /^[ \t]{0,3}(?:[-*][ \t]+)?(?:\*\*)?steelman(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(\S.*)$/i;

/** Parses a decision. Missing parts are reported by `checkDecision`. */
export function readDecision(text: string, seats: readonly string[]): PanelDecision {
  const sections = new Map<string, string[]>();
  let lines: string[] | undefined;
  let steelman: string | undefined;
  for (const line of markdownLines(text)) {
    const heading = headingOf(line);
    if (heading?.level === 2) {
      const title = heading.title.toLowerCase();
      lines = sections.has(title) ? undefined : [];
      if (lines) sections.set(title, lines);
    } else if (line.kind === 'text') {
      const outcome = STEELMAN.exec(line.text)?.[1];
      if (outcome !== undefined) steelman ??= shown(outcome);
      lines?.push(line.text);
    }
  }
  const moves = (sections.get('moves') ?? []).flatMap((line) => moveOf(line, seats) ?? []);
  return {
    sections: new Map([...sections].map(([title, body]) => [title, body.join('\n').trim()])),
    moves: moves.slice(0, PANEL_LIMITS.points),
    steelman,
  };
}

/** Parses a move such as `- Keep the queue ← skeptic, operator`: after the arrow are the seats it came from. */
function moveOf(line: string, seats: readonly string[]): PanelDecision['moves'][number] | undefined {
  const text = MOVE.exec(line)?.[1];
  if (text === undefined) return undefined;
  const [move = '', origin = ''] = text.split(/←|<-/, 2);
  if (move.trim() === '') return undefined;
  const named: readonly string[] = origin.toLowerCase().match(/[a-z][a-z0-9-]*/g) ?? [];
  return { move: shown(move), seats: seats.filter((seat) => named.includes(seat)) };
}

/** Facts about the notes that the decision must account for. */
export interface PanelState {
  readonly missing: readonly string[];
  readonly unanimous: boolean;
  /** Whether the skeptic's steelman file exists. */
  readonly steelmanWritten: boolean;
  /** Reason why a person waived the steelman. */
  readonly waived: string | undefined;
}

const OUTCOME = /^ran\b[\s,:;—–-]*.*\b(?:retained|adopted|reversed)\b[.\s]*$/i;

/**
 * Rejects an incomplete decision: a missing section, a move without a source, an unnamed seat without a note, unanimity
 * without a steelman. Returns the text about the steelman for the log. Errors: `decision_incomplete`,
 * `steelman_missing`.
 */
export function checkDecision(decision: PanelDecision, state: PanelState): string {
  const absent = DECISION_SECTIONS.find((title) => (decision.sections.get(title.toLowerCase()) ?? '') === '');
  if (absent !== undefined) throw incomplete(`its section \`## ${absent}\` is missing or empty`);
  const unfounded = decision.moves.find(({ seats }) => seats.length === 0);
  if (unfounded) throw incomplete(`the move ${JSON.stringify(cut(unfounded.move, 60))} does not name its source note`);
  const text = [...decision.sections.values()].join('\n').toLowerCase();
  const unnamed = state.missing.find((seat) => !new RegExp(`(?<![a-z0-9-])${seat}(?![a-z0-9-])`).test(text));
  if (unnamed !== undefined) throw incomplete(`${unnamed} submitted no note, and the decision does not say so`);
  if (!state.unanimous) return 'n/a';
  if (state.waived !== undefined) return `waived because ${shown(state.waived)}`;
  const outcome = decision.steelman ?? '';
  if (state.steelmanWritten && OUTCOME.test(outcome)) return outcome;
  throw new TroupeError('steelman_missing', {
    what: state.steelmanWritten
      ? 'All seats agree, and the decision does not answer the strongest case against it.'
      : 'All seats agree, and no case against it was made.',
  });
}

function incomplete(why: string): TroupeError {
  return new TroupeError('decision_incomplete', { what: `The decision of the panel: ${why}.` });
}

function shown(text: string): string {
  return cut(inert(redact(text)).trim(), PANEL_LIMITS.pointCharacters);
}
