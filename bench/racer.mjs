// One of many processes that claim the same task at the same moment; started by racers.mjs, which gives the signal.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [mode, folder, number, bundle] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(bundle, `${name}.mjs`)).href);
const name = `racer-${number}`;

/** Returns `won`, or the error code of the refusal. */
async function throughService() {
  const { ANONYMOUS_ASKER, askService } = await load('client');
  const socket = path.join(folder, '.workgraph', 'service', 'daemon.sock');
  return async (id) => {
    const caller = { kind: 'person', name };
    const request = { cmd: 'operation', name: 'task.claim', input: { id, actor: name }, caller };
    try {
      const { state } = await askService(socket, request, ANONYMOUS_ASKER);
      return state === 'answered' ? 'won' : state;
    } catch (error) {
      return error.code ?? error.message;
    }
  };
}

async function alone() {
  const [{ FileStore }, { ProcessTable }, { claimTask }] = await Promise.all(
    ['file-store', 'process-table', 'moves'].map(load),
  );
  const clock = { now: () => Date.now() };
  const options = { folder: path.join(folder, '.workgraph'), clock, processes: new ProcessTable(), hold: false };
  const store = await FileStore.open(options);
  return async (id) => {
    try {
      await store.commit((view) => claimTask(view, id, { now: Date.now(), by: { name } }));
      return 'won';
    } catch (error) {
      return error.code ?? error.message;
    }
  };
}

const claim = mode === 'service' ? await throughService() : await alone();
process.on('message', async (id) => process.send(await claim(id)));
process.send('here');
