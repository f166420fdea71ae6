import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { type FormationKind, type NewTask, runFolder, seatTags } from './formation.js';

/** Assignment of a seat. */
interface Assignment {
  readonly id: string;
  readonly seat: string;
  readonly title: string;
  /** Deliverable, relative to the folder of the run. */
  readonly file: string;
  /** Paragraphs. */
  readonly words: readonly string[];
  /** Model, if given. */
  readonly tier: string | undefined;
}

/** Task of a model that only reads and hands in one file: it changes nothing else, and nothing is merged. */
export function deskTask(kind: FormationKind, run: string, assignment: Assignment): NewTask {
  const { id, seat, title, file, words, tier } = assignment;
  const place = `${runFolder(kind, run)}/${file}`;
  return {
    id,
    title: title.slice(0, FORMATION_LIMITS.titleCharacters),
    description: [...words, `It is handed in as ${place}. Change no other file.`].join('\n\n'),
    tags: seatTags(kind, run, seat),
    deliverables: [place],
    hands_in: true,
    exec_mode: 'light',
    in: 'project',
    no_place: true,
    ...(tier === undefined ? {} : { model: tier }),
  };
}
