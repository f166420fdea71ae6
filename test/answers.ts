import { specOf } from '#operations/named.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { findEntry } from '#surfaces/cli/entries.js';

/** Validates an answer against the output schema of its operation, on any surface. */
export async function holdAnswer(spec: OperationSpec, answer: unknown): Promise<void> {
  const { output } = await spec.load();
  const checked = output.safeParse(answer);
  if (checked.success) return;
  throw new Error(`${spec.name} answered in the wrong form: ${JSON.stringify(checked.error.issues)}`);
}

/** Validates the JSON that a command printed. Commands that are not operations have no schema. */
export async function holdPrinted(args: readonly string[], printed: unknown): Promise<void> {
  const found = await findEntry(args);
  if (found && 'kind' in found.entry) await holdAnswer(found.entry, printed);
}

/** Validates the reply to a line sent over the socket. */
export async function holdSent(line: unknown, reply: Readonly<Record<string, unknown>>): Promise<void> {
  const said = typeof line === 'object' && line !== null ? (line as Readonly<Record<string, unknown>>) : {};
  if (said['cmd'] === 'operation' && reply['ok'] === true)
    await holdAnswer(specOf(String(said['name'])), reply['result']);
}
