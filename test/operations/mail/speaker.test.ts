import { expect } from 'vitest';
import { directoryOf } from '#core/mail/directory.js';
import { taskIdentity } from '#operations/mail/speaker.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const member = (name: string) => ({ slug: name.toLowerCase(), name, roleTitle: '', charter: undefined });
const team = (id: string, name: string, ...names: string[]) => ({
  ...{ id, name, leader: names[0]?.toLowerCase() ?? '', mesh: false, humans: [], people: [] },
  members: names.map(member),
});

verifies('test.bites', 'a task is done as the member of its own team, never as the namesake on another', async () => {
  const directory = directoryOf(undefined, [team('t-1', 'Airlock', 'Ripley', 'Hicks'), team('t-2', 'Bridge', 'Kane')]);
  const { context } = world();
  const named = (of: string, name: string) =>
    taskIdentity(context, directory, {
      ...{ kind: 'task', id: 'a', title: 'A', status: 'open' },
      team: of,
      member: name,
    });
  expect(await named('t-1', 'Hicks')).toBe('airlock/hicks');
  expect(await named('t-2', 'Hicks')).toBeUndefined();
  expect(await named('t-gone', 'Kane')).toBeUndefined();
});
