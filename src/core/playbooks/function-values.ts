import { parseDecimal } from '#kernel/decimal.js';
import { TroupeError } from '#kernel/errors.js';
import { bytesOf } from '#kernel/fence.js';
import { isJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import type { FunctionInput, TraceFunction } from './function.js';

/** Contents of a file given as a value, or the reason why it cannot be read. */
export type FileContent = { readonly text: string } | { readonly problem: string };

/** A problem with one input value. */
export interface ValueProblem {
  readonly input: string;
  readonly problem: string;
}

type Read = { readonly text: string } | { readonly problem: string };

/** Files whose contents are required, with their inputs. */
export function inputFiles(
  { inputs }: TraceFunction,
  values: Readonly<Record<string, unknown>>,
): { input: string; file: string }[] {
  return inputs.flatMap(({ name, type }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return type === 'file_content' && typeof value === 'string' && value !== '' ? [{ input: name, file: value }] : [];
  });
}

/**
 * Validates values and defaults and converts them to text. All missing, unknown and mistyped values are reported
 * together. `already` are problems found before. Errors: `bad_input`.
 */
export function checkedValues(
  { id, inputs }: TraceFunction,
  inputValues: Readonly<Record<string, unknown>>,
  contents: ReadonlyMap<string, FileContent>,
  already: readonly ValueProblem[] = [],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const problems = [...already, ...unknownNames(inputs, inputValues)];
  for (const input of inputs) {
    const own = Object.hasOwn(inputValues, input.name) ? inputValues[input.name] : undefined;
    const value = own ?? (input.type === 'file_content' ? undefined : input.default);
    if (value === undefined || value === null || value === '') {
      if (input.required === true) problems.push({ input: input.name, problem: 'is missing' });
      else values.set(input.name, '');
      continue;
    }
    const read = input.type === 'file_content' ? contentOf(input.name, value, contents) : readValue(input, value);
    if ('problem' in read) problems.push({ input: input.name, problem: read.problem });
    else if (bytesOf(read.text) > TEAM_LIMITS.functionValueBytes) {
      problems.push({ input: input.name, problem: `is larger than ${TEAM_LIMITS.functionValueBytes} bytes` });
    } else values.set(input.name, read.text);
  }
  if (problems.length > 0) throw badInput(id, inputs, problems);
  return values;
}

function badInput(id: string, inputs: readonly FunctionInput[], problems: readonly ValueProblem[]): TroupeError {
  const descriptions = problems.map(({ input, problem }) => `${cut(inert(input), 64)} ${problem}`);
  return new TroupeError('bad_input', {
    what: `${id} cannot be applied: ${descriptions.join('; ')}.`,
    hint: inputs.length === 0 ? 'It takes no inputs.' : `Its inputs: ${cut(inputs.map(inputWords).join(', '), 300)}.`,
    details: { id, problems },
  });
}

function inputWords({ name, type, required }: FunctionInput): string {
  return `${name} (${type}${required === true ? ', required' : ''})`;
}

function unknownNames(inputs: readonly FunctionInput[], values: Readonly<Record<string, unknown>>): ValueProblem[] {
  const names = inputs.map((input) => input.name);
  return Object.keys(values)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const near = didYouMean(name.slice(0, 64), names);
      return { input: name, problem: `is not one of its inputs${near ? ` (did you mean ${near}?)` : ''}` };
    });
}

function contentOf(name: string, value: unknown, contents: ReadonlyMap<string, FileContent>): Read {
  if (typeof value !== 'string') return { problem: 'must be the path of a file' };
  return contents.get(name) ?? { problem: 'cannot be read' };
}

/** Converts a value to text. Values of the command line are text; values of a file have their own types. */
function readValue(input: FunctionInput, value: unknown): Read {
  switch (input.type) {
    case 'string':
    case 'text':
      return plain(value, input.type === 'text');
    case 'number':
      return number(input, value);
    case 'url':
      return url(value);
    case 'enum':
      return choice(input, value);
    case 'file_list':
      return list(value);
    case 'json':
      return json(value);
    case 'file_content':
      return { problem: 'must be the path of a file' };
  }
}

function plain(value: unknown, lines: boolean): Read {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (typeof text !== 'string') return { problem: 'must be text' };
  return !lines && /[\r\n]/.test(text) ? { problem: 'must be one line' } : { text };
}

function number({ min, max }: FunctionInput, value: unknown): Read {
  const text = String(value).trim();
  const size = typeof value === 'number' || typeof value === 'string' ? parseDecimal(text) : undefined;
  if (size === undefined) return { problem: `must be a number${insteadOf(value)}` };
  if (min !== undefined && size < min) return { problem: `must be at least ${min}, not ${text}` };
  if (max !== undefined && size > max) return { problem: `must be at most ${max}, not ${text}` };
  return { text };
}

function url(value: unknown): Read {
  const right = typeof value === 'string' && /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value) && URL.canParse(value);
  return right ? { text: value } : { problem: `must be a URL such as https://example.org${insteadOf(value)}` };
}

function choice({ values = [] }: FunctionInput, value: unknown): Read {
  const allowed = values.map(String);
  const text = String(value);
  return allowed.includes(text)
    ? { text }
    : { problem: `must be one of ${allowed.map((value) => inert(value)).join(', ')}${insteadOf(value)}` };
}

function list(value: unknown): Read {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[,\n]/) : undefined;
  if (!items?.every((item) => typeof item === 'string')) return { problem: 'must be a list of files' };
  const files = items.map((item) => item.trim()).filter((item) => item !== '');
  return files.length === 0 ? { problem: 'must name a file' } : { text: files.join(', ') };
}

function json(value: unknown): Read {
  if (typeof value !== 'string') {
    return isJsonObject(value) || Array.isArray(value) || typeof value === 'number' || typeof value === 'boolean'
      ? { text: JSON.stringify(value) }
      : { problem: 'must be JSON' };
  }
  try {
    JSON.parse(value);
    return { text: value };
  } catch {
    return { problem: `must be JSON${insteadOf(value)}` };
  }
}

function insteadOf(value: unknown): string {
  const actual = typeof value === 'string' ? JSON.stringify(cut(value, 40)) : typeof value;
  return `, not ${inert(actual)}`;
}
