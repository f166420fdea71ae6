// What a run hands on to the next who plays its role: one line among its last words.
const LESSON = /^[ \t>*-]*Lesson\**:\**[ \t]*(\S.*)$/gim;

/** The last such line; undefined where there is none. Foreign text: whoever keeps it makes it a lesson first. */
export function handedLesson(words: string | undefined): string | undefined {
  return [...(words ?? '').matchAll(LESSON)].at(-1)?.[1]?.trim();
}

/** What a seat is told of it. */
export const ONE_LESSON =
  'You may leave one lesson for the next who takes this seat: a line of its own at the end of your last message, `Lesson: …`, in one sentence, about how to work and not about this case.';
/** What whoever leaves a lesson is told beside it. */
export const IF_EVERYWHERE = 'If a lesson holds in every context, it ends with `(context-independent)`.';
