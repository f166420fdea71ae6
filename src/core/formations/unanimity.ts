import { TroupeError } from '#kernel/errors.js';
import { foldedText } from './folded-text.js';
import { type NoteReading, type PanelNote, readNote } from './panel-note.js';

/** What the seats of a panel handed in, by their names; undefined where there is no file that can be read. */
export type NoteTexts = ReadonlyMap<string, string | undefined>;

/** A seat without a note, and why. */
export interface MissingSeat {
  readonly seat: string;
  readonly why: string;
}

/** What the notes of a round come to. */
export interface PanelVotes {
  readonly notes: ReadonlyMap<string, PanelNote>;
  /** Named wherever the panel is told of: nobody decides as if they had agreed. */
  readonly missing: readonly MissingSeat[];
  /** Everybody who spoke says the same. That is a red flag and no result. */
  readonly unanimous: { readonly on: 'sign-off' } | { readonly on: 'option'; readonly option: string } | undefined;
}

/** Reads all notes of a round. `panel_silent` when there is not a single one: then nobody was asked. */
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
