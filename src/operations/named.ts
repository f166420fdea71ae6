import { TroupeError } from '#kernel/errors.js';
import type { Input, Output, TableName } from '#operations/map.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import type { OperationSpec } from './operation-spec.js';

/** The row of an operation that came over a line by its name; `not_found` when there is none of that name. */
export function specOf(name: string): OperationSpec {
  const spec = [...OPERATIONS, ...UNLISTED].find((candidate) => candidate.name === name);
  if (!spec)
    throw new TroupeError('not_found', {
      what: `There is no operation ${JSON.stringify(name.slice(0, 60))}.`,
      hint: 'Operations are named like the commands: run `troupe --help --all`.',
    });
  return spec;
}

/** The row of an operation that is named here, with the types of what it is given and answers. */
export function specNamed<Name extends TableName>(name: Name): OperationSpec<Input<Name>, unknown, Output<Name>> {
  return specOf(name) as OperationSpec<Input<Name>, unknown, Output<Name>>;
}
