import { TroupeError } from '#kernel/errors.js';
import type { Face } from '#operations/face.js';
import type { Context } from '#operations/operation.js';

/** Loads an operation, checks its input, runs it. Every surface goes through here, so no input is trusted twice. */
export async function callOperation(face: Face, context: Context, input: unknown): Promise<unknown> {
  const operation = await face.load();
  const parsed = operation.input.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.map(String).join('.') ?? '';
    throw new TroupeError('bad_input', {
      what: `${field === '' ? 'The input' : `"${field}"`} is not right: ${issue?.message ?? 'unknown reason'}.`,
      hint: `Run \`troupe ${face.command} --help\`.`,
      details: { field },
    });
  }
  return operation.run(context, parsed.data);
}
