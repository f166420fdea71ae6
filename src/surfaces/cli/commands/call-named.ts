import { OPERATIONS } from '#operations/table.js';
import type { Host } from '../host.js';

/** Calls an operation by its name. */
export function callNamed(host: Host, name: string, input: unknown, folder: string): Promise<unknown> {
  const face = OPERATIONS.find((candidate) => candidate.name === name);
  if (!face) throw new Error(`There is no operation ${name}`);
  return host.call(face, input, folder);
}
