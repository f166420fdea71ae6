import { specOf } from '#operations/named.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { findEntry } from '#surfaces/cli/entries.js';

/** Holds what somebody was answered to the schema of the operation that answered, whichever way the answer came. */
export async function holdAnswer(spec: OperationSpec, answer: unknown): Promise<void> {
  const { output } = await spec.load();
  const checked = output.safeParse(answer);
  if (checked.success) return;
  throw new Error(`${spec.name} answered in the wrong form: ${JSON.stringify(checked.error.issues)}`);
}

/** The same for the JSON that a command line printed. What is no operation has no schema. */
export async function holdPrinted(args: readonly string[], printed: unknown): Promise<void> {
  const found = await findEntry(args);
  if (found && 'kind' in found.entry) await holdAnswer(found.entry, printed);
}

/** The same for what came over a socket. */
export async function holdSent(line: unknown, reply: Readonly<Record<string, unknown>>): Promise<void> {
  const said = typeof line === 'object' && line !== null ? (line as Readonly<Record<string, unknown>>) : {};
  if (said['cmd'] === 'operation' && reply['ok'] === true)
    await holdAnswer(specOf(String(said['name'])), reply['result']);
}
