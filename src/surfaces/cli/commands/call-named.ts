import type { Input, OperationName, Output } from '#operations/map.js';
import { specNamed } from '#operations/named.js';
import type { CommandHost } from '#surfaces/cli/host.js';

/** Calls an operation by its name. */
export function callNamed<Name extends OperationName>(
  host: CommandHost,
  name: Name,
  input: Input<Name>,
  folder: string,
): Promise<Output<Name>> {
  return host.call(specNamed(name), input, folder);
}
