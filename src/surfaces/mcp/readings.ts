import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { specNamed, specOf } from '#operations/named.js';
import type { OperationSpec } from '#operations/operation-spec.js';

/** Calls an operation for a client. */
export type ToolCall = <Input, Parsed, Answer>(
  spec: OperationSpec<Input, Parsed, Answer>,
  input: Input,
) => Promise<Answer>;

/** Things that the client of a person can attach to its conversation, by the first part of their address. */
const READINGS = {
  task: { operation: 'task.show', field: 'id', about: 'A task: its fields, log, last words, and what it waits for.' },
  trace: { operation: 'task.attempts', field: 'id', about: 'The runs of a task: time, outcome, turns, tokens, cost.' },
  team: { operation: 'team.show', field: 'team', about: 'A team: its members and what each is for.' },
} as const;

const address = (kind: keyof typeof READINGS, word: string) => `troupe://${kind}/${encodeURIComponent(word)}`;

/** Forms of the addresses of resources. */
export function resourceTemplates() {
  return Object.entries(READINGS).map(([kind, { field, about }]) => ({
    name: kind,
    uriTemplate: `troupe://${kind}/{${field}}`,
    description: about,
    mimeType: 'application/json',
  }));
}

/** The operation and input of the address of a resource; undefined for any other address. */
export function readingAt(uri: string): { readonly spec: OperationSpec; readonly input: object } | undefined {
  const [, kind = '', word = ''] = /^troupe:\/\/(\w+)\/([^/?#]+)$/.exec(uri) ?? [];
  const found = Object.entries(READINGS).find(([name]) => name === kind)?.[1];
  if (found === undefined) return undefined;
  try {
    return { spec: specOf(found.operation), input: { [found.field]: decodeURIComponent(word) } };
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Resources that a client offers its person to choose from: tasks that are not over, then teams. */
export async function listedResources(call: ToolCall) {
  const { tasks } = await call(specNamed('task.list'), {});
  const { teams } = await call(specNamed('team.list'), {});
  const open = tasks.filter(({ status }) => status !== 'done' && status !== 'abandoned');
  return [
    ...open.map(({ id, title, status }) => ({ uri: address('task', id), name: id, title, description: status })),
    ...teams.map(({ id, name }) => ({ uri: address('team', id), name, title: name, description: 'team' })),
  ].slice(0, SURFACE_LIMITS.resourcesListed);
}
