/** Words that look like an id somebody made: they hold a digit or a separator, and are no word of a language. */
const DISTINCTIVE = /[-_.\d]/;
const LEAST_CHARACTERS = 4;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}._-]*/gu;
const INSTEAD = '[hidden]';

/**
 * Takes mentions of tasks that stay at home out of texts that leave: the structure of an export names no such task, but a
 * person's words may. Ids that are plain words (`tests`) are left alone, for they mean nothing by themselves. Costs the
 * length of the text, however many tasks there are.
 */
export class HiddenTasks {
  private readonly ids = new Set<string>();

  add(id: string): void {
    if (id.length >= LEAST_CHARACTERS && DISTINCTIVE.test(id)) this.ids.add(id);
  }

  mask(text: string): string {
    return this.ids.size === 0 ? text : text.replace(WORD, (word) => (this.names(word) ? INSTEAD : word));
  }

  isMentioned(text: string): boolean {
    return this.mask(text) !== text;
  }

  /** The word itself, or what of it stands before a dot: `secret-plan.md`, or the end of a sentence. */
  private names(word: string): boolean {
    if (this.ids.has(word)) return true;
    for (let dot = word.indexOf('.'); dot !== -1; dot = word.indexOf('.', dot + 1)) {
      if (this.ids.has(word.slice(0, dot))) return true;
    }
    return this.ids.has(word.replace(/[._-]+$/, ''));
  }
}
