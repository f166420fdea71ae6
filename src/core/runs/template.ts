import { TroupeError } from '#kernel/errors.js';

/** What `{{NAME}}` in a custom executor may stand for. */
export const VARIABLES = [
  ...['task_id', 'task_title', 'task_description', 'task_context', 'task_identity', 'working_dir', 'skills_preamble'],
  ...['model', 'task_loop_info'],
] as const;

const PLACE = /\{\{\s*([^{}\s][^{}]*?)\s*\}\}/g;

/** The names that a text asks for, known or not, in order. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(PLACE)].map((match) => match[1] ?? '');
}

/** Puts values in, in one pass: what a value holds is never looked at again. NUL cannot stand in an argument and is shown. */
export function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACE, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw unknownVariable(name, 'template');
    return value.replaceAll('\0', '\ufffd');
  });
}

export function unknownVariable(name: string, where: string): TroupeError {
  return new TroupeError('bad_executor', {
    what: `${where}: there is no variable ${JSON.stringify(name.slice(0, 60))}.`,
    hint: `Use one of ${VARIABLES.join(', ')}.`,
    details: { variable: name.slice(0, 60) },
  });
}
