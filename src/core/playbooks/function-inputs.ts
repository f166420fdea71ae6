import { titleSlug } from '#core/graph/slug.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { compareText } from '#kernel/order.js';
import { detect, thresholdsIn, type Variation } from './detect-inputs.js';
import { type FunctionInput, mapTexts, namesIn, placeholder, type TaskTemplate, templateTexts } from './function.js';

interface Parameter {
  readonly kind: Variation['kind'] | 'feature';
  readonly value: string;
  readonly input: FunctionInput;
}

const NOTES: Readonly<Record<Parameter['kind'], string>> = {
  feature: 'What the work is about',
  url: 'An address the texts name',
  command: 'A command the texts name',
  path: 'A path the texts name',
  threshold: 'A bound the texts name',
};

/**
 * Finds parts that would differ in another application (the feature's name, paths, addresses, commands, thresholds),
 * makes each an input and replaces it by a placeholder. Filling in the original values restores the texts exactly.
 */
export function parametrize(templates: readonly TaskTemplate[]): {
  inputs: FunctionInput[];
  tasks: TaskTemplate[];
} {
  const texts = templateTexts(templates);
  // Placeholders already in a text stay: no input gets a name that would collide with them.
  const reserved = new Set(texts.flatMap(namesIn));
  const parameters: Parameter[] = [];
  const keys = new Set<string>();
  const take = (kind: Parameter['kind'], value: string) => {
    const key = `${kind} ${value}`;
    if (keys.has(key) || parameters.length >= TEAM_LIMITS.functionInputs) return;
    keys.add(key);
    parameters.push({ kind, value, input: inputFor(kind, value, freeName(kind, value, reserved)) });
  };
  const feature = featureName(templates.map((template) => template.title));
  if (feature !== undefined) take('feature', feature);
  for (const { kind, value } of texts.flatMap(detect)) take(kind, value);
  const replace = replacer(parameters);
  const tasks = templates.map((template) => mapTexts(template, replace));
  const used = new Set(templateTexts(tasks).flatMap(namesIn));
  return { inputs: parameters.map(({ input }) => input).filter(({ name }) => used.has(name)), tasks };
}

function inputFor(kind: Parameter['kind'], value: string, name: string): FunctionInput {
  const description = NOTES[kind];
  if (kind === 'feature') return { name, type: 'string', required: true, description, example: value };
  if (kind === 'threshold') return { name, type: 'number', description, default: Number(value) };
  return { name, type: kind === 'url' ? 'url' : 'string', description, default: value };
}

/** An unused name: `login_path` for `src/login.ts`, `npm_test_command` for `npm test`; with a number if taken. */
function freeName(kind: Parameter['kind'], value: string, reserved: Set<string>): string {
  const base = baseName(kind, value);
  let name = base;
  for (let number = 2; reserved.has(name); number++) name = `${base}_${number}`;
  reserved.add(name);
  return name;
}

function baseName(kind: Parameter['kind'], value: string): string {
  switch (kind) {
    case 'feature':
      return 'feature_name';
    case 'url':
    case 'threshold':
      return kind;
    case 'command':
      return `${words(value)}_command`;
    case 'path':
      return `${words(lastPart(value).replace(/(?<=.)\.[^.]*$/, ''))}_path`;
  }
}

function words(text: string): string {
  return titleSlug(text).replaceAll('-', '_').slice(0, 40);
}

function lastPart(path: string): string {
  return (
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}

/**
 * Inserts placeholders: longer values before shorter ones, whole words only, thresholds only in contexts of thresholds.
 */
function replacer(parameters: readonly Parameter[]): (text: string) => string {
  const names = new Map<string, string>();
  const bounds = new Map<string, string>();
  for (const { kind, value, input } of parameters) {
    const map = kind === 'threshold' ? bounds : names;
    if (!map.has(value)) map.set(value, input.name);
  }
  const literals = [...names.keys()].sort((left, right) => right.length - left.length).map(escapeRegExp);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_/]|[\\p{L}\\p{N}_][.-])(?:${literals.join('|')})(?![\\p{L}\\p{N}_/]|[.-][\\p{L}\\p{N}_])`,
    'gu',
  );
  return (text) => {
    const named = literals.length === 0 ? [] : [...text.matchAll(pattern)];
    const spans = [
      ...named.map((match) => ({ at: match.index, value: match[0], name: names.get(match[0]) })),
      ...thresholdsIn(text).map(({ at, value }) => ({ at, value, name: bounds.get(value) })),
    ].sort((left, right) => left.at - right.at || right.value.length - left.value.length);
    let [whole, end] = ['', 0];
    for (const { at, value, name } of spans) {
      if (name === undefined || at < end) continue;
      whole += text.slice(end, at) + placeholder(name);
      end = at + value.length;
    }
    return whole + text.slice(end);
  };
}

function escapeRegExp(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

const EDGE_WORDS = new Set([
  ...['a', 'an', 'and', 'as', 'at', 'by', 'for', 'from', 'in', 'into', 'is', 'it', 'its', 'of', 'on', 'or', 'our'],
  ...['that', 'the', 'their', 'these', 'this', 'those', 'to', 'up', 'with', 'your'],
]);
const WORDS_MOST = 6;
const LETTERS_LEAST = 3;

/**
 * Guesses the feature from task titles: the longest phrase that all titles share, otherwise most of them. From a single
 * title, all but its first word, which is assumed to be a verb. Undefined if there is no such phrase.
 */
export function featureName(titles: readonly string[]): string | undefined {
  const [only = '', ...others] = titles;
  if (others.length === 0) return trimPhrase(wordsOf(only).slice(1, 1 + WORDS_MOST))?.join(' ');
  const uses = new Map<string, { titles: number; first: number; words: number }>();
  for (const title of titles) {
    for (const [phrase, first] of phrasesOf(title)) {
      const use = uses.get(phrase) ?? { titles: 0, first: 0, words: phrase.split(' ').length };
      use.titles++;
      if (first) use.first++;
      uses.set(phrase, use);
    }
  }
  // A phrase at the start of every title is the action, not its object.
  const able = [...uses].filter(([, use]) => use.titles * 2 > titles.length && use.first < use.titles);
  able.sort(
    ([left, a], [right, b]) =>
      b.titles - a.titles || b.words - a.words || right.length - left.length || compareText(left, right),
  );
  return able[0]?.[0];
}

/** All phrases of a title that could be a name, each once, with a flag for the verb at the start. */
function phrasesOf(title: string): Map<string, boolean> {
  const words = wordsOf(title);
  const phrases = new Map<string, boolean>();
  for (let start = 0; start < words.length; start++) {
    for (let end = start + 1; end <= Math.min(words.length, start + WORDS_MOST); end++) {
      const last = words[end - 1] ?? '';
      const closed = last.replace(/[.,:;!?]+$/, '');
      const phrase = trimPhrase([...words.slice(start, end - 1), closed])?.join(' ');
      const whole = phrase?.split(' ').length === end - start;
      // A colon after the first words makes them the subject: `Login: write the page`.
      if (phrase && whole && !phrases.has(phrase)) phrases.set(phrase, start === 0 && !last.endsWith(':'));
      if (closed !== last) break; // a name does not cross a full stop
    }
  }
  return phrases;
}

function wordsOf(title: string): string[] {
  return title.split(' ').filter((word) => word !== '');
}

/** Removes stop words at both ends; undefined if nothing remains that could be a name. */
function trimPhrase(words: readonly string[]): string[] | undefined {
  const rest = [...words];
  while (isSmall(rest[0])) rest.shift();
  while (isSmall(rest.at(-1))) rest.pop();
  const last = rest.pop();
  if (last !== undefined) rest.push(last.replace(/[.,:;!?]+$/, ''));
  const name = rest.join(' ');
  return (name.match(/\p{L}/gu) ?? []).length >= LETTERS_LEAST && /^[\p{L}\p{N}]/u.test(name) ? rest : undefined;
}

function isSmall(word: string | undefined): boolean {
  return word !== undefined && EDGE_WORDS.has(word.toLowerCase());
}
