// What a run alone hands on to the next who plays its role: one line among its last words.
const LESSON = /^[ \t>*-]*Lesson\**:\**[ \t]*(\S.*)$/gim;

/** The last such line; undefined where there is none. Foreign text: whoever keeps it makes it a lesson first. */
export function handedLesson(words: string | undefined): string | undefined {
  return [...(words ?? '').matchAll(LESSON)].at(-1)?.[1]?.trim();
}
