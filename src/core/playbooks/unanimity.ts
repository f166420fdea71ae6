import { TroupeError } from '#kernel/errors.js';
import { foldedText } from './folded-text.js';
import { type NoteReading, type PanelNote, readNote } from './panel-note.js';

/** Notes of a panel by seat; undefined without a readable file. */
export type NoteTexts = ReadonlyMap<string, string | undefined>;

/** A seat without a note, with the reason. */
export interface MissingSeat {
  readonly seat: string;
  readonly why: string;
}

/** Votes of a round. */
export interface PanelVotes {
  readonly notes: ReadonlyMap<string, PanelNote>;
  /** Reported with every result: missing seats never count as agreement. */
  readonly missing: readonly MissingSeat[];
  /** Set if all notes agree, which is a warning sign and not a result. */
  readonly unanimous: { readonly on: 'sign-off' } | { readonly on: 'option'; readonly option: string } | undefined;
}

/** Counts the notes of a round. Errors: `panel_silent` without a single note. */
export function countVotes(texts: NoteTexts): PanelVotes {
  const notes = new Map<string, PanelNote>();
  const missing: MissingSeat[] = [];
  for (const [seat, text] of texts) {
    const reading: NoteReading = text === undefined ? { problem: 'there is no note' } : readNote(text);
    if ('note' in reading) notes.set(seat, reading.note);
    else missing.push({ seat, why: reading.problem });
  }
  if (notes.size === 0) {
    throw new TroupeError('panel_silent', {
      what: `No seat submitted a usable note: ${missing.map(({ seat, why }) => `${seat} (${why})`).join(', ')}.`,
    });
  }
  return { notes, missing, unanimous: unanimityOf([...notes.values()]) };
}

function unanimityOf(notes: readonly PanelNote[]): PanelVotes['unanimous'] {
  if (notes.every(({ verdict }) => verdict === 'SIGN-OFF')) return { on: 'sign-off' };
  const option = notes[0]?.option;
  if (option === undefined) return undefined;
  const folded = foldedText(option);
  const same = notes.every((note) => note.option !== undefined && foldedText(note.option) === folded);
  return same ? { on: 'option', option } : undefined;
}
