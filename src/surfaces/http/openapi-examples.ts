import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { Operation } from '#operations/operation.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { findEntry } from '#surfaces/cli/entries.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';

/** An example of an input, and the command line that gives it. */
export interface InputExample {
  readonly command: string;
  readonly input: JsonObject;
}

/** Stands for the folder in which an example is typed. */
const HERE = '/project';

/** The inputs of an operation's examples: what its command lines say, parsed as the command line parses them. */
export async function examplesOf(spec: OperationSpec, operation: Operation): Promise<readonly InputExample[]> {
  const found = await Promise.all(spec.examples.map((command) => exampleOf(spec, operation, command)));
  return found.flat();
}

async function exampleOf(spec: OperationSpec, operation: Operation, command: string): Promise<InputExample[]> {
  const start = `troupe ${spec.command}`;
  const isOwn = command === start || command.startsWith(`${start} `);
  // A shorter form of a command, and a pipe, say something about the command line alone.
  if (!(isOwn || spec.instead !== undefined) || /[|<>$]/.test(command)) return [];
  const words = [...command.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const own = words.slice(1).filter((word) => word !== '--json' && word !== '--quiet');
  const line = isOwn ? { entry: spec, rest: own.slice(spec.command.split(' ').length) } : await findEntry(own);
  if (line === undefined || !('name' in line.entry) || line.entry.name !== spec.name) return [];
  const input = await parseFlags(line.entry, line.rest, HERE);
  if (input === 'help' || !operation.input.safeParse(input).success) return [];
  const value: unknown = JSON.parse(JSON.stringify(input));
  return isJsonObject(value) ? [{ command, input: value }] : [];
}
