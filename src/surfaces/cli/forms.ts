import type { ArgumentSpec, OperationSpec, OptionSpec } from '#operations/operation-spec.js';
import { FOLDED, type Folded } from './folded.js';
import type { CommandEntry, FoundEntry } from './invocation.js';
import { isUnderstood, optionOf } from './understood.js';

/** One of several operations of a command, and the words behind the command that choose it. */
interface Form {
  readonly entry: OperationSpec;
  readonly chosenBy: readonly string[];
}

const isFlag = (word: string) => word.startsWith('-');
const argumentOf = (spec: OperationSpec, flag: string): ArgumentSpec | undefined =>
  spec.arguments?.find(({ field }) => `--${field.replaceAll('_', '-')}` === flag);

/** An argument that a flag sets instead of its place in the line. */
function asOption({ field, many, summary, ...words }: ArgumentSpec): OptionSpec {
  const { required: _, ...more } = words;
  return {
    ...more,
    flag: field.replaceAll('_', '-'),
    field,
    type: many ? 'list' : 'text',
    value: field.toUpperCase(),
    summary,
  };
}

/** The folded operation under the name of the command that stands for it. */
function formOf(spec: Folded, command: string): Form {
  const chosenBy = spec.instead.slice(command.length).split(' ').filter(Boolean);
  const flagged = chosenBy.flatMap((word) => argumentOf(spec, word) ?? []);
  const entry = {
    ...spec,
    command: spec.instead,
    arguments: (spec.arguments ?? []).filter((argument) => !flagged.includes(argument)),
    options: [...(spec.options ?? []), ...flagged.map(asOption)],
  };
  return { entry, chosenBy };
}

/** Forms of a command which it does not take itself. */
function formsOf(entry: CommandEntry): Form[] {
  const { command } = entry;
  return FOLDED.filter(({ instead }) => instead === command || instead.startsWith(`${command} `))
    .map((spec) => formOf(spec, command))
    .filter((form) => !isSame(entry, form));
}

/** Whether the command itself does what the form does: by a flag of its own, or without any word. */
function isSame(entry: CommandEntry, { entry: form, chosenBy: [first] }: Form): boolean {
  if ('isChosen' in entry) return false;
  if (first !== undefined && isFlag(first)) return optionOf(entry, first) !== undefined;
  if (first !== undefined) return entry.arguments?.[0]?.values?.includes(first) === true && !form.options?.length;
  const takes = (spec: CommandEntry) => (spec.arguments ?? []).length > 0;
  const needs = (spec: CommandEntry) => (spec.arguments ?? []).some(({ required }) => required);
  return takes(entry) ? !needs(entry) || needs(form) : !takes(form);
}

/** The words without those that choose the form; undefined if one of these is missing. */
function restIn({ entry, chosenBy }: Form, words: readonly string[]): readonly string[] | undefined {
  let rest = words;
  for (const word of chosenBy) {
    const isThis = (each: string) => each === word || (isFlag(word) && each.startsWith(`${word}=`));
    const place = isFlag(word) ? rest.findIndex(isThis) : rest[0] === word ? 0 : -1;
    if (place === -1) return undefined;
    if (optionOf(entry, word) === undefined) rest = [...rest.slice(0, place), ...rest.slice(place + 1)];
  }
  return rest;
}

/** The form of a command that a line means which the command itself does not take. */
export function chosenForm({ entry, rest: words }: FoundEntry): FoundEntry | undefined {
  const chosen = formsOf(entry).flatMap((form) => {
    const rest = restIn(form, words);
    return rest === undefined ? [] : [{ entry: form.entry, rest, isNamed: form.chosenBy.length > 0 }];
  });
  const meant = chosen.find(isUnderstood) ?? chosen.find(({ isNamed }) => isNamed);
  return meant && { entry: meant.entry, rest: meant.rest };
}

/** The command with the words and flags of all its forms, as help, completion and the reference show it. */
export function withForms(entry: CommandEntry): CommandEntry {
  const forms = formsOf(entry);
  if (forms.length === 0) return entry;
  const options = new Map((entry.options ?? []).map((option) => [option.flag, option]));
  const words = forms.flatMap(({ chosenBy: [first = '--'] }) => (isFlag(first) ? [] : [first]));
  const kind: ArgumentSpec = { field: 'kind', summary: words.join(' or '), values: words };
  const parameters = [...(entry.arguments ?? (words.length === 0 ? [] : [kind]))];
  for (const { entry: form, chosenBy } of forms) {
    addOptions(options, { entry: form, chosenBy });
    const lead = leadOf(chosenBy);
    const isWord = chosenBy.some((word) => !isFlag(word));
    const taken = [...(isWord ? [kind] : []), ...(form.arguments ?? [])];
    const isNew = parameters.length === 0;
    const isLess = !isWord && taken[0]?.required !== true;
    for (const [place, argument] of parameters.entries())
      if (!isWord && taken[place]?.required !== true) parameters[place] = { ...argument, required: false };
    for (const argument of taken.slice(parameters.length))
      parameters.push({ ...argument, required: false, summary: `${lead}${argument.summary}` });
    const [first] = parameters;
    if (lead !== '' || first === undefined || !(isNew || isLess)) continue;
    const also = `${form.summary.charAt(0).toLowerCase()}${form.summary.slice(1)}`;
    parameters[0] = { ...first, summary: `${first.summary}${isNew ? ':' : '; without it,'} ${also}` };
  }
  const examples = [...entry.examples, ...forms.flatMap(({ entry: form }) => form.examples.slice(0, 1))];
  return { ...entry, arguments: parameters, options: [...options.values()], examples: [...new Set(examples)] };
}

const leadOf = (chosenBy: readonly string[]): string => (chosenBy.length === 0 ? '' : `${chosenBy.join(' ')}: `);

/** Adds the flags that choose a form, and those that it takes. */
function addOptions(options: Map<string, OptionSpec>, { entry: { summary, options: own = [] }, chosenBy }: Form): void {
  for (const flag of chosenBy.filter(isFlag).map((word) => word.slice(2)))
    options.set(flag, {
      ...(own.find((option) => option.flag === flag) ?? { flag, field: flag, type: 'switch' }),
      summary,
    });
  for (const option of own)
    if (!options.has(option.flag))
      options.set(option.flag, { ...option, summary: `${leadOf(chosenBy)}${option.summary}` });
}
