import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { type FormationKind, type NewTask, runFolder, seatTags } from './formation.js';

/** What a seat is asked for. */
interface Assignment {
  readonly id: string;
  readonly seat: string;
  readonly title: string;
  /** What it hands in, within the folder of the run. */
  readonly file: string;
  /** Paragraphs. */
  readonly words: readonly string[];
  /** The model, where one is said. */
  readonly tier: string | undefined;
}

/** A task of a model that reads, and hands in one file: it changes nothing else, and nothing of it is merged. */
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
