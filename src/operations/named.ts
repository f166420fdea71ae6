import { TroupeError } from '#kernel/errors.js';
import type { Face } from '#operations/face.js';
import type { Input, Output, TableName } from '#operations/map.js';
import { OPERATIONS } from '#operations/table.js';

/** The row of an operation that came over a line by its name; `not_found` when there is none of that name. */
export function faceOf(name: string): Face {
  const face = OPERATIONS.find((candidate) => candidate.name === name);
  if (!face)
    throw new TroupeError('not_found', { what: `There is no operation ${JSON.stringify(name.slice(0, 60))}.` });
  return face;
}

/** The row of an operation that is named here, with the types of what it is given and answers. */
export function faceNamed<Name extends TableName>(name: Name): Face<Input<Name>, unknown, Output<Name>> {
  return faceOf(name) as Face<Input<Name>, unknown, Output<Name>>;
}
