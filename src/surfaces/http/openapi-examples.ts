import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { Operation } from '#operations/operation.js';
import type { OperationSpec } from '#operations/operation-spec.js';
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
  // A shorter form of a command, and a pipe, say something about the command line alone.
  if (!(command === start || command.startsWith(`${start} `)) || /[|<>$]/.test(command)) return [];
  const words = [...command.slice(start.length).matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
  const own = words.filter((word) => word !== '--json' && word !== '--quiet');
  const input = await parseFlags(spec, own, HERE);
  if (input === 'help' || !operation.input.safeParse(input).success) return [];
  const value: unknown = JSON.parse(JSON.stringify(input));
  return isJsonObject(value) ? [{ command, input: value }] : [];
}
