import { TroupeError } from '#kernel/errors.js';
import type { Input, OperationName, Output } from '#operations/map.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import type { OperationSpec } from './operation-spec.js';

/** Spec of the operation with a name received from outside. Errors: `not_found`. */
export function specOf(name: string): OperationSpec {
  const spec = [...OPERATIONS, ...UNLISTED].find((candidate) => candidate.name === name);
  if (!spec)
    throw new TroupeError('not_found', {
      what: `There is no operation ${JSON.stringify(name.slice(0, 60))}.`,
      hint: 'Operations are named like the commands: run `troupe --help --all`.',
    });
  return spec;
}

/** Spec of an operation named in code, with its input and output types. */
export function specNamed<Name extends OperationName>(name: Name): OperationSpec<Input<Name>, unknown, Output<Name>> {
  return specOf(name) as OperationSpec<Input<Name>, unknown, Output<Name>>;
}
