// Extracts the lesson that a run leaves for the next holder of its role: one line of its last message.
const LESSON = /^[ \t>*-]*Lesson\**:\**[ \t]*(\S.*)$/gim;

/** The last lesson line; undefined if there is none. Untrusted text: the caller must clean it with `lessonText`. */
export function handedLesson(words: string | undefined): string | undefined {
  return [...(words ?? '').matchAll(LESSON)].at(-1)?.[1]?.trim();
}

/** Instruction for a seat. */
export const ONE_LESSON =
  'You may leave one lesson for the next who takes this seat: a line of its own at the end of your last message, `Lesson: …`, in one sentence, about how to work and not about this case.';
/** Additional instruction for any run that may leave a lesson. */
export const IF_EVERYWHERE = 'If a lesson holds in every context, it ends with `(context-independent)`.';
