import { FunctionFolder } from '#adapters/catalog/function-folder.js';
import { callOperation } from '#operations/call.js';
import { OPERATIONS } from '#operations/table.js';
import { Stage as Casting } from '../operations/team/casting-stage.js';
import type { World } from './world.js';

const OF_WORK = /^(?:work|func|playbook|workflow|decision|memory)\./;

/** From now on the playbooks of this world are the shipped ones, and its team that of a real folder. */
export function planWith(own: World): Casting {
  const casting = new Casting();
  casting.now = own.clock.now();
  casting.store = own.store;
  const ofTheGraph = own.call;
  const context = { ...casting.context(), functions: async () => new FunctionFolder(casting.folder) };
  own.call = async (name, input) => {
    const spec = OPERATIONS.find((candidate) => candidate.name === name);
    return spec !== undefined && OF_WORK.test(name)
      ? await callOperation(spec, context, input)
      : await ofTheGraph(name, input);
  };
  return casting;
}
