import { existsSync } from 'node:fs';
import type { RequestMark } from '#kernel/request.js';
import { composeProject } from '#main/compose.js';
import { callOperation } from '#operations/call.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { Caller } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import type { ReadOnlyCause } from '#ports/storage.js';

/**
 * Runs an operation in this process, on a graph opened only for it. A command that a service answers loads none of this.
 */
export async function callHere<Input, Parsed, Answer>(
  spec: OperationSpec<Input, Parsed, Answer>,
  input: Input,
  place: Project,
  by: {
    caller: Caller;
    request: RequestMark;
    appeared: (() => boolean) | undefined;
    tell: (reading: ReadOnlyCause | undefined) => void;
  },
): Promise<Answer> {
  if (spec.kind === 'write' && spec.where !== 'caller' && existsSync(place.layout.agents)) {
    const { settleBefore } = await import('#main/settle.js');
    await settleBefore(place);
  }
  if (spec.coordinator) {
    const { callInEngine } = await import('#main/service-control.js');
    return await callInEngine(place, spec, input, by);
  }
  const composed = composeProject(place, undefined, by.appeared);
  try {
    return await callOperation(spec, composed.context(by.caller, by.request), input);
  } finally {
    // If the database has become unreachable, the operation has already reported it.
    by.tell(await composed.reading().catch(() => undefined));
    await composed.close();
  }
}
